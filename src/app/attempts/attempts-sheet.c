/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "attempts/attempts-sheet.h"

#include <glib/gi18n.h>

#include "attempts/attempt-details.h"

/* Points. */
#define GAP 12

typedef struct
{
  char *title;
  char *sentence; /* nullable */
  GPtrArray *attempts;
  guint64 n_dropped;
  GPtrArray *layouts; /* the paragraphs, made for the paper that was chosen */
  GArray *pages;      /* of guint: the first paragraph of each page, and the number of all */
} Sheet;

static void
sheet_free (gpointer data, GClosure *closure)
{
  Sheet *sheet = data;

  g_free (sheet->title);
  g_free (sheet->sentence);
  g_ptr_array_unref (sheet->attempts);
  g_ptr_array_unref (sheet->layouts);
  g_array_unref (sheet->pages);
  g_free (sheet);
}

static void
add_attribute (PangoAttrList *attributes, PangoAttribute *attribute, gsize start, gsize end)
{
  attribute->start_index = (guint) start;
  attribute->end_index = (guint) end;
  pango_attr_list_insert (attributes, attribute);
}

/* Adds a paragraph: `head` in bold, `text`, and `small` (nullable). All are plain, for they quote
 * the program; none gets longer than a page. */
static void
add (Sheet *sheet, GtkPrintContext *context, const char *head, const char *text, const char *small)
{
  g_autoptr (PangoAttrList) attributes = pango_attr_list_new ();
  g_autoptr (PangoFontDescription) font = pango_font_description_from_string ("Sans 10");
  g_autoptr (GString) all = g_string_new (head);
  PangoLayout *layout = gtk_print_context_create_pango_layout (context);

  add_attribute (attributes, pango_attr_weight_new (PANGO_WEIGHT_BOLD), 0, all->len);
  if (sheet->layouts->len == 0)
    add_attribute (attributes, pango_attr_scale_new (PANGO_SCALE_X_LARGE), 0, all->len);
  if (*text != '\0')
    g_string_append_printf (all, "\n%s", text);
  if (small != NULL)
    {
      gsize start = all->len;

      g_string_append_printf (all, "\n%s", small);
      add_attribute (attributes, pango_attr_scale_new (PANGO_SCALE_SMALL), start, all->len);
    }
  pango_layout_set_font_description (layout, font);
  pango_layout_set_text (layout, all->str, (int) all->len);
  pango_layout_set_attributes (layout, attributes);
  pango_layout_set_width (layout, pango_units_from_double (gtk_print_context_get_width (context)));
  pango_layout_set_wrap (layout, PANGO_WRAP_WORD_CHAR);
  pango_layout_set_height (layout,
                           pango_units_from_double (gtk_print_context_get_height (context)));
  pango_layout_set_ellipsize (layout, PANGO_ELLIPSIZE_END);
  g_ptr_array_add (sheet->layouts, layout);
}

static void
add_attempt (Sheet *sheet, GtkPrintContext *context, FhAttempt *attempt)
{
  const FhAttemptFacts *facts = fh_attempt_get_facts (attempt);
  g_autofree char *title = fh_attempt_dup_title (attempt);
  g_autofree char *sentence = fh_attempt_dup_sentence (attempt);
  g_autofree char *technical = fh_attempt_details_format_technical (attempt);
  g_autofree char *text = g_strjoin ("\n",
                                     sentence,
                                     fh_attempt_get_why (attempt),
                                     facts->is_reported ? _ ("Reported by the program itself, not "
                                                             "seen by a guard: a hint, not "
                                                             "evidence.")
                                                        : NULL,
                                     NULL);
  g_autofree char *head = g_strdup_printf ("%s — %s, %s",
                                           title,
                                           fh_guard_title (facts->guard),
                                           fh_attempt_verdict_title (facts));

  add (sheet, context, head, text, technical);
}

static void
add_all (Sheet *sheet, GtkPrintContext *context)
{
  add (sheet, context, sheet->title, sheet->sentence != NULL ? sheet->sentence : "", NULL);
  for (guint i = 0; i < sheet->attempts->len; i++)
    add_attempt (sheet, context, g_ptr_array_index (sheet->attempts, i));
  if (sheet->n_dropped > 0)
    {
      guint n = (guint) MIN (sheet->n_dropped, G_MAXUINT);
      g_autofree char *text = g_strdup_printf (
          ngettext ("%u more attempt is not listed.", "%u more attempts are not listed.", n),
          n);

      add (sheet, context, text, "", NULL);
    }
}

static double
height_of (PangoLayout *layout)
{
  int height;

  pango_layout_get_size (layout, NULL, &height);
  return pango_units_to_double (height) + GAP;
}

static void
begin_print_cb (GtkPrintOperation *operation, GtkPrintContext *context, Sheet *sheet)
{
  double y = 0;

  g_ptr_array_set_size (sheet->layouts, 0);
  g_array_set_size (sheet->pages, 0);
  add_all (sheet, context);
  for (guint i = 0; i < sheet->layouts->len; i++)
    {
      double height = height_of (g_ptr_array_index (sheet->layouts, i));

      if (i == 0 || y + height - GAP > gtk_print_context_get_height (context))
        {
          g_array_append_val (sheet->pages, i);
          y = 0;
        }
      y += height;
    }
  gtk_print_operation_set_n_pages (operation, (int) sheet->pages->len);
  g_array_append_val (sheet->pages, sheet->layouts->len);
}

static void
draw_page_cb (GtkPrintOperation *operation, GtkPrintContext *context, int page, Sheet *sheet)
{
  cairo_t *cr = gtk_print_context_get_cairo_context (context);
  guint end = g_array_index (sheet->pages, guint, page + 1);
  double y = 0;

  for (guint i = g_array_index (sheet->pages, guint, page); i < end; i++)
    {
      PangoLayout *layout = g_ptr_array_index (sheet->layouts, i);

      cairo_move_to (cr, 0, y);
      pango_cairo_show_layout (cr, layout);
      y += height_of (layout);
    }
}

GtkPrintOperation *
fh_attempts_sheet_new (const char *title, const char *sentence, FhAttemptLog *log)
{
  GtkPrintOperation *operation;
  Sheet *sheet;

  g_return_val_if_fail (title != NULL, NULL);
  g_return_val_if_fail (FH_IS_ATTEMPT_LOG (log), NULL);

  sheet = g_new (Sheet, 1);
  sheet->title = g_strdup (title);
  sheet->sentence = g_strdup (sentence);
  sheet->attempts = g_ptr_array_new_with_free_func (g_object_unref);
  sheet->n_dropped = fh_attempt_log_get_n_dropped (log);
  sheet->layouts = g_ptr_array_new_with_free_func (g_object_unref);
  sheet->pages = g_array_new (FALSE, FALSE, sizeof (guint));
  for (guint i = 0; i < g_list_model_get_n_items (G_LIST_MODEL (log)); i++)
    g_ptr_array_add (sheet->attempts, g_list_model_get_item (G_LIST_MODEL (log), i));

  operation = gtk_print_operation_new ();
  gtk_print_operation_set_job_name (operation, title);
  gtk_print_operation_set_unit (operation, GTK_UNIT_POINTS);
  gtk_print_operation_set_allow_async (operation, TRUE);
  g_signal_connect (operation, "begin-print", G_CALLBACK (begin_print_cb), sheet);
  g_signal_connect_data (operation, "draw-page", G_CALLBACK (draw_page_cb), sheet, sheet_free, 0);
  return operation;
}
