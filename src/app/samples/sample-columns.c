/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "samples/sample-columns.h"

#include <glib/gi18n.h>
#include <string.h>

#include "parts/run-labels.h"
#include "run-limits.h"

/* Pixels, of results and names in a narrow window, in which the table can be scrolled. */
#define MIN_WIDTH 110

/* Columns are hidden below these widths, the least important first. */
static const int room_for[FH_N_SAMPLE_COLUMNS] = {
  [FH_SAMPLE_COLUMN_ATTEMPTS] = 480,
  [FH_SAMPLE_COLUMN_MEMORY] = 580,
};

gboolean
fh_sample_is_passed (FhHistoryEntry *sample)
{
  const char *verdict = fh_history_entry_get_verdict (sample);

  /* “ok” is what a cell of a session has. “passed” may be followed by what one has to know of it.
   */
  return verdict != NULL && (g_str_has_prefix (verdict, "passed") || g_str_equal (verdict, "ok"));
}

/* The words of results are those of other programs that score, and stay as they are in a file of
 * results. */
char *
fh_sample_column_format (FhHistoryEntry *sample, FhSampleColumn column)
{
  const char *verdict = fh_history_entry_get_verdict (sample);
  guint64 memory = fh_history_entry_get_memory_peak (sample);

  switch (column)
    {
    case FH_SAMPLE_COLUMN_VERDICT:
      return g_strdup (verdict != NULL ? verdict : "");
    case FH_SAMPLE_COLUMN_NAME:
      return g_strdup (fh_history_entry_get_title (sample));
    case FH_SAMPLE_COLUMN_TIME:
      return fh_run_label_elapsed (fh_history_entry_get_wall_us (sample));
    case FH_SAMPLE_COLUMN_MEMORY:
      return memory > 0 ? fh_run_limits_format_size (memory) : g_strdup ("");
    case FH_SAMPLE_COLUMN_ATTEMPTS:
      return g_strdup_printf ("%u", fh_history_entry_get_n_stopped (sample));
    case FH_N_SAMPLE_COLUMNS:
    default:
      g_return_val_if_reached (NULL);
    }
}

static void
setup_cb (GtkSignalListItemFactory *factory, GtkListItem *cell, gpointer column)
{
  GtkWidget *box = gtk_box_new (GTK_ORIENTATION_HORIZONTAL, 6);
  GtkWidget *label = gtk_label_new (NULL);
  gboolean is_text = GPOINTER_TO_UINT (column) <= FH_SAMPLE_COLUMN_NAME;

  if (GPOINTER_TO_UINT (column) == FH_SAMPLE_COLUMN_VERDICT)
    gtk_box_append (
        GTK_BOX (box),
        g_object_new (GTK_TYPE_IMAGE, "accessible-role", GTK_ACCESSIBLE_ROLE_PRESENTATION, NULL));
  gtk_label_set_xalign (GTK_LABEL (label), is_text ? 0 : 1);
  gtk_widget_set_hexpand (label, TRUE);
  if (is_text)
    {
      gtk_label_set_ellipsize (GTK_LABEL (label), PANGO_ELLIPSIZE_END);
      gtk_label_set_single_line_mode (GTK_LABEL (label), TRUE);
      gtk_widget_set_size_request (label, MIN_WIDTH, -1);
    }
  else
    gtk_widget_add_css_class (label, "numeric");
  gtk_box_append (GTK_BOX (box), label);
  gtk_list_item_set_child (cell, box);
}

/* Names come from the samples, and results can quote an exception: shown as plain text. */
static void
bind_cb (GtkSignalListItemFactory *factory, GtkListItem *cell, gpointer column)
{
  FhHistoryEntry *sample = gtk_list_item_get_item (cell);
  GtkWidget *box = gtk_list_item_get_child (cell);
  GtkWidget *label = gtk_widget_get_last_child (box);
  g_autofree char *text = fh_sample_column_format (sample, GPOINTER_TO_UINT (column));

  gtk_label_set_text (GTK_LABEL (label), text);
  if (GPOINTER_TO_UINT (column) <= FH_SAMPLE_COLUMN_NAME)
    gtk_widget_set_tooltip_text (box, text);
  if (GPOINTER_TO_UINT (column) == FH_SAMPLE_COLUMN_VERDICT)
    {
      GtkWidget *icon = gtk_widget_get_first_child (box);
      gboolean is_passed = fh_sample_is_passed (sample);
      const char *classes[] = { is_passed ? "success" : "error", NULL };

      gtk_image_set_from_icon_name (GTK_IMAGE (icon),
                                    is_passed ? "object-select-symbolic" : "window-close-symbolic");
      gtk_widget_set_css_classes (icon, classes);
    }
}

