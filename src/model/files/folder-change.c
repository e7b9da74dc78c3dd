/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "folder-change.h"

#include <glib/gi18n-lib.h>
#include <string.h>

#include "readable-text.h"

struct _FhFolderChange
{
  GObject parent_instance;
  FhFolderChangeFacts facts; /* its strings and content are owned */
  const char *reason;        /* for `execution`; static, nullable */
};

G_DEFINE_FINAL_TYPE (FhFolderChange, fh_folder_change, G_TYPE_OBJECT)

static void
fh_folder_change_finalize (GObject *object)
{
  FhFolderChange *self = FH_FOLDER_CHANGE (object);

  g_free ((char *) self->facts.path);
  g_free ((char *) self->facts.old_sha256);
  g_clear_pointer (&self->facts.content, g_bytes_unref);
  g_free ((char *) self->facts.name);
  G_OBJECT_CLASS (fh_folder_change_parent_class)->finalize (object);
}

static void
fh_folder_change_class_init (FhFolderChangeClass *klass)
{
  G_OBJECT_CLASS (klass)->finalize = fh_folder_change_finalize;
}

static void
fh_folder_change_init (FhFolderChange *self)
{
}

static gboolean
is_digest (const char *text)
{
  return strlen (text) == 64 && strspn (text, "0123456789abcdef") == 64;
}

static gboolean
are_possible (const FhFolderChangeFacts *facts)
{
  if (!fh_result_path_is_safe (facts->path))
    return FALSE;
  if (facts->kind == FH_FOLDER_CHANGE_ADDED)
    return facts->old_sha256 == NULL;
  return facts->old_sha256 != NULL && is_digest (facts->old_sha256);
}

FhFolderChange *
fh_folder_change_new (const FhFolderChangeFacts *facts)
{
  FhFolderChange *self;

  g_return_val_if_fail (facts != NULL && facts->path != NULL, NULL);

  if (!are_possible (facts))
    return NULL;
  self = g_object_new (FH_TYPE_FOLDER_CHANGE, NULL);
  self->facts = *facts;
  self->facts.path = g_strdup (facts->path);
  self->facts.old_sha256 = g_strdup (facts->old_sha256);
  if (facts->content != NULL)
    self->facts.content = g_bytes_ref (facts->content);
  self->facts.name = fh_readable_text_new (facts->path, strlen (facts->path));
  self->facts.execution = fh_executing_path_find (facts->path, &self->reason);
  if (self->facts.execution == FH_EXECUTES_NOT && facts->was_program)
    {
      self->facts.execution = FH_EXECUTES_BY_COMMAND;
      self->reason = _ ("Your file is a program.");
    }
  if (self->facts.execution == FH_EXECUTES_IN_VERSION_CONTROL)
    self->facts.problem = FH_FOLDER_CHANGE_VERSION_CONTROL;
  else if (facts->problem == FH_FOLDER_CHANGE_VERSION_CONTROL)
    self->facts.execution = FH_EXECUTES_IN_VERSION_CONTROL;
  return self;
}

const FhFolderChangeFacts *
fh_folder_change_get_facts (FhFolderChange *self)
{
  g_return_val_if_fail (FH_IS_FOLDER_CHANGE (self), NULL);

  return &self->facts;
}

gboolean
fh_folder_change_is_applicable (FhFolderChange *self)
{
  g_return_val_if_fail (FH_IS_FOLDER_CHANGE (self), FALSE);

  return self->facts.problem == FH_FOLDER_CHANGE_FINE &&
         (self->facts.kind == FH_FOLDER_CHANGE_DELETED || self->facts.content != NULL);
}

static gboolean
has_plain_name (FhFolderChange *self)
{
  return g_str_equal (self->facts.name, self->facts.path);
}

gboolean
fh_folder_change_is_in_all (FhFolderChange *self)
{
  g_return_val_if_fail (FH_IS_FOLDER_CHANGE (self), FALSE);

  return fh_folder_change_is_applicable (self) && self->facts.execution < FH_EXECUTES_BY_ITSELF &&
         has_plain_name (self);
}

static const char *const problems[] = {
  [FH_FOLDER_CHANGE_FINE] = NULL,
  [FH_FOLDER_CHANGE_LINK] = N_ ("It is a link, which is never applied."),
  [FH_FOLDER_CHANGE_SPECIAL] = N_ ("It is a pipe, a socket or a device, which is never applied."),
  [FH_FOLDER_CHANGE_TOO_LARGE] = N_ ("It is too large to be applied."),
  [FH_FOLDER_CHANGE_NOT_KEPT] =
      N_ ("It is too large for the history, so it can no longer be applied."),
  [FH_FOLDER_CHANGE_VERSION_CONTROL] = N_ ("It belongs to version control and is never applied."),
};

const char *
fh_folder_change_get_remark (FhFolderChange *self)
{
  const char *problem;

  g_return_val_if_fail (FH_IS_FOLDER_CHANGE (self), NULL);

  problem = problems[self->facts.problem];
  if (problem != NULL)
    return _ (problem);
  if (!has_plain_name (self))
    return _ ("Its name has characters that are not shown, or not as text.");
  return self->reason;
}

const char *
fh_folder_change_get_letter (FhFolderChange *self)
{
  static const char *const letters[] = { "A", "M", "D" };

  g_return_val_if_fail (FH_IS_FOLDER_CHANGE (self), "");

  return letters[self->facts.kind];
}
