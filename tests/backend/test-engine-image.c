/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Images are what an engine says of them, checked; getting one can be watched and canceled. */
#include <string.h>

#include "engine-image.h"
#include "engine-room.h"

static void
keep_result_cb (GObject *source, GAsyncResult *result, gpointer user_data)
{
  *(GAsyncResult **) user_data = g_object_ref (result);
}

static void
wait_for (GAsyncResult **result)
{
  while (*result == NULL)
    g_main_context_iteration (NULL, TRUE);
}

static FhEngine *
engine_of (FhEngineKind kind)
{
  const FhEngineFacts facts = { .kind = kind, .program = engine_room_program (kind) };

  return fh_engine_new (&facts);
}

static FhImage *
find (FhEngineKind kind, const char *name, GError **error)
{
  g_autoptr (FhEngine) engine = engine_of (kind);
  g_autoptr (GAsyncResult) result = NULL;

  fh_image_find_async (engine, name, NULL, keep_result_cb, &result);
  wait_for (&result);
  return fh_image_find_finish (result, error);
}

static void
test_found (void)
{
  static const FhEngineKind kinds[] = { FH_ENGINE_DOCKER, FH_ENGINE_PODMAN };

  for (guint i = 0; i < G_N_ELEMENTS (kinds); i++)
    {
      g_autoptr (GError) error = NULL;
      g_autoptr (FhImage) image = find (kinds[i], "python:3-slim", &error);
      g_autoptr (FhImage) copy = NULL;

      g_assert_no_error (error);
      copy = fh_image_copy (image);
      g_assert_cmpstr (copy->name, ==, "python:3-slim");
      g_assert_cmpstr (copy->id,
                       ==,
                       "sha256:5220c6543dd104cbc9f2ceb95e457400521e3317d6f83a0bacd34a276ee976c0");
      g_assert_cmpstr (copy->architecture, ==, "amd64");
      g_assert_cmpstr (copy->system, ==, "linux");
      g_assert_cmpuint (copy->size, ==, 71247621);
      g_assert_cmpuint (g_strv_length (copy->environment), ==, 2);
      g_assert_cmpstr (copy->environment[0], ==, "PATH=/usr/bin:/bin");
      g_assert_cmpstr (copy->environment[1], ==, "EMPTY=");
    }
}

static void
test_found_poor (void)
{
  g_autoptr (FhImage) arm = find (FH_ENGINE_DOCKER, "arm", NULL);
  g_autoptr (FhImage) bare = find (FH_ENGINE_DOCKER, "bare", NULL);

  g_assert_cmpstr (arm->architecture, ==, "arm64");
  g_assert_cmpstr (bare->architecture, ==, "");
  g_assert_cmpstr (bare->system, ==, "");
  g_assert_cmpuint (bare->size, ==, 0);
  g_assert_nonnull (bare->environment);
  g_assert_null (bare->environment[0]);
}

static void
assert_not_found (FhEngineKind kind, const char *name, FhEngineError code)
{
  g_autoptr (GError) error = NULL;

  g_assert_null (find (kind, name, &error));
  g_assert_error (error, FH_ENGINE_ERROR, (int) code);
}

static void
test_not_found (void)
{
  assert_not_found (FH_ENGINE_DOCKER, "missing", FH_ENGINE_ERROR_NO_IMAGE);
  assert_not_found (FH_ENGINE_PODMAN, "missing", FH_ENGINE_ERROR_NO_IMAGE);
  assert_not_found (FH_ENGINE_DOCKER, "nonsense", FH_ENGINE_ERROR_FAILED);
  assert_not_found (FH_ENGINE_DOCKER, "option-as-id", FH_ENGINE_ERROR_FAILED);
}

/* No client is started with what it might take for an option. */
static void
test_names (void)
{
  static const char *const good[] = {
    "a",
    "python:3-slim",
    "127.0.0.1:5000/a_b/c.d--e:T@sha256:abc",
    "Reg.example/x",
  };
  static const char *const bad[] = {
    "", "-x", "--privileged", "a b", "a\nb", " a", "a;b", "$(id)", ".a", "\xc3\xa4", "a\x1b[2J",
  };

  for (guint i = 0; i < G_N_ELEMENTS (good); i++)
    g_assert_true (fh_image_name_check (good[i], NULL));
  engine_room_count_calls ();
  for (guint i = 0; i < G_N_ELEMENTS (bad); i++)
    assert_not_found (FH_ENGINE_DOCKER, bad[i], FH_ENGINE_ERROR_FAILED);
  g_assert_cmpuint (engine_room_count_calls (), ==, 0);
}

