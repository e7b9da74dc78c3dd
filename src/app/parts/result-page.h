/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <gtk/gtk.h>

#include "run.h"

/* What the pages of the results show: a run, or an answer as a whole. All of it is nullable, and
 * nothing at all empties the pages. */
typedef struct
{
  FhRun *run; /* while it goes on, and until something else is shown */
  FhRunRequest *request;
  FhRunResult *result; /* of what is over, if there is no run */
  FhAttemptLog *attempts;
  FhResultFiles *files;
  FhFolderChanges *changes;
} FhShownResult;

/* A page of the results. Below it is nothing that knows of runs, and beside it no other page: what
 * it shows is given to it.
 *
 * Signal "changed": whether it is present or needs attention may have changed. */
#define FH_TYPE_RESULT_PAGE (fh_result_page_get_type ())
G_DECLARE_INTERFACE (FhResultPage, fh_result_page, FH, RESULT_PAGE, GtkWidget)

struct _FhResultPageInterface
{
  GTypeInterface parent;

  const char *name;    /* for actions */
  const char *title;   /* for people, not yet translated */
  const char *context; /* of the title, for translators; nullable */
  const char *icon_name;
  /* Whether there is something to show of this, so that the page has to be made. Nullable: never.
   */
  gboolean (*concerns) (const FhShownResult *shown);
  /* Called with the same again when more of it is known. Nullable. */
  void (*show) (FhResultPage *self, const FhShownResult *shown);
  /* Whether people can turn to it. Nullable: always. */
  gboolean (*is_present) (FhResultPage *self);
  /* Whether there is something that people should see, and have not seen. Nullable: never. */
  gboolean (*needs_attention) (FhResultPage *self);
};

/* Makes `self`, which has references to what is in it, the same as `shown`. */
void fh_shown_result_set (FhShownResult *self, const FhShownResult *shown);

void fh_result_page_show (FhResultPage *self, const FhShownResult *shown);

/* Buttons for a toolbar beside the page, which shows them while it shows the page: the child of its
 * template with the name "tools". NULL if it has none. Borrowed. */
GtkWidget *fh_result_page_get_tools (FhResultPage *self);
gboolean fh_result_page_is_present (FhResultPage *self);
gboolean fh_result_page_needs_attention (FhResultPage *self);
/* Emits "changed"; a page calls it. */
void fh_result_page_changed (FhResultPage *self);
