/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "interpreter.h"
#include "run-request.h"
#include "wire-policy.h"

/* Where things are inside a sandbox. */
#define FH_INSIDE_WORKSPACE "/workspace"
#define FH_INSIDE_GUEST     "/opt/fumehood"

/* In a folder that has other files, the program's file is named: this, eight hexadecimal digits,
 * "-" and the usual name. */
#define FH_SHARED_PROGRAM_PREFIX "fumehood-"

/* A policy is built from these parts, which are borrowed. */
typedef struct
{
  FhRunRequest *request;
  const FhInterpreter *interpreter; /* of the request's language */
  const char *guest_folder;         /* host folder with bootstrap.py */
  const char *time_zone;            /* nullable: "Europe/Berlin" */
  FhTier tier;                      /* not AUTO */
  gboolean is_shared;       /* the sandbox can stay for other runs, perhaps in other languages */
  const char *const *shown; /* what all of them need, if it is; else NULL: the interpreter's */
  gboolean has_python;      /* one of them is in Python */

  /* Tier D only. The interpreter is then a program of the image, without prefixes. */
  const FhContainerOptions *container;
  const char *const *image_environment; /* "NAME=VALUE" */
  const char *program;           /* the file that holds the source; NULL: the language's name */
  gboolean needs_files;          /* collect files even if the request does not ask for them */
  gboolean has_shared_workspace; /* the workspace has other files, or outlives the run */
} FhPolicyParts;

/* Pure: reads nothing and starts nothing. To be freed with fh_policy_free. */
struct fh_policy *fh_policy_build (const FhPolicyParts *parts);

/* The messages for data/guest/bootstrap.py, see FH_FRAME_RUN: what to guard, if anything, and the
 * program with its arguments; empty for languages that it does not run. NULL with
 * FH_RUN_ERROR_INVALID when the arguments are too long. */
GBytes *fh_policy_build_messages (const FhPolicyParts *parts, GError **error);

/* The messages for the cell of this number (the request and the tier of `parts` count), of an
 * interpreter that counts from 1. */
GBytes *fh_policy_build_cell (const FhPolicyParts *parts, guint32 number);

/* The payload of FH_FRAME_RUN for a cell: its limits of time. */
GBytes *fh_policy_build_cell_limits (FhRunRequest *request);

/* A policy that sets up every guard of this tier under the default limits and runs nothing. What
 * Python programs are started with is in there, if `guest_folder` is not NULL. */
struct fh_policy *fh_policy_build_probe (FhTier tier, const char *guest_folder);

/* The same for all programs that can share a sandbox, as if there were none in it. NULL with an
 * error, as below. */
GBytes *fh_policy_to_shared_frame (const struct fh_policy *policy, GError **error);
/* Returns the frame that starts the program of this policy in a sandbox that it shares:
 * FH_FRAME_PROGRAM. NULL with an error, as below. */
GBytes *fh_policy_to_program_frame (const struct fh_policy *policy, gboolean stays, GError **error);

/* The policy's frame; NULL with FH_RUN_ERROR_INVALID when the arguments are too long for one. */
GBytes *fh_policy_to_frame (const struct fh_policy *policy, GError **error);

/* The user's time zone, such as "Europe/Berlin"; NULL when unknown. (transfer full) */
char *fh_time_zone_of_user (void);

/* Whether it is a plain name of the zone database, which is safe to pass on. */
gboolean fh_time_zone_is_plain (const char *name);
