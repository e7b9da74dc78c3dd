/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "attempt-call.h"
#include "attempt-existence.h"
#include "attempt-path.h"
#include "guest-memory.h"
#include "stage.h"
#include "wire-container.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* One path that a call names. */
struct target
{
  const struct attempt_call *call;
  const char *operation;
  enum path_place place;
  const char *path; /* as it is told */
  const char *real; /* where it is in the tree that the guest sees */
  char joined[PATH_MAX];
  char inside[PATH_MAX];
};

/* Where a relative path begins. */
static bool
read_base (const struct attempt_call *call, int folder, char base[PATH_MAX])
{
  char link[48];
  ssize_t size;

  if (folder == AT_FDCWD)
    snprintf (link, sizeof link, "/proc/%d/cwd", (int) call->thread);
  else
    snprintf (link, sizeof link, "/proc/%d/fd/%d", (int) call->thread, folder);
  size = readlink (link, base, PATH_MAX - 1);
  base[size > 0 ? size : 0] = '\0';
  return base[0] == '/';
}

/* Without a root of its own the guest has the host's, and in that a folder of its own. The rest of
 * it is not the guest's, whatever it is called. */
static bool
find_place_in_host (struct target *target, const struct run_folder *folder)
{
  const bool is_workspace = path_is_within (target->joined, folder->workspace);
  const bool is_tmp = path_is_within (target->joined, folder->tmp);
  const char *rest = target->joined + strlen (is_tmp ? folder->tmp : folder->workspace);

  if (is_workspace || is_tmp)
    {
      if (!path_join ("/", is_tmp ? "/tmp" : "/workspace", target->inside))
        return false;
      strcat (target->inside, rest);
      target->path = target->inside;
      target->place = path_place_of (target->path, target->call->scene->policy);
      return true;
    }
  target->place = path_place_of (target->path, target->call->scene->policy);
  if (target->place == PATH_WORKSPACE || target->place == PATH_SCRATCH)
    target->place = PATH_ELSEWHERE;
  if (path_is_shown (target->path, target->call->scene->policy))
    target->place = PATH_SYSTEM;
  return true;
}

/* In bubblewrap's sandbox /workspace and /tmp are links, and a working folder is told of by where
 * they lead. */
static const char *
without_link (const struct attempt_scene *scene, const char *path)
{
  const char *rest = path + strlen (STAGE_SCRATCH);

  if (scene->policy->tier == FH_WIRE_TIER_BUBBLEWRAP &&
      (path_is_within (path, STAGE_SCRATCH "/workspace") ||
       path_is_within (path, STAGE_SCRATCH "/tmp")))
    return rest;
  return path;
}

static bool
find_place (struct target *target)
{
  const struct attempt_scene *scene = target->call->scene;

  target->path = target->real = target->joined;
  if (scene->folder != NULL)
    return find_place_in_host (target, scene->folder);
  target->path = without_link (scene, target->joined);
  target->place = path_place_of (target->path, scene->policy);
  return true;
}

static bool
read_target (const struct attempt_call *call,
             const struct seccomp_path *which,
             struct target *target)
{
  const int folder = which->folder < 0 ? AT_FDCWD : (int) call->arguments[which->folder];
  char named[PATH_MAX];
  char base[PATH_MAX] = "/";

  if (!guest_memory_string (call->thread, call->arguments[which->path], named, sizeof named))
    return false;
  target->call = call;
  if (path_is_plainly_system (named))
    {
      strcpy (target->joined, named);
      target->path = target->real = target->joined;
      target->place = PATH_SYSTEM;
      return true;
    }
  if (named[0] != '/' && !read_base (call, folder, base))
    return false;
  return path_join (base, named, target->joined) && find_place (target);
}

static void
tell (const struct target *target,
      enum fh_wire_verdict verdict,
      const char *object,
      int error,
      uint32_t flags)
{
  attempt_call_tell (target->call,
                     &(const struct attempt_finding){
                         .guard = FH_WIRE_GUARD_FILESYSTEM,
                         .verdict = (uint8_t) verdict,
                         .flags = flags,
                         .error = error,
                         .layer = verdict == FH_WIRE_OBSERVED           ? "seccomp"
                                  : target->call->scene->folder != NULL ? "landlock"
                                                                        : "mount",
                         .operation = target->operation,
                         .object = object,
                     });
}

static void
observe (const struct target *target)
{
  tell (target, FH_WIRE_OBSERVED, target->path, 0, 0);
}

static bool
is_home_of_container (const struct target *target)
{
  return target->call->scene->policy->tier == FH_WIRE_TIER_CONTAINER &&
         path_is_within (target->path, FH_CONTAINER_HOME);
}

static bool
is_own (const struct target *target)
{
  return target->place == PATH_WORKSPACE || target->place == PATH_SCRATCH ||
         (target->place == PATH_PRIVATE &&
          (path_is_within (target->path, "/workspace") || is_home_of_container (target)));
}

/* What is below a folder, as a relative path. */
static const char *
rest_of (const char *path, const char *folder)
{
  const char *rest = path + strlen (folder);

  return *rest == '/' ? rest + 1 : rest;
}

