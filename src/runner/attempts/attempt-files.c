/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "attempt-call.h"
#include "attempt-existence.h"
#include "attempt-path.h"
#include "guest-folder.h"
#include "guest-memory.h"
#include "stage.h"
#include "wire-container.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* A path that a call names. */
struct target
{
  const struct attempt_call *call;
  const char *operation;
  bool is_by_filter; /* refused by the filter, not by the tree */
  enum path_place place;
  const char *path; /* as reported */
  const char *real; /* its place in the tree that the guest sees */
  char joined[PATH_MAX];
  char inside[PATH_MAX];
};

/* In tier B the guest has the host's tree and its own folder in it. The rest is not the guest's,
 * whatever its name is. */
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

/* In bubblewrap's sandbox /workspace and /tmp are links, and the working folder is reported by
 * their targets. */
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
  if (named[0] != '/' && !guest_folder_path (call->thread, folder, base))
    return false;
  return path_join (base, named, target->joined) && find_place (target);
}

static void
report (const struct target *target,
        enum fh_wire_verdict verdict,
        const char *object,
        int error,
        uint32_t flags)
{
  attempt_call_report (target->call,
                       &(const struct attempt_finding){
                           .guard = FH_WIRE_GUARD_FILESYSTEM,
                           .verdict = (uint8_t) verdict,
                           .flags = flags,
                           .error = error,
                           .layer = verdict == FH_WIRE_OBSERVED || target->is_by_filter ? "seccomp"
                                    : target->call->scene->folder != NULL               ? "landlock"
                                                                                        : "mount",
                           .operation = target->operation,
                           .object = object,
                       });
}

static void
observe (const struct target *target)
{
  report (target, FH_WIRE_OBSERVED, target->path, 0, 0);
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

/* Flags of an attempt on what may be the user's: the guest's home stands for the user's. What is
 * outside of a container cannot be seen from inside. In the host's own tree the guest can find out
 * what exists, so look for it at once, on local disks. Elsewhere it is looked for at the end. */
static uint32_t
outside_of (const struct target *target)
{
  const struct attempt_scene *scene = target->call->scene;
  const bool is_in_home = path_is_within (target->path, "/workspace");
  const char *home = is_in_home ? scene->policy->home : "";
  const char *rest = target->path + (is_in_home ? strlen ("/workspace") : 0);
  char path[PATH_MAX];
  int handle;

  if (scene->policy->tier == FH_WIRE_TIER_CONTAINER)
    return 0;
  if (scene->folder == NULL)
    return ATTEMPT_MAY_BE_OUTSIDE;
  if (snprintf (path, sizeof path, "%s%s", home, rest) >= (int) sizeof path || path[0] != '/')
    return 0;
  handle = existence_open_outside (path);
  if (handle < 0)
    return 0;
  close (handle);
  return FH_ATTEMPT_EXISTS_OUTSIDE;
}

/* Exists in the host's own tree but is not the guest's. */
static bool
is_forbidden (const struct target *target)
{
  return target->call->scene->folder != NULL && !is_own (target);
}

/* A handle of `path` as the guest sees it. In the host's own tree a link of the guest's may lead
 * anywhere. */
static int
open_path (const struct target *target, const char *path)
{
  return target->call->scene->folder != NULL
             ? existence_open_outside (path)
             : existence_open_inside (target->call->scene->root, path);
}

/* If the guest has its own user id, its private folders are closed to this process; assume that
 * what they contain exists. */
static bool
is_closed (const struct target *target, int handle)
{
  return handle == -EACCES && target->call->scene->folder == NULL && is_own (target);
}

static bool
is_there (const struct target *target)
{
  int handle = open_path (target, target->real);

  if (handle < 0)
    return is_closed (target, handle);
  close (handle);
  return true;
}

/* Reports what does not exist for the guest, if it matters. */
static bool
report_hidden (const struct target *target)
{
  char shown[PATH_MAX];
  uint32_t flags;

  if (target->place == PATH_SYSTEM || target->place == PATH_QUIET || target->place == PATH_SCRATCH)
    return false;
  flags = outside_of (target);
  if (flags == 0 && target->place != PATH_PRIVATE)
    return false;
  path_in_home (target->path, shown);
  if (is_there (target))
    {
      if (is_forbidden (target) && strcmp (target->real, "/") != 0)
        report (target, FH_WIRE_DENIED, shown, EACCES, FH_ATTEMPT_EXISTS_OUTSIDE);
      return is_forbidden (target);
    }
  if (flags == ATTEMPT_MAY_BE_OUTSIDE && target->place != PATH_PRIVATE)
    flags |= ATTEMPT_ONLY_IF_OUTSIDE;
  report (target, FH_WIRE_HIDDEN, shown, ENOENT, flags);
  return true;
}

/* For files of /proc that exist but are covered. */
static bool
report_covered (const struct target *target)
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
  report (target, error == 0 ? FH_WIRE_HIDDEN : FH_WIRE_DENIED, target->path, error, 0);
  return true;
}

static bool
check_reading (const struct target *target)
{
  return report_covered (target) || report_hidden (target);
}

/* Byte code, which Python tries to store beside each module, and files that a program has open
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

/* A handle of the folder of a path. */
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

