/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include <glib/gi18n-lib.h>
#include <string.h>

#include "container-arguments.h"
#include "container-ops.h"
#include "engine-call.h"
#include "engine-info.h"
#include "sandbox.h"

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

static void
inspected_cb (GObject *source, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (GTask) task = user_data;
  const char *name = g_task_get_task_data (task);
  g_autoptr (JsonObject) object = NULL;
  g_autoptr (FhContainer) container = NULL;
  GError *error = NULL;
  g_autofree char *answer = fh_engine_call_finish (result, &error);

  if (answer != NULL)
    object = fh_engine_json_parse (answer, &error);
  if (object != NULL)
    container = container_from_json (object);
  if (container != NULL && is_asked_for (container, name))
    g_task_return_pointer (task,
                           g_steal_pointer (&container),
                           (GDestroyNotify) (gpointer) fh_container_free);
  else if (error == NULL || g_error_matches (error, FH_ENGINE_ERROR, FH_ENGINE_ERROR_NO_CONTAINER))
    {
      g_clear_error (&error);
      g_task_return_error (task, missing_error (name));
    }
  else
    g_task_return_error (task, error);
}

void
fh_container_find_async (FhEngine *engine,
                         const char *name,
                         GCancellable *cancellable,
                         GAsyncReadyCallback callback,
                         gpointer user_data)
{
  const char *const arguments[] = { "inspect", "--type", "container", "--", name, NULL };
  g_autoptr (GTask) task = g_task_new (NULL, cancellable, callback, user_data);

  g_return_if_fail (FH_IS_ENGINE (engine) && name != NULL);

  g_task_set_source_tag (task, fh_container_find_async);
  g_task_set_task_data (task, g_strdup (name), g_free);
  fh_engine_call_step (task, engine, arguments, FH_ENGINE_CALL_TIMEOUT_MS, inspected_cb);
}

FhContainer *
fh_container_find_finish (GAsyncResult *result, GError **error)
{
  g_return_val_if_fail (g_async_result_is_tagged (result, fh_container_find_async), NULL);

  return g_task_propagate_pointer (G_TASK (result), error);
}

static FhSandboxState
state_of (const FhContainer *container)
{
  if (g_str_equal (container->state, "running"))
    return FH_SANDBOX_READY;
  return g_str_equal (container->state, "paused") ? FH_SANDBOX_PAUSED : FH_SANDBOX_STOPPED;
}

static void
found_state_cb (GObject *source, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (GTask) task = G_TASK (user_data);
  GError *error = NULL;
  g_autoptr (FhContainer) container = fh_container_find_finish (result, &error);

  if (container != NULL)
    g_task_return_int (task, state_of (container));
  else if (!g_error_matches (error, FH_ENGINE_ERROR, FH_ENGINE_ERROR_NO_CONTAINER))
    g_task_return_error (task, error);
  else
    {
      g_clear_error (&error);
      g_task_return_int (task, FH_SANDBOX_GONE);
    }
}

void
fh_container_find_state (FhEngine *engine, const char *name, GTask *task)
{
  g_return_if_fail (G_IS_TASK (task));

  fh_container_find_async (engine,
                           name,
                           g_task_get_cancellable (task),
                           found_state_cb,
                           g_object_ref (task));
}

/* Inspected one after the other: one that was removed meanwhile is no error. */
typedef struct
{
  FhEngine *engine;
  GStrv ids;
  guint next;
  GPtrArray *found;
} Listing;

static void
listing_free (gpointer data)
{
  Listing *listing = data;

  g_object_unref (listing->engine);
  g_strfreev (listing->ids);
  g_clear_pointer (&listing->found, g_ptr_array_unref);
  g_free (listing);
}

static void list_next (GTask *task);

static void
listed_one_cb (GObject *source, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (GTask) task = user_data;
  Listing *listing = g_task_get_task_data (task);
  g_autoptr (FhContainer) container = NULL;
  GError *error = NULL;

  container = fh_container_find_finish (result, &error);
  if (error != NULL && !g_error_matches (error, FH_ENGINE_ERROR, FH_ENGINE_ERROR_NO_CONTAINER))
    {
      g_task_return_error (task, error);
      return;
    }
  g_clear_error (&error);
  if (container != NULL && container->is_ours && fh_container_owner_is_here (container->owner))
    g_ptr_array_add (listing->found, g_steal_pointer (&container));
  list_next (task);
}

static void
list_next (GTask *task)
{
  Listing *listing = g_task_get_task_data (task);

  while (listing->ids[listing->next] != NULL && *listing->ids[listing->next] == '\0')
    listing->next++;
  if (listing->ids[listing->next] == NULL)
    {
      g_task_return_pointer (task,
                             g_steal_pointer (&listing->found),
                             (GDestroyNotify) g_ptr_array_unref);
      return;
    }
  fh_container_find_async (listing->engine,
                           listing->ids[listing->next++],
                           g_task_get_cancellable (task),
                           listed_one_cb,
                           g_object_ref (task));
}

static void
listed_cb (GObject *source, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (GTask) task = user_data;
  Listing *listing = g_task_get_task_data (task);
  GError *error = NULL;
  g_autofree char *answer = fh_engine_call_finish (result, &error);

  if (answer == NULL)
    {
      g_task_return_error (task, error);
      return;
    }
  listing->ids = g_strsplit (answer, "\n", -1);
  list_next (task);
}

void
fh_container_list_async (FhEngine *engine,
                         GCancellable *cancellable,
                         GAsyncReadyCallback callback,
                         gpointer user_data)
{
  static const char *const arguments[] = {
    "ps", "--all", "--quiet", "--no-trunc", "--filter=label=" FH_CONTAINER_LABEL "=1", NULL,
  };
  g_autoptr (GTask) task = g_task_new (NULL, cancellable, callback, user_data);
  Listing *listing;

  g_return_if_fail (FH_IS_ENGINE (engine));

  listing = g_new0 (Listing, 1);
  listing->engine = g_object_ref (engine);
  listing->found = g_ptr_array_new_with_free_func ((GDestroyNotify) (gpointer) fh_container_free);
  g_task_set_source_tag (task, fh_container_list_async);
  g_task_set_task_data (task, listing, listing_free);
  fh_engine_call_step (task, engine, arguments, FH_ENGINE_CALL_TIMEOUT_MS, listed_cb);
}

GPtrArray *
fh_container_list_finish (GAsyncResult *result, GError **error)
{
  g_return_val_if_fail (g_async_result_is_tagged (result, fh_container_list_async), NULL);

  return g_task_propagate_pointer (G_TASK (result), error);
}
