/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "result-file.h"

#include <string.h>

#include "json-member.h"
#include "json-record.h"
#include "object-list.h"
#include "readable-text.h"

struct _FhResultFile
{
  GObject parent_instance;
  FhResultFileFacts facts; /* its path, name and content are owned */
};

G_DEFINE_FINAL_TYPE (FhResultFile, fh_result_file, G_TYPE_OBJECT)

static void
fh_result_file_finalize (GObject *object)
{
  FhResultFile *self = FH_RESULT_FILE (object);

  g_free ((char *) self->facts.path);
  g_clear_pointer (&self->facts.content, g_bytes_unref);
  g_free ((char *) self->facts.name);
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
  self->facts.name = fh_readable_text_new (facts->path, strlen (facts->path));
  return self;
}

const FhResultFileFacts *
fh_result_file_get_facts (FhResultFile *self)
{
  g_return_val_if_fail (FH_IS_RESULT_FILE (self), NULL);

  return &self->facts;
}

struct _FhResultFiles
{
  GObject parent_instance;
  GPtrArray *items;
  FhResultFilesFacts facts;
};

FH_DEFINE_OBJECT_LIST (FhResultFiles, fh_result_files, FhResultFile, FH_TYPE_RESULT_FILE)

static void
fh_result_files_finalize (GObject *object)
{
  g_ptr_array_unref (FH_RESULT_FILES (object)->items);
  g_ptr_array_unref (FH_RESULT_FILES (object)->facts.gone);
  g_ptr_array_unref (FH_RESULT_FILES (object)->facts.handed_on);
  G_OBJECT_CLASS (fh_result_files_parent_class)->finalize (object);
}

static void
fh_result_files_class_init (FhResultFilesClass *klass)
{
  G_OBJECT_CLASS (klass)->finalize = fh_result_files_finalize;
}

static void
fh_result_files_init (FhResultFiles *self)
{
  self->items = g_ptr_array_new_with_free_func (g_object_unref);
  self->facts.gone = g_ptr_array_new_with_free_func (g_free);
  self->facts.handed_on = g_ptr_array_new ();
}

FhResultFiles *
fh_result_files_new (void)
{
  return g_object_new (FH_TYPE_RESULT_FILES, NULL);
}

void
fh_result_files_add (FhResultFiles *self, FhResultFile *file)
{
  g_return_if_fail (FH_IS_RESULT_FILES (self));
  g_return_if_fail (FH_IS_RESULT_FILE (file));

  g_ptr_array_add (self->items, g_object_ref (file));
  g_list_model_items_changed (G_LIST_MODEL (self), self->items->len - 1, 0, 1);
}

gboolean
fh_result_files_has (FhResultFiles *self, const char *path)
{
  g_return_val_if_fail (FH_IS_RESULT_FILES (self), FALSE);
  g_return_val_if_fail (path != NULL, FALSE);

  for (guint i = 0; i < self->items->len; i++)
    {
      if (g_str_equal (fh_result_file_get_facts (self->items->pdata[i])->path, path))
        return TRUE;
    }
  return FALSE;
}

const FhResultFilesFacts *
fh_result_files_get_facts (FhResultFiles *self)
{
  g_return_val_if_fail (FH_IS_RESULT_FILES (self), NULL);

  return &self->facts;
}

static void
set_list (GPtrArray **list, GPtrArray *other)
{
  if (other == NULL)
    return;
  g_ptr_array_ref (other);
  g_ptr_array_unref (*list);
  *list = other;
}

void
fh_result_files_set_handed_on (FhResultFiles *self,
                               GPtrArray *gone,
                               GPtrArray *handed_on,
                               gboolean is_partly_handed_on)
{
  g_return_if_fail (FH_IS_RESULT_FILES (self));

  set_list (&self->facts.gone, gone);
  set_list (&self->facts.handed_on, handed_on);
  self->facts.is_partly_handed_on = is_partly_handed_on;
}

