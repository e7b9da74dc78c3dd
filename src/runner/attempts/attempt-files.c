/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "attempt-existence.h"
#include "attempt-links.h"
#include "attempt-target.h"
#include "descriptor.h"
#include "guest-memory.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/openat2.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static void
observe (const struct target *target)
{
  target_report (target, FH_WIRE_OBSERVED, target->path, 0, 0);
}

/* For files of /proc that exist but are covered. */
static bool
report_covered (const struct target *target)
{
  fh_autofd int handle = -1;
  int error;

  if (target->place != PATH_PRIVATE || !path_is_within (target->path, "/proc"))
    return false;
  handle = target_open (target, target->real);
  if (handle < 0)
    return false;
  error = target_is_forbidden (target) ? EACCES : existence_error (handle, R_OK);
  target_report (target, error == 0 ? FH_WIRE_HIDDEN : FH_WIRE_DENIED, target->path, error, 0);
  return true;
}

static bool
check_reading (struct target *target, const struct seccomp_watched *watched)
{
  return report_covered (target) || target_report_hidden (target);
}

/* Whether this is what Python makes to store byte code beside a module: a folder, or a file in it,
 * which first has a number behind its name. */
static bool
is_byte_code (const char *path)
{
  static const char folder[] = "/__pycache__";
  const char *found = strstr (path, folder);
  const char *name;

  if (found == NULL)
    return false;
  name = found + strlen (folder);
  return *name == '\0' ||
         (*name == '/' && strchr (name + 1, '/') == NULL && strstr (name, ".pyc") != NULL);
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
  return is_byte_code (path);
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
  return target_open (target, parent);
}

/* A name that is created or removed in a folder; `error`: what the guest gets if it cannot. */
static bool
check_name (struct target *target, int error)
{
  fh_autofd int parent = open_parent (target);

  if (parent < 0)
    return target_report_hidden (target);
  if (target_is_forbidden (target))
    error = EACCES;
  else if (!existence_is_read_only (parent))
    return false;
  target_report (target, FH_WIRE_DENIED, target->path, error, 0);
  return true;
}

/* Something that exists. A device can be written to wherever it is, but for those that are private.
 */
static bool
check_writing (const struct target *target, int handle)
{
  struct stat status;
  int error = 0;

  if (fstat (handle, &status) == 0 && S_ISREG (status.st_mode))
    error = target_is_forbidden (target) ? EACCES : existence_error (handle, W_OK);
  else if (target->place == PATH_PRIVATE && target_is_forbidden (target))
    error = EACCES;
  if (error != EROFS && error != EACCES)
    return false;
  target_report (target, FH_WIRE_DENIED, target->path, error, 0);
  return true;
}

/* The guest's own files are free for all. If the user has a file of that name, report it: the guest
 * may take its home for the user's. */
static bool
observe_change (struct target *target, bool is_new)
{
  if (target->place == PATH_SCRATCH || is_in_passing (target->path))
    return false;
  target_report (target, FH_WIRE_OBSERVED, target->path, 0, is_new ? target_outside (target) : 0);
  return true;
}

/* A file opened for writing; `creates`: even if it does not exist. */
static bool
check_opening (struct target *target, bool creates)
{
  const bool is_seen = target_is_own (target) && target->found <= 0;
  fh_autofd int handle = is_seen ? -1 : target_open (target, target->real);
  const int error = is_seen ? target->found : handle < 0 ? handle : 0;
  const bool is_missing = error == -ENOENT || error == -ENOTDIR;

  if (error < 0 && (!creates || target->found == LINKS_OPEN))
    return target_report_hidden (target);
  /* Exists, but cannot be examined from here. */
  if (error < 0 && !is_missing && !target_is_unknown (target))
    return false;
  target->operation = is_missing ? "create" : "write to";
  if (target_is_own (target))
    return observe_change (target, is_missing);
  if (is_in_passing (target->path))
    return false;
  return handle < 0 ? check_name (target, EROFS) : check_writing (target, handle);
}

/* A file, folder or link that is created; an existing one is left as it is. */
static bool
make (struct target *target, const char *object)
{
  if (is_in_passing (target->path) || target_is_there (target))
    return false;
  if (!target_is_own (target))
    return check_name (target, EROFS);
  if (object == target->path)
    return observe_change (target, true);
  if (target->place != PATH_SCRATCH)
    target_report (target, FH_WIRE_OBSERVED, object, 0, 0);
  return target->place != PATH_SCRATCH;
}

static bool
check_making (struct target *target, const struct seccomp_watched *watched)
{
  return make (target, target->path);
}

static bool
check_deleting (struct target *target, const struct seccomp_watched *watched)
{
  if (target_is_own (target) && target_is_there (target))
    return observe_change (target, false);
  return target_is_own (target) ? target_report_hidden (target) : check_name (target, EROFS);
}

/* False if it cannot be executed, or only somebody else may: the guest may have its own user id. */
static bool
may_be_executed (const struct target *target)
{
  fh_autofd int handle = target_open (target, target->real);

  return handle >= 0 && existence_error (handle, X_OK) == 0;
}

