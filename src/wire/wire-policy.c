/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "wire-policy.h"

#include <stdlib.h>
#include <string.h>

static void
put_strings (struct fh_buffer *buffer, char *const *strings)
{
  uint32_t count = 0;

  while (strings != NULL && strings[count] != NULL)
    count++;
  fh_buffer_put_u32 (buffer, count);
  for (uint32_t i = 0; i < count; i++)
    fh_buffer_put_string (buffer, strings[i]);
}

void
fh_policy_encode (const struct fh_policy *policy, struct fh_buffer *buffer)
{
  size_t frame = fh_frame_begin (buffer, FH_FRAME_POLICY);

  fh_buffer_put_u32 (buffer, FH_WIRE_VERSION);
  fh_buffer_put_u32 (buffer, policy->flags);
  fh_buffer_put_u64 (buffer, policy->wall_ms);
  fh_buffer_put_u64 (buffer, policy->cpu_ms);
  fh_buffer_put_u64 (buffer, policy->memory_bytes);
  fh_buffer_put_u64 (buffer, policy->disk_bytes);
  fh_buffer_put_u64 (buffer, policy->output_bytes);
  fh_buffer_put_u32 (buffer, policy->processes);
  fh_buffer_put_u32 (buffer, policy->open_files);
  fh_buffer_put_u8 (buffer, policy->tier);
  fh_buffer_put_u8 (buffer, policy->watch);
  fh_buffer_put_u8 (buffer, policy->kind);
  fh_buffer_put_u32 (buffer, policy->without);
  fh_buffer_put_string (buffer, policy->home);
  put_strings (buffer, policy->allow_hosts);
  put_strings (buffer, policy->argv);
  put_strings (buffer, policy->env);
  put_strings (buffer, policy->preload);
  fh_buffer_put_u32 (buffer, (uint32_t) policy->n_binds);
  for (size_t i = 0; i < policy->n_binds; i++)
    {
      fh_buffer_put_string (buffer, policy->binds[i].source);
      fh_buffer_put_string (buffer, policy->binds[i].target);
      fh_buffer_put_u8 (buffer, policy->binds[i].is_copy);
    }
  fh_buffer_put_u32 (buffer, (uint32_t) policy->n_proofs);
  for (size_t i = 0; i < policy->n_proofs; i++)
    {
      fh_buffer_put_string (buffer, policy->proofs[i].path);
      fh_buffer_put_u64 (buffer, policy->proofs[i].device);
      fh_buffer_put_u64 (buffer, policy->proofs[i].inode);
    }
  fh_buffer_put_string (buffer, policy->proof_kernel);
  fh_buffer_put_string (buffer, policy->cwd);
  fh_frame_end (buffer, frame);
}

/* A count, and zeroed memory for as many items and one more; NULL when there are too many. */
static void *
take_array (struct fh_cursor *cursor, uint32_t most, size_t item_size, size_t *count)
{
  void *items = NULL;

  *count = fh_cursor_u32 (cursor);
  if (!cursor->failed && *count <= most)
    items = calloc (*count + 1, item_size);
  if (items != NULL)
    return items;
  cursor->failed = true;
  *count = 0;
  return NULL;
}

static char **
take_strings (struct fh_cursor *cursor, uint32_t most)
{
  size_t count;
  char **strings = take_array (cursor, most, sizeof *strings, &count);

  for (size_t i = 0; i < count && !cursor->failed; i++)
    strings[i] = fh_cursor_string (cursor);
  return strings;
}

static void
take_binds (struct fh_cursor *cursor, struct fh_policy *policy)
{
  policy->binds = take_array (cursor, FH_POLICY_MAX_BINDS, sizeof *policy->binds, &policy->n_binds);
  for (size_t i = 0; i < policy->n_binds && !cursor->failed; i++)
    {
      struct fh_bind *bind = &policy->binds[i];
      uint8_t is_copy;

      bind->source = fh_cursor_string (cursor);
      bind->target = fh_cursor_string (cursor);
      is_copy = fh_cursor_u8 (cursor);
      bind->is_copy = is_copy == 1;
      if (is_copy > 1)
        cursor->failed = true;
      if (!cursor->failed && (bind->source[0] != '/' || bind->target[0] != '/'))
        cursor->failed = true;
    }
}

static void
take_proofs (struct fh_cursor *cursor, struct fh_policy *policy)
{
  policy->proofs =
      take_array (cursor, FH_POLICY_MAX_PROOFS, sizeof *policy->proofs, &policy->n_proofs);
  for (size_t i = 0; i < policy->n_proofs && !cursor->failed; i++)
    {
      struct fh_proof *proof = &policy->proofs[i];

      proof->path = fh_cursor_string (cursor);
      proof->device = fh_cursor_u64 (cursor);
      proof->inode = fh_cursor_u64 (cursor);
      if (!cursor->failed && proof->path[0] != '/')
        cursor->failed = true;
    }
}

