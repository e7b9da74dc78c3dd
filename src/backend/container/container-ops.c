/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Finds, stops, restarts and removes containers. Each is inspected first, because those of others
 * are never touched.
 */
#include "container-ops.h"

#include "config.h"

#include <glib/gi18n-lib.h>

#include "clients.h"
#include "container-arguments.h"
#include "container-ours.h"
#include "engine-info.h"
#include "kept-folder.h"

/* Our containers stop at once; this is for those in which something hangs. */
#define RESTART_GRACE_S 2

#define MAX_TRIES      5
#define FIRST_PAUSE_MS 100

void
fh_container_free (FhContainer *container)
{
  if (container == NULL)
    return;
  g_free (container->id);
  g_free (container->name);
  g_free (container->image);
  g_free (container->state);
  g_free (container->owner);
  g_free (container->options_digest);
  g_free (container->error);
  g_free (container);
}

static char *
text_of (JsonObject *object, const char *name)
{
  const char *text = fh_engine_json_text (object, name);

  return g_strdup (text != NULL ? text : "");
}

static gint64
time_of (JsonObject *object, const char *name)
{
  const char *text = fh_engine_json_text (object, name);
  g_autoptr (GTimeZone) utc = g_time_zone_new_utc ();
  g_autoptr (GDateTime) time = text != NULL ? g_date_time_new_from_iso8601 (text, utc) : NULL;

  return time != NULL ? g_date_time_to_unix (time) : 0;
}

static gboolean
has_label (JsonObject *labels, const char *name, const char *value)
{
  return g_strcmp0 (fh_engine_json_text (labels, name), value) == 0;
}

/* The label has the name that was asked for; the configuration often has the image's id instead. */
static char *
image_of (JsonObject *config, JsonObject *labels)
{
  const char *label = fh_engine_json_text (labels, FH_CONTAINER_LABEL_IMAGE);

  return label != NULL ? g_strdup (label) : text_of (config, "Image");
}

/* Docker writes a slash before the name. */
static FhContainer *
container_from_json (JsonObject *object)
{
  JsonObject *state = fh_engine_json_object (object, "State");
  JsonObject *config = fh_engine_json_object (object, "Config");
  JsonObject *labels = fh_engine_json_object (config, "Labels");
  const char *name = fh_engine_json_text (object, "Name");
  FhContainer *container = g_new0 (FhContainer, 1);

  container->id = text_of (object, "Id");
  container->name = g_strdup (name == NULL ? "" : *name == '/' ? name + 1 : name);
  container->image = image_of (config, labels);
  container->state = text_of (state, "Status");
  container->owner = text_of (labels, FH_CONTAINER_LABEL_OWNER);
  container->options_digest = text_of (labels, FH_CONTAINER_LABEL_OPTIONS);
  container->is_ours = has_label (labels, FH_CONTAINER_LABEL, "1");
  container->is_kept = has_label (labels, FH_CONTAINER_LABEL_KEPT, FH_CONTAINER_KEPT_LONGER) ||
                       has_label (labels, FH_CONTAINER_LABEL_KEPT, FH_CONTAINER_KEPT_BY_OWNER);
  container->created = time_of (object, "Created");
  container->exit_code =
      (int) CLAMP (fh_engine_json_number (state, "ExitCode"), G_MININT, G_MAXINT);
  container->was_out_of_memory = fh_engine_json_flag (state, "OOMKilled");
  container->error = text_of (state, "Error");
  return container;
}

static GError *
missing_error (const char *name)
{
  return g_error_new (FH_ENGINE_ERROR,
                      FH_ENGINE_ERROR_NO_CONTAINER,
                      _ ("There is no container “%s”."),
                      name);
}

/* Engines take the beginning of an id for a name as well. */
static gboolean
is_asked_for (const FhContainer *container, const char *name)
{
  return g_str_equal (container->name, name) || g_str_equal (container->id, name);
}

static FhContainer *
from_answer (const char *name, const char *answer, GError **error)
{
  g_autoptr (JsonObject) object = fh_engine_json_parse (answer, error);
  g_autoptr (FhContainer) container = object != NULL ? container_from_json (object) : NULL;

  if (container == NULL || is_asked_for (container, name))
    return g_steal_pointer (&container);
  g_propagate_error (error, missing_error (name));
  return NULL;
}

FhContainer *
fh_container_take_found (FhEngine *engine, const char *name, FhClient *client, GError **error)
{
  g_autoptr (GError) reason = NULL;
  g_autofree char *answer = fh_engine_take_answer (engine, client, &reason);

  if (answer != NULL)
    return from_answer (name, answer, error);
  g_propagate_error (error,
                     g_error_matches (reason, FH_ENGINE_ERROR, FH_ENGINE_ERROR_NO_CONTAINER)
                         ? missing_error (name)
                         : g_steal_pointer (&reason));
  return NULL;
}

