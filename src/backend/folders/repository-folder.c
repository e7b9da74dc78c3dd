/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "repository-folder.h"

#include <errno.h>
#include <string.h>
#include <unistd.h>

#include "descriptor.h"
#include "folder-tree.h"

#define HEAD        "HEAD"
#define MAX_HEAD    4096
#define DIGEST_SIZE 40 /* or more */

/* "ref: refs/heads/main", or the digest of a commit. */
static gboolean
names_commit (GBytes *content)
{
  gsize size;
  const char *text = g_bytes_get_data (content, &size);
  gsize n_digits = 0;

  if (size >= 4 && memcmp (text, "ref:", 4) == 0)
    return TRUE;
  while (n_digits < size && g_ascii_isxdigit (text[n_digits]))
    n_digits++;
  return n_digits >= DIGEST_SIZE;
}

/* The head alone decides: objects, refs and settings could be what is being written. In doubt, as
 * when it is a link or cannot be read, the folder is taken for a repository. */
static gboolean
is_repository (int folder)
{
  g_auto (FhTreeFile) head = { 0 };

  if (!fh_tree_read (folder, HEAD, MAX_HEAD, &head))
    return errno != EISDIR && errno != EFBIG && errno != EEXIST;
  return head.exists && names_commit (head.content);
}

gboolean
fh_repository_folder_holds (int root, const char *path)
{
  const char *end = path;

  while (end != NULL)
    {
      /* A name in the folder that is looked at: the first is in the root. */
      g_autofree char *inner = NULL;
      fh_autofd int folder = -1;
      const char *name;

      end = strchr (end, '/');
      inner = end != NULL ? g_strndup (path, (gsize) (end - path)) : g_strdup (path);
      folder = fh_tree_open_parent (root, inner, NULL, &name);
      if (folder < 0)
        return FALSE;
      if (is_repository (folder))
        return TRUE;
      end = end != NULL ? end + 1 : NULL;
    }
  return FALSE;
}