static void
test_list (void)
{
  g_autoptr (FhEngine) engine = engine_of (FH_ENGINE_DOCKER);
  g_autoptr (GAsyncResult) result = NULL;
  g_autoptr (GError) error = NULL;
  g_auto (GStrv) names = NULL;

  fh_image_list_async (engine, NULL, keep_result_cb, &result);
  wait_for (&result);
  names = fh_image_list_finish (result, &error);
  g_assert_no_error (error);
  g_assert_cmpuint (g_strv_length (names), ==, 200);
  g_assert_cmpstr (names[0], ==, "python:3-slim");
  g_assert_cmpstr (names[1], ==, "plain:latest");
  g_assert_cmpstr (names[2], ==, "many:0");
}

/* What was heard of a pull. */
typedef struct
{
  FhImage *image;
  GError *error;
  guint finished;
  guint steps;
  double fraction;
  double cancel_at; /* negative: never */
} Pull;

static void
step_cb (FhImagePull *pull, gpointer user_data)
{
  Pull *heard = user_data;
  double fraction = fh_image_pull_get_fraction (pull);

  g_assert_cmpuint (heard->finished, ==, 0);
  g_assert_cmpfloat (fraction, >=, heard->fraction);
  heard->fraction = fraction;
  heard->steps++;
  if (heard->cancel_at >= 0 && fraction >= heard->cancel_at)
    fh_image_pull_cancel (pull);
}

static void
finished_cb (FhImagePull *pull, FhImage *image, GError *error, gpointer user_data)
{
  Pull *heard = user_data;

  g_assert_true ((image == NULL) != (error == NULL));
  heard->image = fh_image_copy (image);
  heard->error = error != NULL ? g_error_copy (error) : NULL;
  heard->finished++;
}

/* It lives by itself until it is finished. */
static void
pull_image (const char *name, Pull *heard)
{
  g_autoptr (FhEngine) engine = engine_of (FH_ENGINE_DOCKER);
  FhImagePull *pull = fh_image_pull_start (engine, name);
  gpointer gone = pull;

  heard->fraction = -1;
  g_signal_connect (pull, "changed", G_CALLBACK (step_cb), heard);
  g_signal_connect (pull, "finished", G_CALLBACK (finished_cb), heard);
  g_object_add_weak_pointer (G_OBJECT (pull), &gone);
  g_object_unref (pull);
  g_assert_cmpuint (heard->finished, ==, 0);
  while (gone != NULL)
    g_main_context_iteration (NULL, TRUE);
  g_assert_cmpuint (heard->finished, ==, 1);
}

static void
pull_clear (Pull *heard)
{
  fh_image_free (heard->image);
  g_clear_error (&heard->error);
}

static void
test_pull (void)
{
  Pull heard = { .cancel_at = -1 };

  pull_image ("python:3-slim", &heard);
  g_assert_no_error (heard.error);
  g_assert_cmpstr (heard.image->name, ==, "python:3-slim");
  g_assert_cmpfloat (heard.fraction, ==, 1);
  pull_clear (&heard);
}

static void
assert_pull_fails (const char *name, GQuark domain, int code, const char *words)
{
  Pull heard = { .cancel_at = -1 };

  pull_image (name, &heard);
  g_assert_error (heard.error, domain, code);
  if (strstr (heard.error->message, words) == NULL)
    g_error ("“%s” is not in “%s”", words, heard.error->message);
  pull_clear (&heard);
}

static void
test_pull_fails (void)
{
  assert_pull_fails ("refused",
                     FH_ENGINE_ERROR,
                     FH_ENGINE_ERROR_FAILED,
                     "Docker said: “Get \"http://x/v2/\": dial tcp: connect: connection refused”");
  assert_pull_fails ("silent", FH_ENGINE_ERROR, FH_ENGINE_ERROR_FAILED, "without a message");
  assert_pull_fails ("--all", FH_ENGINE_ERROR, FH_ENGINE_ERROR_FAILED, "not a valid image name");
  /* It was pulled and is not there all the same. */
  assert_pull_fails ("missing", FH_ENGINE_ERROR, FH_ENGINE_ERROR_NO_IMAGE, "no such image");
}

static void
test_pull_flood (void)
{
  Pull heard = { .cancel_at = -1 };

  pull_image ("flood", &heard);
  g_assert_no_error (heard.error);
  g_assert_cmpuint (heard.steps, >, 10);
  pull_clear (&heard);
}

static void
assert_cancelled (const char *name)
{
  Pull heard = { .cancel_at = 0 };
  gint64 start = g_get_monotonic_time ();

  pull_image (name, &heard);
  g_assert_error (heard.error, G_IO_ERROR, G_IO_ERROR_CANCELLED);
  g_assert_nonnull (strstr (heard.error->message, name));
  /* By itself the quicker one ends after a minute. */
  g_assert_cmpint (g_get_monotonic_time () - start, <, 50 * G_TIME_SPAN_SECOND);
  pull_clear (&heard);
}

/* One ends when it is asked to, the other has to be killed. */
static void
test_pull_cancelled (void)
{
  assert_cancelled ("slow");
  assert_cancelled ("stubborn");
}

static void
told_cb (const char *line, gpointer user_data)
{
  g_string_append_printf (user_data, "%s\n", line);
}

