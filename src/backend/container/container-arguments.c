/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The command lines for clients of Docker (20.10 to 28) and Podman (4 and 5). Every option has its
 * value in the same word (--name=VALUE), so that a value is never taken for an option, and "--"
 * comes before the first positional name.
 *
 * No --init: the runner is the container's first process, reaps orphans and ends with the run. No
 * --rm: how a container ended is asked before it is removed. No --tty: the streams carry frames. */
#include "container-arguments.h"

#include "config.h"

#include <string.h>

#include "container-volume.h"
#include "wire-container.h"

/* Beyond the limits of the run, because the runner lives under them too: for the runner and the
 * sandbox's first process; in a kept one also its own first process. An engine enters a kept one
 * with a multithreaded program, which needs room. */
#define RESERVED_MEMORY         ((guint64) 16 << 20)
#define RESERVED_PROCESSES      2
#define RESERVED_PROCESSES_KEPT 3
#define MIN_PROCESSES_KEPT      16

/* Where Podman wants names, not a number. */
#define MAX_GPUS 64

/* For /dev/shm without a limit: the engine's default of 64 MiB is too small for programs with
 * several processes. */
#define DEFAULT_SHARED_MEMORY ((guint64) 1 << 30)

/* Part of the disk limit. No engine can limit several folders together, so more than the limit can
 * be written; rarely used folders get little. */
#define PART_FOR_SHARED_MEMORY 4

/* Each file takes kernel memory besides its content; as in the native sandbox. */
#define BYTES_PER_INODE 8192
#define MIN_INODES      4096
#define MAX_INODES      262144

/* Any user of the container can write to this folder in memory and execute from it: compilers and
 * package managers need that. The engine's default is noexec. */
#define SHARED_TMPFS(path) "--tmpfs=" path ":rw,exec,nosuid,nodev,mode=1777%s"

/* A kept container has this instead of a folder in memory, because its files must survive a stop.
 * Docker would copy the image's files into the volume. */
#define PODMAN_VOLUME(path) "--mount=type=volume,target=" path
#define DOCKER_VOLUME(path) PODMAN_VOLUME (path) ",volume-nocopy"

/* Conditions that a container may meet; a row names those on which its argument depends. */
enum
{
  DOCKER = 1 << 0,
  PODMAN = 1 << 1,
  ROOTLESS = 1 << 2,
  USER_0 = 1 << 3,  /* its programs are user 0, */
  AS_ROOT = 1 << 4, /* because that was asked for */
  KEPT = 1 << 5,
  KEPT_BY_OWNER = 1 << 6,
  WRITABLE = 1 << 7,       /* its root */
  ENGINES_FILTER = 1 << 8, /* of system calls */
  OFFLINE = 1 << 9,        /* the guard of the network is on, and no network named */
  COPIED = 1 << 10,        /* our programs are */
  WORKSPACE = 1 << 11,     /* a folder of this computer, like HOME */
  HOME = 1 << 12,
  WORK_FOLDER = 1 << 13, /* WORKSPACE is a folder of the user's */
  UNLABELED = 1 << 14,   /* it must be able to use files with the labels of others */
  SIZED = 1 << 15,       /* what is written to one filesystem is limited */
  IDENTIFIED = 1 << 16,  /* it gets its name and labels */
  WAITING = 1 << 17,     /* its first process serves no run */
};

typedef void (*AddValues) (const FhContainerParts *parts, GStrvBuilder *values);

static void add (GStrvBuilder *values, const char *format, ...) G_GNUC_PRINTF (2, 3);

static void
add (GStrvBuilder *values, const char *format, ...)
{
  g_autofree char *text = NULL;
  va_list arguments;

  va_start (arguments, format);
  text = g_strdup_vprintf (format, arguments);
  va_end (arguments);
  g_strv_builder_add (values, text);
}

