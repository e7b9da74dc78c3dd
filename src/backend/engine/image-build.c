/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include <errno.h>
#include <glib/gi18n-lib.h>
#include <glib/gstdio.h>
#include <unistd.h>

#include "clients.h"
#include "engine-image.h"

#define GRACE_MS 2000

/* Before this version of Podman, RUN --mount could reach every file of this computer, and so could
 * what an image makes each build do that begins with it: CVE-2024-1753, CVE-2024-11218. */
#define PODMAN_MAJOR 5
#define PODMAN_MINOR 3
#define PODMAN_MICRO 2

/* More than "sha256:" and a digest. */
#define ID_MAX 256

/* The data of an order, whose name is the tag, if there is one. What the engine prints is a
 * program's word as well: RUN lines write what they like. */
typedef struct
{
  GBytes *text;
  char *folder;  /* with the empty context, and the file for the id */
  char *context; /* below it */
  char *id_file;
  FhImageBuildFunc func;
  gpointer func_data;
  GMainContext *told_in;
  char *last; /* line that was not empty; the thread's */
} Build;

static void
build_free (gpointer data)
{
  Build *self = data;

  g_bytes_unref (self->text);
  g_free (self->folder);
  g_free (self->context);
  g_free (self->id_file);
  g_main_context_unref (self->told_in);
  g_free (self->last);
  g_free (self);
}

/* A line on its way to the context of the build. */
typedef struct
{
  FhImageBuildFunc func;
  gpointer func_data;
  char *words;
} Told;

static gboolean
tell_cb (gpointer data)
{
  const Told *told = data;

  told->func (told->words, told->func_data);
  return G_SOURCE_REMOVE;
}

static void
told_free (gpointer data)
{
  Told *told = data;

  g_free (told->words);
  g_free (told);
}

static void
line_cb (const char *line, gsize size, gpointer user_data)
{
  Build *self = user_data;
  g_autofree char *words = fh_engine_words (line, size);
  g_autoptr (GSource) source = NULL;
  Told *told;

  if (*g_strstrip (words) == '\0')
    return;
  told = g_new0 (Told, 1);
  *told = (Told){ self->func, self->func_data, g_strdup (words) };
  source = g_idle_source_new ();
  g_source_set_priority (source, G_PRIORITY_DEFAULT);
  g_source_set_callback (source, tell_cb, told, told_free);
  g_source_attach (source, self->told_in);
  g_free (self->last);
  self->last = g_steal_pointer (&words);
}

static char *
read_id (Build *self)
{
  g_autofree char *text = NULL;
  gsize size;

  if (!g_file_get_contents (self->id_file, &text, &size, NULL) || size > ID_MAX)
    return NULL;
  g_strstrip (text);
  return *text != '\0' && g_ascii_isalnum (*text) ? g_steal_pointer (&text) : NULL;
}

static gboolean
check_engine (FhEngine *engine, GError **error)
{
  const FhEngineFacts *facts = fh_engine_get_facts (engine);
  const guint64 wanted[] = { PODMAN_MAJOR, PODMAN_MINOR, PODMAN_MICRO };
  const char *at = facts->version;

  if (facts->kind != FH_ENGINE_PODMAN)
    return TRUE;
  for (guint i = 0; i < G_N_ELEMENTS (wanted); i++)
    {
      char *end;
      const guint64 part = g_ascii_strtoull (at, &end, 10);

      if (end == at || part < wanted[i])
        break;
      if (part > wanted[i] || i + 1 == G_N_ELEMENTS (wanted))
        return TRUE;
      at = *end == '.' ? end + 1 : end;
    }
  g_set_error (
      error,
      FH_ENGINE_ERROR,
      FH_ENGINE_ERROR_FAILED,
      _ ("Nothing is built with Podman %s: before 5.3.2, a Containerfile could reach every "
         "file of yours. Use Docker, or a newer Podman."),
      *facts->version != '\0' ? facts->version : "?");
  return FALSE;
}

static gboolean
make_folder (Build *self, GError **error)
{
  self->folder = g_dir_make_tmp ("fumehood-build-XXXXXX", error);
  if (self->folder == NULL)
    return FALSE;
  self->context = g_build_filename (self->folder, "context", NULL);
  self->id_file = g_build_filename (self->folder, "id", NULL);
  if (g_mkdir (self->context, 0700) == 0)
    return TRUE;
  g_set_error_literal (error, G_IO_ERROR, g_io_error_from_errno (errno), g_strerror (errno));
  return FALSE;
}

