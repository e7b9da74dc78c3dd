/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "policy-builder.h"

#include <glib/gi18n-lib.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "run-error.h"
#include "wire-container.h"
#include "wire-guest.h"
#include "wire-proxy.h"

#define BOOTSTRAP "bootstrap.py"

/* So many threads of Python may reserve all memory for their stacks. */
#define MAX_THREADS     256
#define USUAL_STACK_MIB 8

G_STATIC_ASSERT (FH_RUN_LIMITS_MAX_OPEN_FILES == FH_POLICY_MAX_OPEN_FILES);

/* g_malloc() is the system's malloc() since GLib 2.46, so that fh_policy_free() frees strings of
 * either, and g_free() the buffer of a frame. */

static gpointer
set_too_long (GError **error)
{
  g_set_error_literal (error,
                       FH_RUN_ERROR,
                       FH_RUN_ERROR_INVALID,
                       _ ("The arguments or the environment variables are too long. Pass long data "
                          "as standard input."));
  return NULL;
}

static gboolean
is_python (const FhLanguage *language)
{
  return g_str_equal (language->id, "python");
}

static char *
program_path (const FhPolicyParts *parts)
{
  const FhLanguage *language = fh_run_request_get_parts (parts->request)->language;

  return g_strconcat (FH_INSIDE_WORKSPACE "/",
                      parts->program != NULL ? parts->program : language->file_name,
                      NULL);
}

static const char *
bootstrap_path (const FhPolicyParts *parts)
{
  return parts->container != NULL ? FH_CONTAINER_GUEST "/" BOOTSTRAP
                                  : FH_INSIDE_GUEST "/" BOOTSTRAP;
}

static char **
build_argv (const FhPolicyParts *parts)
{
  const FhLanguage *language = fh_run_request_get_parts (parts->request)->language;
  const char *const *arguments = fh_run_request_get_parts (parts->request)->arguments;
  g_autoptr (GStrvBuilder) builder = g_strv_builder_new ();
  g_autofree char *program = program_path (parts);

  if (language->command != NULL)
    g_strv_builder_add_many (builder, "/bin/sh", "-c", language->command, NULL);
  g_strv_builder_add (builder, parts->interpreter->path);
  if (is_python (language))
    {
      g_strv_builder_add_many (builder, "-u", bootstrap_path (parts), NULL);
      return g_strv_builder_end (builder);
    }
  g_strv_builder_add (builder, program);
  g_strv_builder_addv (builder, (const char **) arguments);
  return g_strv_builder_end (builder);
}

/* Appends one guest message, see wire-guest.h: its size, its kind and the rest. */
static void
append_message (GByteArray *bytes, enum fh_guest_message kind, const void *data, gsize size)
{
  const guint32 whole = GUINT32_TO_LE ((guint32) (1 + size));
  const guint8 kind_byte = (guint8) kind;

  g_byte_array_append (bytes, (const guint8 *) &whole, sizeof whole);
  g_byte_array_append (bytes, &kind_byte, 1);
  if (size > 0)
    g_byte_array_append (bytes, data, (guint) size);
}

/* Where no control group counts what is used, the memory of a process is limited by what it
 * reserves, and 8 MiB for each thread's stack would leave room for few. */
static void
append_stacks (GByteArray *bytes, const FhPolicyParts *parts)
{
  const FhRunLimits limits =
      fh_run_guards_limits (fh_run_request_get_parts (parts->request)->guards,
                            &fh_run_request_get_parts (parts->request)->limits);
  const guint64 share = limits.memory_bytes / MAX_THREADS >> 20;
  g_autofree char *text = g_strdup_printf ("%" G_GUINT64_FORMAT, MAX (share, 1));

  if (limits.memory_bytes == 0 || share >= USUAL_STACK_MIB || parts->tier == FH_TIER_UNPROTECTED ||
      parts->tier == FH_TIER_CONTAINER)
    return;
  append_message (bytes, FH_GUEST_STACKS, text, strlen (text));
}