static gboolean
is_podman (const FhContainerParts *parts)
{
  return parts->engine->kind == FH_ENGINE_PODMAN;
}

static gboolean
is_guarded (const FhContainerParts *parts, FhGuard guard)
{
  return !(parts->guards->without & 1u << guard);
}

static guint
n_volumes (const FhContainerParts *parts)
{
  const char *const *volumes = parts->options->volumes;

  return volumes != NULL ? g_strv_length ((GStrv) (gpointer) volumes) : 0;
}

/* Returns how much can be written to one filesystem, in bytes; 0: the kernel's default. Files in
 * memory count as memory, too. A failed write is better than running out of memory. */
static guint64
filesystem_size (const FhContainerParts *parts)
{
  const guint64 disk = parts->limits->disk_bytes;
  const guint64 memory = parts->limits->memory_bytes;

  return disk > 0 && memory > 0 ? MIN (disk, memory) : disk;
}

static gboolean
has_work_folder (const FhContainerParts *parts)
{
  return parts->options->work_dir != NULL || parts->options->bind_dir != NULL;
}

/* With SELinux a container may not use the user's files. Our own folders get the container's label.
 * Relabelling the user's folders would outlast the run and lock out other programs, so a container
 * with such a folder runs without label separation. Docker cannot relabel with --mount. Our
 * programs are in /usr, which every container may read. */
static gboolean
is_unlabeled (const FhContainerParts *parts)
{
  const gboolean has_others_folder = parts->workspace != NULL && has_work_folder (parts);
  const gboolean has_folder = parts->workspace != NULL || parts->home != NULL;

  return n_volumes (parts) > 0 || has_others_folder || (has_folder && !is_podman (parts));
}

static guint
conditions_of (const FhContainerParts *parts)
{
  const FhContainerOptions *options = parts->options;
  const gboolean is_rootless = parts->engine->is_rootless;
  const struct
  {
    guint condition;
    gboolean holds;
  } all[] = {
    { DOCKER, !is_podman (parts) },
    { PODMAN, is_podman (parts) },
    { ROOTLESS, is_rootless },
    { USER_0, options->is_root || (is_rootless && !is_podman (parts)) },
    { AS_ROOT, options->is_root },
    { KEPT, options->is_kept },
    { KEPT_BY_OWNER, options->is_kept && options->after == FH_CONTAINER_REMOVE },
    { WRITABLE, options->is_writable },
    { ENGINES_FILTER,
      parts->seccomp_profile == NULL || !is_guarded (parts, FH_GUARD_SYSTEM_CALLS) },
    { OFFLINE, options->network == NULL && is_guarded (parts, FH_GUARD_NETWORK) },
    { COPIED, parts->by_copy },
    { WORKSPACE, parts->workspace != NULL },
    { HOME, parts->home != NULL },
    { WORK_FOLDER, parts->workspace != NULL && options->work_dir != NULL },
    { UNLABELED, is_unlabeled (parts) },
    { SIZED, filesystem_size (parts) > 0 },
  };
  guint conditions = 0;

  for (guint i = 0; i < G_N_ELEMENTS (all); i++)
    if (all[i].holds)
      conditions |= all[i].condition;
  return conditions;
}

static void
add_digest (const FhContainerParts *parts, GStrvBuilder *values)
{
  g_autofree char *digest = fh_container_options_digest (parts);

  g_strv_builder_add (values, digest);
}

static void
add_image_name (const FhContainerParts *parts, GStrvBuilder *values)
{
  g_strv_builder_add (values, fh_container_options_image (parts->options));
}

static void
add_user (const FhContainerParts *parts, GStrvBuilder *values)
{
  add (values, "%u:%u", (guint) parts->uid, (guint) parts->gid);
}