static void
remove_folder (Build *self)
{
  if (self->folder == NULL)
    return;
  g_unlink (self->id_file);
  g_rmdir (self->context);
  g_rmdir (self->folder);
}

/* Docker's older builder has no mounts and runs no other programs that the text names. */
static GError *
run_client (const FhEngineOrder *order, GCancellable *cancellable)
{
  Build *self = order->data;
  const char *const arguments[] = {
    "build",
    "--force-rm",
    "--file=-",
    "--iidfile",
    self->id_file,
    order->name != NULL ? "--tag" : "--",
    order->name != NULL ? order->name : self->context,
    order->name != NULL ? "--" : NULL,
    self->context,
    NULL,
  };
  g_auto (FhClient) client = fh_engine_client (order->engine, arguments);
  g_auto (GStrv) environment = fh_engine_environment ();

  environment = g_environ_setenv (g_steal_pointer (&environment), "DOCKER_BUILDKIT", "0", TRUE);
  client.environment = (const char *const *) environment;
  client.input = self->text;
  client.grace_ms = GRACE_MS;
  client.is_tied = TRUE;
  client.line = line_cb;
  client.line_data = self;
  fh_clients_run (&client, 1, 0, cancellable, NULL, NULL);
  return g_steal_pointer (&client.error);
}

static char *
build (const FhEngineOrder *order, GCancellable *cancellable, GError **error)
{
  Build *self = order->data;
  g_autoptr (GError) of_client = NULL;
  char *id;

  if (!make_folder (self, error))
    return NULL;
  of_client = run_client (order, cancellable);
  id = of_client == NULL ? read_id (self) : NULL;
  if (id != NULL)
    return id;
  if (g_error_matches (of_client, G_IO_ERROR, G_IO_ERROR_CANCELLED) ||
      g_error_matches (of_client, FH_ENGINE_ERROR, FH_ENGINE_ERROR_NOT_INSTALLED))
    g_propagate_error (error, g_steal_pointer (&of_client));
  else if (self->last != NULL)
    g_propagate_error (
        error,
        fh_engine_error_from_text (fh_engine_get_facts (order->engine)->kind, self->last));
  else
    g_set_error_literal (error,
                         FH_ENGINE_ERROR,
                         FH_ENGINE_ERROR_FAILED,
                         _ ("The image was not built, and the engine did not say why."));
  return NULL;
}

static gpointer
build_in_thread (const FhEngineOrder *order, GCancellable *cancellable, GError **error)
{
  char *id = build (order, cancellable, error);

  remove_folder (order->data);
  return id;
}

void
fh_image_build_async (FhEngine *engine,
                      GBytes *text,
                      const char *tag,
                      FhImageBuildFunc func,
                      gpointer func_data,
                      GCancellable *cancellable,
                      GAsyncReadyCallback callback,
                      gpointer user_data)
{
  g_autoptr (GTask) task = g_task_new (engine, cancellable, callback, user_data);
  Build *self = g_new0 (Build, 1);
  GError *error = NULL;

  g_return_if_fail (FH_IS_ENGINE (engine) && text != NULL && func != NULL);

  self->text = g_bytes_ref (text);
  self->func = func;
  self->func_data = func_data;
  self->told_in = g_main_context_ref_thread_default ();
  if (g_bytes_get_size (text) > FH_IMAGE_BUILD_MAX)
    error = g_error_new_literal (FH_ENGINE_ERROR,
                                 FH_ENGINE_ERROR_FAILED,
                                 _ ("The Containerfile has more than 1 MiB."));
  if (error != NULL || (tag != NULL && !fh_image_name_check (tag, &error)) ||
      !check_engine (engine, &error))
    {
      build_free (self);
      g_task_return_error (task, error);
    }
  else
    fh_engine_start_task (task,
                          &(FhEngineOrder){ engine, tag, 0, self, g_free, build_free },
                          build_in_thread);
}

char *
fh_image_build_finish (GAsyncResult *result, GError **error)
{
  return g_task_propagate_pointer (G_TASK (result), error);
}