/* Words are separated by a NUL each. */
static void
add_word (GString *words, const char *word)
{
  if (words->len > 0)
    g_string_append_c (words, '\0');
  g_string_append (words, word);
}

static void
append_interpreter_guard (GByteArray *bytes, const FhRunGuards *guards)
{
  g_autoptr (GString) words = g_string_new (NULL);

  if (guards->report_lines)
    add_word (words, "report");
  if (guards->limit_functions)
    add_word (words, "functions");
  if (guards->imports != NULL)
    {
      g_autofree char *names = g_strjoinv (",", (GStrv) (gpointer) guards->imports);

      add_word (words, "imports=");
      g_string_append (words, names);
    }
  if (guards->max_operations > 0)
    {
      add_word (words, "operations=");
      g_string_append_printf (words, "%" G_GUINT64_FORMAT, guards->max_operations);
    }
  append_message (bytes, FH_GUEST_GUARDS, words->str, words->len);
}

GBytes *
fh_policy_build_messages (const FhPolicyParts *parts, GError **error)
{
  const char *const *arguments = fh_run_request_get_parts (parts->request)->arguments;
  const FhRunGuards *guards = fh_run_request_get_parts (parts->request)->guards;
  g_autofree char *program = program_path (parts);
  g_autoptr (GString) words = g_string_new (program);
  g_autoptr (GByteArray) bytes = g_byte_array_new ();

  if (!is_python (fh_run_request_get_parts (parts->request)->language))
    return g_bytes_new (NULL, 0);
  for (gsize i = 0; arguments[i] != NULL; i++)
    add_word (words, arguments[i]);
  append_stacks (bytes, parts);
  if (fh_run_request_get_parts (parts->request)->is_called)
    append_message (bytes, FH_GUEST_CALLED, NULL, 0);
  if (fh_run_request_get_parts (parts->request)->options->notebook)
    append_message (bytes, FH_GUEST_NOTEBOOK, NULL, 0);
  if (fh_run_request_get_parts (parts->request)->is_typed)
    append_message (bytes, FH_GUEST_TYPED, NULL, 0);
  if (fh_run_guards_ask_interpreter (guards))
    append_interpreter_guard (bytes, guards);
  append_message (bytes,
                  parts->has_shared_workspace ? FH_GUEST_RUN_SEALED : FH_GUEST_RUN,
                  words->str,
                  words->len);
  if (bytes->len > FH_FRAME_MAX_PAYLOAD)
    return set_too_long (error);
  return g_byte_array_free_to_bytes (g_steal_pointer (&bytes));
}

GBytes *
fh_policy_build_cell (const FhPolicyParts *parts, guint32 number)
{
  const FhRunGuards *guards = fh_run_request_get_parts (parts->request)->guards;
  GBytes *setup = fh_run_request_get_parts (parts->request)->setup;
  GBytes *json = fh_run_request_get_parts (parts->request)->cell;
  const guint32 head = GUINT32_TO_LE (number);
  g_autoptr (GByteArray) cell = g_byte_array_new ();
  GByteArray *bytes = g_byte_array_new ();
  gsize size;
  gconstpointer data;

  if (number == 1)
    append_stacks (bytes, parts);
  if (number == 1 && fh_run_guards_ask_interpreter (guards))
    append_interpreter_guard (bytes, guards);
  if (number == 1 && setup != NULL)
    {
      data = g_bytes_get_data (setup, &size);
      append_message (bytes, FH_GUEST_SETUP, data, size);
    }
  data = g_bytes_get_data (json, &size);
  g_byte_array_append (cell, (const guint8 *) &head, sizeof head);
  g_byte_array_append (cell, data, (guint) size);
  append_message (bytes, FH_GUEST_CELL, cell->data, cell->len);
  return g_byte_array_free_to_bytes (bytes);
}