/* The limit counts bytes with swap. A kept container has one limit for all runs, for any input. */
static void
add_memory (const FhContainerParts *parts, GStrvBuilder *values)
{
  const guint64 limit = parts->limits->memory_bytes;
  const guint64 input = parts->options->is_kept ? 0 : parts->input_size;

  if (limit > 0 && parts->engine->limits_memory)
    add (values, "%" G_GUINT64_FORMAT, limit + RESERVED_MEMORY + input);
}

static void
add_processes (const FhContainerParts *parts, GStrvBuilder *values)
{
  const guint limit = parts->limits->processes;

  if (limit == 0 || !parts->engine->limits_processes)
    return;
  add (values,
       "%u",
       parts->options->is_kept ? MAX (limit + RESERVED_PROCESSES_KEPT, MIN_PROCESSES_KEPT)
                               : limit + RESERVED_PROCESSES);
}

static void
add_cpus (const FhContainerParts *parts, GStrvBuilder *values)
{
  const guint cpus = parts->options->milli_cpus;

  if (cpus > 0 && parts->engine->limits_cpus)
    add (values, "%u.%03u", cpus / 1000, cpus % 1000);
}

static void
add_network (const FhContainerParts *parts, GStrvBuilder *values)
{
  if (parts->options->network != NULL)
    g_strv_builder_add (values, parts->options->network);
}

/* The host's network is no guard. */
static void
add_network_words (const FhContainerParts *parts, GStrvBuilder *values)
{
  const char *network = parts->options->network;

  if (network == NULL && !is_guarded (parts, FH_GUARD_NETWORK))
    g_strv_builder_add (values, "the engine's network");
  else if (network == NULL || g_str_equal (network, "none"))
    g_strv_builder_add (values, "loopback only");
  else if (!g_str_equal (network, "host"))
    add (values, "network %s", network);
}

static void
add_hosts (const FhContainerParts *parts, GStrvBuilder *values)
{
  for (const char *const *host = parts->options->hosts; host != NULL && *host != NULL; host++)
    g_strv_builder_add (values, *host);
}

static void
add_proxies (const FhContainerParts *parts, GStrvBuilder *values)
{
  g_strv_builder_add_many (values,
                           "HTTP_PROXY=",
                           "HTTPS_PROXY=",
                           "FTP_PROXY=",
                           "ALL_PROXY=",
                           "NO_PROXY=",
                           "http_proxy=",
                           "https_proxy=",
                           "ftp_proxy=",
                           "all_proxy=",
                           "no_proxy=",
                           NULL);
}

/* A field of comma-separated values for Go's encoding/csv, with which both engines read --mount: a
 * field with a comma, a quotation mark or a newline is quoted, and its quotation marks are
 * doubled. */
static char *
new_field (const char *name, const char *value)
{
  GString *field = g_string_new (NULL);

  g_string_append_printf (field, "%s=%s", name, value);
  if (strpbrk (field->str, ",\"\r\n") == NULL)
    return g_string_free (field, FALSE);
  g_string_replace (field, "\"", "\"\"", 0);
  g_string_prepend_c (field, '"');
  g_string_append_c (field, '"');
  return g_string_free (field, FALSE);
}

/* `more` is a further field, or NULL. */
static void
add_bind (GStrvBuilder *values, const char *source, const char *target, const char *more)
{
  g_autofree char *from = new_field ("source", source);
  g_autofree char *to = new_field ("target", target);

  add (values, "%s,%s%s%s", from, to, more != NULL ? "," : "", more != NULL ? more : "");
}

static void
add_programs (const FhContainerParts *parts, GStrvBuilder *values)
{
  add_bind (values, parts->runner, FH_CONTAINER_RUNNER, "readonly");
  add_bind (values, parts->guest_folder, FH_CONTAINER_GUEST, "readonly");
}

static void
add_workspace (const FhContainerParts *parts, GStrvBuilder *values)
{
  const gboolean is_ours = is_podman (parts) && !has_work_folder (parts);

  add_bind (values, parts->workspace, FH_CONTAINER_WORKSPACE, is_ours ? "relabel=private" : NULL);
}

