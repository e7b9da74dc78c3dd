/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "result-file.h"

#include <string.h>

#include "readable-text.h"

struct _FhResultFile
{
  GObject parent_instance;
  FhResultFileFacts facts; /* its path and content are owned */
  char *name;
};

G_DEFINE_FINAL_TYPE (FhResultFile, fh_result_file, G_TYPE_OBJECT)

static void
fh_result_file_finalize (GObject *object)
{
  FhResultFile *self = FH_RESULT_FILE (object);

  g_free ((char *) self->facts.path);
  g_clear_pointer (&self->facts.content, g_bytes_unref);
  g_free (self->name);
  G_OBJECT_CLASS (fh_result_file_parent_class)->finalize (object);
}

static void
fh_result_file_class_init (FhResultFileClass *klass)
{
  G_OBJECT_CLASS (klass)->finalize = fh_result_file_finalize;
}

static void
fh_result_file_init (FhResultFile *self)
{
}

gboolean
fh_result_path_is_safe (const char *path)
{
  g_auto (GStrv) parts = g_strsplit (path, "/", -1);

  if (parts[0] == NULL)
    return FALSE;
  for (guint i = 0; parts[i] != NULL; i++)
    {
      if (parts[i][0] == '\0' || g_str_equal (parts[i], ".") || g_str_equal (parts[i], ".."))
        return FALSE;
    }
  return TRUE;
}

FhResultFile *
fh_result_file_new (const FhResultFileFacts *facts)
{
  FhResultFile *self;

  g_return_val_if_fail (facts != NULL && facts->path != NULL, NULL);

  if (!fh_result_path_is_safe (facts->path))
    return NULL;
  self = g_object_new (FH_TYPE_RESULT_FILE, NULL);
  self->facts = *facts;
  self->facts.path = g_strdup (facts->path);
  if (facts->content != NULL)
    self->facts.content = g_bytes_ref (facts->content);
  self->name = fh_readable_text_new (facts->path, strlen (facts->path));
  return self;
}

const FhResultFileFacts *
fh_result_file_get_facts (FhResultFile *self)
{
  g_return_val_if_fail (FH_IS_RESULT_FILE (self), NULL);

  return &self->facts;
}

const char *
fh_result_file_get_name (FhResultFile *self)
{
  g_return_val_if_fail (FH_IS_RESULT_FILE (self), NULL);

  return self->name;
}
