/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "folder-edit.h"

#include <errno.h>
#include <fcntl.h>
#include <glib/gi18n-lib.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "descriptor.h"
#include "folder-apply.h"
#include "folder-exchange.h"
#include "folder-tree.h"
#include "readable-text.h"
#include "wire-bytes.h"

#define NS_PER_S G_GINT64_CONSTANT (1000000000)

/* An edit on its way. Under the temporary name lies the new file until the two are exchanged, the
 * old one after that. */
typedef struct
{
  const FhFolderEdit *edit;
  int parent;
  const char *name;
  gboolean has_temporary; /* something of ours lies there, or will */
  gboolean is_done;
} Step;

FhFolderEdit *
fh_folder_edit_new (const char *path,
                    const char *expected,
                    GBytes *content,
                    int mode,
                    gint64 changed_ns)
{
  FhFolderEdit *edit = g_new0 (FhFolderEdit, 1);

  edit->path = g_strdup (path);
  edit->expected = g_strdup (expected);
  edit->content = content != NULL ? g_bytes_ref (content) : NULL;
  edit->mode = mode;
  edit->changed_ns = changed_ns;
  edit->temporary =
      g_strdup_printf (FH_EXCHANGE_TEMPORARY_PREFIX "%08x%08x", g_random_int (), g_random_int ());
  return edit;
}

void
fh_folder_edit_free (FhFolderEdit *edit)
{
  g_free (edit->path);
  g_free (edit->expected);
  g_clear_pointer (&edit->content, g_bytes_unref);
  g_free (edit->temporary);
  g_free (edit);
}

static gboolean
fail (GError **error, FhFolderError kind, const char *path, const char *reason)
{
  g_autofree char *name = fh_readable_text_new (path, strlen (path));

  g_set_error (error,
               FH_FOLDER_ERROR,
               (int) kind,
               kind == FH_FOLDER_ERROR_CONFLICT
                   /* Translators: the name of a file, then a reason. */
                   ? _ ("“%s” was not written, and nothing else: %s.")
                   /* Translators: the name of a file, then a reason. */
                   : _ ("“%s” could not be written, so nothing was: %s."),
               name,
               reason);
  return FALSE;
}

static gboolean
fail_errno (GError **error, const Step *step)
{
  return fail (error, FH_FOLDER_ERROR_FAILED, step->edit->path, fh_tree_reason (errno));
}

static gboolean
fail_conflict (GError **error, const Step *step)
{
  return fail (error,
               FH_FOLDER_ERROR_CONFLICT,
               step->edit->path,
               _ ("it has been changed meanwhile"));
}

/* The name of a file that is not complete. Nothing of the user's is ever renamed to it. */
static char *
unfinished_name (const char *temporary)
{
  return g_strconcat (temporary, "~", NULL);
}

/* Whether the file that is there, if any, is the user's to replace; `mode` and `group` are set to
 * those of its. */
static gboolean
may_replace (const Step *step, mode_t *mode, gid_t *group)
{
  struct stat old;

  if (step->edit->expected == NULL)
    return TRUE;
  if (fstatat (step->parent, step->name, &old, AT_SYMLINK_NOFOLLOW) != 0)
    return FALSE;
  *mode = old.st_mode & 0777;
  *group = old.st_gid;
  errno = EPERM;
  return old.st_uid == geteuid () && faccessat (step->parent, step->name, W_OK, AT_EACCESS) == 0;
}

/* The new file gets the permissions of the one that is there, but for a set-user-id bit and the
 * like. A group that cannot be kept gets none. */
static gboolean
set_permissions (const Step *step, int fd)
{
  gid_t group = (gid_t) -1;
  mode_t mode = 0;

  if (!may_replace (step, &mode, &group))
    return FALSE;
  if (step->edit->mode >= 0)
    mode = (mode_t) step->edit->mode & 0777;
  else if (step->edit->expected == NULL)
    return TRUE;
  if (group != (gid_t) -1 && fchown (fd, (uid_t) -1, group) != 0)
    mode &= 0707;
  return fchmod (fd, mode) == 0;
}