static void
add_home (const FhContainerParts *parts, GStrvBuilder *values)
{
  add_bind (values, parts->home, FH_CONTAINER_HOME, is_podman (parts) ? "relabel=private" : NULL);
}

static void
add_volumes (const FhContainerParts *parts, GStrvBuilder *values)
{
  for (guint i = 0; i < n_volumes (parts); i++)
    {
      g_auto (FhContainerVolume) volume = { 0 };

      if (fh_container_volume_parse (parts->options->volumes[i], &volume, NULL))
        add_bind (values,
                  parts->sources != NULL ? parts->sources[i] : volume.host,
                  volume.inside,
                  volume.is_writable ? NULL : "readonly");
    }
}

static void
add_volumes_words (const FhContainerParts *parts, GStrvBuilder *values)
{
  const guint n = n_volumes (parts);

  if (n > 0)
    add (values, "%u %s", n, n == 1 ? "volume" : "volumes");
}

/* Podman cannot limit the number of files, and would copy the image's files into it. With Docker it
 * gets the mode of the image's folder whatever is asked for, so it belongs to the user. */
static void
add_tmpfs_options (const FhContainerParts *parts, GStrvBuilder *values)
{
  const guint64 size = filesystem_size (parts);
  const guint64 inodes =
      CLAMP (parts->limits->disk_bytes / BYTES_PER_INODE, MIN_INODES, MAX_INODES);
  g_autoptr (GString) text = g_string_new (is_podman (parts) ? ",notmpcopyup" : "");

  if (size > 0)
    g_string_append_printf (text, ",size=%" G_GUINT64_FORMAT, size);
  if (size > 0 && !is_podman (parts))
    g_string_append_printf (text, ",nr_inodes=%" G_GUINT64_FORMAT, inodes);
  if (!is_podman (parts) && !parts->engine->is_rootless && !parts->options->is_root)
    g_string_append_printf (text, ",uid=%u,gid=%u", (guint) parts->uid, (guint) parts->gid);
  g_strv_builder_add (values, text->str);
}

static void
add_shared_memory (const FhContainerParts *parts, GStrvBuilder *values)
{
  guint64 size = filesystem_size (parts) / PART_FOR_SHARED_MEMORY;

  if (size == 0)
    size = parts->limits->memory_bytes;
  add (values, "%" G_GUINT64_FORMAT, size > 0 ? size : DEFAULT_SHARED_MEMORY);
}

/* Whether something else is mounted at exactly this path: ours, or a user's volume. */
static gboolean
is_mounted (const FhContainerParts *parts, const char *path)
{
  const char *const places[] = {
    "/",
    FH_CONTAINER_WORKSPACE,
    FH_CONTAINER_TMP,
    parts->options->is_kept ? FH_CONTAINER_HOME : "",
    parts->by_copy ? FH_CONTAINER_PROGRAMS : FH_CONTAINER_RUNNER,
    parts->by_copy ? "" : FH_CONTAINER_GUEST,
    NULL,
  };

  if (g_strv_contains (places, path))
    return TRUE;
  for (guint i = 0; i < n_volumes (parts); i++)
    {
      g_auto (FhContainerVolume) volume = { 0 };

      if (fh_container_volume_parse (parts->options->volumes[i], &volume, NULL) &&
          g_str_equal (path, volume.inside))
        return TRUE;
    }
  return FALSE;
}

static void
add_image_volumes (const FhContainerParts *parts, GStrvBuilder *values)
{
  for (const char *const *name = parts->image_volumes; name != NULL && *name != NULL; name++)
    {
      g_autofree char *path = g_canonicalize_filename (*name, "/");
      g_autofree char *target = new_field ("target", path);

      if (!is_mounted (parts, path))
        g_strv_builder_add (values, target);
    }
}