void
fh_result_files_set_left_out (FhResultFiles *self, guint n_left_out, gboolean is_incomplete)
{
  g_return_if_fail (FH_IS_RESULT_FILES (self));

  self->facts.n_left_out = n_left_out;
  self->facts.is_incomplete = is_incomplete;
  /* Whether the list is complete may be known only after the last file. */
  g_list_model_items_changed (G_LIST_MODEL (self), 0, 0, 0);
}

/* A runner reports as many: FH_RESULT_FILES_MAX. */
#define MAX_FILES 2000

static const char *const kinds[] = {
  [FH_RESULT_FILE_REGULAR] = "file",
  [FH_RESULT_FILE_LINK] = "link",
  [FH_RESULT_FILE_SPECIAL] = "special",
  NULL,
};

typedef struct
{
  FhResultFileFacts facts;
  gboolean is_kept;
} Record;

static const FhJsonMember members[] = {
  { FH_JSON_MEMBER (Record, "path", STRING, facts.path) },
  { FH_JSON_MEMBER (Record, "kind", WORD, facts.kind), .words = kinds },
  { FH_JSON_MEMBER (Record, "size", COUNT, facts.size) },
  { FH_JSON_MEMBER (Record, "is_program", BOOL, facts.is_program) },
  { FH_JSON_MEMBER (Record, "is_changed", BOOL, facts.is_changed) },
  { FH_JSON_MEMBER (Record, "is_from_answer", BOOL, facts.is_from_answer),
    .flags = FH_JSON_SPARSE },
  { FH_JSON_MEMBER (Record, "kept", BOOL, is_kept), .flags = FH_JSON_WRITTEN },
  { NULL },
};

static JsonObject *
file_to_json (FhResultFile *file)
{
  const Record record = {
    .facts = *fh_result_file_get_facts (file),
    .is_kept = fh_result_file_get_facts (file)->content != NULL,
  };
  JsonObject *object = json_object_new ();

  fh_json_write_record (object, members, &record);
  return object;
}

void
fh_result_files_add_to_json (FhResultFiles *files, JsonObject *object)
{
  JsonArray *array;

  g_return_if_fail (FH_IS_RESULT_FILES (files));
  g_return_if_fail (object != NULL);

  array = json_array_new ();
  for (guint i = 0; i < g_list_model_get_n_items (G_LIST_MODEL (files)); i++)
    json_array_add_object_element (array, file_to_json (fh_result_files_get (files, i)));
  json_object_set_array_member (object, "files", array);
  json_object_set_int_member (object, "files_left_out", files->facts.n_left_out);
  json_object_set_boolean_member (object, "files_incomplete", files->facts.is_incomplete);
}

static gboolean
read_file (JsonObject *object, gpointer files, GError **error)
{
  g_autoptr (FhResultFile) file = NULL;
  Record record = { 0 };

  if (fh_json_read_record (object, members, &record, NULL))
    file = fh_result_file_new (&record.facts);
  fh_json_clear_record (members, &record);
  if (file == NULL)
    return fh_json_refuse_member ("files", error);
  fh_result_files_add (files, file);
  return TRUE;
}

FhResultFiles *
fh_result_files_from_json (JsonObject *object, GError **error)
{
  g_autoptr (FhResultFiles) files = fh_result_files_new ();
  guint64 n_left_out;
  gboolean is_incomplete;

  g_return_val_if_fail (object != NULL, NULL);

  if (!json_object_has_member (object, "files"))
    return g_steal_pointer (&files);
  if (!fh_json_read_list (object, "files", MAX_FILES, read_file, files, error) ||
      !fh_json_get_number (object, "files_left_out", G_MAXUINT, &n_left_out, error) ||
      !fh_json_get_bool (object, "files_incomplete", &is_incomplete, error))
    return NULL;
  fh_result_files_set_left_out (files, (guint) n_left_out, is_incomplete);
  return g_steal_pointer (&files);
}
