/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "container-copy.h"

#include "config.h"

#include <errno.h>
#include <glib/gi18n-lib.h>
#include <string.h>

#include "clients.h"
#include "wire-container.h"

/* The largest archive; ours is a tenth of it. */
#define ARCHIVE_MAX ((gsize) 64 << 20)

#define BLOCK     512
#define NOBODY    65534u
#define NAME_SIZE 100
#define DEPTH_MAX 4

/* Some megabytes over some megabits per second. */
#define TIMEOUT_S 120

/* The header of an entry. Numbers are octal digits, ended by NUL. */
typedef struct
{
  char name[NAME_SIZE];
  char mode[8];
  char uid[8];
  char gid[8];
  char size[12];
  char mtime[12];
  char checksum[8];
  char kind;
  char link[100];
  char magic[6];
  char version[2];
  char user[32];
  char group[32];
  char device[2][8];
  char prefix[155];
  char rest[12];
} Header;

G_STATIC_ASSERT (sizeof (Header) == BLOCK);

static gboolean
fail (GError **error, const char *path, const char *reason)
{
  g_autofree char *name = g_filename_display_name (path);

  g_set_error (error,
               G_IO_ERROR,
               G_IO_ERROR_FAILED,
               /* Translators: the path of a file, then a reason. */
               _ ("Could not copy Fumehood’s “%s” into the container: %s"),
               name,
               reason);
  return FALSE;
}

static void
add_header (GByteArray *archive, const char *name, char kind, guint mode, gsize size)
{
  Header header = { .kind = kind, .magic = "ustar", .version = { '0', '0' } };
  const guint8 *bytes = (const guint8 *) &header;
  guint sum = 0;

  memcpy (header.name, name, strlen (name));
  g_snprintf (header.mode, sizeof header.mode, "%07o", mode);
  g_snprintf (header.uid, sizeof header.uid, "%07o", NOBODY);
  g_snprintf (header.gid, sizeof header.gid, "%07o", NOBODY);
  g_snprintf (header.size, sizeof header.size, "%011" G_GINT64_MODIFIER "o", (guint64) size);
  g_snprintf (header.mtime, sizeof header.mtime, "%011o", 0);
  memset (header.checksum, ' ', sizeof header.checksum);
  for (guint i = 0; i < sizeof header; i++)
    sum += bytes[i];
  g_snprintf (header.checksum, sizeof header.checksum, "%06o", sum);
  g_byte_array_append (archive, bytes, sizeof header);
}

static void
add_padding (GByteArray *archive, gsize size)
{
  static const guint8 zeros[2 * BLOCK];

  g_byte_array_append (archive, zeros, (guint) size);
}

static gboolean
add_file (GByteArray *archive, const char *path, const char *name, guint mode, GError **error)
{
  g_autoptr (GError) why = NULL;
  g_autofree char *content = NULL;
  gsize size;

  if (strlen (name) >= NAME_SIZE)
    return fail (error, path, g_strerror (ENAMETOOLONG));
  if (!g_file_get_contents (path, &content, &size, &why))
    return fail (error, path, why->message);
  if (size > ARCHIVE_MAX - archive->len)
    return fail (error, path, g_strerror (EFBIG));
  add_header (archive, name, '0', mode, size);
  g_byte_array_append (archive, (const guint8 *) content, (guint) size);
  add_padding (archive, (BLOCK - size % BLOCK) % BLOCK);
  return TRUE;
}