/* Docker takes "all", a number, or names, which need quotation marks because of their commas. Its
 * own "device=NAMES" is accepted as well. Podman uses CDI names, as written by the vendor's tool:
 * "nvidia.com/gpu=0". */
static void
add_gpus (const FhContainerParts *parts, GStrvBuilder *values)
{
  const char *gpus = parts->options->gpus;
  const gboolean is_count =
      gpus != NULL && *gpus != '\0' && gpus[strspn (gpus, "0123456789")] == '\0';
  g_auto (GStrv) names = NULL;

  if (gpus == NULL)
    return;
  if (g_str_has_prefix (gpus, "device="))
    gpus += strlen ("device=");
  if (!is_podman (parts))
    add (values, is_count || g_str_equal (gpus, "all") ? "%s" : "\"device=%s\"", gpus);
  else if (is_count)
    for (guint i = 0; i < MIN (g_ascii_strtoull (gpus, NULL, 10), MAX_GPUS); i++)
      add (values, "nvidia.com/gpu=%u", i);
  else
    names = g_strsplit (gpus, ",", -1);
  for (guint i = 0; names != NULL && names[i] != NULL; i++)
    add (values, "%s%s", strchr (names[i], '=') != NULL ? "" : "nvidia.com/gpu=", names[i]);
}

#define TEXT(member)           .text = G_STRUCT_OFFSET (FhContainerParts, member)
#define GUARD(name, its_words) .guard = FH_GUARD_##name, .words = (its_words)

/* THE container: every argument of `create` and `run` after the verb, in this order, and the words
 * of each guard in the report of a run. Read this first.
 *
 * The engine makes the namespaces, the mounts and the control group; the runner does inside what an
 * engine leaves undone, and guard-report.c checks what was granted. So an engine is only asked
 * for what it can do: a rootless Podman refuses to start with limits that it has not. */