/* True when the user has something there; the guest's home stands for the user's. What lies outside
 * of a container cannot be seen from in there. */
static bool
is_outside (const struct target *target)
{
  const struct attempt_scene *scene = target->call->scene;
  const char *home = scene->policy->home;
  int handle;

  if (scene->policy->tier == FH_WIRE_TIER_CONTAINER)
    return false;
  if (path_is_within (target->path, "/workspace"))
    return scene->home >= 0 &&
           existence_is_in_home (scene->home, rest_of (target->path, "/workspace"));
  if (scene->home >= 0 && path_is_within (target->path, home))
    return existence_is_in_home (scene->home, rest_of (target->path, home));
  handle = existence_open_outside (target->path);
  if (handle < 0)
    return false;
  close (handle);
  return true;
}

/* What is there but not the guest's, in the host's own tree. */
static bool
is_forbidden (const struct target *target)
{
  return target->call->scene->folder != NULL && !is_own (target);
}

/* A handle of what is at `path` for the guest. In the host's own tree a link of the guest's may
 * lead to anywhere. */
static int
open_path (const struct target *target, const char *path)
{
  return target->call->scene->folder != NULL
             ? existence_open_outside (path)
             : existence_open_inside (target->call->scene->root, path);
}

static bool
is_there (const struct target *target)
{
  int handle = open_path (target, target->real);

  if (handle < 0)
    return false;
  close (handle);
  return true;
}

/* Tells of what is not there for the guest, if that is worth it. */
static bool
tell_hidden (const struct target *target)
{
  char shown[PATH_MAX];
  bool exists;

  if (target->place == PATH_SYSTEM || target->place == PATH_QUIET || target->place == PATH_SCRATCH)
    return false;
  exists = is_outside (target);
  if (!exists && target->place != PATH_PRIVATE)
    return false;
  path_in_home (target->path, shown);
  if (is_there (target))
    {
      if (is_forbidden (target) && strcmp (target->real, "/") != 0)
        tell (target, FH_WIRE_DENIED, shown, EACCES, FH_ATTEMPT_EXISTS_OUTSIDE);
      return is_forbidden (target);
    }
  tell (target, FH_WIRE_HIDDEN, shown, ENOENT, exists ? FH_ATTEMPT_EXISTS_OUTSIDE : 0);
  return true;
}

/* Of /proc, which is there, but not with what tells of the computer. */
static bool
tell_covered (const struct target *target)
{
  int handle;
  int error;

  if (target->place != PATH_PRIVATE || !path_is_within (target->path, "/proc"))
    return false;
  handle = open_path (target, target->real);
  if (handle < 0)
    return false;
  error = is_forbidden (target) ? EACCES : existence_error (handle, R_OK);
  close (handle);
  tell (target, error == 0 ? FH_WIRE_HIDDEN : FH_WIRE_DENIED, target->path, error, 0);
  return true;
}

static bool
look_at_reading (const struct target *target)
{
  return tell_covered (target) || tell_hidden (target);
}

/* Its byte code, which Python tries to keep next to every module, and what a program has open
 * already. */
static bool
is_in_passing (const char *path)
{
  static const char *const open_already[] = {
    "/dev/fd", "/dev/stdin", "/dev/stdout", "/dev/stderr", "/proc/self/fd", "/proc/thread-self/fd",
  };

  for (size_t i = 0; i < sizeof open_already / sizeof open_already[0]; i++)
    {
      if (path_is_within (path, open_already[i]))
        return true;
    }
  return strstr (path, "/__pycache__") != NULL;
}

/* A handle of the folder that a path is in. */
static int
open_parent (const struct target *target)
{
  char parent[PATH_MAX];
  char *end;

  strcpy (parent, target->real);
  end = strrchr (parent, '/');
  end[end == parent ? 1 : 0] = '\0';
  return open_path (target, parent);
}

/* A name that is made or taken away in a folder; `error`: what the guest gets if nothing can be. */
static bool
look_at_name (struct target *target, int error)
{
  int parent = open_parent (target);
  bool is_read_only;

  if (parent < 0)
    return tell_hidden (target);
  is_read_only = existence_is_read_only (parent);
  close (parent);
  if (is_forbidden (target))
    error = EACCES;
  else if (!is_read_only)
    return false;
  tell (target, FH_WIRE_DENIED, target->path, error, 0);
  return true;
}

/* What is there already. A device can be written to wherever it is. */
static bool
look_at_writing (const struct target *target, int handle)
{
  struct stat status;
  int error = 0;

  if (fstat (handle, &status) == 0 && S_ISREG (status.st_mode))
    error = is_forbidden (target) ? EACCES : existence_error (handle, W_OK);
  if (error != EROFS && error != EACCES)
    return false;
  tell (target, FH_WIRE_DENIED, target->path, error, 0);
  return true;
}

/* In the guest's own files everything goes. Where the user has something of that name, it is the
 * guest's home that it believes to be the user's. */