/* The folder of the last build, as its client was told. */
static void
assert_no_folder (void)
{
  g_autofree char *calls = NULL;
  g_autofree char *folder = NULL;
  g_auto (GStrv) words = NULL;

  g_assert_true (g_file_get_contents (engine_room_path ("calls"), &calls, NULL, NULL));
  words = g_strsplit (g_strrstr (calls, "--iidfile"), " ", 3);
  folder = g_path_get_dirname (words[1]);
  g_assert_true (g_path_is_absolute (folder));
  g_assert_false (g_file_test (folder, G_FILE_TEST_EXISTS));
}

static char *
build (FhEngine *engine, const char *script, GCancellable *cancellable, GError **error)
{
  g_autoptr (GString) told = g_string_new (NULL);
  g_autoptr (GBytes) text = g_bytes_new_static (script, strlen (script));
  g_autoptr (GAsyncResult) result = NULL;

  fh_image_build_async (engine, text, NULL, told_cb, told, cancellable, keep_result_cb, &result);
  wait_for (&result);
  g_assert_true (g_str_has_prefix (told->str, "Step 1/1 : FROM x\n"));
  engine_room_assert_no_child ();
  assert_no_folder ();
  return fh_image_build_finish (result, error);
}

static void
assert_built (const char *script)
{
  g_autoptr (FhEngine) engine = engine_of (FH_ENGINE_DOCKER);
  g_autoptr (GError) error = NULL;
  g_autofree char *id = build (engine, script, NULL, &error);

  g_assert_no_error (error);
  g_assert_true (g_str_has_prefix (id, "sha256:5220"));
}

/* With its streams closed a client goes on, and what it leaves behind does not. */
static void
test_build (void)
{
  assert_built ("good");
  assert_built ("close");
  assert_built ("child");
  engine_room_kill_noted ();
}

static void
assert_not_built (const char *script, const char *words)
{
  g_autoptr (FhEngine) engine = engine_of (FH_ENGINE_DOCKER);
  g_autoptr (GError) error = NULL;

  g_assert_null (build (engine, script, NULL, &error));
  g_assert_error (error, FH_ENGINE_ERROR, FH_ENGINE_ERROR_FAILED);
  g_assert_nonnull (strstr (error->message, words));
}

static void
test_build_fails (void)
{
  const FhEngineFacts facts = { .kind = FH_ENGINE_PODMAN, .program = "/usr/bin/podman" };
  g_autoptr (FhEngine) unknown = fh_engine_new (&facts);
  g_autoptr (GBytes) text = g_bytes_new_static ("x", 1);
  g_autoptr (GAsyncResult) result = NULL;
  g_autoptr (GError) error = NULL;

  assert_not_built ("fail", "Docker said: “no such thing”");
  assert_not_built ("wordless", "Docker said: “Step 1/1 : FROM x”");
  fh_image_build_async (unknown, text, NULL, told_cb, NULL, NULL, keep_result_cb, &result);
  wait_for (&result);
  g_assert_null (fh_image_build_finish (result, &error));
  g_assert_nonnull (strstr (error->message, "with Podman ?:"));
}

static void
assert_build_cancelled (const char *script)
{
  g_autoptr (FhEngine) engine = engine_of (FH_ENGINE_DOCKER);
  g_autoptr (GCancellable) cancellable = g_cancellable_new ();
  g_autoptr (GError) error = NULL;
  GThread *thread = engine_room_cancel (cancellable);

  g_assert_null (build (engine, script, cancellable, &error));
  g_assert_error (error, G_IO_ERROR, G_IO_ERROR_CANCELLED);
  g_thread_join (thread);
  engine_room_assert_gone ();
}

/* It ignores the request to end, also when it has nothing more to say. */
static void
test_build_cancelled (void)
{
  assert_build_cancelled ("stubborn");
  assert_build_cancelled ("close stubborn");
}

int
main (int argc, char *argv[])
{
  int status;

  g_test_init (&argc, &argv, NULL);
  engine_room_begin ();
  engine_room_set ("works", "works");
  g_test_add_func ("/engine-image/found", test_found);
  g_test_add_func ("/engine-image/found-poor", test_found_poor);
  g_test_add_func ("/engine-image/not-found", test_not_found);
  g_test_add_func ("/engine-image/names", test_names);
  g_test_add_func ("/engine-image/list", test_list);
  g_test_add_func ("/engine-image/pull", test_pull);
  g_test_add_func ("/engine-image/pull-fails", test_pull_fails);
  g_test_add_func ("/engine-image/pull-flood", test_pull_flood);
  g_test_add_func ("/engine-image/pull-cancelled", test_pull_cancelled);
  g_test_add_func ("/engine-image/build", test_build);
  g_test_add_func ("/engine-image/build-fails", test_build_fails);
  g_test_add_func ("/engine-image/build-cancelled", test_build_cancelled);
  status = g_test_run ();
  engine_room_end ();
  return status;
}