static const struct
{
  const char *argument; /* once for each value, which stands for "%s"; NULL: only words */
  AddValues add_values; /* NULL, and no text: nothing is filled in */
  gsize text;           /* a member of FhContainerParts; without it there is no argument */
  guint when;           /* all of these must hold, */
  guint unless;         /* and none of these */
  FhGuard guard;
  const char *words; /* in English as in FhGuardState, like the argument; nullable */
} rows[] = {
  /* The reaper and the user find it by these. */
  { "--name=%s", TEXT (name), .when = IDENTIFIED },
  { "--label=" FH_CONTAINER_LABEL "=1", .when = IDENTIFIED },
  { "--label=" FH_CONTAINER_LABEL_OWNER "=%s", TEXT (owner), .when = IDENTIFIED },
  { "--label=" FH_CONTAINER_LABEL_KEPT "=" FH_CONTAINER_KEPT_BY_OWNER,
    .when = IDENTIFIED | KEPT_BY_OWNER },
  { "--label=" FH_CONTAINER_LABEL_KEPT "=" FH_CONTAINER_KEPT_LONGER,
    .when = IDENTIFIED | KEPT,
    .unless = KEPT_BY_OWNER },
  /* An image's label of that name would be the container's. */
  { "--label=" FH_CONTAINER_LABEL_KEPT "=", .when = IDENTIFIED, .unless = KEPT },
  { "--label=" FH_CONTAINER_LABEL_OPTIONS "=%s", add_digest, .when = IDENTIFIED },
  { "--label=" FH_CONTAINER_LABEL_IMAGE "=%s", add_image_name, .when = IDENTIFIED },

  /* The image was pulled before, or not at all. Its entry point, health check and stop signal are
   * ignored. The engine logs nothing: its logs grow without limit on the host's disk. */
  { "--pull=never" },
  { "--log-driver=none" },
  { "--no-healthcheck" },
  { "--stop-signal=SIGTERM" },
  { "--stop-timeout=1" },
  { "--hostname=sandbox" },
  /* The runner changes to the workspace itself. If it were named here, Docker would create the
   * folder in the image, and a tmpfs on it would inherit its owner and mode. */
  { "--workdir=/" },
  { "--entrypoint=" FH_CONTAINER_RUNNER, GUARD (FILESYSTEM, "container") },
  /* An image's volumes are writable and of any size. Docker has no such option. */
  { "--image-volume=ignore", .when = PODMAN },
  { "--sdnotify=ignore", .when = PODMAN },

  /* Files in a bound folder shall belong to the user. A rootless Docker maps the user to root;
   * Podman can keep the user's id. Root without capabilities has hardly more rights in the
   * container, but with rootful Docker its files are root's outside as well. */
  { "--user=0:0", .when = USER_0 },
  { "--userns=keep-id", .when = ROOTLESS, .unless = USER_0 },
  { "--user=%s", add_user, .unless = USER_0 },
  { .when = ROOTLESS, GUARD (PRIVILEGES, "user namespace") },

  { "--cap-drop=ALL", GUARD (PRIVILEGES, "no capabilities") },
  { "--security-opt=no-new-privileges", GUARD (PRIVILEGES, "no new privileges") },
  { .when = AS_ROOT, GUARD (PRIVILEGES, "user 0") },
  /* With the guard switched off, the engine's default profile stays: never none. */
  { "--security-opt=seccomp=%s",
    TEXT (seccomp_profile),
    .unless = ENGINES_FILTER,
    GUARD (SYSTEM_CALLS, "seccomp profile of the container") },
  { .when = ENGINES_FILTER, GUARD (SYSTEM_CALLS, "the engine's seccomp profile") },
  { "--ipc=private" },
  { "--cgroupns=private" },
  { "--read-only", .unless = WRITABLE, GUARD (FILESYSTEM, "read-only root") },
  { .when = WRITABLE, GUARD (FILESYSTEM, "writable layer") },
  /* Podman would make /run, /var/tmp and more writable again, without a limit. */
  { "--read-only-tmpfs=false", .when = PODMAN, .unless = WRITABLE },

  { "--memory=%s", add_memory, GUARD (MEMORY, "cgroup memory limit") },
  { "--memory-swap=%s", add_memory, GUARD (MEMORY, "no swap") },
  { GUARD (PROCESSES, "pid namespace") },
  { "--pids-limit=%s", add_processes, GUARD (PROCESSES, "cgroup pids.max") },
  { "--cpus=%s", add_cpus, GUARD (TIME, "cgroup limit of %s CPUs") },
  /* The runner lowers limits per process further. These are enough files for its setup, and few
   * enough for programs that close them all. A rootless Podman cannot raise their number. */
  { "--ulimit=core=0:0" },
  { "--ulimit=nofile=4096:4096", .when = DOCKER },
  { "--ulimit=nofile=4096:4096", .when = PODMAN, .unless = ROOTLESS },

  /* With the guard switched off and no network named, it is the engine's default network. */
  { "--network=%s", add_network },
  { "--network=none", .when = OFFLINE },
  /* The runner on this computer reports the names that are looked up. Podman takes no name server
   * without a network. */
  { "--dns=0.0.0.0", .when = OFFLINE | DOCKER },
  { NULL, add_network_words, GUARD (NETWORK, "network namespace, %s") },
  { "--add-host=%s", add_hosts },

  /* Clients pass on the user's proxies, with passwords in them. Docker's client does not replace a
   * variable that is set; Podman has an option. */
  { "--env=%s", add_proxies, .when = DOCKER },
  { "--http-proxy=false", .when = PODMAN },
  { GUARD (ENVIRONMENT, "no proxies of the client") },

  /* --mount and not --volume, which splits paths at colons and with Docker creates missing folders.
   *
   * Programs that are not bound are copied into a volume that belongs to the container and is
   * removed with it. Docker cannot copy into a read-only volume, but the owner of the copies is no
   * user of the container. Podman can, and gives its volumes to the container's user. */
  { "--mount=type=bind,%s", add_programs, .unless = COPIED },
  { "--mount=type=volume,target=" FH_CONTAINER_PROGRAMS, .when = COPIED | DOCKER },
  { "--mount=type=volume,target=" FH_CONTAINER_PROGRAMS ",ro", .when = COPIED | PODMAN },
  { SHARED_TMPFS (FH_CONTAINER_TMP), add_tmpfs_options },
  { .when = SIZED, GUARD (DISK, "sized tmpfs") },
  { .when = SIZED | DOCKER, GUARD (DISK, "limited inodes") },
  { "--shm-size=%s", add_shared_memory },
  { "--mount=type=bind,%s", add_workspace, .when = WORKSPACE },
  { .when = WORK_FOLDER, GUARD (FILESYSTEM, "bound work folder") },
  { SHARED_TMPFS (FH_CONTAINER_WORKSPACE), add_tmpfs_options, .unless = WORKSPACE | KEPT },
  { DOCKER_VOLUME (FH_CONTAINER_WORKSPACE), .when = KEPT | DOCKER, .unless = WORKSPACE },
  { PODMAN_VOLUME (FH_CONTAINER_WORKSPACE), .when = KEPT | PODMAN, .unless = WORKSPACE },
  { "--mount=type=bind,%s", add_home, .when = HOME },
  { DOCKER_VOLUME (FH_CONTAINER_HOME), .when = KEPT | DOCKER, .unless = HOME },
  { PODMAN_VOLUME (FH_CONTAINER_HOME), .when = KEPT | PODMAN, .unless = HOME },
  { "--mount=type=bind,%s", add_volumes },
  { NULL, add_volumes_words, GUARD (FILESYSTEM, "%s") },
  /* Docker would create the image's own volumes on its disk, without limit and writable. They are
   * replaced by empty folders owned by root, with room for the mount points inside, which Docker
   * mounts without programs and devices. */
  { "--mount=type=tmpfs,%s,tmpfs-mode=755,tmpfs-size=65536",
    add_image_volumes,
    .when = DOCKER,
    .unless = WRITABLE },
  { "--security-opt=label=disable", .when = UNLABELED },

  { "--device=%s", add_gpus, .when = PODMAN },
  { "--gpus=%s", add_gpus, .when = DOCKER },
  { "--" },
  { "%s", TEXT (image) },
  { FH_CONTAINER_ARGUMENT, .unless = WAITING },
  { FH_KEEP_ARGUMENT, .when = WAITING },
};

