/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <adwaita.h>

#include "run-driver.h"

G_BEGIN_DECLS

/* For tests of widgets: a display, runs that nothing stands behind, waiting, pictures. */

/* Without a display every test is skipped: returns FALSE, and the program is to end with 77. */
gboolean widget_test_init (int *argc, char ***argv);

/* A started run of some Python with a time limit of 30 s. */
FhRun *widget_test_run_new (const char *source);
FhRun *widget_test_run_new_guarded (const char *source, const FhRunGuards *guards);
void widget_test_write (FhRun *run, FhStream stream, const char *text);
/* Ends it after 1.25 s with this exit code. */
void widget_test_finish (FhRun *run, int exit_code);

/* A window on the screen with this child, painted once; destroy it at the end. */
GtkWindow *widget_test_window (GtkWidget *child, int width, int height);

/* Lets the main loop turn for so long; several times as long where sanitizers slow everything. */
void widget_test_wait (guint ms);
/* Lets it turn until `done` says TRUE; fails when that takes far too long. */
typedef gboolean (*WidgetTestFunc) (gpointer data);
void widget_test_wait_until (WidgetTestFunc done, gpointer data);

/* The first widget below `root` of this type that is on the screen; NULL when there is none. */
GtkWidget *widget_test_find (GtkWidget *root, GType type);

/* A label with this text, or a longer one, on the screen below `root`; NULL when there is none. */
GtkWidget *widget_test_find_label (GtkWidget *root, const char *text);

/* Waits for such a label. */
void widget_test_wait_for_label (GtkWidget *root, const char *text);

char *widget_test_text (GtkTextView *view);

/* Renders the widget into $FH_SCREENSHOTS/NAME.png; does nothing without that folder. */
void widget_test_screenshot (GtkWidget *widget, const char *name);

G_END_DECLS
