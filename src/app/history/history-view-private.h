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
  GPtrArray *rows; /* (element-type FhHistoryRow), borrowed: those that the list has made */
  GtkWidget *popover;

  GtkSearchEntry *search_entry;
  FhNoticeBar *notice;
  GtkStack *stack;
  GtkListView *list;
  GMenuModel *menu;
};

/* The chosen run, or NULL. */
FhHistoryEntry *fh_history_view_get_entry (FhHistoryView *self);
void fh_history_view_set_notice (FhHistoryView *self, const char *notice);

/* history-view-actions.c */
void fh_history_view_class_install_actions (GtkWidgetClass *widget_class);
/* Which actions make sense for the chosen run. */
void fh_history_view_update_actions (FhHistoryView *self);

/* history-view-menu.c */
void fh_history_view_init_menu (FhHistoryView *self);
void fh_history_view_class_install_menu (GtkWidgetClass *widget_class);
void fh_history_view_menu_requested_cb (FhHistoryView *self, double x, double y, FhHistoryRow *row);

G_END_DECLS
