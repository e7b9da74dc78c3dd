/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "controls/presets-row.h"

#include <glib/gstdio.h>

#include "presets.h"
#include "widget-test.h"

typedef struct
{
  FhOptions *options;
  GtkWidget *row;
  GtkWindow *window;
} Fixture;

static void
set_up (Fixture *fixture, gconstpointer data)
{
  GtkWidget *list = gtk_list_box_new ();

  fixture->options = fh_options_new ();
  fixture->row = g_object_new (FH_TYPE_PRESETS_ROW, "title", "Presets", NULL);
  fh_presets_row_set_options (FH_PRESETS_ROW (fixture->row), fixture->options);
  gtk_list_box_append (GTK_LIST_BOX (list), fixture->row);
  fixture->window = widget_test_window (list, 380, 400);
}

static void
tear_down (Fixture *fixture, gconstpointer data)
{
  g_auto (GStrv) names = fh_preset_list ();
  GtkWidget *row = g_object_ref (fixture->row);

  gtk_window_destroy (fixture->window);
  widget_test_finalize (row);
  widget_test_finalize (fixture->options);
  for (guint i = 0; names[i] != NULL; i++)
    {
      FhRunOptions *was;

      g_assert_true (fh_preset_delete (names[i], &was, NULL));
      g_clear_pointer (&was, fh_run_options_free);
    }
}

static void
expand (Fixture *fixture)
{
  adw_expander_row_set_expanded (ADW_EXPANDER_ROW (fixture->row), TRUE);
}

static void
save_as (Fixture *fixture, const char *name)
{
  GtkWidget *entry;

  expand (fixture);
  FH_AWAIT_TRUE (widget_test_find (fixture->row, ADW_TYPE_ENTRY_ROW) != NULL);
  entry = widget_test_find (fixture->row, ADW_TYPE_ENTRY_ROW);
  gtk_editable_set_text (GTK_EDITABLE (entry), name);
  g_signal_emit_by_name (entry, "apply");
}

static guint64
memory (Fixture *fixture)
{
  guint64 bytes;

  g_object_get (fixture->options, "limits-memory-bytes", &bytes, NULL);
  return bytes;
}

static void
set_memory (Fixture *fixture, guint64 bytes)
{
  g_object_set (fixture->options, "limits-memory-bytes", bytes, NULL);
}

/* The row of a preset; what is said of one is in the row that unfolds. */
static GtkWidget *
preset (Fixture *fixture, const char *name)
{
  GtkWidget *label = widget_test_find_label (fixture->row, name);
  GtkWidget *row = label != NULL ? gtk_widget_get_ancestor (label, ADW_TYPE_ACTION_ROW) : NULL;

  return row != NULL &&
                 g_str_equal (adw_preferences_row_get_title (ADW_PREFERENCES_ROW (row)), name)
             ? row
             : NULL;
}

static void
test_saves_and_loads (Fixture *fixture, gconstpointer data)
{
  g_autoptr (FhRunOptions) saved = NULL;

  set_memory (fixture, (guint64) 99 << 20);
  save_as (fixture, "lab-99");
  widget_test_wait_for_label (fixture->row, "Saved");
  FH_AWAIT_TRUE (preset (fixture, "lab-99") != NULL);
  saved = fh_preset_load ("lab-99", NULL);
  g_assert_cmpuint (saved->limits.memory_bytes, ==, (guint64) 99 << 20);
  g_assert_false (saved->guards.report_lines);
  set_memory (fixture, (guint64) 64 << 20);
  adw_action_row_activate (ADW_ACTION_ROW (preset (fixture, "lab-99")));
  FH_AWAIT_TRUE (memory (fixture) == (guint64) 99 << 20);
  widget_test_screenshot (GTK_WIDGET (fixture->window), "presets");
}

static void
test_deletes (Fixture *fixture, gconstpointer data)
{
  g_auto (GStrv) names = NULL;
  GtkWidget *button;

  save_as (fixture, "short-lived");
  FH_AWAIT_TRUE (preset (fixture, "short-lived") != NULL);
  button = widget_test_find (preset (fixture, "short-lived"), GTK_TYPE_BUTTON);
  g_signal_emit_by_name (button, "clicked");
  widget_test_wait_for_label (fixture->row, "“short-lived” is deleted");
  names = fh_preset_list ();
  g_assert_cmpuint (g_strv_length (names), ==, 0);
  FH_AWAIT_TRUE (preset (fixture, "short-lived") == NULL);
}

static void
test_says_what_is_wrong (Fixture *fixture, gconstpointer data)
{
  g_auto (GStrv) names = NULL;

  save_as (fixture, "../x");
  widget_test_wait_for_label (fixture->row, "“../x” cannot be the name of a preset.");
  g_object_set (fixture->options, "guards-allow-hosts", "not a host!", NULL);
  save_as (fixture, "good");
  FH_AWAIT_TRUE (widget_test_find_label (fixture->row, "cannot be the name") == NULL);
  names = fh_preset_list ();
  g_assert_cmpuint (g_strv_length (names), ==, 0);
}

#define add(name) g_test_add ("/presets-row/" #name, Fixture, NULL, set_up, test_##name, tear_down)

int
main (int argc, char **argv)
{
  g_autofree char *settings = g_dir_make_tmp ("fumehood-presets-XXXXXX", NULL);
  g_autofree char *own = g_build_filename (settings, "fumehood", NULL);
  g_autofree char *folder = g_build_filename (own, "presets", NULL);
  int result;

  g_setenv ("XDG_CONFIG_HOME", settings, TRUE);
  if (!widget_test_init (&argc, &argv))
    return 77;
  add (saves_and_loads);
  add (deletes);
  add (says_what_is_wrong);
  result = g_test_run ();
  g_rmdir (folder);
  g_rmdir (own);
  g_rmdir (settings);
  return result;
}
