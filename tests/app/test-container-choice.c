/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "controls/container-choice.h"

#include "controls/container-notice.h"
#include "run-error.h"

static char *
get_string (FhContainerChoice *choice, const char *property)
{
  char *text = NULL;

  g_object_get (choice, property, &text, NULL);
  return text;
}

/* Everything that weakens a container is off until somebody wants it. */
static void
test_default (void)
{
  g_autoptr (FhContainerChoice) choice = fh_container_choice_new ();
  g_autofree char *notice = NULL;
  g_autofree char *problem = NULL;
  g_autoptr (GError) error = NULL;
  FhContainerOptions options;

  g_assert_false (fh_container_choice_is_in_container (choice));
  g_assert_cmpstr (fh_container_choice_get_image (choice), ==, FH_CONTAINER_DEFAULT_IMAGE);
  g_object_set (choice, "in-container", TRUE, NULL);
  g_assert_true (fh_container_choice_get (choice, &options, &error));
  g_assert_no_error (error);
  g_assert_cmpint (options.engine, ==, FH_ENGINE_AUTO);
  g_assert_null (options.image);
  g_assert_null (options.network);
  g_assert_null (options.gpus);
  g_assert_null (options.work_dir);
  g_assert_null (options.volumes[0]);
  g_assert_null (options.hosts[0]);
  g_assert_null (options.environment[0]);
  g_assert_false (options.is_kept);
  g_assert_false (options.is_writable);
  g_assert_false (options.is_root);
  notice = get_string (choice, "notice");
  problem = get_string (choice, "problem");
  g_assert_null (notice);
  g_assert_null (problem);
}

/* What is typed is taken apart: blanks around words and empty lines are nothing. */
static void
test_typed (void)
{
  g_autoptr (FhContainerChoice) choice = fh_container_choice_new ();
  g_autoptr (GError) error = NULL;
  FhContainerOptions options;

  g_object_set (choice,
                "in-container",
                TRUE,
                "engine",
                FH_ENGINE_PODMAN,
                "image",
                "  alpine:3 ",
                "cpus",
                "1,5",
                "network",
                "bridge",
                "volumes",
                "\n  /srv/data:/data \n\n/srv/out:/out:rw\n",
                "environment",
                "A=1\nB=two words\n",
                "hosts",
                "db:192.0.2.7",
                NULL);
  g_assert_true (fh_container_choice_get (choice, &options, &error));
  g_assert_no_error (error);
  g_assert_cmpstr (options.image, ==, "alpine:3");
  g_assert_cmpuint (options.milli_cpus, ==, 1500);
  g_assert_cmpstr (options.network, ==, "bridge");
  g_assert_cmpstr (options.volumes[0], ==, "/srv/data:/data");
  g_assert_cmpstr (options.volumes[1], ==, "/srv/out:/out:rw");
  g_assert_null (options.volumes[2]);
  g_assert_cmpstr (options.environment[1], ==, "B=two words");
  g_assert_cmpstr (options.hosts[0], ==, "db:192.0.2.7");
}

/* A name and what becomes of it are said of a container that is kept, and of no other. */
static void
test_kept (void)
{
  g_autoptr (FhContainerChoice) choice = fh_container_choice_new ();
  g_autoptr (GError) error = NULL;
  FhContainerOptions options;

  g_object_set (choice, "in-container", TRUE, "name", "mine", "after", FH_CONTAINER_STOP, NULL);
  g_assert_true (fh_container_choice_get (choice, &options, &error));
  g_assert_no_error (error);
  g_assert_null (options.name);
  g_assert_cmpint (options.after, ==, FH_CONTAINER_REMOVE);
  g_object_set (choice, "kept", TRUE, NULL);
  g_assert_true (fh_container_choice_get (choice, &options, &error));
  g_assert_no_error (error);
  g_assert_cmpstr (options.name, ==, "mine");
  g_assert_cmpint (options.after, ==, FH_CONTAINER_STOP);
}

static void
test_problems (void)
{
  const struct
  {
    const char *property;
    const char *text;
  } wrong[] = {
    { "image", "--privileged" },
    { "image", "Not An Image" },
    { "cpus", "many" },
    { "cpus", "-1" },
    { "network", "container:other" },
    { "volumes", "/:/all" },
    { "volumes", "relative:/x" },
    { "environment", "no equals sign" },
    { "hosts", "nothing" },
    { "gpus", "--all" },
    { "work-dir", "not/absolute" },
  };
  FhContainerOptions options;

  for (guint i = 0; i < G_N_ELEMENTS (wrong); i++)
    {
      g_autoptr (FhContainerChoice) choice = fh_container_choice_new ();
      g_autoptr (GError) error = NULL;
      g_autofree char *problem = NULL;
      g_autofree char *elsewhere = NULL;

      g_test_message ("%s: %s", wrong[i].property, wrong[i].text);
      g_object_set (choice, wrong[i].property, wrong[i].text, NULL);
      /* No matter while the runs are on this computer. */
      elsewhere = get_string (choice, "problem");
      g_assert_null (elsewhere);
      g_object_set (choice, "in-container", TRUE, NULL);
      g_assert_false (fh_container_choice_get (choice, &options, &error));
      g_assert_error (error, FH_RUN_ERROR, FH_RUN_ERROR_INVALID);
      problem = get_string (choice, "problem");
      g_assert_cmpstr (problem, ==, error->message);
    }
}

