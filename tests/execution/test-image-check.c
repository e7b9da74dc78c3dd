/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "image-check.h"

#include "fake-docker.h"
#include "fh-test.h"

#define IMAGE "python:3-slim"

/* Longer than the pause that the check makes after a change. */
#define PAUSE_MS 900

static FhImageCheck *
check_new (const char *images)
{
  fake_docker_begin ();
  fake_docker_set ("images", images);
  fake_docker_set ("pull", "works");
  return fh_image_check_new ();
}

static void
check_end (FhImageCheck *check)
{
  fh_image_check_set (check, FH_ENGINE_AUTO, NULL);
  while (g_main_context_iteration (NULL, FALSE))
    ;
  g_object_unref (check);
  fake_docker_end ();
}

static gboolean
over_cb (gpointer over)
{
  *(gboolean *) over = TRUE;
  return G_SOURCE_REMOVE;
}

static void
wait_ms (guint ms)
{
  gboolean over = FALSE;

  g_timeout_add (ms, over_cb, &over);
  while (!over)
    g_main_context_iteration (NULL, TRUE);
}

static void
wait_for (FhImageCheck *check, FhImageCheckState state)
{
  gint64 deadline = g_get_monotonic_time () + 60 * G_USEC_PER_SEC;

  while (fh_image_check_get_state (check) != state)
    {
      if (g_get_monotonic_time () > deadline)
        g_error ("waited for state %d; there is %d: %s",
                 state,
                 fh_image_check_get_state (check),
                 fh_image_check_get_text (check));
      wait_ms (10);
    }
}

static void
test_present (void)
{
  FhImageCheck *check = check_new (IMAGE "\nother:1\n");

  g_assert_cmpint (fh_image_check_get_state (check), ==, FH_IMAGE_CHECK_IDLE);
  fh_image_check_set (check, FH_ENGINE_AUTO, IMAGE);
  g_assert_cmpint (fh_image_check_get_state (check), ==, FH_IMAGE_CHECK_CHECKING);
  wait_for (check, FH_IMAGE_CHECK_PRESENT);
  g_assert_nonnull (strstr (fh_image_check_get_detail (check), "Docker 20.10.24"));
  g_assert_nonnull (strstr (fh_image_check_get_detail (check), "MB"));
  /* It is there: a pull has nothing to do. */
  fh_image_check_pull (check);
  g_assert_cmpint (fh_image_check_get_state (check), ==, FH_IMAGE_CHECK_PRESENT);
  check_end (check);
}

/* A name that is being typed is asked about once, when it is finished. */
static void
test_typing (void)
{
  const char *const names[] = { "o", "ot", "oth", "othe", "other", "other:", "other:1" };
  FhImageCheck *check = check_new (IMAGE "\nother:1\n");

  for (guint i = 0; i < G_N_ELEMENTS (names); i++)
    {
      fh_image_check_set (check, FH_ENGINE_AUTO, names[i]);
      wait_ms (50);
    }
  wait_for (check, FH_IMAGE_CHECK_PRESENT);
  g_assert_cmpuint (fake_docker_count_calls ("image inspect"), ==, 1);
  check_end (check);
}

/* What no image is called is said at once, and the engine is left alone. */
static void
test_invalid (void)
{
  FhImageCheck *check = check_new (IMAGE "\n");

  fh_image_check_set (check, FH_ENGINE_AUTO, "--privileged");
  g_assert_cmpint (fh_image_check_get_state (check), ==, FH_IMAGE_CHECK_INVALID);
  g_assert_nonnull (strstr (fh_image_check_get_text (check), "--privileged"));
  fh_image_check_again (check);
  wait_ms (PAUSE_MS);
  g_assert_cmpint (fh_image_check_get_state (check), ==, FH_IMAGE_CHECK_INVALID);
  g_assert_cmpuint (fake_docker_count_calls (""), ==, 0);
  fh_image_check_set (check, FH_ENGINE_AUTO, IMAGE);
  wait_for (check, FH_IMAGE_CHECK_PRESENT);
  check_end (check);
}

