/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <adwaita.h>

#include "fh-test.h"
#include "run-driver.h"

/* For tests of widgets: a display, runs that nothing stands behind, waiting, pictures. */

/* Without a display every test is skipped: returns FALSE, and the program is to end with 77. */
gboolean widget_test_init (int *argc, char ***argv);

/* FH_TESTS and FH_FIXTURE_TESTS, with a display. */
#define WIDGET_TESTS(...) FH_TESTS_WITH (widget_test_init, __VA_ARGS__)
#define WIDGET_FIXTURE_TESTS(Fixture, set_up, tear_down, ...)                                      \
  FH_FIXTURE_TESTS_WITH (widget_test_init, Fixture, set_up, tear_down, __VA_ARGS__)

/* A started run of some Python with a time limit of 30 s. */
FhRun *widget_test_run_new (const char *source);
FhRun *widget_test_run_new_guarded (const char *source, const FhRunGuards *guards);
void widget_test_write (FhRun *run, FhStream stream, const char *text);
/* Ends it after 1.25 s with this exit code. */
void widget_test_finish (FhRun *run, int exit_code);

/* A window on the screen with this child, painted once; destroy it at the end. */
GtkWindow *widget_test_window (GtkWidget *child, int width, int height);

/* Runs the main loop until nothing is left to do at once: layouts, idles, finished tasks. Timers
 * that are not due and threads are not waited for. */
void widget_test_settle (void);

/* Runs the main loop for a time. Only for what is measured over time: to wait for something, use
 * FH_AWAIT_TRUE. */
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
