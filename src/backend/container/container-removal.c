/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Removes containers. An engine may be busy with one, have lost its monitor, or be restarting: what
 * counts is not what `rm` reports but that the container is gone afterwards.
 */
#include "container-ops.h"

#include "config.h"

#include <glib/gi18n-lib.h>
#include <string.h>
#include <unistd.h>

#include "container-ours.h"
#include "kept-folder.h"

#define MAX_TRIES      5
#define FIRST_PAUSE_MS 100

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
fh_container_remove_once (FhEngine *engine, const char *name, GError **error)
{
  const char *const arguments[] = { "rm", "--force", "--volumes", "--", name, NULL };
  g_autofree char *answer =
      fh_engine_call (engine, arguments, FH_ENGINE_CALL_TIMEOUT_MS, NULL, error);

  return answer != NULL;
}

/* Its error is reported only if the container is still there. */
static void
try_once (FhEngine *engine,
          const char *name,
          gboolean may_run,
          GCancellable *cancellable,
          GError **error)
{
  const char *const kill[] = { "kill", "--", name, NULL };
  const char *const remove[] = { "rm", "--force", "--volumes", "--", name, NULL };

  if (may_run)
    g_free (fh_engine_call (engine, kill, FH_ENGINE_CALL_TIMEOUT_MS, cancellable, NULL));
  g_free (fh_engine_call (engine, remove, FH_ENGINE_CALL_TIMEOUT_MS, cancellable, error));
}

/* Takes the errors of the last look and of the last try. */
static gboolean
give_up (const char *name, GError *of_look, GError *of_try, GError **error)
{
  g_autoptr (GError) looked = of_look;
  g_autoptr (GError) tried = of_try;

  if (looked != NULL || tried != NULL)
    g_propagate_error (error,
                       looked != NULL ? g_steal_pointer (&looked) : g_steal_pointer (&tried));
  else
    g_set_error (error,
                 FH_ENGINE_ERROR,
                 FH_ENGINE_ERROR_FAILED,
                 _ ("The container “%s” is still there, although the engine removed it %u "
                    "times."),
                 name,
                 MAX_TRIES);
  return FALSE;
}

/* Tries even if the engine does not answer, because it may be starting; with pauses of 100, 200,
 * 400, 800 ms. */
gboolean
fh_container_remove (FhEngine *engine, const char *name, GCancellable *cancellable, GError **error)
{
  g_autofree char *folders = g_strdup (name);
  gboolean has_folders = TRUE; /* those of a container of one run are another's */
  g_autoptr (GError) of_try = NULL;

  for (guint n_tries = 0;; n_tries++)
    {
      g_autoptr (GError) of_look = NULL;
      g_autoptr (FhContainer) found = fh_container_find (engine, name, cancellable, &of_look);

      if (g_error_matches (of_look, FH_ENGINE_ERROR, FH_ENGINE_ERROR_NO_CONTAINER))
        return !has_folders || remove_folders (folders, error);
      if (found != NULL && !found->is_ours)
        {
          g_propagate_error (error, fh_container_foreign_error (name));
          return FALSE;
        }
      if (n_tries == MAX_TRIES || g_error_matches (of_look, G_IO_ERROR, G_IO_ERROR_CANCELLED))
        return give_up (name, g_steal_pointer (&of_look), g_steal_pointer (&of_try), error);
      if (found != NULL)
        {
          has_folders = has_folders && found->is_kept;
          g_free (folders);
          folders = g_strdup (found->name);
        }
      if (n_tries > 0 && !fh_engine_pause (FIRST_PAUSE_MS << (n_tries - 1), cancellable, error))
        return FALSE;
      g_clear_error (&of_try);
      try_once (engine, name, found == NULL || fh_container_is_up (found), cancellable, &of_try);
    }
}