FhContainer *
fh_container_find (FhEngine *engine, const char *name, GCancellable *cancellable, GError **error)
{
  const char *const arguments[] = { FH_CONTAINER_INSPECT, name, NULL };
  g_auto (FhClient) client = fh_engine_client (engine, arguments);

  fh_clients_run (&client, 1, FH_ENGINE_CALL_TIMEOUT_MS, cancellable, NULL, NULL);
  return fh_container_take_found (engine, name, &client, error);
}

/* Inspected one after the other: one that was removed meanwhile is no error. */
GPtrArray *
fh_container_list (FhEngine *engine, GCancellable *cancellable, GError **error)
{
  static const char *const arguments[] = {
    "ps", "--all", "--quiet", "--no-trunc", "--filter=label=" FH_CONTAINER_LABEL "=1", NULL,
  };
  g_autoptr (GPtrArray) found =
      g_ptr_array_new_with_free_func ((GDestroyNotify) (gpointer) fh_container_free);
  g_autofree char *answer =
      fh_engine_call (engine, arguments, FH_ENGINE_CALL_TIMEOUT_MS, cancellable, error);
  g_auto (GStrv) ids = answer != NULL ? g_strsplit (answer, "\n", -1) : NULL;

  for (guint i = 0; ids != NULL && ids[i] != NULL; i++)
    {
      g_autoptr (FhContainer) container = NULL;
      g_autoptr (GError) reason = NULL;

      if (*ids[i] == '\0')
        continue;
      container = fh_container_find (engine, ids[i], cancellable, &reason);
      if (container != NULL && container->is_ours && fh_container_owner_is_here (container->owner))
        g_ptr_array_add (found, g_steal_pointer (&container));
      if (reason != NULL &&
          !g_error_matches (reason, FH_ENGINE_ERROR, FH_ENGINE_ERROR_NO_CONTAINER))
        {
          g_propagate_error (error, g_steal_pointer (&reason));
          return NULL;
        }
    }
  return ids != NULL ? g_steal_pointer (&found) : NULL;
}

/* `stop` or `restart`, with a timeout that includes the grace. */
static gboolean
call_with_grace (FhEngine *engine,
                 const char *verb,
                 const char *name,
                 guint grace_s,
                 GCancellable *cancellable,
                 GError **error)
{
  g_autofree char *grace = g_strdup_printf ("%u", grace_s);
  const char *const arguments[] = { verb, "-t", grace, "--", name, NULL };
  g_autofree char *answer = fh_engine_call (engine,
                                            arguments,
                                            grace_s * 1000 + FH_ENGINE_CALL_TIMEOUT_MS,
                                            cancellable,
                                            error);

  return answer != NULL;
}

/* TRUE if something runs in it or would, if it were not paused. */
static gboolean
is_up (const FhContainer *container)
{
  return g_str_equal (container->state, "running") || g_str_equal (container->state, "paused") ||
         g_str_equal (container->state, "restarting") || g_str_equal (container->state, "stopping");
}

/* Returns FALSE with FH_ENGINE_ERROR_NAME_TAKEN if the container is somebody else's. */
static gboolean
check_ours (const FhContainer *container, const char *name, GError **error)
{
  if (container->is_ours && fh_container_owner_is_here (container->owner))
    return TRUE;
  g_set_error (
      error,
      FH_ENGINE_ERROR,
      FH_ENGINE_ERROR_NAME_TAKEN,
      _ ("The container “%s” was not created by Fumehood for you on this computer, so it is "
         "left alone."),
      name);
  return FALSE;
}

static gboolean
stop (FhEngine *engine, const char *name, guint grace_s, GCancellable *cancellable, GError **error)
{
  const char *const unpause[] = { "unpause", "--", name, NULL };
  g_autoptr (FhContainer) container = fh_container_find (engine, name, cancellable, error);

  if (container == NULL || !check_ours (container, name, error))
    return FALSE;
  if (!is_up (container))
    return TRUE;
  /* A paused container receives no signal, and not every engine unpauses it. If this fails, the
   * stop fails too. */
  if (g_str_equal (container->state, "paused"))
    g_free (fh_engine_call (engine, unpause, FH_ENGINE_CALL_TIMEOUT_MS, cancellable, NULL));
  return call_with_grace (engine, "stop", name, grace_s, cancellable, error);
}

gboolean
fh_container_stop (FhEngine *engine,
                   const char *name,
                   guint grace_s,
                   GCancellable *cancellable,
                   GError **error)
{
  g_autoptr (GError) reason = NULL;

  if (stop (engine, name, MIN (grace_s, 3600), cancellable, &reason) ||
      g_error_matches (reason, FH_ENGINE_ERROR, FH_ENGINE_ERROR_NO_CONTAINER))
    return TRUE;
  g_propagate_error (error, g_steal_pointer (&reason));
  return FALSE;
}

