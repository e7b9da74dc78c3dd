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

/* Runs the main loop until the condition is true; fails after a minute and a half. */
#define widget_test_await(condition)                                                               \
  G_STMT_START                                                                                     \
  {                                                                                                \
    const gint64 deadline_ = widget_test_deadline ();                                              \
                                                                                                   \
    while (!(condition))                                                                           \
      widget_test_turn (deadline_, #condition);                                                    \
  }                                                                                                \
  G_STMT_END

gint64 widget_test_deadline (void);
void widget_test_turn (gint64 deadline, const char *condition);

/* The same with a function. */
typedef gboolean (*WidgetTestFunc) (gpointer data);
void widget_test_wait_until (WidgetTestFunc done, gpointer data);

/* Runs the main loop until nothing is left to do at once: layouts, idles, finished tasks. Timers
 * that are not due and threads are not waited for. */
void widget_test_settle (void);

/* Runs the main loop for a time. Only for what is measured over time: to wait for something, use
 * widget_test_await. */
void widget_test_wait (guint ms);

/* Drops the last reference that the test has, and waits until callbacks have dropped theirs. */
void widget_test_finalize (gpointer object);

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
