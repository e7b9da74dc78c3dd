/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "controls/guard-words.h"

#include <glib/gi18n.h>

/* The runner and records have these words in English. Those with numbers or names in them, and the
 * names of parts of the kernel, are left as they are. */
static const char *const words[] = {
  N_ ("CPU time of all processes"),
  N_ ("DNS sink"),
  N_ ("Flatpak's private root"),
  N_ ("Landlock rules for TCP"),
  N_ ("Landlock scope of abstract sockets"),
  N_ ("Landlock scope of signals"),
  N_ ("bound work folder"),
  N_ ("built environment"),
  N_ ("byte count per stream"),
  N_ ("cgroup memory limit"),
  N_ ("data limit"),
  N_ ("engine's filter"),
  N_ ("file size limit"),
  N_ ("limit for the user"),
  N_ ("limited inodes"),
  N_ ("looking"),
  N_ ("loopback only"),
  N_ ("mount namespace"),
  N_ ("network namespace"),
  N_ ("no capabilities"),
  N_ ("no inherited descriptors"),
  N_ ("no new privileges"),
  N_ ("no proxies of the client"),
  N_ ("no signals"),
  N_ ("no sockets"),
  N_ ("no swap"),
  N_ ("one architecture"),
  N_ ("overlay of the project"),
  N_ ("overlays for projects"),
  N_ ("own keyring"),
  N_ ("pid namespace"),
  N_ ("pipes"),
  N_ ("private root"),
  N_ ("process limit"),
  N_ ("read-only image"),
  N_ ("read-only root"),
  N_ ("read-only system folders"),
  N_ ("reports"),
  N_ ("sampling"),
  N_ ("seccomp filter"),
  N_ ("seccomp profile of the container"),
  N_ ("sized tmpfs"),
  N_ ("socket families"),
  N_ ("system call filter"),
  N_ ("the engine's network"),
  N_ ("the engine's seccomp profile"),
  N_ ("user namespace"),
  N_ ("wall clock"),
  N_ ("writable layer"),
  NULL,
};

char *
fh_guard_words_dup_layers (const char *layers)
{
  g_auto (GStrv) parts = g_strsplit (layers, ", ", -1);

  for (guint i = 0; parts[i] != NULL; i++)
    {
      char *part = parts[i];

      if (!g_strv_contains (words, part))
        continue;
      parts[i] = g_strdup (_ (part));
      g_free (part);
    }
  return g_strjoinv (", ", parts);
}