/* All that lets something in or out is told. */
static void
test_notice (void)
{
  const char *const volumes[] = { "/a:/a", "/b:/b:rw", NULL };
  const FhContainerOptions options = {
    .network = "bridge",
    .work_dir = "/home/me/work",
    .volumes = volumes,
    .gpus = "all",
    .is_writable = TRUE,
    .is_root = TRUE,
  };
  const FhContainerOptions harmless = { .milli_cpus = 500, .image = "x", .is_kept = TRUE };
  const char *const told[] = { "“bridge”", "/home/me/work",   "2 volumes",
                               "graphics", "image’s folders", "root" };
  g_autofree char *notice = fh_container_notice_new (&options);

  g_assert_null (fh_container_notice_new (&harmless));
  for (guint i = 0; i < G_N_ELEMENTS (told); i++)
    g_assert_nonnull (strstr (notice, told[i]));
}

static void
count_cb (guint *count)
{
  (*count)++;
}

/* A past run brings all of its choices back, those too that have no control; its folder goes with
 * the place that the engine knew it by. */
static void
test_from_options (void)
{
  const char *const volumes[] = { "/a:/a", NULL };
  const FhContainerOptions past = {
    .engine = FH_ENGINE_DOCKER,
    .image = "plain",
    .no_pull = TRUE,
    .name = "mine",
    .is_kept = TRUE,
    .after = FH_CONTAINER_LEAVE,
    .work_dir = "/home/me",
    .bind_dir = "/mnt/me",
    .files = FH_CONTAINER_FILES_BIND,
    .network = "bridge",
    .milli_cpus = 250,
    .volumes = volumes,
    .is_root = TRUE,
  };
  g_autoptr (FhContainerChoice) choice = fh_container_choice_new ();
  g_autoptr (GError) error = NULL;
  FhContainerOptions options;
  guint serials = 0;

  g_signal_connect_swapped (choice, "notify::serial", G_CALLBACK (count_cb), &serials);
  fh_container_choice_set_from (choice, &past, "python3.9");
  g_assert_cmpuint (serials, ==, 1);
  g_assert_true (fh_container_choice_is_in_container (choice));
  g_assert_cmpstr (fh_container_choice_get_interpreter (choice), ==, "python3.9");
  g_assert_true (fh_container_choice_get (choice, &options, &error));
  g_assert_no_error (error);
  g_assert_cmpint (options.engine, ==, FH_ENGINE_DOCKER);
  g_assert_cmpstr (options.image, ==, "plain");
  g_assert_true (options.no_pull);
  g_assert_cmpstr (options.name, ==, "mine");
  g_assert_cmpint (options.after, ==, FH_CONTAINER_LEAVE);
  g_assert_cmpstr (options.work_dir, ==, "/home/me");
  g_assert_cmpstr (options.bind_dir, ==, "/mnt/me");
  g_assert_cmpint (options.files, ==, FH_CONTAINER_FILES_BIND);
  g_assert_cmpuint (options.milli_cpus, ==, 250);
  g_assert_cmpstr (options.volumes[0], ==, "/a:/a");
  g_assert_true (options.is_root);

  g_object_set (choice, "work-dir", "/home/other", NULL);
  g_assert_true (fh_container_choice_get (choice, &options, &error));
  g_assert_null (options.bind_dir);
  g_assert_cmpint (options.files, ==, FH_CONTAINER_FILES_AUTO);

  fh_container_choice_set_from (choice, NULL, NULL);
  g_assert_false (fh_container_choice_is_in_container (choice));
  g_assert_cmpstr (fh_container_choice_get_image (choice), ==, "plain");
}

int
main (int argc, char *argv[])
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/app/container-choice/default", test_default);
  g_test_add_func ("/app/container-choice/typed", test_typed);
  g_test_add_func ("/app/container-choice/kept", test_kept);
  g_test_add_func ("/app/container-choice/problems", test_problems);
  g_test_add_func ("/app/container-choice/notice", test_notice);
  g_test_add_func ("/app/container-choice/from-options", test_from_options);
  return g_test_run ();
}
