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

#include "wire-container.h"

/* Where Podman wants names, not a number. */
#define MAX_GPUS 64

/* Enough for the runner's setup, and few enough for programs that close them all. */
#define OPEN_FILES 4096

static void add (GStrvBuilder *arguments, const char *format, ...) G_GNUC_PRINTF (2, 3);

static void
add (GStrvBuilder *arguments, const char *format, ...)
{
  g_autofree char *text = NULL;
  va_list values;

  va_start (values, format);
  text = g_strdup_vprintf (format, values);
  va_end (values);
  g_strv_builder_add (arguments, text);
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

/* The reaper and the user find it by these. */
static void
add_identity (const FhContainerParts *parts, const char *digest, GStrvBuilder *arguments)
{
  add (arguments, "--name=%s", parts->name);
  add (arguments, "--label=%s=1", FH_CONTAINER_LABEL);
  add (arguments, "--label=%s=%s", FH_CONTAINER_LABEL_OWNER, parts->owner);
  if (parts->options->is_kept)
    add (arguments,
         "--label=%s=%s",
         FH_CONTAINER_LABEL_KEPT,
         parts->options->after == FH_CONTAINER_REMOVE ? FH_CONTAINER_KEPT_BY_OWNER
                                                      : FH_CONTAINER_KEPT_LONGER);
  add (arguments, "--label=%s=%s", FH_CONTAINER_LABEL_OPTIONS, digest);
  add (arguments,
       "--label=%s=%s",
       FH_CONTAINER_LABEL_IMAGE,
       fh_container_options_image (parts->options));
}

/* Ignores the image's entry point, health check and stop signal. The image was pulled before, or
 * not at all. The engine logs nothing: its logs grow without limit on the host's disk. */
static void
add_behavior (const FhContainerParts *parts, GStrvBuilder *arguments)
{
  add (arguments, "--pull=never");
  add (arguments, "--log-driver=none");
  add (arguments, "--no-healthcheck");
  add (arguments, "--stop-signal=SIGTERM");
  add (arguments, "--stop-timeout=1");
  add (arguments, "--hostname=sandbox");
  /* The runner changes to the workspace itself. If it were named here, Docker would create the
   * folder in the image, and a tmpfs on it would inherit its owner and mode. */
  add (arguments, "--workdir=/");
  add (arguments, "--entrypoint=" FH_CONTAINER_RUNNER);
  if (is_podman (parts))
    {
      /* An image's volumes are writable and of any size. Docker has no such option. */
      add (arguments, "--image-volume=ignore");
      add (arguments, "--sdnotify=ignore");
    }
}

/* So that files in a bound folder belong to the user. A rootless Docker maps the user to root;
 * Podman can keep the user's id. Root without capabilities has hardly more rights in the container,
 * but with rootful Docker its files are root's outside as well. */
static void
add_user (const FhContainerParts *parts, GStrvBuilder *arguments)
{
  const gboolean is_rootless_docker = parts->engine->is_rootless && !is_podman (parts);

  if (parts->options->is_root || is_rootless_docker)
    {
      add (arguments, "--user=0:0");
      return;
    }
  if (parts->engine->is_rootless)
    add (arguments, "--userns=keep-id");
  add (arguments, "--user=%u:%u", (guint) parts->uid, (guint) parts->gid);
}

/* With the system call guard switched off, the engine's default profile stays: never none. */
static void
add_privileges (const FhContainerParts *parts, GStrvBuilder *arguments)
{
  add (arguments, "--cap-drop=ALL");
  add (arguments, "--security-opt=no-new-privileges");
  if (parts->seccomp_profile != NULL && is_guarded (parts, FH_GUARD_SYSTEM_CALLS))
    add (arguments, "--security-opt=seccomp=%s", parts->seccomp_profile);
  add (arguments, "--ipc=private");
  add (arguments, "--cgroupns=private");
  if (parts->options->is_writable)
    return;
  add (arguments, "--read-only");
  /* Podman would make /run, /var/tmp and more writable again, without a limit. */
  if (is_podman (parts))
    add (arguments, "--read-only-tmpfs=false");
}

guint64
fh_container_memory (const FhContainerParts *parts)
{
  const guint64 limit = parts->limits->memory_bytes;
  /* A kept container has one limit for all runs, for any input. */
  const guint64 input = parts->options->is_kept ? 0 : parts->input_size;

  if (limit == 0 || !parts->engine->limits_memory)
    return 0;
  return limit + FH_CONTAINER_RESERVED_MEMORY + input;
}

guint
fh_container_processes (const FhContainerParts *parts)
{
  const guint limit = parts->limits->processes;

  if (limit == 0 || !parts->engine->limits_processes)
    return 0;
  if (!parts->options->is_kept)
    return limit + FH_CONTAINER_RESERVED_PROCESSES;
  return MAX (limit + FH_CONTAINER_RESERVED_PROCESSES_KEPT, FH_CONTAINER_MIN_PROCESSES_KEPT);
}

/* Only what the engine can limit: a rootless Podman refuses to start with other limits. What was
 * granted is checked from inside.
 *
 * The runner lowers limits per process further. A rootless Podman cannot raise the number of open
 * files. */
static void
add_limits (const FhContainerParts *parts, GStrvBuilder *arguments)
{
  const guint64 memory = fh_container_memory (parts);
  const guint processes = fh_container_processes (parts);
  const guint cpus = parts->options->milli_cpus;

  if (memory > 0)
    {
      add (arguments, "--memory=%" G_GUINT64_FORMAT, memory);
      add (arguments, "--memory-swap=%" G_GUINT64_FORMAT, memory);
    }
  if (processes > 0)
    add (arguments, "--pids-limit=%u", processes);
  if (cpus > 0 && parts->engine->limits_cpus)
    add (arguments, "--cpus=%u.%03u", cpus / 1000, cpus % 1000);
  add (arguments, "--ulimit=core=0:0");
  if (!(is_podman (parts) && parts->engine->is_rootless))
    add (arguments, "--ulimit=nofile=%d:%d", OPEN_FILES, OPEN_FILES);
}

/* With the guard switched off and no network named: the engine's default network. */
static void
add_network (const FhContainerParts *parts, GStrvBuilder *arguments)
{
  const char *const *hosts = parts->options->hosts;

  if (parts->options->network != NULL)
    add (arguments, "--network=%s", parts->options->network);
  else if (is_guarded (parts, FH_GUARD_NETWORK))
    {
      add (arguments, "--network=none");
      /* The runner on this computer reports the names that are looked up. Podman takes no name
       * server without a network. */
      if (!is_podman (parts))
        add (arguments, "--dns=0.0.0.0");
    }
  for (guint i = 0; hosts != NULL && hosts[i] != NULL; i++)
    add (arguments, "--add-host=%s", hosts[i]);
}

/* Clients pass on the user's proxies, with passwords in them. Docker's client does not replace a
 * variable that is set; Podman has an option. */
static void
add_environment (const FhContainerParts *parts, GStrvBuilder *arguments)
{
  static const char *const proxies[] = {
    "HTTP_PROXY", "HTTPS_PROXY", "FTP_PROXY", "ALL_PROXY", "NO_PROXY",
    "http_proxy", "https_proxy", "ftp_proxy", "all_proxy", "no_proxy",
  };

  if (is_podman (parts))
    {
      add (arguments, "--http-proxy=false");
      return;
    }
  for (guint i = 0; i < G_N_ELEMENTS (proxies); i++)
    add (arguments, "--env=%s=", proxies[i]);
}

static gboolean
is_number (const char *text)
{
  return *text != '\0' && text[strspn (text, "0123456789")] == '\0';
}

/* Podman uses CDI names, as written by the vendor's tool: "nvidia.com/gpu=0". */
static void
add_podman_gpus (const char *gpus, gboolean is_count, GStrvBuilder *arguments)
{
  const guint64 count = is_count ? g_ascii_strtoull (gpus, NULL, 10) : 0;
  g_auto (GStrv) names = is_count ? NULL : g_strsplit (gpus, ",", -1);

  for (guint i = 0; i < MIN (count, MAX_GPUS); i++)
    add (arguments, "--device=nvidia.com/gpu=%u", i);
  for (guint i = 0; names != NULL && names[i] != NULL; i++)
    add (arguments, "--device=%s%s", strchr (names[i], '=') ? "" : "nvidia.com/gpu=", names[i]);
}

/* Docker takes "all", a number, or names, which need quotation marks because of their commas. Its
 * own "device=NAMES" is accepted as well. */
static void
add_gpus (const FhContainerParts *parts, GStrvBuilder *arguments)
{
  const char *gpus = parts->options->gpus;
  gboolean is_count;

  if (gpus == NULL)
    return;
  is_count = is_number (gpus);
  if (g_str_has_prefix (gpus, "device="))
    gpus += strlen ("device=");
  if (is_podman (parts))
    add_podman_gpus (gpus, is_count, arguments);
  else if (g_str_equal (gpus, "all") || is_count)
    add (arguments, "--gpus=%s", gpus);
  else
    add (arguments, "--gpus=\"device=%s\"", gpus);
}

/* Everything but its identity. */
static void
add_container (const FhContainerParts *parts, GStrvBuilder *arguments)
{
  add_behavior (parts, arguments);
  add_user (parts, arguments);
  add_privileges (parts, arguments);
  add_limits (parts, arguments);
  add_network (parts, arguments);
  add_environment (parts, arguments);
  fh_container_mounts_add (parts, arguments);
  add_gpus (parts, arguments);
}

static void
add_program (const FhContainerParts *parts, gboolean is_kept, GStrvBuilder *arguments)
{
  add (arguments, "--");
  add (arguments, "%s", parts->image);
  add (arguments, "%s", is_kept ? FH_KEEP_ARGUMENT : FH_CONTAINER_ARGUMENT);
}

/* Podman looks for the detach keys in the streams, even without a terminal; Docker only with
 * one. */
static void
add_stream (const FhContainerParts *parts, GStrvBuilder *arguments)
{
  add (arguments, "--interactive");
  if (is_podman (parts))
    add (arguments, "--detach-keys=");
}

/* Without what comes before the container's identity. Takes the builder. */
static GStrv
complete (const FhContainerParts *parts, gboolean is_kept, GStrvBuilder *builder)
{
  g_autoptr (GStrvBuilder) arguments = builder;
  g_autofree char *digest = fh_container_options_digest (parts);

  add_identity (parts, digest, arguments);
  add_container (parts, arguments);
  add_program (parts, is_kept, arguments);
  return g_strv_builder_end (arguments);
}

GStrv
fh_container_arguments_run (const FhContainerParts *parts)
{
  GStrvBuilder *arguments = g_strv_builder_new ();

  add (arguments, "run");
  add_stream (parts, arguments);
  return complete (parts, FALSE, arguments);
}

GStrv
fh_container_arguments_create (const FhContainerParts *parts)
{
  GStrvBuilder *arguments = g_strv_builder_new ();

  add (arguments, "create");
  if (!parts->options->is_kept)
    add (arguments, "--interactive");
  return complete (parts, parts->options->is_kept, arguments);
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

  add (arguments, "exec");
  add_stream (parts, arguments);
  g_strv_builder_add_many (arguments,
                           "--",
                           parts->name,
                           FH_CONTAINER_RUNNER,
                           FH_CONTAINER_ARGUMENT,
                           NULL);
  return g_strv_builder_end (arguments);
}

/* All options, and our version: an older version's runner has another protocol. */
char *
fh_container_options_digest (const FhContainerParts *parts)
{
  g_autoptr (GStrvBuilder) builder = g_strv_builder_new ();
  g_autoptr (GChecksum) checksum = g_checksum_new (G_CHECKSUM_SHA256);
  g_auto (GStrv) arguments = NULL;
  FhContainerParts without_input;

  g_return_val_if_fail (parts != NULL, NULL);

  without_input = *parts;
  without_input.input_size = 0;
  /* From the image, which may have lost its name. */
  without_input.image_volumes = NULL;
  add_container (&without_input, builder);
  add_program (&without_input, parts->options->is_kept, builder);
  add (builder, "%s", FH_VERSION);
  arguments = g_strv_builder_end (builder);
  for (guint i = 0; arguments[i] != NULL; i++)
    g_checksum_update (checksum, (const guchar *) arguments[i], (gssize) strlen (arguments[i]) + 1);
  return g_strdup (g_checksum_get_string (checksum));
}