/* Without the permission to read it, it cannot be executed either. */
static bool
check_executing (struct target *target, const struct seccomp_watched *watched)
{
  if (!target_is_there (target) || (target_is_forbidden (target) && target->place != PATH_SYSTEM))
    {
      target->operation = "open";
      return target_report_hidden (target);
    }
  target->is_uncertain = !target->follows_last || !may_be_executed (target);
  observe (target);
  return true;
}

/* The two folders of the guest may be different mounts, between which nothing can be moved. */
static bool
is_elsewhere (const struct target *from, const struct target *to)
{
  return (from->place == PATH_SCRATCH) != (to->place == PATH_SCRATCH);
}

static bool
check_renaming (struct target *from, const struct seccomp_watched *watched)
{
  struct target to = { .operation = "rename" };
  char object[FH_ATTEMPT_OBJECT_MAX + 1];

  if (!target_read (from->call, &watched->paths[1], false, &to))
    return false;
  /* rename (2) does not move between mounts. */
  if (!target_is_own (from))
    return check_name (from, target_is_own (&to) ? EXDEV : EROFS);
  if (!target_is_own (&to))
    return check_name (&to, EXDEV);
  if (!target_is_there (from))
    return target_report_hidden (from);
  if (is_in_passing (from->path) || (from->place == PATH_SCRATCH && to.place == PATH_SCRATCH))
    return false;
  from->is_uncertain = is_elsewhere (from, &to);
  snprintf (object, sizeof object, "%.500s -> %.500s", from->path, to.path);
  target_report (from, FH_WIRE_OBSERVED, object, 0, 0);
  return true;
}

static bool
is_of_another (const struct target *target)
{
  fh_autofd int handle = target_is_forbidden (target) ? target_open (target, target->real) : -1;
  struct stat status;

  return handle >= 0 && (fstat (handle, &status) < 0 || status.st_uid != geteuid ());
}

/* A second name, `to`, for a file. Programs also give a first name to one that they have open. */
static bool
check_linking (struct target *to, const struct seccomp_watched *watched)
{
  const struct seccomp_path *source = &watched->paths[1];
  const bool follows = source->folder >= 0 && to->call->arguments[4] & AT_SYMLINK_FOLLOW;
  struct target from = { .operation = "link to" };

  if (!target_read (to->call, source, follows, &from))
    return false;
  to->is_uncertain = is_elsewhere (&from, to) || target_is_unknown (&from);
  if (target_is_own (&from))
    return make (to, to->path);
  if (!target_is_there (&from))
    return target_report_hidden (&from);
  /* On the host's own tree the kernel may first object to a file that is another user's. */
  target_report (&from, FH_WIRE_DENIED, from.path, is_of_another (&from) ? 0 : EXDEV, 0);
  return true;
}

/* A link does not say where it leads in its name. */
static bool
check_link (struct target *target, const struct seccomp_watched *watched)
{
  const uint64_t text = target->call->arguments[watched->paths[1].path];
  char object[FH_ATTEMPT_OBJECT_MAX + 1];
  char link[PATH_MAX];

  if (!guest_memory_string (target->call->thread, text, link, sizeof link))
    return false;
  snprintf (object, sizeof object, "%.500s -> %.500s", target->path, link);
  return make (target, object);
}

/* Devices take a privilege, which the guest does not have. */
static bool
check_node (struct target *target, const struct seccomp_watched *watched)
{
  const mode_t mode = (mode_t) target->call->arguments[watched->paths[0].path + 1];
  const bool has_rules = target->call->scene->has_file_rules;

  if ((!S_ISCHR (mode) && !S_ISBLK (mode)) || !target_is_own (target) || target_is_there (target))
    return make (target, target->path);
  attempt_call_report (target->call,
                       &(const struct attempt_finding){
                           .guard = FH_WIRE_GUARD_PRIVILEGES,
                           .verdict = FH_WIRE_DENIED,
                           .error = has_rules ? EACCES : EPERM,
                           .layer = has_rules ? "landlock" : "capabilities",
                           .operation = target->call->name,
                           .object = target->path,
                       });
  return true;
}

/* Permissions, owner or times. A filter that refuses this cannot tell whose the file is; the
 * guest's own are not worth a word. */
static bool
check_changing (struct target *target, const struct seccomp_watched *watched)
{
  fh_autofd int handle = -1;

  if (target_is_own (target) || is_in_passing (target->path))
    return target->is_by_filter;
  if (!target->is_by_filter && !target_is_there (target))
    return target_report_hidden (target);
  handle = target_open (target, target->real);
  if (!target->is_by_filter && (handle < 0 || !existence_is_read_only (handle)))
    return false;
  target_report (target, FH_WIRE_DENIED, target->path, target->is_by_filter ? EPERM : EROFS, 0);
  return true;
}

