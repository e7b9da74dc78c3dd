/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <glib/gi18n.h>

#include "parts/calls.h"
#include "parts/toasts.h"
#include "tab/tab-private.h"

/* What an empty tab offers: something to run, and what protects the user when it runs. */

static void
follow_text (FhTab *self)
{
  gtk_widget_set_visible (self->start_box, fh_document_is_empty (self->document));
}

/* Puts the texts behind the buttons where these would not fit below them: what can be done has to
 * be in sight. */
static gboolean
order_cb (GtkWidget *texts, GdkFrameClock *clock, gpointer user_data)
{
  FhTab *self = FH_TAB (user_data);
  const int height = gtk_widget_get_height (texts) + gtk_widget_get_height (self->start_buttons);

  gtk_box_reorder_child_after (
      GTK_BOX (gtk_widget_get_parent (texts)),
      texts,
      height > gtk_widget_get_height (self->start_box) ? self->start_buttons : NULL);
  return G_SOURCE_REMOVE;
}

/* Later, as this is told in the middle of a layout. */
static void
order (FhTab *self)
{
  gtk_widget_add_tick_callback (self->start_texts, order_cb, self, NULL);
}

/* The titles of all guards of this level, as a list; NULL if there are none. Few programs need the
 * guard inside of the interpreter, so that its absence makes nothing weaker. */
static char *
dup_titles (GListModel *guards, FhGuardLevel level)
{
  g_autoptr (GString) titles = g_string_new (NULL);

  for (guint i = 0; i < g_list_model_get_n_items (guards); i++)
    {
      g_autoptr (FhGuardState) state = g_list_model_get_item (guards, i);

      if (fh_guard_state_get_facts (state)->level == level &&
          (level == FH_GUARD_LEVEL_ACTIVE ||
           fh_guard_state_get_facts (state)->guard != FH_GUARD_INTERPRETER))
        g_string_append_printf (titles,
                                "%s%s",
                                titles->len > 0 ? " · " : "",
                                fh_guard_title (fh_guard_state_get_facts (state)->guard));
    }
  return titles->len > 0 ? g_strdup (titles->str) : NULL;
}

/* Names what is weaker before what is as it should be; NULL while nothing is known. */
static char *
dup_details (FhProtection *protection)
{
  static const struct
  {
    FhGuardLevel level;
    const char *word;
  } lines[] = {
    { FH_GUARD_LEVEL_UNAVAILABLE, N_ ("Not available") },
    { FH_GUARD_LEVEL_DEGRADED, N_ ("Weaker than usual") },
    { FH_GUARD_LEVEL_ACTIVE, N_ ("Active") },
  };
  g_autoptr (GString) text = g_string_new (NULL);

  for (guint i = 0; i < G_N_ELEMENTS (lines); i++)
    {
      g_autofree char *titles = dup_titles (fh_protection_get_guards (protection), lines[i].level);

      if (titles == NULL)
        continue;
      g_string_append (text, text->len > 0 ? "\n" : "");
      /* Translators: the state of guards, and their names: “Active: Files · Network · Memory” */
      g_string_append_printf (text, _ ("%s: %s"), _ (lines[i].word), titles);
    }
  return text->len > 0 ? g_strdup (text->str) : NULL;
}

static void
follow_protection (FhTab *self)
{
  FhProtection *protection = fh_tab_get_protection (self);
  g_autofree char *details = NULL;

  if (protection == NULL)
    protection = fh_probes_get_here (fh_services_get_probes (self->services));
  details = dup_details (protection);
  gtk_image_set_from_icon_name (self->start_icon, fh_protection_get_icon_name (protection));
  gtk_label_set_text (self->start_title, fh_protection_get_title (protection));
  fh_set_accessible_label (self->start_guards, fh_protection_get_title (protection));
  fh_show_text (self->start_details, details);
}

void
fh_tab_paste_action (GtkWidget *widget, const char *name, GVariant *target)
{
  fh_editor_view_paste (FH_TAB (widget)->editor);
}

static void
paste_all (GtkWidget *self)
{
  if (!fh_editor_view_paste_all (FH_TAB (self)->editor))
    fh_toast_show_problem (self, _ ("The code has changed since it was pasted"));
}

void
fh_tab_unwrapped_cb (FhTab *self)
{
  fh_toast_show_button (GTK_WIDGET (self),
                        _ ("Only the code was pasted"),
                        _ ("_Paste All"),
                        paste_all);
}

void
fh_tab_init_start (FhTab *self)
{
  fh_connect (self->document, "changed", follow_text, self);
  fh_connect (self, "notify::protection", follow_protection, self);
  fh_connect (fh_probes_get_here (fh_services_get_probes (self->services)),
              "changed",
              follow_protection,
              self);
  fh_connect (gtk_scrolled_window_get_vadjustment (GTK_SCROLLED_WINDOW (self->start_box)),
              "changed",
              order,
              self);
  follow_text (self);
  follow_protection (self);
}