/* Returns the values of a row, which are one empty text if it needs none. */
static GStrv
values_of (const FhContainerParts *parts, guint row)
{
  g_autoptr (GStrvBuilder) builder = g_strv_builder_new ();

  if (rows[row].add_values != NULL)
    rows[row].add_values (parts, builder);
  else if (rows[row].text == 0)
    g_strv_builder_add (builder, "");
  else
    g_strv_builder_add (builder, G_STRUCT_MEMBER (const char *, parts, rows[row].text));
  return g_strv_builder_end (builder);
}

/* Adds the pattern of a row with its values filled in, if the row is one for this container. */
static void
add_row (const FhContainerParts *parts,
         guint row,
         guint conditions,
         const char *pattern,
         GStrvBuilder *texts)
{
  g_auto (GStrv) values = NULL;

  if ((rows[row].when & ~conditions) != 0 || (rows[row].unless & conditions) != 0)
    return;
  values = values_of (parts, row);
  for (guint i = 0; values[i] != NULL; i++)
    {
      g_autoptr (GString) text = g_string_new (pattern);

      g_string_replace (text, "%s", values[i], 1);
      g_strv_builder_add (texts, text->str);
    }
}

static void
add_arguments (const FhContainerParts *parts, guint more, GStrvBuilder *arguments)
{
  const guint conditions = conditions_of (parts) | more;

  for (guint row = 0; row < G_N_ELEMENTS (rows); row++)
    if (rows[row].argument != NULL)
      add_row (parts, row, conditions, rows[row].argument, arguments);
}

