/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Folders and files that are replaced while changes are written: nothing outside is reached, what
 * was told is true, and nobody's work is lost. */
#include <fcntl.h>
#include <glib/gstdio.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "folder-apply.h"
#include "folder-edit.h"
#include "own-folder.h"

#define ROUNDS 2400

typedef struct
{
  char *folder; /* p/sub */
  char *link;   /* p/link, to "outside" */
  gint is_over;
  guint n_swaps;
} Attack;

static void
swap (const Attack *attack)
{
  g_assert_no_errno (renameat2 (AT_FDCWD, attack->folder, AT_FDCWD, attack->link, RENAME_EXCHANGE));
}

/* At times until a file has been written whole. */
static void
wait_a_little (guint n)
{
  if (n % 4 == 0)
    g_usleep (n % 64 * 100);
}

/* In every second moment the folder is a link to one outside. */
static gpointer
swap_folder (gpointer data)
{
  Attack *attack = data;

  for (; !g_atomic_int_get (&attack->is_over); attack->n_swaps++)
    {
      swap (attack);
      wait_a_little (attack->n_swaps);
      swap (attack);
      wait_a_little (attack->n_swaps / 4);
    }
  return NULL;
}

static void
add (GPtrArray *edits, const char *path, const char *before, const char *after)
{
  g_autofree char *digest =
      before != NULL ? g_compute_checksum_for_string (G_CHECKSUM_SHA256, before, -1) : NULL;
  g_autoptr (GBytes) content = after != NULL ? g_bytes_new (after, strlen (after)) : NULL;

  g_ptr_array_add (edits, fh_folder_edit_new (path, digest, content, -1, -1));
}

static GPtrArray *
edits_new (void)
{
  return g_ptr_array_new_with_free_func ((GDestroyNotify) fh_folder_edit_free);
}

static gboolean
make (int root, GPtrArray *edits, GError **error)
{
  g_autoptr (GPtrArray) made = g_ptr_array_new_with_free_func (g_free);

  return fh_folder_edit_all (root, edits, made, error);
}

static int
open_root (void)
{
  g_autofree char *path = own_folder_path ("p");
  int root = open (path, O_RDONLY | O_DIRECTORY | O_CLOEXEC);

  g_assert_cmpint (root, >=, 0);
  return root;
}

static int
compare_names (gconstpointer a, gconstpointer b)
{
  return strcmp (*(const char *const *) a, *(const char *const *) b);
}

/* Names in a folder, sorted, between spaces. */
static char *
list (const char *path)
{
  g_autofree char *folder = own_folder_path (path);
  g_autoptr (GDir) dir = g_dir_open (folder, 0, NULL);
  g_autoptr (GPtrArray) names = g_ptr_array_new_with_free_func (g_free);
  const char *name;

  while ((name = g_dir_read_name (dir)) != NULL)
    g_ptr_array_add (names, g_strdup (name));
  g_ptr_array_sort (names, compare_names);
  g_ptr_array_add (names, NULL);
  return g_strjoinv (" ", (char **) names->pdata);
}

/* Whether a run of edits is told to have worked decides what has to lie there at the end. */
static void
test_swapped_folder (void)
{
  Attack attack = { .folder = own_folder_path ("p/sub"), .link = own_folder_path ("p/link") };
  g_autofree char *outside_folder = own_folder_path ("outside");
  const char *now = "0";
  gboolean has_second = FALSE;
  guint n_done = 0;
  GThread *thread;
  GStatBuf before;
  GStatBuf after;
  int root;

  own_folder_put ("outside/file", "0");
  own_folder_put ("p/sub/file", "0");
  g_assert_no_errno (symlink (outside_folder, attack.link));
  root = open_root ();
  g_assert_no_errno (g_lstat (outside_folder, &before));
  thread = g_thread_new ("attack", swap_folder, &attack);
  for (guint i = 0; i < ROUNDS || n_done < 50; i++)
    {
      g_autoptr (GPtrArray) edits = edits_new ();
      g_autoptr (GError) error = NULL;
      const char *next = g_str_equal (now, "0") ? "1" : "0";

      add (edits, "sub/file", now, next);
      add (edits, "sub/second", has_second ? "2" : NULL, has_second ? NULL : "2");
      if (!make (root, edits, &error))
        {
          g_assert_true (error->domain == FH_FOLDER_ERROR);
          continue;
        }
      now = next;
      has_second = !has_second;
      n_done++;
    }
  g_atomic_int_set (&attack.is_over, TRUE);
  g_thread_join (thread);
  close (root);
  /* Not even for a moment was anything put there. */
  g_assert_no_errno (g_lstat (outside_folder, &after));
  g_assert_true (before.st_mtim.tv_sec == after.st_mtim.tv_sec &&
                 before.st_mtim.tv_nsec == after.st_mtim.tv_nsec);
  own_folder_assert_content ("outside/file", "0");
  own_folder_assert_content ("p/sub/file", now);
  {
    g_autofree char *outside = list ("outside");
    g_autofree char *inside = list ("p/sub");
    g_autofree char *top = list ("p");

    g_assert_cmpstr (outside, ==, "file");
    g_assert_cmpstr (inside, ==, has_second ? "file second" : "file");
    g_assert_cmpstr (top, ==, "link sub");
  }
  g_test_message ("%u of %u written, %u swaps", n_done, ROUNDS, attack.n_swaps);
  g_assert_cmpuint (attack.n_swaps, >, 0);
  g_free (attack.folder);
  g_free (attack.link);
}

