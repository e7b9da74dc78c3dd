/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "container-arguments.h"

#include <string.h>

#include "container-volume.h"
#include "wire-container.h"

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

/* Enough for the mount points inside. */
#define IMAGE_VOLUME_SIZE "65536"

/* Files in memory count as memory, too. A failed write is better than running out of memory. */
guint64
fh_container_mounts_size (const FhContainerParts *parts)
{
  const guint64 disk = parts->limits->disk_bytes;
  const guint64 memory = parts->limits->memory_bytes;

  return disk > 0 && memory > 0 ? MIN (disk, memory) : disk;
}

/* A folder in memory that any user of the container can write to and execute from: compilers and
 * package managers need that. The engine's default is noexec.
 *
 * Podman cannot limit the number of files, and would copy the image's files into it. */
static void
add_tmpfs (const FhContainerParts *parts, const char *target, GStrvBuilder *arguments)
{
  const guint64 size = fh_container_mounts_size (parts);
  g_autoptr (GString) text = g_string_new (NULL);

  g_string_append_printf (text, "--tmpfs=%s:rw,exec,nosuid,nodev,mode=1777", target);
  if (parts->engine->kind == FH_ENGINE_PODMAN)
    g_string_append (text, ",notmpcopyup");
  if (size > 0)
    g_string_append_printf (text, ",size=%" G_GUINT64_FORMAT, size);
  if (size > 0 && parts->engine->kind == FH_ENGINE_DOCKER)
    g_string_append_printf (
        text,
        ",nr_inodes=%" G_GUINT64_FORMAT,
        CLAMP (parts->limits->disk_bytes / BYTES_PER_INODE, MIN_INODES, MAX_INODES));
  g_strv_builder_add (arguments, text->str);
}

static void
add_shared_memory (const FhContainerParts *parts, GStrvBuilder *arguments)
{
  g_autofree char *text = NULL;
  guint64 size = fh_container_mounts_size (parts) / PART_FOR_SHARED_MEMORY;

  if (size == 0)
    size = parts->limits->memory_bytes;
  if (size == 0)
    size = DEFAULT_SHARED_MEMORY;
  text = g_strdup_printf ("--shm-size=%" G_GUINT64_FORMAT, size);
  g_strv_builder_add (arguments, text);
}

/* A field of comma-separated values for Go's encoding/csv, with which both engines read --mount: a
 * field with a comma, a quotation mark or a newline is quoted, and its quotation marks are
 * doubled. */
static void
append_field (GString *text, const char *name, const char *value)
{
  g_autofree char *field = g_strdup_printf ("%s=%s", name, value);
  gboolean is_quoted = strpbrk (field, ",\"\r\n") != NULL;

  g_string_append_c (text, ',');
  if (!is_quoted)
    {
      g_string_append (text, field);
      return;
    }
  g_string_append_c (text, '"');
  for (const char *p = field; *p != '\0'; p++)
    {
      if (*p == '"')
        g_string_append_c (text, '"');
      g_string_append_c (text, *p);
    }
  g_string_append_c (text, '"');
}

/* --mount and not --volume, which splits paths at colons and with Docker creates missing
 * folders. */
static void
add_bind (GStrvBuilder *arguments,
          const char *source,
          const char *target,
          gboolean is_writable,
          const char *more)
{
  g_autoptr (GString) text = g_string_new ("--mount=type=bind");

  append_field (text, "source", source);
  append_field (text, "target", target);
  if (!is_writable)
    g_string_append (text, ",readonly");
  if (more != NULL)
    g_string_append_printf (text, ",%s", more);
  g_strv_builder_add (arguments, text->str);
}