static gboolean
fill (const Step *step, int fd)
{
  gsize size;
  gconstpointer data = g_bytes_get_data (step->edit->content, &size);
  const gint64 changed = step->edit->changed_ns;
  const struct timespec times[2] = {
    { .tv_nsec = UTIME_NOW },
    { .tv_sec = changed / NS_PER_S, .tv_nsec = changed % NS_PER_S },
  };

  return fh_write_all (fd, data, size) && set_permissions (step, fd) &&
         (changed < 0 || futimens (fd, times) == 0) && fsync (fd) == 0;
}

/* Puts the new file under the temporary name. */
static gboolean
write_temporary (Step *step)
{
  const char *temporary = step->edit->temporary;
  g_autofree char *unfinished = unfinished_name (temporary);
  fh_autofd int fd =
      openat (step->parent, unfinished, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0666);
  int code;

  if (fd < 0)
    return FALSE;
  step->has_temporary =
      fill (step, fd) && close (fh_steal_fd (&fd)) == 0 &&
      renameat2 (step->parent, unfinished, step->parent, temporary, RENAME_NOREPLACE) == 0;
  if (step->has_temporary)
    return TRUE;
  code = errno;
  unlinkat (step->parent, unfinished, 0);
  errno = code;
  return FALSE;
}

/* Everything but the exchange. */
static gboolean
prepare (int root, Step *step, GPtrArray *made)
{
  const gboolean adds = step->edit->content != NULL;
  mode_t mode;
  gid_t group;

  step->parent = fh_tree_open_parent (root, step->edit->path, adds ? made : NULL, &step->name);
  if (step->parent < 0)
    return FALSE;
  return adds ? write_temporary (step) : may_replace (step, &mode, &group);
}

/* Between its own name and the temporary one. */
static gboolean
rename_file (const Step *step, gboolean to_own, guint flags)
{
  const char *from = to_own ? step->edit->temporary : step->name;
  const char *to = to_own ? step->name : step->edit->temporary;

  return renameat2 (step->parent, from, step->parent, to, flags) == 0;
}

/* Whether a file of that content lies under the temporary name. */
static gboolean
has_moved (const Step *step, const char *digest)
{
  g_auto (FhTreeFile) file = { 0 };

  return fh_tree_read (step->parent, step->edit->temporary, FH_FOLDER_EDIT_MAX, &file) &&
         file.exists && g_str_equal (file.digest, digest);
}

static gboolean
make_edit (int root, Step *step, GError **error)
{
  const FhFolderEdit *edit = step->edit;
  const gboolean replaces = edit->expected != NULL && edit->content != NULL;

  if (!fh_tree_is_parent (root, edit->path, step->parent))
    return fail_errno (error, step);
  if (!rename_file (step, edit->content != NULL, replaces ? RENAME_EXCHANGE : RENAME_NOREPLACE))
    return errno == EEXIST || errno == ENOENT ? fail_conflict (error, step)
                                              : fail_errno (error, step);
  step->is_done = TRUE;
  step->has_temporary = edit->expected != NULL;
  if (edit->expected != NULL && !has_moved (step, edit->expected))
    return fail_conflict (error, step);
  return fh_tree_is_parent (root, edit->path, step->parent) || fail_errno (error, step);
}

/* What is ours is then under the temporary name again. FALSE if it is not, because something else
 * was put there meanwhile; that stays, under one of the two names. */
static gboolean
take_back (Step *step)
{
  const FhFolderEdit *edit = step->edit;
  g_autofree char *ours = NULL;

  step->is_done = FALSE;
  step->has_temporary = edit->content != NULL;
  if (edit->content == NULL)
    return rename_file (step, TRUE, RENAME_NOREPLACE);
  ours = fh_tree_digest (edit->content);
  if (!rename_file (step, FALSE, edit->expected != NULL ? RENAME_EXCHANGE : RENAME_NOREPLACE))
    return FALSE;
  if (has_moved (step, ours))
    return TRUE;
  if (edit->expected == NULL)
    rename_file (step, TRUE, RENAME_NOREPLACE);
  return FALSE;
}

static void
set_not_put_back (GError **error, const Step *step)
{
  g_autofree char *name = fh_readable_text_new (step->edit->path, strlen (step->edit->path));
  g_autofree char *reason = error != NULL ? g_strdup ((*error)->message) : NULL;

  g_clear_error (error);
  g_set_error (error,
               FH_FOLDER_ERROR,
               FH_FOLDER_ERROR_FAILED,
               /* Translators: a sentence, the name of a file, the name of another file. */
               _ ("%s But “%s” was changed at the same moment and could not be put back: see the "
                  "file “%s” beside it."),
               reason,
               name,
               step->edit->temporary);
}