GBytes *
fh_policy_build_cell_limits (FhRunRequest *request)
{
  const FhRunLimits limits = fh_run_guards_limits (fh_run_request_get_parts (request)->guards,
                                                   &fh_run_request_get_parts (request)->limits);
  const guint64 times[] = { GUINT64_TO_LE (limits.wall_ms), GUINT64_TO_LE (limits.cpu_ms) };

  return g_bytes_new (times, sizeof times);
}

/* The interpreter loads these in every run, in those with cells, and if it is asked to watch. */
static const char *const guest_files[] = { BOOTSTRAP, "program.py", "ending.py", "shown.py" };
static const char *const cell_files[] = {
  "session.py", "values.py", "pictures.py", "channel.py", "tests.py",
};
static const char called_file[] = "called.py";
static const char notebook_file[] = "notebook.py";
static const char *const guard_files[] = { "guards.py", "report.py", "restrict.py" };

/* Each with its code. */
#define MAX_GUEST_FILES                                                                            \
  (2 * (G_N_ELEMENTS (guest_files) + G_N_ELEMENTS (cell_files) + G_N_ELEMENTS (guard_files) + 2))

/* A copy, because the folder may lie in the user's home, which the program must not see. Takes the
 * source. */
static void
add_copy (struct fh_policy *policy, char *source, const char *name)
{
  policy->binds[policy->n_binds++] =
      (struct fh_bind){ source, g_strconcat (FH_INSIDE_GUEST "/", name, NULL), TRUE };
}

/* Its code is there if Fumehood was built with a Python, and used if that is the interpreter. */
static void
add_guest_file (struct fh_policy *policy, const char *folder, const char *name)
{
  g_autofree char *code = g_strconcat (folder, "/", name, "c", NULL);
  g_autofree char *code_name = g_strconcat (name, "c", NULL);

  add_copy (policy, g_build_filename (folder, name, NULL), name);
  if (access (code, R_OK) == 0)
    add_copy (policy, g_steal_pointer (&code), code_name);
}

/* The runner follows no links to what it mounts. A path that is gone makes it fail there. */
static char *
real_path (const char *path)
{
  char buffer[PATH_MAX];

  return g_strdup (realpath (path, buffer) != NULL ? buffer : path);
}

/* A container needs none of this: the image has the interpreter, and the engine mounts the folder.
 */
static void
build_binds (const FhPolicyParts *parts, struct fh_policy *policy)
{
  const char *const *shown =
      parts->is_shared ? parts->shown : (const char *const *) parts->interpreter->shown;
  const gsize n_shown = g_strv_length ((GStrv) (gpointer) shown);

  policy->binds = g_new0 (struct fh_bind, n_shown + MAX_GUEST_FILES);
  for (gsize i = 0; i < n_shown; i++)
    {
      struct fh_bind *bind = &policy->binds[policy->n_binds++];

      bind->source = real_path (shown[i]);
      bind->target = g_strdup (shown[i]);
    }
  if (!is_python (fh_run_request_get_parts (parts->request)->language) && !parts->has_python)
    return;
  for (gsize i = 0; i < G_N_ELEMENTS (guest_files); i++)
    add_guest_file (policy, parts->guest_folder, guest_files[i]);
  if (fh_run_request_get_parts (parts->request)->cell != NULL)
    {
      for (gsize i = 0; i < G_N_ELEMENTS (cell_files); i++)
        add_guest_file (policy, parts->guest_folder, cell_files[i]);
    }
  if (fh_run_request_get_parts (parts->request)->is_called)
    add_guest_file (policy, parts->guest_folder, called_file);
  if (fh_run_request_get_parts (parts->request)->cell != NULL ||
      fh_run_request_get_parts (parts->request)->options->notebook || parts->is_shared)
    add_guest_file (policy, parts->guest_folder, notebook_file);
  if (fh_run_guards_ask_interpreter (fh_run_request_get_parts (parts->request)->guards) ||
      parts->is_shared)
    {
      for (gsize i = 0; i < G_N_ELEMENTS (guard_files); i++)
        add_guest_file (policy, parts->guest_folder, guard_files[i]);
    }
}