#define COMPARE(a, b) (((a) > (b)) - ((a) < (b)))

/* HumanEval/2 before HumanEval/10. */
static int
compare_names (FhHistoryEntry *one, FhHistoryEntry *other)
{
  g_autofree char *key = g_utf8_collate_key_for_filename (fh_history_entry_get_title (one), -1);
  g_autofree char *other_key =
      g_utf8_collate_key_for_filename (fh_history_entry_get_title (other), -1);

  return strcmp (key, other_key);
}

static int
compare_cb (gconstpointer a, gconstpointer b, gpointer column)
{
  FhHistoryEntry *one = FH_HISTORY_ENTRY ((gpointer) a);
  FhHistoryEntry *other = FH_HISTORY_ENTRY ((gpointer) b);

  switch (GPOINTER_TO_UINT (column))
    {
    case FH_SAMPLE_COLUMN_TIME:
      return COMPARE (fh_history_entry_get_wall_us (one), fh_history_entry_get_wall_us (other));
    case FH_SAMPLE_COLUMN_MEMORY:
      return COMPARE (fh_history_entry_get_memory_peak (one),
                      fh_history_entry_get_memory_peak (other));
    case FH_SAMPLE_COLUMN_ATTEMPTS:
      return COMPARE (fh_history_entry_get_n_stopped (one), fh_history_entry_get_n_stopped (other));
    case FH_SAMPLE_COLUMN_VERDICT:
      return g_strcmp0 (fh_history_entry_get_verdict (one), fh_history_entry_get_verdict (other));
    default:
      return compare_names (one, other);
    }
}

void
fh_sample_columns_add (GtkColumnView *view)
{
  const char *const titles[FH_N_SAMPLE_COLUMNS] = {
    /* Translators: headings of a table of the samples of a batch */
    [FH_SAMPLE_COLUMN_VERDICT] = C_ ("samples", "Result"),
    [FH_SAMPLE_COLUMN_NAME] = C_ ("samples", "Sample"),
    [FH_SAMPLE_COLUMN_TIME] = C_ ("samples", "Time"),
    [FH_SAMPLE_COLUMN_MEMORY] = C_ ("samples", "Memory"),
    [FH_SAMPLE_COLUMN_ATTEMPTS] = C_ ("samples", "Blocked"),
  };

  for (guint i = 0; i < FH_N_SAMPLE_COLUMNS; i++)
    {
      GtkListItemFactory *factory = gtk_signal_list_item_factory_new ();
      g_autoptr (GtkColumnViewColumn) column = NULL;
      g_autoptr (GtkSorter) sorter =
          GTK_SORTER (gtk_custom_sorter_new (compare_cb, GUINT_TO_POINTER (i), NULL));

      g_signal_connect (factory, "setup", G_CALLBACK (setup_cb), GUINT_TO_POINTER (i));
      g_signal_connect (factory, "bind", G_CALLBACK (bind_cb), GUINT_TO_POINTER (i));
      column = gtk_column_view_column_new (titles[i], factory);
      gtk_column_view_column_set_sorter (column, sorter);
      gtk_column_view_column_set_expand (column, i <= FH_SAMPLE_COLUMN_NAME);
      gtk_column_view_append_column (view, column);
      if (i == FH_SAMPLE_COLUMN_NAME)
        gtk_column_view_sort_by_column (view, column, GTK_SORT_ASCENDING);
    }
}

void
fh_sample_columns_set_word (GtkColumnView *view, const char *word)
{
  GListModel *columns = gtk_column_view_get_columns (view);
  g_autoptr (GtkColumnViewColumn) column = g_list_model_get_item (columns, FH_SAMPLE_COLUMN_NAME);

  gtk_column_view_column_set_title (column, word);
}

void
fh_sample_columns_fit (GtkColumnView *view, int width)
{
  GListModel *columns = gtk_column_view_get_columns (view);

  for (guint i = 0; i < FH_N_SAMPLE_COLUMNS; i++)
    {
      g_autoptr (GtkColumnViewColumn) column = g_list_model_get_item (columns, i);

      gtk_column_view_column_set_visible (column, width >= room_for[i]);
    }
}
