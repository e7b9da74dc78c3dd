/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "engine-image.h"

#include <glib/gi18n-lib.h>
#include <string.h>

#include "clients.h"
#include "engine-info.h"
#include "image-steps.h"

#define MAX_SUGGESTIONS 200
#define ID_PREFIX       "sha256:"
#define ID_DIGITS       64

FhImage *
fh_image_copy (const FhImage *image)
{
  FhImage *copy;

  if (image == NULL)
    return NULL;
  copy = g_new0 (FhImage, 1);
  copy->name = g_strdup (image->name);
  copy->id = g_strdup (image->id);
  copy->architecture = g_strdup (image->architecture);
  copy->system = g_strdup (image->system);
  copy->size = image->size;
  copy->environment = g_strdupv (image->environment);
  copy->volumes = g_strdupv (image->volumes);
  return copy;
}

void
fh_image_free (FhImage *image)
{
  if (image == NULL)
    return;
  g_free (image->name);
  g_free (image->id);
  g_free (image->architecture);
  g_free (image->system);
  g_strfreev (image->environment);
  g_strfreev (image->volumes);
  g_free (image);
}

G_DEFINE_BOXED_TYPE (FhImage, fh_image, (GBoxedCopyFunc) fh_image_copy, fh_image_free)

gboolean
fh_image_name_check (const char *name, GError **error)
{
  g_return_val_if_fail (name != NULL, FALSE);

  /* The characters of references, which begin with a letter or a digit. */
  if (g_ascii_isalnum (name[0]) &&
      strspn (name, G_CSET_A_2_Z G_CSET_a_2_z G_CSET_DIGITS "._-/:@[]") == strlen (name))
    return TRUE;
  g_set_error_literal (error,
                       FH_ENGINE_ERROR,
                       FH_ENGINE_ERROR_FAILED,
                       _ ("That is not a valid image name."));
  return FALSE;
}

/* With its prefix, which Podman omits; NULL when invalid. (transfer full) */
static char *
whole_id (const char *id)
{
  if (id == NULL)
    return NULL;
  if (g_str_has_prefix (id, ID_PREFIX))
    id += strlen (ID_PREFIX);
  if (strlen (id) != ID_DIGITS || strspn (id, "0123456789abcdef") != ID_DIGITS)
    return NULL;
  return g_strconcat (ID_PREFIX, id, NULL);
}

/* Never NULL. */
static GStrv
environment_of (JsonObject *image)
{
  g_autoptr (GStrvBuilder) builder = g_strv_builder_new ();
  g_auto (GStrv) entries = fh_engine_json_texts (fh_engine_json_object (image, "Config"), "Env");

  for (guint i = 0; entries[i] != NULL; i++)
    if (strchr (entries[i], '=') > entries[i])
      g_strv_builder_add (builder, entries[i]);
  return g_strv_builder_end (builder);
}

/* NULL when empty. */
static GStrv
volumes_of (JsonObject *image)
{
  JsonObject *volumes = fh_engine_json_object (fh_engine_json_object (image, "Config"), "Volumes");
  g_autoptr (GStrvBuilder) builder = g_strv_builder_new ();
  g_autoptr (GList) names = volumes != NULL ? json_object_get_members (volumes) : NULL;

  for (GList *l = names; l != NULL; l = l->next)
    g_strv_builder_add (builder, l->data);
  return names != NULL ? g_strv_builder_end (builder) : NULL;
}

FhImage *
fh_image_from_json (const char *name, const char *text, GError **error)
{
  g_autoptr (JsonObject) object = fh_engine_json_parse (text, error);
  g_autofree char *id = NULL;
  const char *machine;
  FhImage *image;

  if (object == NULL)
    return NULL;
  id = whole_id (fh_engine_json_text (object, "Id"));
  if (id == NULL)
    {
      g_set_error (error,
                   FH_ENGINE_ERROR,
                   FH_ENGINE_ERROR_FAILED,
                   _ ("Invalid answer from the container engine about the image “%s”."),
                   name);
      return NULL;
    }
  machine = fh_engine_json_text (object, "Architecture");
  image = g_new0 (FhImage, 1);
  image->name = g_strdup (name);
  image->id = g_steal_pointer (&id);
  image->architecture = g_strdup (fh_engine_architecture (machine != NULL ? machine : ""));
  image->system = g_strdup (fh_engine_json_text (object, "Os"));
  if (image->system == NULL)
    image->system = g_strdup ("");
  image->size = (guint64) MAX (fh_engine_json_number (object, "Size"), 0);
  image->environment = environment_of (object);
  image->volumes = volumes_of (object);
  return image;
}

