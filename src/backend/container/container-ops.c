/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Stops and restarts containers. First inspects the container, because those of others are never
 * touched.
 */
#include "container-ops.h"

#include "config.h"

#include <glib/gi18n-lib.h>

#include "container-ours.h"

/* Our containers stop at once; this is for those in which something hangs. */
#define RESTART_GRACE_S 2

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

gboolean
fh_container_is_up (const FhContainer *container)
{
  return g_str_equal (container->state, "running") || g_str_equal (container->state, "paused") ||
         g_str_equal (container->state, "restarting") || g_str_equal (container->state, "stopping");
}

GError *
fh_container_foreign_error (const char *name)
{
  return g_error_new (FH_ENGINE_ERROR,
                      FH_ENGINE_ERROR_FAILED,
                      _ ("The container “%s” was not made by Fumehood, so it is left alone."),
                      name);
}

static gboolean
stop (FhEngine *engine, const char *name, guint grace_s, GCancellable *cancellable, GError **error)
{
  const char *const unpause[] = { "unpause", "--", name, NULL };
  g_autoptr (FhContainer) container = fh_container_find (engine, name, cancellable, error);

  if (container == NULL)
    return FALSE;
  if (!container->is_ours)
    {
      g_propagate_error (error, fh_container_foreign_error (name));
      return FALSE;
    }
  if (!fh_container_is_up (container))
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

  if (before == NULL)
    return FALSE;
  if (!before->is_ours)
    {
      g_propagate_error (error, fh_container_foreign_error (name));
      return FALSE;
    }
  if (!call_with_grace (engine, "restart", name, RESTART_GRACE_S, cancellable, error))
    return FALSE;
  after = fh_container_find (engine, name, cancellable, error);
  if (after == NULL)
    return FALSE;
  if (g_str_equal (after->state, "running"))
    return TRUE;
  g_propagate_error (error, not_running_error (after));
  return FALSE;
}

gpointer
fh_container_restart_in_thread (const FhEngineOrder *order,
                                GCancellable *cancellable,
                                GError **error)
{
  fh_container_restart (order->engine, order->name, cancellable, error);
  return NULL;
}
