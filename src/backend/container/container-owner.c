/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Who owns a container. An owner is written
 *
 * MACHINE.HOST.USER.BOOT.PROCESSES.PID.START
 *
 * MACHINE is a digest of /etc/machine-id, which must not be disclosed (machine-id (5)), HOST one of
 * the host name, BOOT one of the kernel's boot id; PROCESSES is the number of the pid namespace,
 * and START the start time of the process.
 *
 * Many computers can share one engine, disk images with their machine ids are copied, and an app
 * can run in a container itself: a process counts as alive unless it is certainly dead. Another
 * host name alone is not another machine, because some networks change it. */
#include "container-ops.h"

#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/types.h>
#include <unistd.h>

#define MACHINE_ID    "/etc/machine-id"
#define BOOT_ID       "/proc/sys/kernel/random/boot_id"
#define DIGEST_LENGTH 16

typedef struct
{
  char machine[DIGEST_LENGTH + 1];
  char host[DIGEST_LENGTH + 1];
  guint64 user;
  char boot[DIGEST_LENGTH + 1];
  guint64 processes;
  guint64 pid;
  guint64 start;
} Owner;

static void
digest_of (const char *text, char digest[DIGEST_LENGTH + 1])
{
  g_autofree char *salted = g_strconcat ("fumehood ", text, NULL);
  g_autofree char *whole = g_compute_checksum_for_string (G_CHECKSUM_SHA256, salted, -1);

  g_strlcpy (digest, whole, DIGEST_LENGTH + 1);
}

/* The digest of a file with an id; empty where there is none, as in most containers. */
static void
read_id (const char *path, char digest[DIGEST_LENGTH + 1])
{
  g_autofree char *id = NULL;

  if (g_file_get_contents (path, &id, NULL, NULL) && *g_strstrip (id) != '\0')
    digest_of (id, digest);
  else
    g_strlcpy (digest, "unknown", DIGEST_LENGTH + 1);
}

static guint64
read_processes (void)
{
  struct stat status;

  return stat ("/proc/self/ns/pid", &status) == 0 ? (guint64) status.st_ino : 0;
}

/* Field 22 of proc (5), in clock ticks since boot. The name may contain anything; it ends at the
 * last parenthesis. FALSE when there is no such process, or it is a zombie. */
static gboolean
read_start (guint64 pid, guint64 *start)
{
  g_autofree char *path = g_strdup_printf ("/proc/%" G_GUINT64_FORMAT "/stat", pid);
  g_autofree char *text = NULL;
  g_auto (GStrv) fields = NULL;
  const char *rest;

  if (!g_file_get_contents (path, &text, NULL, NULL) || (rest = strrchr (text, ')')) == NULL)
    return FALSE;
  fields = g_strsplit (rest, " ", -1);
  if (g_strv_length (fields) <= 20 || strchr ("ZX", fields[1][0]) != NULL)
    return FALSE;
  return g_ascii_string_to_unsigned (fields[20], 10, 0, G_MAXUINT64, start, NULL);
}

/* Unknown values are "unknown" or 0. */
static void
describe_self (Owner *self)
{
  *self = (Owner){ .user = getuid (), .pid = (guint64) getpid () };
  read_id (MACHINE_ID, self->machine);
  digest_of (g_get_host_name (), self->host);
  read_id (BOOT_ID, self->boot);
  self->processes = read_processes ();
  if (!read_start (self->pid, &self->start))
    self->start = 0;
}

static gboolean
parse (const char *text, Owner *owner)
{
  g_auto (GStrv) parts = g_strsplit (text, ".", -1);

  if (g_strv_length (parts) != 7)
    return FALSE;
  g_strlcpy (owner->machine, parts[0], sizeof owner->machine);
  g_strlcpy (owner->host, parts[1], sizeof owner->host);
  g_strlcpy (owner->boot, parts[3], sizeof owner->boot);
  return g_ascii_string_to_unsigned (parts[2], 10, 0, G_MAXUINT32, &owner->user, NULL) &&
         g_ascii_string_to_unsigned (parts[4], 10, 0, G_MAXUINT64, &owner->processes, NULL) &&
         g_ascii_string_to_unsigned (parts[5], 10, 1, G_MAXINT32, &owner->pid, NULL) &&
         g_ascii_string_to_unsigned (parts[6], 10, 0, G_MAXUINT64, &owner->start, NULL);
}

static gboolean
is_known (const char *digest)
{
  return strlen (digest) == DIGEST_LENGTH;
}

static gboolean
is_here (const Owner *owner, const Owner *self)
{
  return g_str_equal (owner->machine, self->machine) && owner->user == self->user;
}

char *
fh_container_owner (void)
{
  Owner self;

  describe_self (&self);
  return g_strdup_printf ("%s.%s.%" G_GUINT64_FORMAT ".%s.%" G_GUINT64_FORMAT ".%" G_GUINT64_FORMAT
                          ".%" G_GUINT64_FORMAT,
                          self.machine,
                          self.host,
                          self.user,
                          self.boot,
                          self.processes,
                          self.pid,
                          self.start);
}

gboolean
fh_container_owner_is_here (const char *text)
{
  Owner owner;
  Owner self;

  g_return_val_if_fail (text != NULL, FALSE);

  describe_self (&self);
  return parse (text, &owner) && is_here (&owner, &self);
}

gboolean
fh_container_owner_is_dead (const char *text)
{
  Owner owner;
  Owner self;
  guint64 start;

  g_return_val_if_fail (text != NULL, FALSE);

  describe_self (&self);
  if (!parse (text, &owner) || !is_here (&owner, &self) || !is_known (owner.machine) ||
      !is_known (owner.boot) || !is_known (self.boot) || self.start == 0 || owner.start == 0)
    return FALSE;
  /* The owner is of an earlier boot, or of another computer with the same id. */
  if (!g_str_equal (owner.boot, self.boot))
    return g_str_equal (owner.host, self.host);
  if (owner.processes != self.processes)
    return FALSE;
  return !read_start (owner.pid, &start) || start != owner.start;
}

char *
fh_container_new_name (void)
{
  g_autofree char *uuid = g_uuid_string_random ();

  return g_strconcat (FH_CONTAINER_NAME_PREFIX, uuid, NULL);
}
