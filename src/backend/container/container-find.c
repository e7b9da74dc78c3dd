/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include <glib/gi18n-lib.h>
#include <string.h>

#include "clients.h"
#include "container-arguments.h"
#include "container-ops.h"
#include "container-ours.h"
#include "engine-info.h"

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

/* What was asked for is what the label says; what is run is often the image's id. */
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