char *
fh_time_zone_of_user (void)
{
  static const char zones[] = "/zoneinfo/";
  const char *chosen = g_getenv ("TZ");
  char target[PATH_MAX];
  const char *zone;
  ssize_t size;

  if (chosen != NULL && *chosen != '\0')
    return g_strdup (*chosen == ':' ? chosen + 1 : chosen);
  size = readlink ("/etc/localtime", target, sizeof target - 1);
  if (size < 0)
    return NULL;
  target[size] = '\0';
  zone = g_strrstr (target, zones);
  return zone != NULL ? g_strdup (zone + sizeof zones - 1) : NULL;
}

gboolean
fh_time_zone_is_plain (const char *name)
{
  gsize length =
      strspn (name, "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789_+-/");

  return length > 0 && length < 64 && name[length] == '\0' && name[0] != '/';
}

/*
 * The environment is built from scratch, or from the image's variables:
 *
 * - PATH starts with the interpreter's own folder when that is not a system one, so that the
 *   tools of a virtual environment are found as they would be after activating it.
 * - LANG gives UTF-8 without any language. LC_ALL stays unset: it would overrule the LC_ names
 *   that a program sets for its children.
 * - OPENBLAS_NUM_THREADS=1, because OpenBLAS hangs under a small memory limit when it starts a
 *   thread for each processor.
 * - PYTHONDONTWRITEBYTECODE=1, so that the workspace holds only what the program wrote on purpose
 *   and the interpreter does not try to write into read-only prefixes.
 */

#define NOT_BY_PROXY "localhost,127.0.0.1,::1"

#define SYSTEM_PATH "/usr/local/bin:/usr/bin:/bin"

static char *
path_variable (const char *interpreter)
{
  g_autofree char *folder = g_path_get_dirname (interpreter);
  const char *const system_folders[] = { "/usr/local/bin", "/usr/bin", "/bin", NULL };

  /* A colon would split the folder in two. */
  if (g_strv_contains (system_folders, folder) || strchr (folder, ':') != NULL)
    return g_strdup ("PATH=" SYSTEM_PATH);
  return g_strconcat ("PATH=", folder, ":" SYSTEM_PATH, NULL);
}

/* The user's own, except for folders, which do not exist inside. */
static char **
users_environment (void)
{
  g_auto (GStrv) environment = g_get_environ ();

  environment = g_environ_setenv (environment, "HOME", FH_INSIDE_WORKSPACE, TRUE);
  environment = g_environ_setenv (environment, "TMPDIR", "/tmp", TRUE);
  environment = g_environ_setenv (environment, "PWD", FH_INSIDE_WORKSPACE, TRUE);
  environment = g_environ_unsetenv (environment, "OLDPWD");
  return g_steal_pointer (&environment);
}

/* The PATH of an image that sets none, as Docker chooses it. */
#define IMAGE_PATH "/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin"

/* Here are the programs that an ordinary user installs, such as pip's scripts. */
#define KEPT_PATH FH_CONTAINER_HOME "/.local/bin:"

/* A proxy from the build of the image may contain a password. */
static gboolean
is_proxy (const char *variable)
{
  const char *end = strchr (variable, '=');

  return end != NULL && end - variable >= 6 && g_ascii_strncasecmp (end - 6, "_proxy", 6) == 0;
}

static char **
add_variable (char **environment, const char *variable)
{
  g_auto (GStrv) parts = g_strsplit (variable, "=", 2);

  if (parts[0] == NULL || parts[0][0] == '\0' || parts[1] == NULL)
    return environment;
  return g_environ_setenv (environment, parts[0], parts[1], TRUE);
}

static char **
add_variables (char **environment, const char *const *variables)
{
  for (gsize i = 0; variables != NULL && variables[i] != NULL; i++)
    {
      if (!is_proxy (variables[i]))
        environment = add_variable (environment, variables[i]);
    }
  return environment;
}