FhImage *
fh_image_find (FhEngine *engine, const char *name, GCancellable *cancellable, GError **error)
{
  const char *const arguments[] = {
    "image", "inspect", "--format", FH_IMAGE_FORMAT, "--", name, NULL,
  };
  g_autofree char *answer = NULL;

  if (fh_image_name_check (name, error))
    answer = fh_engine_call (engine, arguments, FH_ENGINE_CALL_TIMEOUT_MS, cancellable, error);
  return answer != NULL ? fh_image_from_json (name, answer, error) : NULL;
}

static gpointer
find_in_thread (const FhEngineOrder *order, GCancellable *cancellable, GError **error)
{
  return fh_image_find (order->engine, order->name, cancellable, error);
}

void
fh_image_find_async (FhEngine *engine,
                     const char *name,
                     GCancellable *cancellable,
                     GAsyncReadyCallback callback,
                     gpointer user_data)
{
  g_return_if_fail (FH_IS_ENGINE (engine) && name != NULL);

  fh_engine_start (&(FhEngineOrder){ engine, name, .destroy = (GDestroyNotify) fh_image_free },
                   find_in_thread,
                   cancellable,
                   callback,
                   user_data);
}

FhImage *
fh_image_find_finish (GAsyncResult *result, GError **error)
{
  /* An answer may come just after it was cancelled, when nobody expects it any more. */
  g_task_set_check_cancellable (G_TASK (result), TRUE);
  return g_task_propagate_pointer (G_TASK (result), error);
}

/* Each once; images without a name or tag cannot be requested. */
static GStrv
names_from_text (const char *text)
{
  g_auto (GStrv) lines = g_strsplit (text, "\n", -1);
  g_autoptr (GPtrArray) names = g_ptr_array_new_with_free_func (g_free);

  for (guint i = 0; lines[i] != NULL && names->len < MAX_SUGGESTIONS; i++)
    {
      const char *name = g_strstrip (lines[i]);

      if (fh_image_name_check (name, NULL) &&
          !g_ptr_array_find_with_equal_func (names, name, g_str_equal, NULL))
        g_ptr_array_add (names, g_strdup (name));
    }
  g_ptr_array_add (names, NULL);
  return (GStrv) g_ptr_array_free (g_steal_pointer (&names), FALSE);
}

static gpointer
list_in_thread (const FhEngineOrder *order, GCancellable *cancellable, GError **error)
{
  /* Both engines list the newest first. */
  static const char *const arguments[] = {
    "image", "ls", "--format", "{{.Repository}}:{{.Tag}}", NULL,
  };
  g_autofree char *answer =
      fh_engine_call (order->engine, arguments, FH_ENGINE_CALL_TIMEOUT_MS, cancellable, error);

  return answer != NULL ? names_from_text (answer) : NULL;
}

void
fh_image_list_async (FhEngine *engine,
                     GCancellable *cancellable,
                     GAsyncReadyCallback callback,
                     gpointer user_data)
{
  g_return_if_fail (FH_IS_ENGINE (engine));

  fh_engine_start (&(FhEngineOrder){ engine, .destroy = (GDestroyNotify) g_strfreev },
                   list_in_thread,
                   cancellable,
                   callback,
                   user_data);
}

GStrv
fh_image_list_finish (GAsyncResult *result, GError **error)
{
  /* An answer may come just after it was cancelled, when nobody expects it any more. */
  g_task_set_check_cancellable (G_TASK (result), TRUE);
  return g_task_propagate_pointer (G_TASK (result), error);
}
