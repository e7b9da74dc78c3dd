/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "picture-decoder.h"

#include <glib/gi18n-lib.h>

#include "executor.h"
#include "run-error.h"

#define AT_ONCE    2
#define WALL_MS    60000
#define CPU_MS     5000
#define MEMORY_MIB 256
#define DISK_MIB   20
/* Pictures that are remembered take so much, with what they were decoded from. */
#define REMEMBERED ((gsize) 64 << 20)
#define RESULT     "pixels"

struct _FhPictureDecoder
{
  GObject parent_instance;

  FhProbes *probes;
  GQueue waiting; /* GTask, whose data is a Job */
  guint n_running;
  GHashTable *known; /* GBytes of an image to FhPicture */
  GQueue ages;       /* keys of `known`, the one used last at the head */
  gsize remembered;
};

G_DEFINE_FINAL_TYPE (FhPictureDecoder, fh_picture_decoder, G_TYPE_OBJECT)
G_DEFINE_QUARK (fh - picture - error - quark, fh_picture_error)

/* No row of the table of languages: the user cannot choose it. The image comes as standard input.
 */
static const char *const none[] = { NULL };
static const FhLanguage decoder_language = {
  .id = "decode",
  .name = "fumehood-decode",
  .file_name = "image",
  .interpreter = "fumehood-decode",
  .aliases = none,
  .suffixes = none,
};

typedef struct
{
  GBytes *image;
  FhExecutor *executor; /* while it runs */
  FhRun *run;
  gulong cancelled; /* a handler */
  guint turn;       /* an idle source */
} Job;

static void
job_free (gpointer data)
{
  Job *job = data;

  g_bytes_unref (job->image);
  g_clear_object (&job->run);
  g_clear_object (&job->executor);
  g_free (job);
}

/* By ends and length: a collision is found by comparing all. */
static guint
hash_image (gconstpointer key)
{
  gsize size;
  const guint8 *data = g_bytes_get_data ((GBytes *) key, &size);
  guint hash = (guint) size;

  for (gsize i = 0; i < MIN (size, 64); i++)
    hash = hash * 33 + data[i] + 7u * data[size - 1 - i];
  return hash;
}

static gsize
cost (GBytes *image, FhPicture *picture)
{
  return g_bytes_get_size (image) + g_bytes_get_size (picture->pixels);
}

static void
forget_oldest (FhPictureDecoder *self)
{
  GBytes *image = g_queue_pop_tail (&self->ages);

  self->remembered -= cost (image, g_hash_table_lookup (self->known, image));
  g_hash_table_remove (self->known, image);
}

static void
remember (FhPictureDecoder *self, GBytes *image, FhPicture *picture)
{
  if (cost (image, picture) > REMEMBERED || g_hash_table_contains (self->known, image))
    return;
  g_hash_table_insert (self->known, g_bytes_ref (image), fh_picture_ref (picture));
  g_queue_push_head (&self->ages, image);
  self->remembered += cost (image, picture);
  while (self->remembered > REMEMBERED)
    forget_oldest (self);
}

/* (transfer full) (nullable) */
static FhPicture *
recall (FhPictureDecoder *self, GBytes *image)
{
  gpointer key;
  gpointer picture;

  if (!g_hash_table_lookup_extended (self->known, image, &key, &picture))
    return NULL;
  g_queue_remove (&self->ages, key);
  g_queue_push_head (&self->ages, key);
  return fh_picture_ref (picture);
}

/* The decoder lies beside the runner, installed or in a build folder. (transfer full) */
static char *
locate_decoder (void)
{
  const char *runner = g_getenv ("FH_RUNNER");
  g_autofree char *folder = NULL;
  g_autofree char *path = NULL;

  if (runner == NULL || *runner == '\0')
    return g_build_filename (FH_RUNNER_DIR, decoder_language.interpreter, NULL);
  path = g_canonicalize_filename (runner, NULL);
  folder = g_path_get_dirname (path);
  g_free (path);
  path = g_build_filename (folder, decoder_language.interpreter, NULL);
  if (g_file_test (path, G_FILE_TEST_IS_EXECUTABLE))
    return g_steal_pointer (&path);
  g_free (folder);
  folder = g_path_get_dirname (path);
  return g_build_filename (folder, "..", "decode", decoder_language.interpreter, NULL);
}

static FhRunRequest *
new_request (GBytes *image, GError **error)
{
  g_autofree char *located = locate_decoder ();
  g_autofree char *decoder = g_canonicalize_filename (located, NULL);
  g_autoptr (FhRunOptions) options = fh_run_options_new ();
  g_autoptr (GBytes) nothing = g_bytes_new_static ("", 0);

  options->limits.wall_ms = WALL_MS;
  options->limits.cpu_ms = CPU_MS;
  options->limits.memory_bytes = (guint64) MEMORY_MIB << 20;
  options->limits.disk_bytes = (guint64) DISK_MIB << 20;
  options->limits.output_bytes = 64 << 10;
  options->limits.processes = 16;
  options->guards.watch = FH_WATCH_OFF;
  options->guards.no_sockets = TRUE;
  options->interpreter = g_strdup (decoder);
  return fh_run_request_new (&(FhRunRequestInit){ .language = &decoder_language,
                                                  .source = nothing,
                                                  .standard_input = image,
                                                  .options = options },
                             error);
}