/* Follows links: the folder is ours, and some distributions install links. */
static gboolean
add_folder (GByteArray *archive, const char *path, const char *name, guint depth, GError **error)
{
  g_autofree char *entry_name = g_strconcat (name, "/", NULL);
  g_autoptr (GError) why = NULL;
  g_autoptr (GDir) entries = NULL;
  const char *entry;
  gboolean ok = TRUE;

  if (depth == DEPTH_MAX || strlen (entry_name) >= NAME_SIZE)
    return fail (error, path, g_strerror (ENAMETOOLONG));
  entries = g_dir_open (path, 0, &why);
  if (entries == NULL)
    return fail (error, path, why->message);
  add_header (archive, entry_name, '5', 0755, 0);
  while (ok && (entry = g_dir_read_name (entries)) != NULL)
    {
      g_autofree char *below = g_build_filename (path, entry, NULL);
      g_autofree char *below_name = g_strconcat (name, "/", entry, NULL);

      if (g_file_test (below, G_FILE_TEST_IS_DIR))
        ok = add_folder (archive, below, below_name, depth + 1, error);
      else if (g_file_test (below, G_FILE_TEST_IS_REGULAR))
        ok = add_file (archive, below, below_name, 0644, error);
    }
  return ok;
}

GBytes *
fh_program_archive_new (const char *runner, const char *guest_folder, GError **error)
{
  g_autoptr (GByteArray) archive = g_byte_array_new ();

  g_return_val_if_fail (runner != NULL, NULL);
  g_return_val_if_fail (guest_folder != NULL, NULL);

  if (!add_file (archive, runner, "runner", 0755, error) ||
      !add_folder (archive, guest_folder, "guest", 0, error))
    return NULL;
  add_padding (archive, (gsize) 2 * BLOCK);
  return g_byte_array_free_to_bytes (g_steal_pointer (&archive));
}

/* Podman changes the owner to the container's user unless told not to; Docker keeps the archive's
 * owner by default. */
gboolean
fh_container_copy_programs (FhEngine *engine,
                            const char *container_name,
                            const char *runner,
                            const char *guest_folder,
                            GCancellable *cancellable,
                            GError **error)
{
  const gboolean is_podman = fh_engine_get_facts (engine)->kind == FH_ENGINE_PODMAN;
  g_autoptr (GBytes) archive = fh_program_archive_new (runner, guest_folder, error);
  g_autofree char *place = g_strconcat (container_name, ":" FH_CONTAINER_PROGRAMS, NULL);
  g_autofree char *answer = NULL;
  const char *const arguments[] = { "cp",
                                    is_podman ? "--archive=false" : "-",
                                    is_podman ? "-" : place,
                                    is_podman ? place : NULL,
                                    NULL };
  g_auto (FhClient) client = fh_engine_client (engine, arguments);

  if (archive == NULL)
    return FALSE;
  client.input = archive;
  fh_clients_run (&client, 1, TIMEOUT_S * 1000, cancellable, NULL, NULL);
  if (g_error_matches (client.error, FH_ENGINE_ERROR, FH_ENGINE_ERROR_TIMED_OUT))
    g_set_error (error,
                 FH_ENGINE_ERROR,
                 FH_ENGINE_ERROR_TIMED_OUT,
                 _ ("Copying Fumehood’s own programs into the container took longer "
                    "than %u seconds."),
                 TIMEOUT_S);
  else
    answer = fh_engine_take_answer (engine, &client, error);
  return answer != NULL;
}

gboolean
fh_container_open_folders (FhEngine *engine,
                           const char *container_name,
                           gboolean has_workspace,
                           GCancellable *cancellable,
                           GError **error)
{
  const char *const arguments[] = { "exec",
                                    "--user=0:0",
                                    "--",
                                    container_name,
                                    FH_CONTAINER_RUNNER,
                                    FH_OPEN_ARGUMENT,
                                    FH_CONTAINER_HOME,
                                    has_workspace ? FH_CONTAINER_WORKSPACE : NULL,
                                    NULL };
  g_autofree char *answer = NULL;

  if (fh_engine_get_facts (engine)->kind != FH_ENGINE_DOCKER)
    return TRUE;
  answer = fh_engine_call (engine, arguments, FH_ENGINE_CALL_TIMEOUT_MS, cancellable, error);
  return answer != NULL;
}