typedef struct
{
  int root;
  GPtrArray *edits;
  gint has_begun;
} Writing;

static gpointer
write_in_thread (gpointer data)
{
  Writing *writing = data;

  g_atomic_int_set (&writing->has_begun, TRUE);
  make (writing->root, writing->edits, NULL);
  return NULL;
}

/* Whether a file of p has this text, under any name. */
static gboolean
is_anywhere (const char *text)
{
  g_autofree char *folder = own_folder_path ("p");
  g_autoptr (GDir) dir = g_dir_open (folder, 0, NULL);
  const char *name;

  while ((name = g_dir_read_name (dir)) != NULL)
    {
      g_autofree char *path = g_build_filename (folder, name, NULL);
      g_autofree char *content = NULL;

      if (g_file_get_contents (path, &content, NULL, NULL) && g_str_equal (content, text))
        return TRUE;
    }
  return FALSE;
}

/* An editor saves the file in the same moment, as editors do: by renaming. */
static void
race_an_editor (gboolean deletes)
{
  g_autofree char *file = own_folder_path ("p/file");
  g_autofree char *saved = own_folder_path ("saved");
  g_autofree char *before = own_folder_path ("before");
  guint n_kept = 0;

  own_folder_put ("p/other", "x");
  for (guint i = 0; i < ROUNDS / 6; i++)
    {
      g_autoptr (GPtrArray) edits = edits_new ();
      g_autofree char *text = g_strdup_printf ("work %u", i);
      Writing writing = { .root = open_root (), .edits = edits };
      GThread *thread;

      g_assert_true (g_file_set_contents (before, "old", -1, NULL));
      g_assert_no_errno (rename (before, file));
      g_assert_true (g_file_set_contents (saved, text, -1, NULL));
      add (edits, "file", "old", deletes ? NULL : "new");
      thread = g_thread_new ("writing", write_in_thread, &writing);
      while (!g_atomic_int_get (&writing.has_begun))
        g_thread_yield ();
      for (guint j = 0; j < i % 64; j++)
        g_thread_yield ();
      g_assert_no_errno (rename (saved, file));
      g_thread_join (thread);
      close (writing.root);
      g_assert_true (is_anywhere (text));
      n_kept++;
    }
  g_assert_cmpuint (n_kept, ==, ROUNDS / 6);
}

static void
test_editor_and_change (void)
{
  race_an_editor (FALSE);
}

static void
test_editor_and_deletion (void)
{
  race_an_editor (TRUE);
}

typedef struct
{
  const char *name;
  GTestFunc function;
} Case;

static void
run_case (gconstpointer data)
{
  const Case *one = data;

  own_folder_begin ();
  one->function ();
  own_folder_end ();
}

int
main (int argc, char *argv[])
{
  static const Case cases[] = {
    { "/folder-races/swapped-folder", test_swapped_folder },
    { "/folder-races/editor-and-change", test_editor_and_change },
    { "/folder-races/editor-and-deletion", test_editor_and_deletion },
  };

  g_test_init (&argc, &argv, NULL);
  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    g_test_add_data_func (cases[i].name, &cases[i], run_case);
  return g_test_run ();
}