static gboolean
refuse (GError **error, FhPictureError code, const char *sentence)
{
  g_set_error_literal (error, FH_PICTURE_ERROR, (int) code, sentence);
  return FALSE;
}

/* How the decoder ended, as its own exit codes say (decode/pixels.h) and as its sandbox says. */
static gboolean
check_end (FhRunResult *result, GError **error)
{
  const FhRunOutcome *outcome = fh_run_result_get_parts (result)->outcome;

  switch (outcome->status)
    {
    case FH_RUN_STATUS_OK:
      return TRUE;
    case FH_RUN_STATUS_TIMED_OUT:
      return refuse (error,
                     FH_PICTURE_ERROR_TIMED_OUT,
                     _ ("It takes too long to decode. Save it to see it elsewhere."));
    case FH_RUN_STATUS_MEMORY_EXCEEDED:
    case FH_RUN_STATUS_DISK_LIMIT:
    case FH_RUN_STATUS_PROCESS_LIMIT:
      break;
    case FH_RUN_STATUS_NOT_STARTED:
    case FH_RUN_STATUS_GUARD_FAILED:
    case FH_RUN_STATUS_INTERNAL_ERROR:
      return refuse (error,
                     FH_PICTURE_ERROR_UNAVAILABLE,
                     fh_run_result_get_parts (result)->sentence);
    case FH_RUN_STATUS_FAILED:
      if (outcome->exit_code == 3)
        return refuse (error,
                       FH_PICTURE_ERROR_UNKNOWN,
                       _ ("It is not a picture, whatever its name says."));
      if (outcome->exit_code == 6)
        return refuse (error,
                       FH_PICTURE_ERROR_UNAVAILABLE,
                       _ ("This computer has nothing that reads such pictures."));
      if (outcome->exit_code == 5)
        break;
      return refuse (error, FH_PICTURE_ERROR_DAMAGED, _ ("It is damaged."));
    case FH_RUN_STATUS_SIGNALLED:
    case FH_RUN_STATUS_OUTPUT_LIMIT:
    case FH_RUN_STATUS_VIOLATION:
    case FH_RUN_STATUS_STOPPED:
    case FH_RUN_STATUS_OPERATION_LIMIT:
    default:
      return refuse (error,
                     FH_PICTURE_ERROR_DAMAGED,
                     _ ("Decoding it was ended by its sandbox. Nothing else is affected."));
    }
  return refuse (error,
                 FH_PICTURE_ERROR_TOO_LARGE,
                 _ ("It has more pixels than can be shown here. Save it to see it elsewhere."));
}

/* (transfer full) (nullable) */
static FhPicture *
read_result (FhRunResult *result, GError **error)
{
  FhResultFiles *files = fh_run_result_get_parts (result)->files;
  FhPicture *picture = NULL;

  if (!check_end (result, error))
    return NULL;
  for (guint i = 0; picture == NULL && i < g_list_model_get_n_items (G_LIST_MODEL (files)); i++)
    {
      const FhResultFileFacts *facts = fh_result_file_get_facts (fh_result_files_get (files, i));

      if (g_str_equal (facts->path, RESULT) && facts->content != NULL)
        picture = fh_picture_read (facts->content);
    }
  if (picture == NULL)
    refuse (error, FH_PICTURE_ERROR_DAMAGED, _ ("It is damaged."));
  return picture;
}

static void start_next (FhPictureDecoder *self);

/* In a later turn, because the run that told of it is not to be disposed of now. */
static gboolean
ended_cb (gpointer user_data)
{
  g_autoptr (GTask) task = g_object_ref (user_data);
  FhPictureDecoder *self = g_task_get_source_object (task);
  Job *job = g_task_get_task_data (task);
  GError *error = NULL;
  FhPicture *picture = read_result (fh_run_get_result (job->run), &error);

  job->turn = 0;
  g_signal_handlers_disconnect_by_data (job->run, task);
  g_cancellable_disconnect (g_task_get_cancellable (task), job->cancelled);
  g_clear_object (&job->run);
  fh_executor_close (job->executor);
  g_clear_object (&job->executor);
  self->n_running--;
  if (picture != NULL)
    {
      remember (self, job->image, picture);
      g_task_return_pointer (task, picture, (GDestroyNotify) fh_picture_unref);
    }
  else
    g_task_return_error (task, error);
  start_next (self);
  return G_SOURCE_REMOVE;
}

