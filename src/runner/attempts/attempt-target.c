/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "attempt-target.h"

#include "attempt-existence.h"
#include "attempt-links.h"
#include "descriptor.h"
#include "guest-folder.h"
#include "guest-memory.h"
#include "links-as-guest.h"
#include "stage-numbers.h"
#include "wire-container.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/openat2.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

/* With these the kernel does not follow a path to where it would lead otherwise. The others only
 * refuse what has no name in the guest's tree, or what would take time. */
#define STRICT_RULES (RESOLVE_IN_ROOT | RESOLVE_BENEATH | RESOLVE_NO_SYMLINKS)
#define LAX_RULES    (RESOLVE_NO_XDEV | RESOLVE_NO_MAGICLINKS | 0x20 /* RESOLVE_CACHED */)

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

/* Where it starts from, or what it is, could not be found out; `object` is all that is known. */
static void
report_unknown (struct target *target, const char *object)
{
  target->is_uncertain = true;
  target_report (target, target->is_by_filter ? FH_WIRE_DENIED : FH_WIRE_OBSERVED, object, 0, 0);
}

static bool
resolve (struct target *target, const char *base, const char *named, bool follows_last)
{
  const struct attempt_call *call = target->call;

  if (!path_join (base, named, target->joined))
    return false;
  /* An empty name is `base` itself, which is open. */
  target->found = named[0] == '\0' ? LINKS_OPEN
                                   : links_follow (call, base, named, follows_last, target->joined);
  if (target->found == -EACCES || target->found == LINKS_CLOSED)
    links_follow_as_guest (call, base, named, follows_last, target->joined, &target->found);
  return target->found != LINKS_CLOSED && find_place (target);
}

/* `base` is the folder that it starts from, if it is relative. */
static bool
resolve_in (struct target *target, int folder, const char *named, bool follows_last)
{
  char base[PATH_MAX] = "/";

  target->follows_last = follows_last;
  target->found = LINKS_NOT_SEEN;
  if (path_is_plainly_system (named))
    {
      strcpy (target->joined, named);
      target->path = target->real = target->joined;
      target->place = PATH_SYSTEM;
      return true;
    }
  if (named[0] != '/' &&
      (!guest_folder_path (target->call->thread, folder, base) || base[0] != '/'))
    return false;
  return resolve (target, base, named, follows_last);
}

/* With rules of the call's own the kernel looks a path up in another way, or refuses it before any
 * guard is asked. False if they may have decided: then `named` is the path without its links. */
static bool
resolve_by_rules (struct target *target, int folder, char named[PATH_MAX], bool follows_last)
{
  const bool has_root = target->rules & RESOLVE_IN_ROOT;
  const bool needs_base = named[0] != '/' || target->rules & (RESOLVE_IN_ROOT | RESOLVE_BENEATH);
  const char *rest = named + (has_root ? strspn (named, "/") : 0);
  char base[PATH_MAX] = "/";
  char below[PATH_MAX];
  char plain[PATH_MAX];
  bool is_certain;

  if (needs_base && (!guest_folder_path (target->call->thread, folder, base) || base[0] != '/'))
    return false;
  if (!path_join ("/", rest, below) || !path_join (base, has_root ? below + 1 : named, plain))
    return false;
  target->follows_last = follows_last;
  is_certain = resolve (target, base, rest, follows_last) && strcmp (target->joined, plain) == 0 &&
               (!(target->rules & RESOLVE_BENEATH) || path_is_within (plain, base)) &&
               (target->rules & ~(uint64_t) (STRICT_RULES | LAX_RULES)) == 0;
  strcpy (target->joined, plain);
  if (!find_place (target))
    return false;
  strcpy (named, target->path);
  return is_certain;
}

bool
target_read (const struct attempt_call *call,
             const struct seccomp_path *which,
             bool follows_last,
             struct target *target)
{
  const int folder = which->folder < 0 ? AT_FDCWD : (int) call->arguments[which->folder];
  char named[PATH_MAX];