static void
grow_cb (FhImageCheck *check, double *most)
{
  *most = MAX (*most, fh_image_check_get_fraction (check));
}

static void
test_pull (void)
{
  FhImageCheck *check = check_new ("other:1\n");
  double most = -1;

  fh_image_check_set (check, FH_ENGINE_AUTO, IMAGE);
  wait_for (check, FH_IMAGE_CHECK_MISSING);
  g_signal_connect (check, "changed", G_CALLBACK (grow_cb), &most);
  fh_image_check_pull (check);
  g_assert_cmpint (fh_image_check_get_state (check), ==, FH_IMAGE_CHECK_PULLING);
  wait_for (check, FH_IMAGE_CHECK_PRESENT);
  g_assert_cmpfloat (most, >, 0.3);
  g_assert_cmpuint (fake_docker_count_calls ("pull"), ==, 1);
  check_end (check);
}

/* In the engine's own words; and it can be tried again. */
static void
test_pull_fails (void)
{
  FhImageCheck *check = check_new ("");

  fake_docker_set ("pull", "missing");
  fh_image_check_set (check, FH_ENGINE_AUTO, IMAGE);
  wait_for (check, FH_IMAGE_CHECK_MISSING);
  fh_image_check_pull (check);
  wait_for (check, FH_IMAGE_CHECK_PULL_FAILED);
  g_test_message ("%s", fh_image_check_get_detail (check));
  g_assert_nonnull (strstr (fh_image_check_get_detail (check), "manifest unknown"));
  fake_docker_set ("pull", "works");
  fh_image_check_pull (check);
  wait_for (check, FH_IMAGE_CHECK_PRESENT);
  check_end (check);
}

static void
test_pull_cancelled (void)
{
  FhImageCheck *check = check_new ("");

  fake_docker_set ("pull", "slow");
  fh_image_check_set (check, FH_ENGINE_AUTO, IMAGE);
  wait_for (check, FH_IMAGE_CHECK_MISSING);
  fh_image_check_pull (check);
  wait_ms (PAUSE_MS);
  g_assert_cmpint (fh_image_check_get_state (check), ==, FH_IMAGE_CHECK_PULLING);
  fh_image_check_cancel_pull (check);
  wait_for (check, FH_IMAGE_CHECK_MISSING);
  /* Another name ends a pull that goes on. */
  fh_image_check_pull (check);
  fake_docker_set ("images", "other:1\n");
  fh_image_check_set (check, FH_ENGINE_AUTO, "other:1");
  wait_for (check, FH_IMAGE_CHECK_PRESENT);
  check_end (check);
}

/* The engine says why it cannot be used; once it is there the same question has another answer. */
static void
test_trouble (void)
{
  FhImageCheck *check = check_new (IMAGE "\n");

  fake_docker_set ("down", "");
  fh_image_check_set (check, FH_ENGINE_AUTO, IMAGE);
  wait_for (check, FH_IMAGE_CHECK_TROUBLE);
  g_test_message ("%s", fh_image_check_get_detail (check));
  g_assert_nonnull (strstr (fh_image_check_get_detail (check), "systemctl start docker"));
  fake_docker_set ("down", NULL);
  fh_image_check_again (check);
  wait_for (check, FH_IMAGE_CHECK_PRESENT);
  check_end (check);
}

FH_TESTS ({ "/session/image-check/present", test_present },
          { "/session/image-check/typing", test_typing },
          { "/session/image-check/invalid", test_invalid },
          { "/session/image-check/pull", test_pull },
          { "/session/image-check/pull-fails", test_pull_fails },
          { "/session/image-check/pull-cancelled", test_pull_cancelled },
          { "/session/image-check/trouble", test_trouble });