/* A name that is created or removed in a folder; `error`: what the guest gets if it cannot. */
static bool
check_name (struct target *target, int error)
{
  int parent = open_parent (target);
  bool is_read_only;

  if (parent < 0)
    return report_hidden (target);
  is_read_only = existence_is_read_only (parent);
  close (parent);
  if (is_forbidden (target))
    error = EACCES;
  else if (!is_read_only)
    return false;
  report (target, FH_WIRE_DENIED, target->path, error, 0);
  return true;
}

/* Something that exists. A device can be written to anywhere. */
static bool
check_writing (const struct target *target, int handle)
{
  struct stat status;
  int error = 0;

  if (fstat (handle, &status) == 0 && S_ISREG (status.st_mode))
    error = is_forbidden (target) ? EACCES : existence_error (handle, W_OK);
  if (error != EROFS && error != EACCES)
    return false;
  report (target, FH_WIRE_DENIED, target->path, error, 0);
  return true;
}

/* The guest's own files are free for all. If the user has a file of that name, report it: the guest
 * may take its home for the user's. */
static bool
observe_change (struct target *target, bool is_new)
{
  if (target->place == PATH_SCRATCH || is_in_passing (target->path))
    return false;
  report (target, FH_WIRE_OBSERVED, target->path, 0, is_new ? outside_of (target) : 0);
  return true;
}

/* A file opened for writing; `creates`: even if it does not exist. */
static bool
check_opening (struct target *target, bool creates)
{
  int handle = open_path (target, target->real);
  bool is_told;

  if (handle < 0 && !creates)
    return report_hidden (target);
  /* Exists, but cannot be examined from here. */
  if (handle < 0 && handle != -ENOENT && handle != -ENOTDIR && !is_closed (target, handle))
    return false;
  target->operation = handle == -ENOENT || handle == -ENOTDIR ? "create" : "write to";
  if (is_own (target))
    is_told = observe_change (target, handle == -ENOENT || handle == -ENOTDIR);
  else if (is_in_passing (target->path))
    is_told = false;
  else
    is_told = handle < 0 ? check_name (target, EROFS) : check_writing (target, handle);
  if (handle >= 0)
    close (handle);
  return is_told;
}

/* A file, folder or link that is created; an existing one is left as it is. */
static bool
check_making (struct target *target)
{
  if (is_in_passing (target->path) || is_there (target))
    return false;
  return is_own (target) ? observe_change (target, true) : check_name (target, EROFS);
}

static bool
check_deleting (struct target *target)
{
  if (is_own (target) && is_there (target))
    return observe_change (target, false);
  return is_own (target) ? report_hidden (target) : check_name (target, EROFS);
}

static bool
check_executing (struct target *target)
{
  if (!is_there (target))
    return report_hidden (target);
  attempt_call_report (target->call,
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
check_renaming (const struct attempt_call *call, const struct seccomp_watched *watched)
{
  struct target from = { .operation = "rename" };
  struct target to = { .operation = "rename" };
  char object[FH_ATTEMPT_OBJECT_MAX + 1];

  if (!read_target (call, &watched->paths[0], &from) ||
      !read_target (call, &watched->paths[1], &to))
    return false;
  /* rename (2) does not move between mounts. */
  if (!is_own (&from))
    return check_name (&from, is_own (&to) ? EXDEV : EROFS);
  if (!is_own (&to))
    return check_name (&to, EXDEV);
  if (is_in_passing (from.path) || (from.place == PATH_SCRATCH && to.place == PATH_SCRATCH))
    return false;
  snprintf (object, sizeof object, "%.500s -> %.500s", from.path, to.path);
  report (&from, FH_WIRE_OBSERVED, object, 0, 0);
  return true;
}

/* Flags of open (2), or of openat2 (2), which are in memory. */
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
check_open (struct target *target, uint64_t flags)
{
  /* That opens nothing: libraries walk paths this way. */
  if (flags & O_PATH)
    return false;
  if (flags & O_DIRECTORY)
    target->operation = "list";
  if ((flags & O_ACCMODE) != O_RDONLY || flags & (O_CREAT | O_TRUNC))
    return check_opening (target, flags & O_CREAT);
  return check_reading (target);
}

void
attempt_files (const struct attempt_call *call, const struct seccomp_watched *watched)
{
  struct target target = { .operation = "open" };
  bool is_told = true;

  if (watched->act == SECCOMP_ACT_RENAME)
    {
      check_renaming (call, watched);
      return;
    }
  if (!read_target (call, &watched->paths[0], &target))
    return;
  if (watched->act == SECCOMP_ACT_OPEN || watched->act == SECCOMP_ACT_OPEN_HOW)
    is_told = check_open (&target, flags_of (call, watched));
  else if (watched->act == SECCOMP_ACT_ATTRIBUTES)
    {
      target.operation = "read attributes of";
      target.is_by_filter = true;
      is_told = check_reading (&target);
    }
  else if (watched->act == SECCOMP_ACT_EXECUTE)
    is_told = check_executing (&target);
  else
    {
      target.operation = watched->act == SECCOMP_ACT_DELETE   ? "delete"
                         : watched->act == SECCOMP_ACT_CREATE ? "create"
                                                              : "write to";
      if (watched->act == SECCOMP_ACT_WRITE)
        is_told = check_opening (&target, false);
      else
        is_told =
            watched->act == SECCOMP_ACT_DELETE ? check_deleting (&target) : check_making (&target);
    }
  if (!is_told && call->scene->policy->watch == FH_WIRE_WATCH_FILES)
    observe (&target);
}
