/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "controls/guard-button.h"
#include "controls/run-button.h"
#include "exhibits/exhibits-window.h"
#include "parts/notice-bar.h"
#include "window/window.h"

struct _FhWindow
{
  AdwApplicationWindow parent_instance;

  FhServices *services;
  GCancellable *cancellable;
  GSignalGroup *page_signals; /* of the selected page */
  GBindingGroup *page_titles; /* of the selected page */
  gboolean close_confirmed;   /* the user agreed to stop running programs */
  guint save_timer;           /* for its state */
  guint scroll_source;        /* the tab bar is to show the selected tab */
  GtkAdjustment *across;      /* of the tab bar; nullable */
  double tabs_extent;         /* by how much the tabs are wider than their bar */

  FhExhibitsWindow *exhibits; /* NULL before it is first shown */

  GMenu *recent;
  AdwFlap *flap;
  gboolean flap_wanted; /* shown where there is room */
  AdwBin *history;
  AdwWindowTitle *title;
  GtkWidget *start_bin; /* of the header */
  FhRunButton *run_button;
  FhGuardButton *guard_button;
  FhNoticeBar *notice;
  AdwTabBar *tab_bar;
  GtkMenuButton *tab_list_button;
  FhTabs *tabs;
};

/* window-actions.c */
void fh_window_init_actions (FhWindow *self);
/* Enables the actions that the selected page can do. */
void fh_window_update_actions (FhWindow *self);