char *
fh_container_layers (const FhContainerParts *parts, FhGuard guard)
{
  g_autoptr (GStrvBuilder) builder = g_strv_builder_new ();
  g_auto (GStrv) layers = NULL;

  g_return_val_if_fail (parts != NULL, NULL);

  for (guint row = 0; row < G_N_ELEMENTS (rows); row++)
    if (rows[row].words != NULL && rows[row].guard == guard)
      add_row (parts, row, conditions_of (parts), rows[row].words, builder);
  layers = g_strv_builder_end (builder);
  return layers[0] != NULL ? g_strjoinv (", ", layers) : NULL;
}

/* Podman looks for the detach keys in the streams, even without a terminal; Docker only with
 * one. */
static void
add_stream (const FhContainerParts *parts, GStrvBuilder *arguments)
{
  g_strv_builder_add (arguments, "--interactive");
  if (is_podman (parts))
    g_strv_builder_add (arguments, "--detach-keys=");
}

GStrv
fh_container_arguments_run (const FhContainerParts *parts)
{
  g_autoptr (GStrvBuilder) arguments = g_strv_builder_new ();

  g_strv_builder_add (arguments, "run");
  add_stream (parts, arguments);
  add_arguments (parts, IDENTIFIED, arguments);
  return g_strv_builder_end (arguments);
}

GStrv
fh_container_arguments_create (const FhContainerParts *parts)
{
  g_autoptr (GStrvBuilder) arguments = g_strv_builder_new ();

  g_strv_builder_add (arguments, "create");
  if (!parts->options->is_kept)
    g_strv_builder_add (arguments, "--interactive");
  add_arguments (parts, parts->options->is_kept ? IDENTIFIED | WAITING : IDENTIFIED, arguments);
  return g_strv_builder_end (arguments);
}

GStrv
fh_container_arguments_start (const FhContainerParts *parts)
{
  g_autoptr (GStrvBuilder) arguments = g_strv_builder_new ();

  g_strv_builder_add_many (arguments, "start", "--attach", NULL);
  add_stream (parts, arguments);
  g_strv_builder_add_many (arguments, "--", parts->name, NULL);
  return g_strv_builder_end (arguments);
}

GStrv
fh_container_arguments_exec (const FhContainerParts *parts)
{
  g_autoptr (GStrvBuilder) arguments = g_strv_builder_new ();

  g_strv_builder_add (arguments, "exec");
  add_stream (parts, arguments);
  g_strv_builder_add_many (arguments,
                           "--",
                           parts->name,
                           FH_CONTAINER_RUNNER,
                           FH_CONTAINER_ARGUMENT,
                           NULL);
  return g_strv_builder_end (arguments);
}

/* All options, and our version: an older version's runner has another protocol. The image's volumes
 * do not count, because it may have lost its name. */
char *
fh_container_options_digest (const FhContainerParts *parts)
{
  g_autoptr (GStrvBuilder) builder = g_strv_builder_new ();
  g_autoptr (GChecksum) checksum = g_checksum_new (G_CHECKSUM_SHA256);
  g_auto (GStrv) arguments = NULL;
  FhContainerParts lasting;

  g_return_val_if_fail (parts != NULL, NULL);

  lasting = *parts;
  lasting.input_size = 0;
  lasting.image_volumes = NULL;
  add_arguments (&lasting, parts->options->is_kept ? WAITING : 0, builder);
  g_strv_builder_add (builder, FH_VERSION);
  arguments = g_strv_builder_end (builder);
  for (guint i = 0; arguments[i] != NULL; i++)
    g_checksum_update (checksum, (const guchar *) arguments[i], (gssize) strlen (arguments[i]) + 1);
  return g_strdup (g_checksum_get_string (checksum));
}