static char **
add_path (char **environment, const FhContainerOptions *options)
{
  const char *path = g_environ_getenv (environment, "PATH");
  g_autofree char *whole = NULL;

  if (path == NULL || *path == '\0')
    path = IMAGE_PATH;
  whole = g_strconcat (options->is_kept ? KEPT_PATH : "", path, NULL);
  return g_environ_setenv (environment, "PATH", whole, TRUE);
}

static char **
add_time_zone (char **environment, const FhPolicyParts *parts)
{
  return parts->time_zone != NULL && fh_time_zone_is_plain (parts->time_zone)
             ? g_environ_setenv (environment, "TZ", parts->time_zone, TRUE)
             : environment;
}

/* Programs read the lower-case or the upper-case names; few read both. */
static char **
add_proxy (char **environment, const FhRunGuards *guards)
{
  static const char *const names[] = { "http_proxy", "https_proxy", "HTTP_PROXY", "HTTPS_PROXY" };
  const gboolean is_off =
      !fh_run_guards_have (guards, FH_GUARD_NETWORK) || guards->tier == FH_TIER_UNPROTECTED;

  if (is_off || guards->allow_hosts == NULL || guards->allow_hosts[0] == NULL)
    return environment;
  for (gsize i = 0; i < G_N_ELEMENTS (names); i++)
    environment = g_environ_setenv (environment, names[i], FH_PROXY_URL, TRUE);
  environment = g_environ_setenv (environment, "no_proxy", NOT_BY_PROXY, TRUE);
  return g_environ_setenv (environment, "NO_PROXY", NOT_BY_PROXY, TRUE);
}

static char **
native_environment (const FhPolicyParts *parts)
{
  /* Caches are no result of the program. */
  static const char *const ours[] = {
    "HOME=" FH_INSIDE_WORKSPACE,  "LANG=C.UTF-8", "TMPDIR=/tmp",
    "XDG_CACHE_HOME=/tmp/.cache", "TERM=dumb",    "OPENBLAS_NUM_THREADS=1",
    "PYTHONDONTWRITEBYTECODE=1",  NULL,
  };
  const FhRunGuards *guards = fh_run_request_get_parts (parts->request)->guards;
  g_autofree char *path = path_variable (parts->interpreter->path);
  char **environment;

  if (!fh_run_guards_have (guards, FH_GUARD_ENVIRONMENT))
    return users_environment ();
  environment = add_variables (add_variable (NULL, path), ours);
  return add_proxy (add_time_zone (environment, parts), guards);
}

/* The image's variables, overridden by ours, overridden by the user's. */
static char **
container_environment (const FhPolicyParts *parts)
{
  static const char *const ours[] = {
    "LANG=C.UTF-8",           "TMPDIR=" FH_CONTAINER_TMP,  "TERM=dumb",
    "OPENBLAS_NUM_THREADS=1", "PYTHONDONTWRITEBYTECODE=1", NULL,
  };
  const FhContainerOptions *options = parts->container;
  const char *const *wishes = options->environment;
  const FhRunGuards *guards = fh_run_request_get_parts (parts->request)->guards;
  char **environment = NULL;

  if (!fh_run_guards_have (guards, FH_GUARD_ENVIRONMENT))
    environment = g_environ_unsetenv (users_environment (), "PATH");
  environment = add_variables (environment, parts->image_environment);
  environment = add_path (environment, options);
  environment = add_variables (environment, ours);
  environment = g_environ_setenv (environment,
                                  "HOME",
                                  options->is_kept ? FH_CONTAINER_HOME : FH_CONTAINER_WORKSPACE,
                                  TRUE);
  /* Keep caches out of the workspace; a home is the right place for them. */
  if (!options->is_kept)
    environment =
        g_environ_setenv (environment, "XDG_CACHE_HOME", FH_CONTAINER_TMP "/.cache", TRUE);
  environment = add_time_zone (environment, parts);
  for (gsize i = 0; wishes != NULL && wishes[i] != NULL; i++)
    environment = add_variable (environment, wishes[i]);
  return environment;
}