/* A file without a name in a folder. */
static bool
check_unnamed (struct target *target)
{
  fh_autofd int handle = target_open (target, target->real);
  char object[FH_ATTEMPT_OBJECT_MAX + 1];
  bool is_read_only;

  target->operation = "create";
  if (handle < 0 && !target_is_unknown (target))
    return target_report_hidden (target);
  is_read_only = handle >= 0 && existence_is_read_only (handle);
  if (target->place == PATH_SCRATCH ||
      (!target_is_own (target) && !is_read_only && !target_is_forbidden (target)))
    return false;
  snprintf (object, sizeof object, "%.1000s (unnamed)", target->path);
  if (target_is_own (target))
    target_report (target, FH_WIRE_OBSERVED, object, 0, 0);
  else
    target_report (target,
                   FH_WIRE_DENIED,
                   object,
                   target_is_forbidden (target) ? EACCES : EROFS,
                   0);
  return true;
}

/* Flags of open (2), or of openat2 (2), which are in memory, beside its rules. */
static struct open_how
how_of (const struct attempt_call *call, const struct seccomp_watched *watched)
{
  const uint64_t argument = call->arguments[watched->paths[0].path + 1];
  struct open_how how = { 0 };

  if (watched->act == SECCOMP_ACT_OPEN_HOW)
    guest_memory_read (call->thread, argument, &how, sizeof how);
  else
    how.flags = argument;
  return how;
}

static bool
check_open (struct target *target, const struct seccomp_watched *watched)
{
  const uint64_t flags = how_of (target->call, watched).flags;

  /* That opens nothing: libraries walk paths this way. */
  if (flags & O_PATH)
    return false;
  if ((flags & O_TMPFILE) == O_TMPFILE)
    return check_unnamed (target);
  if (flags & O_DIRECTORY)
    target->operation = "list";
  if ((flags & O_ACCMODE) != O_RDONLY || flags & (O_CREAT | O_TRUNC))
    return check_opening (target, flags & O_CREAT);
  return check_reading (target, watched);
}

static bool
check_shortening (struct target *target, const struct seccomp_watched *watched)
{
  return check_opening (target, false);
}

static const struct
{
  const char *operation;
  /* Reports the call if it matters. False if it did not. */
  bool (*check) (struct target *target, const struct seccomp_watched *watched);
  bool follows_last; /* a link that the path ends with, unless its name or its flags say no */
} acts[] = {
  [SECCOMP_ACT_OPEN] = { "open", check_open, true },
  [SECCOMP_ACT_OPEN_HOW] = { "open", check_open, true },
  [SECCOMP_ACT_CREATE] = { "create", check_making },
  [SECCOMP_ACT_NODE] = { "create", check_node },
  [SECCOMP_ACT_LINK] = { "create", check_linking },
  [SECCOMP_ACT_LINK_BY_NAME] = { "create", check_link },
  [SECCOMP_ACT_WRITE] = { "write to", check_shortening, true },
  [SECCOMP_ACT_DELETE] = { "delete", check_deleting },
  [SECCOMP_ACT_RENAME] = { "rename", check_renaming },
  [SECCOMP_ACT_ATTRIBUTES] = { "read attributes of", check_reading, true },
  [SECCOMP_ACT_CHANGE] = { "change attributes of", check_changing, true },
  [SECCOMP_ACT_EXECUTE] = { "execute", check_executing, true },
};

static bool
follows_last (const struct attempt_call *call, const struct seccomp_watched *watched)
{
  uint64_t flags;

  if (!acts[watched->act].follows_last || watched->flags == NO_FOLLOWING)
    return false;
  if (watched->act != SECCOMP_ACT_OPEN && watched->act != SECCOMP_ACT_OPEN_HOW)
    return watched->flags == 0 || !(call->arguments[watched->flags] & AT_SYMLINK_NOFOLLOW);
  flags = how_of (call, watched).flags;
  return !(flags & O_NOFOLLOW) && (flags & (O_CREAT | O_EXCL)) != (O_CREAT | O_EXCL);
}

/* True if the call names a file that is open: fchmod (2), or utimensat (2) without a path. */
static bool
is_of_open_file (const struct attempt_call *call, const struct seccomp_watched *watched)
{
  const struct seccomp_path *which = &watched->paths[0];

  return which->path == NO_PATH || (watched->act == SECCOMP_ACT_CHANGE && which->folder >= 0 &&
                                    call->arguments[which->path] == 0);
}

void
attempt_files (const struct attempt_call *call, const struct seccomp_watched *watched)
{
  const struct seccomp_path *which = &watched->paths[0];
  struct target target = { .operation = acts[watched->act].operation,
                           .is_by_filter = call->answer != 0 };

  if (watched->act == SECCOMP_ACT_OPEN_HOW)
    target.rules = how_of (call, watched).resolve;
  if ((is_of_open_file (call, watched)
           ? target_read_open (call, which, &target)
           : target_read (call, which, follows_last (call, watched), &target)) &&
      !acts[watched->act].check (&target, watched) && call->answer == 0 &&
      call->scene->policy->watch == FH_WIRE_WATCH_FILES)
    observe (&target);
}
