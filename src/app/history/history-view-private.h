/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "history/history-model.h"
#include "history/history-row.h"
#include "history/history-view.h"
#include "parts/notice-bar.h"

G_BEGIN_DECLS

/* Shared between the files of FhHistoryView only. */

struct _FhHistoryView
{
  AdwBin parent_instance;
  FhHistory *history;
  FhHistoryModel *model;
  GtkSingleSelection *selection;
  GtkWidget *popover;
  gint64 compared; /* the run that the next one is compared with; 0: none */

  GtkSearchEntry *search_entry;
  FhNoticeBar *notice;
  FhNoticeBar *compare_notice;
  GtkStack *stack;
  GtkListView *list;
  GMenuModel *menu;
};

/* history-view-actions.c */
void fh_history_view_class_install_actions (GtkWidgetClass *widget_class);
void fh_history_view_init_menu (FhHistoryView *self);
FhHistoryEntry *fh_history_view_get_entry (FhHistoryView *self); /* the selected run, or NULL */
void fh_history_view_update_actions (FhHistoryView *self);
/* `x` and `y`: in the row. */
void fh_history_view_popup_menu (FhHistoryView *self, double x, double y, FhHistoryRow *row);
/* Shows the run in a tab; the focus stays in the list. */
void fh_history_view_show_row (FhHistoryView *self, FhHistoryRow *row);

/* history-view-compare.c */
void fh_history_view_compare_action (GtkWidget *widget, const char *name, GVariant *parameter);
/* TRUE if the run was chosen for a comparison, and is not to be opened. */
gboolean fh_history_view_choose (FhHistoryView *self, FhHistoryEntry *entry);

/* history-view-export.c */
void fh_history_view_export_action (GtkWidget *widget, const char *name, GVariant *parameter);
/* Says in a toast how it ended. */
void fh_history_view_export (FhHistoryView *self, gint64 id, GFile *file);

G_END_DECLS