/* All variables that a program will have, "NAME=VALUE". */
static char **
build_environment (const FhPolicyParts *parts)
{
  return parts->container != NULL ? container_environment (parts) : native_environment (parts);
}

G_STATIC_ASSERT ((int) FH_TIER_NAMESPACES - 1 == (int) FH_WIRE_TIER_NAMESPACES);
G_STATIC_ASSERT ((int) FH_TIER_BUBBLEWRAP - 1 == (int) FH_WIRE_TIER_BUBBLEWRAP);
G_STATIC_ASSERT ((int) FH_TIER_PORTAL - 1 == (int) FH_WIRE_TIER_PORTAL);
G_STATIC_ASSERT ((int) FH_TIER_LANDLOCK - 1 == (int) FH_WIRE_TIER_LANDLOCK);
G_STATIC_ASSERT ((int) FH_TIER_UNPROTECTED - 1 == (int) FH_WIRE_TIER_UNPROTECTED);
G_STATIC_ASSERT ((int) FH_TIER_CONTAINER - 1 == (int) FH_WIRE_TIER_CONTAINER);

static guint8
tier_to_wire (FhTier tier)
{
  g_assert (tier != FH_TIER_AUTO);
  return (guint8) (tier - 1);
}

static void
build_guards (const FhPolicyParts *parts, struct fh_policy *policy)
{
  const FhRunGuards *guards = fh_run_request_get_parts (parts->request)->guards;
  const FhRunOptions *options = fh_run_request_get_parts (parts->request)->options;

  policy->watch = (uint8_t) guards->watch;
  policy->without = guards->without;
  if (parts->needs_files || fh_run_guards_collect_files (guards))
    policy->flags |= FH_POLICY_COLLECT;
  /* What a block of an answer deletes must not be there for the next one. */
  if (policy->flags & FH_POLICY_COLLECT &&
      (fh_run_request_get_parts (parts->request)->files != NULL || parts->is_shared))
    policy->flags |= FH_POLICY_TELL_GONE;
  if (parts->tier != FH_TIER_CONTAINER && (options->work_dir != NULL || options->project != NULL))
    policy->flags |= FH_POLICY_COLLECT | FH_POLICY_TELL_GONE;
  if (guards->no_sockets && parts->tier != FH_TIER_UNPROTECTED)
    policy->flags |= FH_POLICY_NO_SOCKETS;
  policy->allow_hosts = g_strdupv ((GStrv) (gpointer) guards->allow_hosts);
}

/* Without protection nothing can limit memory, files and processes. */
static struct fh_policy *
policy_new (FhTier tier, FhRunLimits limits)
{
  struct fh_policy *policy = g_new0 (struct fh_policy, 1);

  if (tier == FH_TIER_UNPROTECTED)
    limits.memory_bytes = limits.disk_bytes = limits.processes = 0;
  policy->tier = tier_to_wire (tier);
  policy->wall_ms = limits.wall_ms;
  policy->cpu_ms = limits.cpu_ms;
  policy->memory_bytes = limits.memory_bytes;
  policy->disk_bytes = limits.disk_bytes;
  policy->output_bytes = limits.output_bytes;
  policy->processes = limits.processes;
  policy->open_files = limits.open_files;
  policy->home = g_strdup (g_get_home_dir ());
  return policy;
}

/* NULL: the workspace. */
static char *
start_folder (const char *cwd)
{
  g_autofree char *path = cwd != NULL ? g_canonicalize_filename (cwd, FH_INSIDE_WORKSPACE) : NULL;

  return g_strcmp0 (path, FH_INSIDE_WORKSPACE) != 0 ? g_steal_pointer (&path) : NULL;
}