gpointer
fh_container_stop_in_thread (const FhEngineOrder *order, GCancellable *cancellable, GError **error)
{
  fh_container_stop (order->engine, order->name, order->number, cancellable, error);
  return NULL;
}

static GError *
not_running_error (const FhContainer *container)
{
  if (*container->error != '\0')
    return g_error_new (FH_ENGINE_ERROR,
                        FH_ENGINE_ERROR_FAILED,
                        /* Translators: a name, and the engine's own words */
                        _ ("The container “%s” was started again, but does not run: %s"),
                        container->name,
                        container->error);
  return g_error_new (FH_ENGINE_ERROR,
                      FH_ENGINE_ERROR_FAILED,
                      /* Translators: a name, the engine's word such as "exited", a number */
                      _ ("The container “%s” was started again, but does not run: it is “%s” with "
                         "exit code %d."),
                      container->name,
                      container->state,
                      container->exit_code);
}

gboolean
fh_container_restart (FhEngine *engine, const char *name, GCancellable *cancellable, GError **error)
{
  g_autoptr (FhContainer) before = fh_container_find (engine, name, cancellable, error);
  g_autoptr (FhContainer) after = NULL;

  if (before == NULL || !check_ours (before, name, error) ||
      !call_with_grace (engine, "restart", name, RESTART_GRACE_S, cancellable, error))
    return FALSE;
  after = fh_container_find (engine, name, cancellable, error);
  if (after == NULL)
    return FALSE;
  if (g_str_equal (after->state, "running"))
    return TRUE;
  g_propagate_error (error, not_running_error (after));
  return FALSE;
}

static gboolean
remove_folders (const char *name, GError **error)
{
  g_autofree char *path = NULL;
  g_autofree char *shown = NULL;

  if (fh_kept_folder_remove (name))
    return TRUE;
  path = fh_kept_folder_dup_path (name);
  shown = g_filename_display_name (path);
  g_set_error (error,
               FH_ENGINE_ERROR,
               FH_ENGINE_ERROR_FAILED,
               /* Translators: the name of a container, and the path of a folder */
               _ ("The container “%s” was removed, but its folder “%s” could not be. "
                  "Delete that folder before you use the name again: what an earlier "
                  "program left there may run."),
               name,
               shown);
  return FALSE;
}

gboolean
fh_container_remove_once (FhEngine *engine,
                          const char *name,
                          GCancellable *cancellable,
                          GError **error)
{
  const char *const arguments[] = { "rm", "--force", "--volumes", "--", name, NULL };
  g_autofree char *answer =
      fh_engine_call (engine, arguments, FH_ENGINE_CALL_TIMEOUT_MS, cancellable, error);

  return answer != NULL;
}

static GError *
still_there_error (const char *name)
{
  return g_error_new (FH_ENGINE_ERROR,
                      FH_ENGINE_ERROR_FAILED,
                      _ ("The container “%s” is still there, although the engine removed it %u "
                         "times."),
                      name,
                      MAX_TRIES);
}

/* An engine may be busy with a container, have lost its monitor, or be restarting: what counts is
 * not what `rm` reports but that the container is gone afterwards. Tries even if the engine does
 * not answer, because it may be starting; with pauses of 100, 200, 400, 800 ms. */
gboolean
fh_container_remove (FhEngine *engine, const char *name, GCancellable *cancellable, GError **error)
{
  const char *const kill[] = { "kill", "--", name, NULL };
  g_autofree char *folders = g_strdup (name);
  gboolean has_folders = TRUE; /* those of a container of one run are another's */
  g_autoptr (GError) of_try = NULL;

  for (guint n_tries = 0;; n_tries++)
    {
      g_autoptr (GError) of_look = NULL;
      g_autoptr (FhContainer) found = fh_container_find (engine, name, cancellable, &of_look);

      if (g_error_matches (of_look, FH_ENGINE_ERROR, FH_ENGINE_ERROR_NO_CONTAINER))
        return !has_folders || remove_folders (folders, error);
      if (found != NULL && !check_ours (found, name, error))
        return FALSE;
      if (n_tries == MAX_TRIES || g_error_matches (of_look, G_IO_ERROR, G_IO_ERROR_CANCELLED))
        {
          if (of_look == NULL)
            of_look = of_try != NULL ? g_steal_pointer (&of_try) : still_there_error (name);
          g_propagate_error (error, g_steal_pointer (&of_look));
          return FALSE;
        }
      if (found != NULL)
        {
          has_folders = has_folders && found->is_kept;
          g_free (folders);
          folders = g_strdup (found->name);
        }
      if (n_tries > 0 && !fh_engine_pause (FIRST_PAUSE_MS << (n_tries - 1), cancellable, error))
        return FALSE;
      g_clear_error (&of_try);
      if (found == NULL || is_up (found))
        g_free (fh_engine_call (engine, kill, FH_ENGINE_CALL_TIMEOUT_MS, cancellable, NULL));
      fh_container_remove_once (engine, name, cancellable, &of_try);
    }
}
