/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <adwaita.h>

typedef enum
{
  FH_APPROVAL_REFUSED,
  FH_APPROVAL_ONCE,
  FH_APPROVAL_ALWAYS,
} FhApprovalAnswer;

/* Shows code that another program wants to run, or that is a block of an answer. All texts may be
 * chosen by others and are shown as plain text, in which nothing is hidden.
 *
 * Signal "answered" (guint answer, const char *reason): an FhApprovalAnswer, at most once, before
 * it is gone; also when it is closed. If it goes with its parent, that is no answer to it alone. */
#define FH_TYPE_APPROVAL_DIALOG (fh_approval_dialog_get_type ())
G_DECLARE_FINAL_TYPE (FhApprovalDialog, fh_approval_dialog, FH, APPROVAL_DIALOG, AdwWindow)

/* `question`: who wants what. `summary`: limits and other options. */
GtkWidget *fh_approval_dialog_new (const char *question, const char *code, const char *summary);

/* Asks about a block of an answer in a tab, which can be run without asking from now on. */
void fh_approval_dialog_offer_always (FhApprovalDialog *self);
/* Shows what the code would reach; NULL or empty for nothing. */
void fh_approval_dialog_set_look (FhApprovalDialog *self, const char *text);

/* How many other questions wait. */
void fh_approval_dialog_set_waiting (FhApprovalDialog *self, guint n_waiting);
