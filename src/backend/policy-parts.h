/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "interpreter.h"
#include "run-request.h"

/* Where things are inside a sandbox. */
#define FH_INSIDE_WORKSPACE "/workspace"
#define FH_INSIDE_GUEST     "/opt/fumehood"

/* In a folder that has other files, the program's file is named: this, eight hexadecimal digits,
 * "-" and the usual name. */
#define FH_SHARED_PROGRAM_PREFIX "fumehood-"

/* What a policy is built from; borrowed. */
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

/* All variables that a program will have, "NAME=VALUE". (transfer full) */
char **fh_policy_environment (const FhPolicyParts *parts);