static void
state_cb (FhRun *run, GParamSpec *pspec, GTask *task)
{
  Job *job = g_task_get_task_data (task);

  if (fh_run_get_state (run) == FH_RUN_FINISHED && job->turn == 0)
    job->turn = g_idle_add_full (G_PRIORITY_DEFAULT, ended_cb, g_object_ref (task), g_object_unref);
}

/* The second call kills it. */
static void
cancelled_cb (GCancellable *cancellable, GTask *task)
{
  Job *job = g_task_get_task_data (task);

  fh_run_stop (job->run);
  fh_run_stop (job->run);
}

/* Takes the task: it lives until it has its result. */
static void
start (FhPictureDecoder *self, GTask *task)
{
  Job *job = g_task_get_task_data (task);
  GError *error = NULL;
  g_autoptr (FhRunRequest) request = new_request (job->image, &error);

  if (request == NULL)
    {
      g_task_return_error (task, error);
      g_object_unref (task);
      return;
    }
  self->n_running++;
  job->executor = fh_executor_new (self->probes);
  job->run = fh_executor_run (job->executor, request);
  g_signal_connect_data (job->run,
                         "notify::state",
                         G_CALLBACK (state_cb),
                         task,
                         (GClosureNotify) (GCallback) g_object_unref,
                         0);
  if (g_task_get_cancellable (task) != NULL)
    job->cancelled = g_signal_connect (g_task_get_cancellable (task),
                                       "cancelled",
                                       G_CALLBACK (cancelled_cb),
                                       task);
  state_cb (job->run, NULL, task);
}

static void
start_next (FhPictureDecoder *self)
{
  while (self->n_running < AT_ONCE && !g_queue_is_empty (&self->waiting))
    {
      GTask *task = g_queue_pop_head (&self->waiting);

      if (g_task_return_error_if_cancelled (task))
        g_object_unref (task);
      else
        start (self, task);
    }
}

void
fh_picture_decoder_decode_async (FhPictureDecoder *self,
                                 GBytes *image,
                                 gboolean goes_first,
                                 GCancellable *cancellable,
                                 GAsyncReadyCallback callback,
                                 gpointer user_data)
{
  g_autoptr (GTask) task = NULL;
  FhPicture *known;
  Job *job;

  g_return_if_fail (FH_IS_PICTURE_DECODER (self));
  g_return_if_fail (image != NULL);

  task = g_task_new (self, cancellable, callback, user_data);
  g_task_set_source_tag (task, fh_picture_decoder_decode_async);
  if (g_bytes_get_size (image) > FH_PICTURE_MAX_FILE)
    {
      g_task_return_new_error (task,
                               FH_PICTURE_ERROR,
                               FH_PICTURE_ERROR_TOO_LARGE,
                               "%s",
                               _ ("It is larger than 16 MiB. Save it to see it elsewhere."));
      return;
    }
  known = recall (self, image);
  if (known != NULL)
    {
      g_task_return_pointer (task, known, (GDestroyNotify) fh_picture_unref);
      return;
    }
  job = g_new0 (Job, 1);
  job->image = g_bytes_ref (image);
  g_task_set_task_data (task, job, job_free);
  if (goes_first)
    g_queue_push_head (&self->waiting, g_steal_pointer (&task));
  else
    g_queue_push_tail (&self->waiting, g_steal_pointer (&task));
  start_next (self);
}

FhPicture *
fh_picture_decoder_decode_finish (FhPictureDecoder *self, GAsyncResult *result, GError **error)
{
  g_return_val_if_fail (g_task_is_valid (result, self), NULL);

  return g_task_propagate_pointer (G_TASK (result), error);
}

/* Tasks hold a reference to it: nothing waits any more. */
static void
fh_picture_decoder_finalize (GObject *object)
{
  FhPictureDecoder *self = FH_PICTURE_DECODER (object);

  g_queue_clear (&self->ages);
  g_hash_table_unref (self->known);
  g_object_unref (self->probes);

  G_OBJECT_CLASS (fh_picture_decoder_parent_class)->finalize (object);
}

static void
fh_picture_decoder_class_init (FhPictureDecoderClass *klass)
{
  G_OBJECT_CLASS (klass)->finalize = fh_picture_decoder_finalize;
}

static void
fh_picture_decoder_init (FhPictureDecoder *self)
{
  g_queue_init (&self->waiting);
  g_queue_init (&self->ages);
  self->known = g_hash_table_new_full (hash_image,
                                       g_bytes_equal,
                                       (GDestroyNotify) g_bytes_unref,
                                       (GDestroyNotify) fh_picture_unref);
}

FhPictureDecoder *
fh_picture_decoder_new (FhProbes *probes)
{
  FhPictureDecoder *self = g_object_new (FH_TYPE_PICTURE_DECODER, NULL);

  self->probes = g_object_ref (probes);
  return self;
}
