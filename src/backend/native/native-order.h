/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "interpreter.h"
#include "opened-path.h"
#include "portal-folder.h"
#include "run-events.h"
#include "runner-command.h"

G_BEGIN_DECLS

/* What a runner of this computer is told for a request, in one tier. The policies of two runs are
 * equal if the same sandbox suits both. */
typedef struct
{
  FhRunRequest *request;
  FhTier tier;
  int cpu; /* where the runner is started; -1: anywhere */
  FhInterpreter *interpreter;
  char *guest_folder;
  char *time_zone;
  struct fh_policy *policy; /* NULL once it is part of a command */
  GBytes *messages;         /* see fh_policy_build_messages */
  char *program;            /* the file that holds the source; NULL: the language's name */
  GPtrArray *files;         /* of a work folder; nullable */
  FhOpenedPath *project;    /* that the sandbox mounts; nullable */
  GStrv shown;              /* what all need that may share the sandbox; NULL: it is not shared */
  gboolean has_python;      /* one of these is in Python */
  GBytes *next;             /* starts it where earlier ones have left something; nullable */
  FhResultFiles *left;      /* where those go that the program leaves; NULL: to the run */
} FhNativeOrder;

/* NULL with an error if the request cannot run here. */
FhNativeOrder *fh_native_order_new (FhRunRequest *request, FhTier tier, GError **error);
void fh_native_order_free (FhNativeOrder *self);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (FhNativeOrder, fh_native_order_free)

/* Adds the files of a work folder and where the program's go, and names the program so that it is
 * none of them. `project` (nullable) is mounted below them. FALSE with an error. */
gboolean fh_native_order_set_work (FhNativeOrder *self,
                                   const char *program,
                                   GPtrArray *files,
                                   FhOpenedPath *project,
                                   FhResultFiles *left,
                                   GError **error);

/* How a run ends whose order or runner could not be made. */
FhRunStatus fh_native_order_status_of (const GError *error);

/* Makes it the cell of that number. */
void fh_native_order_set_cell (FhNativeOrder *self, guint32 number);

/* Takes the policy. `request`: its own, or NULL to prepare. `folder` is for the runner; it may be
 * set to NULL. */
FhRunnerCommand *fh_native_order_make_command (FhNativeOrder *self,
                                               FhRunRequest *request,
                                               FhPortalFolder **folder,
                                               GError **error);

/* Sends the program, or the cell, to a runner that has prepared for it. */
void fh_native_order_send (const FhNativeOrder *self, FhRunnerProcess *process);

/* (transfer full) */
FhRunEvents *fh_native_order_make_events (const FhNativeOrder *self, FhRun *run);

G_END_DECLS