static bool
observe_change (struct target *target, bool is_new)
{
  char shown[PATH_MAX];

  if (target->place == PATH_SCRATCH || is_in_passing (target->path))
    return false;
  path_in_home (target->path, shown);
  if (is_new && is_outside (target))
    tell (target, FH_WIRE_OBSERVED, shown, 0, FH_ATTEMPT_EXISTS_OUTSIDE);
  else
    observe (target);
  return true;
}

/* A file that is opened for writing; `creates`: whether or not it is there. */
static bool
look_at_opening (struct target *target, bool creates)
{
  int handle = open_path (target, target->real);
  bool is_told;

  if (handle < 0 && !creates)
    return tell_hidden (target);
  /* Something is there that cannot be looked at from here. */
  if (handle < 0 && handle != -ENOENT && handle != -ENOTDIR)
    return false;
  target->operation = handle < 0 ? "create" : "write to";
  if (is_own (target))
    is_told = observe_change (target, handle < 0);
  else if (is_in_passing (target->path))
    is_told = false;
  else
    is_told = handle < 0 ? look_at_name (target, EROFS) : look_at_writing (target, handle);
  if (handle >= 0)
    close (handle);
  return is_told;
}

/* A file, folder or link that is made; one that is there already stays as it is. */
static bool
look_at_making (struct target *target)
{
  if (is_in_passing (target->path) || is_there (target))
    return false;
  return is_own (target) ? observe_change (target, true) : look_at_name (target, EROFS);
}

static bool
look_at_deleting (struct target *target)
{
  if (is_own (target) && is_there (target))
    return observe_change (target, false);
  return is_own (target) ? tell_hidden (target) : look_at_name (target, EROFS);
}

static bool
look_at_executing (struct target *target)
{
  if (!is_there (target))
    return tell_hidden (target);
  attempt_call_tell (target->call,
                     &(const struct attempt_finding){
                         .guard = FH_WIRE_GUARD_PROCESSES,
                         .verdict = FH_WIRE_OBSERVED,
                         .layer = "seccomp",
                         .operation = "execute",
                         .object = target->path,
                     });
  return true;
}

static bool
look_at_renaming (const struct attempt_call *call, const struct seccomp_watched *watched)
{
  struct target from = { .operation = "rename" };
  struct target to = { .operation = "rename" };
  char object[FH_ATTEMPT_OBJECT_MAX + 1];

  if (!read_target (call, &watched->paths[0], &from) ||
      !read_target (call, &watched->paths[1], &to))
    return false;
  /* Nothing is moved from one mount to another, rename (2). */
  if (!is_own (&from))
    return look_at_name (&from, is_own (&to) ? EXDEV : EROFS);
  if (!is_own (&to))
    return look_at_name (&to, EXDEV);
  if (is_in_passing (from.path) || (from.place == PATH_SCRATCH && to.place == PATH_SCRATCH))
    return false;
  snprintf (object, sizeof object, "%.500s -> %.500s", from.path, to.path);
  tell (&from, FH_WIRE_OBSERVED, object, 0, 0);
  return true;
}

/* Flags of open (2), also of openat2 (2), which has them in memory. */
static uint64_t
flags_of (const struct attempt_call *call, const struct seccomp_watched *watched)
{
  const uint64_t argument = call->arguments[watched->paths[0].path + 1];
  uint64_t flags = 0;

  if (watched->act == SECCOMP_ACT_OPEN)
    return argument;
  guest_memory_read (call->thread, argument, &flags, sizeof flags);
  return flags;
}

static bool
look_at_open (struct target *target, uint64_t flags)
{
  /* That opens nothing: it is how libraries walk along a path. */
  if (flags & O_PATH)
    return false;
  if (flags & O_DIRECTORY)
    target->operation = "list";
  if ((flags & O_ACCMODE) != O_RDONLY || flags & (O_CREAT | O_TRUNC))
    return look_at_opening (target, flags & O_CREAT);
  return look_at_reading (target);
}

void
attempt_files (const struct attempt_call *call, const struct seccomp_watched *watched)
{
  struct target target = { .operation = "open" };
  bool is_told = true;

  if (watched->act == SECCOMP_ACT_RENAME)
    {
      look_at_renaming (call, watched);
      return;
    }
  if (!read_target (call, &watched->paths[0], &target))
    return;
  if (watched->act == SECCOMP_ACT_OPEN || watched->act == SECCOMP_ACT_OPEN_HOW)
    is_told = look_at_open (&target, flags_of (call, watched));
  else if (watched->act == SECCOMP_ACT_EXECUTE)
    is_told = look_at_executing (&target);
  else
    {
      target.operation = watched->act == SECCOMP_ACT_DELETE   ? "delete"
                         : watched->act == SECCOMP_ACT_CREATE ? "create"
                                                              : "write to";
      if (watched->act == SECCOMP_ACT_WRITE)
        is_told = look_at_opening (&target, false);
      else
        is_told = watched->act == SECCOMP_ACT_DELETE ? look_at_deleting (&target)
                                                     : look_at_making (&target);
    }
  if (!is_told && call->scene->policy->watch == FH_WIRE_WATCH_FILES)
    observe (&target);
}