  target->call = call;
  if (!guest_memory_string (call->thread, call->arguments[which->path], named, sizeof named))
    {
      if (guest_memory_is_closed (errno))
        report_unknown (target, "");
      return false;
    }
  if ((target->rules & ~(uint64_t) LAX_RULES) != 0
          ? resolve_by_rules (target, folder, named, follows_last)
          : resolve_in (target, folder, named, follows_last))
    return true;
  report_unknown (target, named);
  return false;
}

/* The guest's folders are mounts of its own, unless it is in the host's tree. That can be found out
 * without a copy of the descriptor. */
static bool
is_in_own_mount (const struct attempt_call *call, int descriptor)
{
  static const char *const own[] = { "/workspace", "/tmp" };
  struct statx status;
  bool is_own = false;

  for (size_t i = 0; call->scene->folder == NULL && !is_own && i < sizeof own / sizeof own[0]; i++)
    {
      fh_autofd int handle = existence_open_inside (call->scene->root, own[i]);

      is_own = handle >= 0 &&
               statx (handle, "", AT_EMPTY_PATH | AT_STATX_DONT_SYNC, STATX_MNT_ID, &status) == 0 &&
               guest_folder_is_in_mount (call->thread, descriptor, &status);
    }
  return is_own;
}

bool
target_read_open (const struct attempt_call *call,
                  const struct seccomp_path *which,
                  struct target *target)
{
  const int descriptor = (int) call->arguments[which->folder];
  char path[PATH_MAX];

  target->call = call;
  if (is_in_own_mount (call, descriptor))
    return false;
  if (guest_folder_path (call->thread, descriptor, path))
    return path[0] == '/' && resolve (target, path, "", false);
  report_unknown (target, "");
  return false;
}

bool
target_resolve (const struct attempt_call *call,
                const char *named,
                bool follows_last,
                struct target *target)
{
  target->call = call;
  return resolve_in (target, AT_FDCWD, named, follows_last);
}

void
target_report (const struct target *target,
               enum fh_wire_verdict verdict,
               const char *object,
               int error,
               uint32_t flags)
{
  const bool is_observed = verdict == FH_WIRE_OBSERVED;
  const bool is_uncertain = is_observed && (target->is_uncertain || target_is_unknown (target));
  const bool is_execute = strcmp (target->operation, "execute") == 0;

  attempt_call_report (target->call,
                       &(const struct attempt_finding){
                           .guard = is_execute ? FH_WIRE_GUARD_PROCESSES : FH_WIRE_GUARD_FILESYSTEM,
                           .verdict = (uint8_t) verdict,
                           .flags = flags | (is_uncertain ? FH_ATTEMPT_IS_UNCERTAIN : 0),
                           .error = error,
                           .layer = is_observed || target->is_by_filter   ? "seccomp"
                                    : target->call->scene->folder != NULL ? "landlock"
                                                                          : "mount",
                           .operation = target->operation,
                           .object = object,
                       });
}

static bool
is_home_of_container (const struct target *target)
{
  return target->call->scene->policy->tier == FH_WIRE_TIER_CONTAINER &&
         path_is_within (target->path, FH_CONTAINER_HOME);
}

bool
target_is_own (const struct target *target)
{
  return target->place == PATH_WORKSPACE || target->place == PATH_SCRATCH ||
         (target->place == PATH_PRIVATE &&
          (path_is_within (target->path, "/workspace") || is_home_of_container (target)));
}

/* Its path on the user's computer, where the guest's home stands for the user's. False if unknown.
 */
static bool
path_outside (const struct target *target, char path[PATH_MAX])
{
  const bool is_in_home = path_is_within (target->path, "/workspace");
  const char *home = is_in_home ? target->call->scene->policy->home : "";
  const char *rest = target->path + (is_in_home ? strlen ("/workspace") : 0);

  return (!is_in_home || home[0] == '/') &&
         snprintf (path, PATH_MAX, "%s%s", home, rest) < PATH_MAX && path[0] == '/';
}