/* Removes what is left under temporary names: after a success the old files. */
static void
finish (GArray *steps)
{
  for (guint i = 0; i < steps->len; i++)
    {
      Step *step = &g_array_index (steps, Step, i);

      if (step->parent < 0)
        continue;
      if (step->has_temporary)
        unlinkat (step->parent, step->edit->temporary, 0);
      close (step->parent);
    }
}

static void
take_all_back (GArray *steps, GError **error)
{
  for (guint i = steps->len; i > 0; i--)
    {
      Step *step = &g_array_index (steps, Step, i - 1);

      if (!step->is_done || take_back (step))
        continue;
      set_not_put_back (error, step);
      step->has_temporary = FALSE;
    }
}

/* So that the new names outlast a crash; the files themselves are written already. */
static void
sync_folders (GArray *steps)
{
  for (guint i = 0; i < steps->len; i++)
    {
      fh_autofd int fd = openat (g_array_index (steps, Step, i).parent, ".", O_RDONLY | O_CLOEXEC);

      if (fd >= 0)
        fsync (fd);
    }
}

static gboolean
make_all (int root, GArray *steps, GPtrArray *made, GError **error)
{
  for (guint i = 0; i < steps->len; i++)
    {
      Step *step = &g_array_index (steps, Step, i);

      if (!prepare (root, step, made))
        return errno == ENOENT ? fail_conflict (error, step) : fail_errno (error, step);
    }
  for (guint i = 0; i < steps->len; i++)
    {
      if (!make_edit (root, &g_array_index (steps, Step, i), error))
        return FALSE;
    }
  return TRUE;
}

gboolean
fh_folder_edit_all (int root, GPtrArray *edits, GPtrArray *made, GError **error)
{
  g_autoptr (GArray) steps = g_array_new (FALSE, TRUE, sizeof (Step));
  g_autoptr (GError) problem = NULL;

  g_return_val_if_fail (edits != NULL && made != NULL, FALSE);

  for (guint i = 0; i < edits->len; i++)
    {
      const Step step = { .edit = edits->pdata[i], .parent = -1 };

      g_array_append_val (steps, step);
    }
  if (make_all (root, steps, made, &problem))
    sync_folders (steps);
  else
    take_all_back (steps, &problem);
  finish (steps);
  if (problem == NULL)
    return TRUE;
  fh_folder_unmake (root, made);
  g_propagate_error (error, g_steal_pointer (&problem));
  return FALSE;
}

/* Nothing of another user's. */
static gboolean
is_ours (int parent, const char *name)
{
  struct stat info;

  return fstatat (parent, name, &info, AT_SYMLINK_NOFOLLOW) == 0 && S_ISREG (info.st_mode) &&
         info.st_uid == geteuid ();
}

void
fh_folder_edit_sweep (int root,
                      const char *path,
                      const char *temporary,
                      const char *old_sha256,
                      const char *new_sha256)
{
  g_autofree char *unfinished = unfinished_name (temporary);
  g_auto (FhTreeFile) file = { 0 };
  const char *name;
  fh_autofd int parent = fh_tree_open_parent (root, path, NULL, &name);

  if (parent < 0)
    return;
  if (is_ours (parent, unfinished))
    unlinkat (parent, unfinished, 0);
  if (is_ours (parent, temporary) && fh_tree_read (parent, temporary, FH_FOLDER_EDIT_MAX, &file) &&
      file.exists &&
      (g_strcmp0 (file.digest, old_sha256) == 0 || g_strcmp0 (file.digest, new_sha256) == 0))
    unlinkat (parent, temporary, 0);
}

void
fh_folder_unmake (int root, GPtrArray *made)
{
  for (guint i = made->len; i > 0; i--)
    {
      const char *name;
      fh_autofd int parent = fh_tree_open_parent (root, made->pdata[i - 1], NULL, &name);

      if (parent >= 0)
        unlinkat (parent, name, AT_REMOVEDIR);
    }
}