struct fh_policy *
fh_policy_build (const FhPolicyParts *parts)
{
  struct fh_policy *policy =
      policy_new (parts->tier,
                  fh_run_guards_limits (fh_run_request_get_parts (parts->request)->guards,
                                        &fh_run_request_get_parts (parts->request)->limits));

  policy->argv = build_argv (parts);
  policy->cwd = start_folder (fh_run_request_get_parts (parts->request)->options->cwd);
  policy->env = build_environment (parts);
  if (parts->container == NULL)
    build_binds (parts, policy);
  if (parts->has_shared_workspace)
    policy->flags |= FH_POLICY_SHARED_WORKSPACE;
  build_guards (parts, policy);
  if (parts->is_shared && fh_run_request_get_parts (parts->request)->stays)
    policy->flags |= FH_POLICY_STAYS;
  if (fh_run_request_get_parts (parts->request)->input_stays)
    policy->flags |= FH_POLICY_INPUT_STAYS;
  /* A called program gets its input from another one, which could keep it waiting for an hour. */
  if (fh_run_request_get_parts (parts->request)->input_stays &&
      !fh_run_request_get_parts (parts->request)->is_called)
    policy->flags |= FH_POLICY_TYPED_INPUT;
  /* Each cell has limits of time of its own. */
  if (fh_run_request_get_parts (parts->request)->cell != NULL)
    {
      policy->kind = FH_POLICY_KEPT;
      policy->wall_ms = policy->cpu_ms = 0;
    }
  if (is_python (fh_run_request_get_parts (parts->request)->language))
    {
      policy->flags |= FH_POLICY_GUEST_CHANNEL;
      if (parts->has_shared_workspace && policy->kind == FH_POLICY_SINGLE)
        policy->flags |= FH_POLICY_SEALED_PROGRAM;
    }
  return policy;
}

struct fh_policy *
fh_policy_build_probe (FhTier tier, const char *guest_folder)
{
  struct fh_policy *policy = policy_new (tier, FH_RUN_LIMITS_DEFAULT);

  policy->flags = FH_POLICY_PROBE;
  if (guest_folder != NULL)
    {
      policy->binds = g_new0 (struct fh_bind, 1);
      add_guest_file (policy, guest_folder, BOOTSTRAP);
    }
  return policy;
}

GBytes *
fh_policy_to_shared_frame (const struct fh_policy *policy, GError **error)
{
  char *const nothing[] = { NULL };
  char *const no_program[] = { (char *) "/", NULL };
  struct fh_policy shared = *policy;

  shared.argv = (char **) no_program;
  shared.env = (char **) nothing;
  shared.flags &= ~(uint32_t) FH_POLICY_GUEST_CHANNEL;
  shared.flags |= FH_POLICY_STAYS;
  return fh_policy_to_frame (&shared, error);
}

/* Takes the buffer. */
static GBytes *
take_frame (struct fh_buffer *buffer, GError **error)
{
  GBytes *frame = NULL;

  if (buffer->failed)
    set_too_long (error);
  else
    frame = g_bytes_new_take (g_steal_pointer (&buffer->data), buffer->size);
  fh_buffer_clear (buffer);
  return frame;
}

GBytes *
fh_policy_to_program_frame (const struct fh_policy *policy, gboolean stays, GError **error)
{
  const struct fh_program program = {
    .has_channel = (policy->flags & FH_POLICY_GUEST_CHANNEL) != 0,
    .stays = stays,
    .argv = policy->argv,
    .env = policy->env,
  };
  struct fh_buffer buffer;

  fh_buffer_init (&buffer, FH_FRAME_HEADER_SIZE + FH_FRAME_MAX_PAYLOAD);
  fh_program_encode (&program, &buffer);
  return take_frame (&buffer, error);
}

GBytes *
fh_policy_to_frame (const struct fh_policy *policy, GError **error)
{
  struct fh_buffer buffer;

  if (policy->argv != NULL && g_strv_length (policy->argv) > FH_POLICY_MAX_STRINGS)
    return set_too_long (error);
  fh_buffer_init (&buffer, FH_FRAME_HEADER_SIZE + FH_FRAME_MAX_PAYLOAD);
  fh_policy_encode (policy, &buffer);
  return take_frame (&buffer, error);
}