/* Flags of an attempt on what may be the user's: the guest's home stands for the user's. What is
 * outside of a container cannot be seen from inside. In the host's own tree the guest can find out
 * what exists, so look for it at once, on local disks. Elsewhere it is looked for at the end. */
uint32_t
target_outside (const struct target *target)
{
  const struct attempt_scene *scene = target->call->scene;
  char path[PATH_MAX];

  if (scene->policy->tier == FH_WIRE_TIER_CONTAINER)
    return 0;
  if (scene->folder == NULL)
    return ATTEMPT_MAY_BE_OUTSIDE;
  if (!path_outside (target, path) ||
      existence_of (existence_open_outside (path)) != EXISTENCE_THERE)
    return 0;
  return FH_ATTEMPT_EXISTS_OUTSIDE;
}

/* True if the host's own tree, which the guest sees as well, has nothing of the kind, nor the
 * folder in which a new name would be. */
static bool
is_missing_in_host (const struct target *target)
{
  char path[PATH_MAX];
  char *end;

  if (target->call->scene->folder == NULL || !path_outside (target, path) ||
      existence_of (existence_open_outside (path)) != EXISTENCE_MISSING)
    return false;
  if (!existence_is_of_folder (target->operation))
    return true;
  end = strrchr (path, '/');
  *end = '\0';
  return end != path && existence_of (existence_open_outside (path)) == EXISTENCE_MISSING;
}

bool
target_is_forbidden (const struct target *target)
{
  return target->call->scene->folder != NULL && !target_is_own (target);
}

/* A handle of `path` as the guest sees it. In the host's own tree a link of the guest's may lead
 * anywhere. */
int
target_open (const struct target *target, const char *path)
{
  return target->call->scene->folder != NULL
             ? existence_open_outside (path)
             : existence_open_inside (target->call->scene->root, path);
}

bool
target_is_unknown (const struct target *target)
{
  return target_is_own (target) && (target->found == -EACCES || target->found == -ELOOP);
}

/* If the guest has its own user id, its private folders are closed to this process; assume that
 * what they contain exists. */
bool
target_is_there (const struct target *target)
{
  int handle = target->found == LINKS_NOT_SEEN ? target_open (target, target->real) : target->found;

  if (handle < 0)
    return target_is_unknown (target);
  if (target->found == LINKS_NOT_SEEN)
    close (handle);
  return true;
}

/* The user's programs have secrets in these folders, too, such as tickets of Kerberos. */
static bool
is_shared_scratch (const struct target *target)
{
  return path_is_within (target->path, "/tmp") || path_is_within (target->path, "/var/tmp");
}

bool
target_report_hidden (const struct target *target)
{
  char shown[PATH_MAX];
  uint32_t flags;

  /* Where it leads is not known, so it may be to what is hidden. */
  if (target->found == -ELOOP && target_is_own (target))
    {
      target_report (target, FH_WIRE_OBSERVED, target->path, 0, 0);
      return true;
    }
  if (target->place == PATH_SYSTEM ||
      (!is_shared_scratch (target) &&
       (target->place == PATH_QUIET || target->place == PATH_SCRATCH)))
    return false;
  flags = target_outside (target);
  if (flags == 0 && target->place != PATH_PRIVATE)
    return false;
  path_in_home (target->path, shown);
  if (target_is_there (target))
    {
      if (target_is_forbidden (target) && strcmp (target->real, "/") != 0)
        target_report (target, FH_WIRE_DENIED, shown, EACCES, FH_ATTEMPT_EXISTS_OUTSIDE);
      return target_is_forbidden (target);
    }
  if (flags == ATTEMPT_MAY_BE_OUTSIDE && target->place != PATH_PRIVATE)
    flags |= ATTEMPT_ONLY_IF_OUTSIDE;
  if (is_missing_in_host (target))
    target_report (target, FH_WIRE_OBSERVED, shown, ENOENT, FH_ATTEMPT_IS_MISSING);
  else
    target_report (target, FH_WIRE_HIDDEN, shown, ENOENT, flags);
  return true;
}
