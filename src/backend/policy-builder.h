/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "interpreter.h"
#include "run-request.h"
#include "wire-policy.h"

G_BEGIN_DECLS

/* Where things are inside a sandbox. */
#define FH_INSIDE_WORKSPACE "/workspace"
#define FH_INSIDE_GUEST     "/opt/fumehood"

/* How the file that holds a program is named where others have files, too: this, eight hexadecimal
 * digits, "-" and the usual name. */
#define FH_SHARED_PROGRAM_PREFIX "fumehood-"

/* All that a policy is made from. */
typedef struct
{
  FhRunRequest *request;
  const FhInterpreter *interpreter; /* of the request's language */
  const FhRunLimits *limits;        /* those in force */
  const char *guest_folder;         /* host folder with bootstrap.py */
  const char *time_zone;            /* nullable: "Europe/Berlin" */
  FhTier tier;                      /* which one to use; not AUTO */

  /* Of tier D only. The interpreter is then a name of the image, without prefixes. */
  const FhContainerOptions *container;
  const char *const *image_environment; /* "NAME=VALUE" */
  const char *program;           /* the file that holds the source; NULL: as its language has it */
  gboolean needs_files;          /* what is left is collected, wanted or not */
  gboolean has_shared_workspace; /* others have put files there, or will find some */
} FhPolicyParts;

/* Pure: reads nothing and starts nothing. To be freed with fh_policy_free. */
struct fh_policy *fh_policy_build (const FhPolicyParts *parts);

/* A policy that builds every guard of this tier and runs nothing, under the default limits. */
struct fh_policy *fh_policy_build_probe (FhTier tier);

/* The frame that carries the policy; NULL with FH_RUN_ERROR_INVALID when it does not fit, which
 * only very long arguments can cause. */
GBytes *fh_policy_to_frame (const struct fh_policy *policy, GError **error);

/* A run may ask for less than its sandbox was prepared for, never for more. */
FhRunLimits fh_policy_limits (const FhRunLimits *sandbox, const FhRunLimits *request);

/* The same without those that belong to guards that are switched off, 1 << FhGuard. */
FhRunLimits fh_policy_limits_without (FhRunLimits limits, guint without);

/* A zone is passed on only when it is a plain name of the zone database. */
gboolean fh_policy_is_time_zone (const char *name);

G_END_DECLS
