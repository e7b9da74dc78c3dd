/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "policy-builder.h"
#include "result-file.h"
#include "runner.h"
#include "wire-translation.h"

/* An order tells a runner all that it needs: a policy, and the program of a request with the files
 * beside it. Two runs can use the same sandbox if the frames of their policies are equal. */
typedef struct
{
  FhRunRequest *request;         /* NULL: there is no program, the policy is to be tried */
  FhTier tier;                   /* without a request: AUTO */
  int cpu;                       /* where its runner stays, see fh_runner_start; -1: anywhere */
  struct fh_policy *policy;      /* after a change it needs fh_order_encode() */
  GBytes *frame;                 /* the policy's */
  GBytes *messages;              /* see fh_policy_build_messages; NULL without a request */
  char *program;                 /* the file that holds the source; NULL: the language's name */
  GPtrArray *files;              /* (element-type FhRunFile): of a folder, nullable */
  gboolean has_all_files;        /* those of the request are among them */
  gboolean is_ahead;             /* the sandbox is built; the program is sent to it later */
  GBytes *next;                  /* starts it where earlier ones have left something; nullable */
  GStrv shown;                   /* the user's folders that the policy shows; nullable */
  gboolean is_shared;            /* the sandbox can stay for other runs */
  FhContainerOptions *container; /* of the container it is for; nullable */
  char *layers[FH_N_LAYERS];     /* the engine's part of each guard; nullable */
  FhResultFiles *left;           /* where those go that the program leaves; NULL: to the run */
  FhRunner *waiting;             /* for its control group, before it is told; nullable */
} FhOrder;

/* Without a frame. NULL with an error if the arguments are too long. */
FhOrder *fh_order_new (const FhPolicyParts *parts, GError **error);
/* One that only tries a policy, which it takes; also without a frame. */
FhOrder *fh_order_new_probe (struct fh_policy *policy);
FhOrder *fh_order_ref (FhOrder *self);
void fh_order_unref (FhOrder *self);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (FhOrder, fh_order_unref)

/* Makes the frame of the policy; FALSE with an error when it does not fit into one. */
gboolean fh_order_encode (FhOrder *self, GError **error);

/* Makes it the cell of this number, of an interpreter that counts from 1. */
void fh_order_set_cell (FhOrder *self, guint32 number);

/* Starts a runner of this computer and sends the order. The runner needs a listener at once. NULL
 * with an error. (transfer full) */
FhRunner *fh_order_start (FhOrder *self, GError **error);

/* Sends the order to a new runner; where systemd can give that a control group of its own, as soon
 * as this succeeded or failed, unless the connection was closed meanwhile. */
void fh_order_send (FhOrder *self, FhRunner *runner);

/* Sends the program, or the cell, to a runner that has built the sandbox. */
void fh_order_send_program (const FhOrder *self, FhRunner *runner);