static void
add_volumes (const FhContainerParts *parts, GStrvBuilder *arguments)
{
  const char *const *volumes = parts->options->volumes;

  for (guint i = 0; volumes != NULL && volumes[i] != NULL; i++)
    {
      g_auto (FhContainerVolume) volume = { 0 };

      if (fh_container_volume_parse (volumes[i], &volume, NULL))
        add_bind (arguments,
                  parts->sources != NULL ? parts->sources[i] : volume.host,
                  volume.inside,
                  volume.is_writable,
                  NULL);
    }
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
static const char *
relabeling (const FhContainerParts *parts)
{
  return parts->engine->kind == FH_ENGINE_PODMAN ? "relabel=private" : NULL;
}

static void
add_label_option (const FhContainerParts *parts, GStrvBuilder *arguments)
{
  const char *const *volumes = parts->options->volumes;
  const gboolean is_docker = parts->engine->kind == FH_ENGINE_DOCKER;
  gboolean shows_files = volumes != NULL && volumes[0] != NULL;

  if (parts->workspace != NULL && (has_work_folder (parts) || is_docker))
    shows_files = TRUE;
  if (parts->home != NULL && is_docker)
    shows_files = TRUE;
  if (shows_files)
    g_strv_builder_add (arguments, "--security-opt=label=disable");
}

/* What is not bound is copied into a volume that belongs to the container and is removed with it.
 * Docker cannot copy into a read-only volume, but the owner of the copies is no user of the
 * container. Podman can, and gives its volumes to the container's user. */
static void
add_programs (const FhContainerParts *parts, GStrvBuilder *arguments)
{
  if (parts->by_copy)
    {
      g_strv_builder_add (arguments,
                          parts->engine->kind == FH_ENGINE_PODMAN
                              ? "--mount=type=volume,target=" FH_CONTAINER_PROGRAMS ",ro"
                              : "--mount=type=volume,target=" FH_CONTAINER_PROGRAMS);
      return;
    }
  add_bind (arguments, parts->runner, FH_CONTAINER_RUNNER, FALSE, NULL);
  add_bind (arguments, parts->guest_folder, FH_CONTAINER_GUEST, FALSE, NULL);
}

/* Without a folder on this computer. The files of a kept container must survive a stop, so they are
 * not in memory; Docker would copy the image's files into the volume. */
static void
add_own (const FhContainerParts *parts, const char *target, GStrvBuilder *arguments)
{
  g_autofree char *text = NULL;

  if (!parts->options->is_kept)
    {
      add_tmpfs (parts, target, arguments);
      return;
    }
  text = g_strdup_printf ("--mount=type=volume,target=%s%s",
                          target,
                          parts->engine->kind == FH_ENGINE_DOCKER ? ",volume-nocopy" : "");
  g_strv_builder_add (arguments, text);
}

static gboolean
is_at_or_in (const char *path, const char *folder)
{
  const gsize length = strlen (folder);

  return strncmp (path, folder, length) == 0 && strchr ("/", path[length]) != NULL;
}

/* A path in use: ours, the engine's, or a user's volume. */
static gboolean
is_taken (const FhContainerParts *parts, const char *path)
{
  static const char *const places[] = {
    FH_CONTAINER_PROGRAMS,
    FH_CONTAINER_WORKSPACE,
    FH_CONTAINER_TMP,
    FH_CONTAINER_HOME,
    "/dev",
    "/proc",
    "/sys",
  };
  const char *const *volumes = parts->options->volumes;

  for (guint i = 0; i < G_N_ELEMENTS (places); i++)
    if (is_at_or_in (path, places[i]))
      return TRUE;
  for (guint i = 0; volumes != NULL && volumes[i] != NULL; i++)
    {
      g_auto (FhContainerVolume) volume = { 0 };

      if (fh_container_volume_parse (volumes[i], &volume, NULL) &&
          is_at_or_in (path, volume.inside))
        return TRUE;
    }
  return FALSE;
}

/* Docker would create the image's own volumes on its disk, without limit and writable. They are
 * replaced by empty folders owned by root. */
static void
add_image_volumes (const FhContainerParts *parts, GStrvBuilder *arguments)
{
  const char *const *paths = parts->image_volumes;

  if (parts->engine->kind != FH_ENGINE_DOCKER || parts->options->is_writable)
    return;
  for (guint i = 0; paths != NULL && paths[i] != NULL; i++)
    {
      g_autofree char *path = g_canonicalize_filename (paths[i], "/");
      g_autofree char *text = NULL;

      if (g_str_equal (path, "/") || strchr (path, ':') != NULL || is_taken (parts, path))
        continue;
      text = g_strdup_printf ("--tmpfs=%s:rw,nosuid,nodev,noexec,mode=755,size=" IMAGE_VOLUME_SIZE,
                              path);
      g_strv_builder_add (arguments, text);
    }
}

void
fh_container_mounts_add (const FhContainerParts *parts, GStrvBuilder *arguments)
{
  const gboolean is_ours = !has_work_folder (parts);

  add_programs (parts, arguments);
  add_tmpfs (parts, FH_CONTAINER_TMP, arguments);
  add_shared_memory (parts, arguments);
  if (parts->workspace != NULL)
    add_bind (arguments,
              parts->workspace,
              FH_CONTAINER_WORKSPACE,
              TRUE,
              is_ours ? relabeling (parts) : NULL);
  else
    add_own (parts, FH_CONTAINER_WORKSPACE, arguments);
  if (parts->home != NULL)
    add_bind (arguments, parts->home, FH_CONTAINER_HOME, TRUE, relabeling (parts));
  else if (parts->options->is_kept)
    add_own (parts, FH_CONTAINER_HOME, arguments);
  add_volumes (parts, arguments);
  add_image_volumes (parts, arguments);
  add_label_option (parts, arguments);
}
