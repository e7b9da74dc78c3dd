/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * What a call names by a path: its place in the tree, and whether that is the guest's own.
 */
#pragma once

#include "attempt-call.h"
#include "attempt-path.h"

/* A path that a call names. */
struct target
{
  const struct attempt_call *call;
  const char *operation;
  bool is_by_filter; /* refused by the filter, not by the tree */
  bool is_uncertain; /* whether it succeeds is not known, if it is only observed */
  bool follows_last; /* the call follows a link that the path ends with */
  uint64_t rules;    /* how its path is looked up, as in open_how of openat2 (2) */
  enum path_place place;
  const char *path; /* as reported */
  const char *real; /* its place in the tree that the guest sees */
  int found;        /* as links_follow returned it */
  char joined[PATH_MAX];
  char inside[PATH_MAX];
};

/* What the call names by `which`, by the rules that `target` has. `follows_last`: it follows a link
 * that the path ends with. False if that is not known: then it was reported as far as it is, unless
 * it is certain to fail. */
bool target_read (const struct attempt_call *call,
                  const struct seccomp_path *which,
                  bool follows_last,
                  struct target *target);
/* What the call means by the open file in the argument `folder` of `which`, without a path. False
 * as above, and for what has no place in the tree, such as a pipe. */
bool target_read_open (const struct attempt_call *call,
                       const struct seccomp_path *which,
                       struct target *target);
/* What `named` leads to, which starts from the working folder unless it is absolute. False if that
 * is not known. */
bool target_resolve (const struct attempt_call *call,
                     const char *named,
                     bool follows_last,
                     struct target *target);
void target_report (const struct target *target,
                    enum fh_wire_verdict verdict,
                    const char *object,
                    int error,
                    uint32_t flags);
/* Reports what does not exist for the guest, if it matters. */
bool target_report_hidden (const struct target *target);
/* The guest's own: what it may change. */
bool target_is_own (const struct target *target);
/* Exists in the host's own tree but is not the guest's. */
bool target_is_forbidden (const struct target *target);
/* Whether it exists for the guest. */
bool target_is_there (const struct target *target);
/* True if it was not found because the guest's private folders are closed to this process, or
 * because the way to it is too long: nothing is known of it then. */
bool target_is_unknown (const struct target *target);
/* Flags of an attempt on what may be the user's. */
uint32_t target_outside (const struct target *target);
/* A handle of `path` as the guest sees it, or a negative errno. */
int target_open (const struct target *target, const char *path);
