/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "output/output-search-bar.h"
#include "output/output-status.h"
#include "output/output-text.h"
#include "output/output-view.h"

G_BEGIN_DECLS

/* Shared between the files of FhOutputView only. */

#define FH_N_OUTPUT_PANES 3

struct _FhOutputView
{
  AdwBin parent_instance;
  FhOutputLog *log; /* of the run that is shown; nullable */
  FhOutputSearch *search;
  FhOutputText *texts[FH_N_OUTPUT_PANES];
  guint pane;
  guint wrap : 1;

  FhOutputSearchBar *search_bar;
  AdwViewStack *pages;
  GtkWidget *streams;
  GtkStack *tools;
  GtkStack *panes;
  FhOutputStatus *status;
  GMenuModel *menu;
};

/* The pane in sight. */
FhOutputText *fh_output_view_get_text (FhOutputView *self);

void fh_output_view_class_install_actions (GtkWidgetClass *widget_class);

G_END_DECLS