/* NAME=value, with a name. */
static bool
is_environment (char *const *env)
{
  for (size_t i = 0; env[i] != NULL; i++)
    {
      const char *sign = strchr (env[i], '=');

      if (sign == NULL || sign == env[i])
        return false;
    }
  return true;
}

/* Letters, digits, hyphens and dots, as in a certificate; no addresses, no patterns. */
static bool
are_host_names (char *const *hosts)
{
  static const char allowed[] = "abcdefghijklmnopqrstuvwxyz0123456789-.";

  for (size_t i = 0; hosts[i] != NULL; i++)
    {
      size_t length = strlen (hosts[i]);

      if (length == 0 || length > 253 || strspn (hosts[i], allowed) != length ||
          hosts[i][0] == '.' || hosts[i][length - 1] == '.' ||
          strcspn (hosts[i], "abcdefghijklmnopqrstuvwxyz") == length)
        return false;
    }
  return true;
}

bool
fh_policy_is_module (const char *name)
{
  static const char first[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ_";
  static const char others[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ_0123456789";

  if (strlen (name) > FH_POLICY_MAX_MODULE)
    return false;
  while (strspn (name, first) > 0)
    {
      name += strspn (name, others);
      if (*name == '\0')
        return true;
      if (*name++ != '.')
        return false;
    }
  return false;
}

/* Processes that a program leaves must be in namespaces of their own, so that all are ended. */
static bool
may_stay (const struct fh_policy *policy)
{
  const uint32_t others =
      FH_POLICY_PROBE | FH_POLICY_SHARED_WORKSPACE | FH_POLICY_SEALED_PROGRAM | FH_POLICY_PROJECT;

  return policy->kind == FH_POLICY_SINGLE && !(policy->flags & others) &&
         (policy->tier == FH_WIRE_TIER_NAMESPACES || policy->tier == FH_WIRE_TIER_BUBBLEWRAP);
}

/* Only a forked sandbox imports something ahead, and a kept one has no input. */
static bool
is_kind_consistent (const struct fh_policy *policy)
{
  if (policy->flags & FH_POLICY_TYPED_INPUT && !(policy->flags & FH_POLICY_INPUT_STAYS))
    return false;
  if (policy->flags & FH_POLICY_STAYS && !may_stay (policy))
    return false;
  if (policy->kind == FH_POLICY_SINGLE)
    return policy->preload[0] == NULL;
  if (policy->kind == FH_POLICY_KEPT)
    return policy->preload[0] == NULL && fh_policy_can_wait (policy) &&
           !(policy->flags & (FH_POLICY_SEALED_PROGRAM | FH_POLICY_INPUT_STAYS)) &&
           policy->wall_ms == 0 && policy->cpu_ms == 0;
  for (size_t i = 0; policy->preload[i] != NULL; i++)
    {
      if (!fh_policy_is_module (policy->preload[i]))
        return false;
    }
  return policy->kind == FH_POLICY_FORKED && fh_policy_can_fork (policy);
}

static bool
is_file_limit (uint32_t limit)
{
  return limit == 0 || (limit >= FH_POLICY_MIN_OPEN_FILES && limit <= FH_POLICY_MAX_OPEN_FILES);
}

/* Asking for no sockets and for something that needs them is a mistake. */
static bool
is_network_consistent (const struct fh_policy *policy)
{
  return !(policy->flags & FH_POLICY_NO_SOCKETS) ||
         (policy->allow_hosts[0] == NULL && policy->tier != FH_WIRE_TIER_UNPROTECTED &&
          !(policy->without & 1u << FH_WIRE_GUARD_NETWORK));
}

/* A guard that is switched off limits nothing. Without protection nothing could limit memory, files
 * and processes. */
static bool
are_limits_consistent (const struct fh_policy *policy)
{
  const bool is_off = policy->tier == FH_WIRE_TIER_UNPROTECTED;
  const uint32_t without = policy->without;

  return !(policy->memory_bytes > 0 && (is_off || without & 1u << FH_WIRE_GUARD_MEMORY)) &&
         !(policy->disk_bytes > 0 && (is_off || without & 1u << FH_WIRE_GUARD_DISK)) &&
         !(policy->processes > 0 && is_off) &&
         !(policy->output_bytes > 0 && without & 1u << FH_WIRE_GUARD_OUTPUT) &&
         !((policy->wall_ms | policy->cpu_ms) > 0 && without & 1u << FH_WIRE_GUARD_TIME);
}

/* In a sub-sandbox the one proof is of the folder for run folders. */
static bool
are_proofs_consistent (const struct fh_policy *policy)
{
  const bool has_project = policy->flags & FH_POLICY_PROJECT;

  if (has_project && policy->tier != FH_WIRE_TIER_NAMESPACES)
    return false;
  return policy->tier == FH_WIRE_TIER_CONTAINER ||
         policy->n_proofs == (policy->tier == FH_WIRE_TIER_PORTAL || has_project ? 1 : 0);
}

static bool
is_start_folder (const char *path)
{
  return path[0] == '\0' ||
         (path[0] == '/' && fh_path_is_below (path + 1, FH_FILE_PATH_MAX, FH_FILE_DEPTH_MAX));
}

static bool
is_valid (const struct fh_policy *policy)
{
  return (policy->flags & ~(uint32_t) FH_POLICY_ALL_FLAGS) == 0 && is_environment (policy->env) &&
         (policy->argv[0] != NULL || policy->flags & FH_POLICY_PROBE) &&
         (policy->tier == FH_WIRE_TIER_CONTAINER ||
          !(policy->flags & FH_POLICY_SHARED_WORKSPACE)) &&
         (policy->flags & FH_POLICY_COLLECT || !(policy->flags & FH_POLICY_TELL_GONE)) &&
         are_proofs_consistent (policy) &&
         (policy->flags & FH_POLICY_GUEST_CHANNEL || !(policy->flags & FH_POLICY_SEALED_PROGRAM)) &&
         policy->tier <= FH_WIRE_TIER_CONTAINER && policy->watch <= FH_WIRE_WATCH_FILES &&
         (policy->without & ~FH_POLICY_SWITCHES) == 0 && is_file_limit (policy->open_files) &&
         are_limits_consistent (policy) && are_host_names (policy->allow_hosts) &&
         is_start_folder (policy->cwd) && is_network_consistent (policy) &&
         is_kind_consistent (policy);
}

struct fh_policy *
fh_policy_decode (const void *payload, size_t size)
{
  struct fh_policy *policy = calloc (1, sizeof *policy);
  struct fh_cursor cursor;

  if (policy == NULL)
    return NULL;
  fh_cursor_init (&cursor, payload, size);
  if (fh_cursor_u32 (&cursor) != FH_WIRE_VERSION)
    cursor.failed = true;
  policy->flags = fh_cursor_u32 (&cursor);
  policy->wall_ms = fh_cursor_u64 (&cursor);
  policy->cpu_ms = fh_cursor_u64 (&cursor);
  policy->memory_bytes = fh_cursor_u64 (&cursor);
  policy->disk_bytes = fh_cursor_u64 (&cursor);
  policy->output_bytes = fh_cursor_u64 (&cursor);
  policy->processes = fh_cursor_u32 (&cursor);
  policy->open_files = fh_cursor_u32 (&cursor);
  policy->tier = fh_cursor_u8 (&cursor);
  policy->watch = fh_cursor_u8 (&cursor);
  policy->kind = fh_cursor_u8 (&cursor);
  policy->without = fh_cursor_u32 (&cursor);
  policy->home = fh_cursor_string (&cursor);
  policy->allow_hosts = take_strings (&cursor, FH_POLICY_MAX_HOSTS);
  policy->argv = take_strings (&cursor, FH_POLICY_MAX_STRINGS);
  policy->env = take_strings (&cursor, FH_POLICY_MAX_STRINGS);
  policy->preload = take_strings (&cursor, FH_POLICY_MAX_PRELOAD);
  take_binds (&cursor, policy);
  take_proofs (&cursor, policy);
  policy->proof_kernel = fh_cursor_string (&cursor);
  policy->cwd = fh_cursor_string (&cursor);
  if (!fh_cursor_done (&cursor) || !is_valid (policy))
    {
      fh_policy_free (policy);
      return NULL;
    }
  return policy;
}

static void
free_strings (char **strings)
{
  for (size_t i = 0; strings != NULL && strings[i] != NULL; i++)
    free (strings[i]);
  free (strings);
}

void
fh_policy_free (struct fh_policy *policy)
{
  if (policy == NULL)
    return;
  free_strings (policy->argv);
  free_strings (policy->env);
  free_strings (policy->preload);
  free_strings (policy->allow_hosts);
  free (policy->home);
  for (size_t i = 0; i < policy->n_binds; i++)
    {
      free (policy->binds[i].source);
      free (policy->binds[i].target);
    }
  free (policy->binds);
  for (size_t i = 0; i < policy->n_proofs; i++)
    free (policy->proofs[i].path);
  free (policy->proofs);
  free (policy->proof_kernel);
  free (policy->cwd);
  free (policy);
}

bool
fh_policy_can_wait (const struct fh_policy *policy)
{
  const bool may_share = policy->kind == FH_POLICY_KEPT;

  return policy->flags & FH_POLICY_GUEST_CHANNEL &&
         !(policy->flags & (FH_POLICY_PROBE | FH_POLICY_PROJECT | FH_POLICY_STAYS)) &&
         (may_share || !(policy->flags & FH_POLICY_SHARED_WORKSPACE));
}

/* The file system that each run has of its own covers what is there for the interpreter. */
static bool
is_covered (const char *path)
{
  static const char *const folders[] = { "/tmp", "/workspace", "/dev/shm" };

  for (size_t i = 0; i < sizeof folders / sizeof folders[0]; i++)
    {
      const size_t length = strlen (folders[i]);

      if (strncmp (path, folders[i], length) == 0 && (path[length] == '\0' || path[length] == '/'))
        return true;
    }
  return false;
}

bool
fh_policy_can_fork (const struct fh_policy *policy)
{
  for (size_t i = 0; i < policy->n_binds; i++)
    {
      if (is_covered (policy->binds[i].target))
        return false;
    }
  return fh_policy_can_wait (policy) && policy->tier == FH_WIRE_TIER_NAMESPACES &&
         !(policy->flags & FH_POLICY_SEALED_PROGRAM) &&
         (policy->allow_hosts == NULL || policy->allow_hosts[0] == NULL);
}

void
fh_program_encode (const struct fh_program *program, struct fh_buffer *buffer)
{
  size_t frame = fh_frame_begin (buffer, FH_FRAME_PROGRAM);

  fh_buffer_put_u8 (buffer, program->has_channel);
  fh_buffer_put_u8 (buffer, program->stays);
  put_strings (buffer, program->argv);
  put_strings (buffer, program->env);
  fh_frame_end (buffer, frame);
}

void
fh_program_free (struct fh_program *program)
{
  if (program == NULL)
    return;
  free_strings (program->argv);
  free_strings (program->env);
  free (program);
}

struct fh_program *
fh_program_decode (const void *payload, size_t size)
{
  struct fh_program *program = calloc (1, sizeof *program);
  struct fh_cursor cursor;
  uint8_t has_channel;
  uint8_t stays;

  if (program == NULL)
    return NULL;
  fh_cursor_init (&cursor, payload, size);
  has_channel = fh_cursor_u8 (&cursor);
  stays = fh_cursor_u8 (&cursor);
  program->argv = take_strings (&cursor, FH_POLICY_MAX_STRINGS);
  program->env = take_strings (&cursor, FH_POLICY_MAX_STRINGS);
  program->has_channel = has_channel == 1;
  program->stays = stays == 1;
  if (fh_cursor_done (&cursor) && has_channel <= 1 && stays <= 1 && program->argv[0] != NULL &&
      program->argv[0][0] == '/' && is_environment (program->env))
    return program;
  fh_program_free (program);
  return NULL;
}

void
fh_file_piece_encode (const struct fh_file_piece *piece, struct fh_buffer *buffer)
{
  size_t frame = fh_frame_begin (buffer, FH_FRAME_FILE);

  fh_buffer_put_string (buffer, piece->path);
  fh_buffer_put_u8 (buffer, piece->kind);
  fh_buffer_put_u8 (buffer, (uint8_t) (piece->is_in_tmp | piece->is_there << 1));
  fh_buffer_put_u32 (buffer, piece->mode);
  fh_buffer_put_u64 (buffer, piece->modified_us);
  fh_buffer_put_bytes (buffer, piece->data, piece->size);
  fh_frame_end (buffer, frame);
}

static bool
has_right_content (const struct fh_file_piece *piece)
{
  switch (piece->kind)
    {
    case FH_FILE_REGULAR:
      return true;
    case FH_FILE_LINK:
      return piece->size > 0 && piece->size <= FH_FILE_LINK_MAX &&
             memchr (piece->data, '\0', piece->size) == NULL;
    default:
      return piece->kind <= FH_FILE_LINK && piece->size == 0;
    }
}

bool
fh_file_piece_decode (struct fh_file_piece *piece, const void *payload, size_t size)
{
  struct fh_cursor cursor;
  uint8_t flags;
  uint32_t mode;

  fh_cursor_init (&cursor, payload, size);
  piece->path = fh_cursor_string (&cursor);
  piece->kind = fh_cursor_u8 (&cursor);
  flags = fh_cursor_u8 (&cursor);
  mode = fh_cursor_u32 (&cursor);
  piece->modified_us = fh_cursor_u64 (&cursor);
  piece->data = fh_cursor_bytes (&cursor, &piece->size);
  piece->is_in_tmp = flags & 1;
  piece->is_there = flags & 2;
  piece->mode = (uint16_t) mode;
  if (fh_cursor_done (&cursor) && flags <= 3 && mode <= FH_FILE_MODE_MAX &&
      piece->modified_us <= FH_FILE_TIME_MAX && has_right_content (piece) &&
      fh_path_is_below (piece->path, FH_FILE_PATH_MAX, FH_FILE_DEPTH_MAX))
    return true;
  free (piece->path);
  piece->path = NULL;
  return false;
}
