/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "output/output-search-bar.h"

#include <glib/gi18n.h>

#include "parts/calls.h"

struct _FhOutputSearchBar
{
  AdwBin parent_instance;
  FhOutputSearch *search;
  gboolean search_mode;

  GtkSearchBar *bar;
  GtkSearchEntry *entry;
  GtkWidget *previous_button;
  GtkWidget *next_button;
  GtkLabel *count;
};

G_DEFINE_FINAL_TYPE (FhOutputSearchBar, fh_output_search_bar, ADW_TYPE_BIN)

static GParamSpec *search_mode_property;
static guint searching_signal;
static guint stopped_signal;

static const char *
query (FhOutputSearchBar *self)
{
  return gtk_editable_get_text (GTK_EDITABLE (self->entry));
}

static char *
count_text (FhOutputSearchBar *self)
{
  guint count = fh_output_search_get_n_matches (self->search);
  guint position = fh_output_search_get_position (self->search);

  if (*query (self) == '\0')
    return g_strdup ("");
  if (count == 0)
    return g_strdup (fh_output_search_is_busy (self->search) ? _ ("Searching…") : _ ("No matches"));
  if (count >= FH_OUTPUT_SEARCH_MAX_MATCHES)
    /* Translators: the selected match and the least number of matches. */
    return g_strdup_printf (_ ("%u of %u+"), position, count);
  /* Translators: the selected match and the number of matches. */
  return g_strdup_printf (_ ("%u of %u"), position, count);
}

static void
changed_cb (FhOutputSearchBar *self)
{
  g_autofree char *text = count_text (self);
  gboolean found = fh_output_search_get_n_matches (self->search) > 0;
  gboolean not_found = !found && *query (self) != '\0' && !fh_output_search_is_busy (self->search);

  gtk_label_set_text (self->count, text);
  gtk_widget_set_sensitive (self->previous_button, found);
  gtk_widget_set_sensitive (self->next_button, found);
  fh_set_css_class (self->entry, "error", not_found);
}

static void
search_changed_cb (FhOutputSearchBar *self)
{
  if (self->search_mode && *query (self) != '\0')
    g_signal_emit (self, searching_signal, 0);
  fh_output_search_set_query (self->search, self->search_mode ? query (self) : NULL);
}

static void
go (FhOutputSearchBar *self, gboolean forward)
{
  g_signal_emit (self, searching_signal, 0);
  fh_output_search_set_query (self->search, query (self));
  fh_output_search_go (self->search, forward);
}

static void
next_cb (FhOutputSearchBar *self)
{
  go (self, TRUE);
}

static void
previous_cb (FhOutputSearchBar *self)
{
  go (self, FALSE);
}

static gboolean
key_pressed_cb (FhOutputSearchBar *self, guint keyval, guint keycode, GdkModifierType state)
{
  if ((keyval != GDK_KEY_Return && keyval != GDK_KEY_KP_Enter) || !(state & GDK_SHIFT_MASK))
    return GDK_EVENT_PROPAGATE;
  go (self, FALSE);
  return GDK_EVENT_STOP;
}

static void
set_search_mode (FhOutputSearchBar *self, gboolean search_mode)
{
  if (self->search_mode == search_mode)
    return;
  self->search_mode = search_mode;
  search_changed_cb (self);
  g_object_notify_by_pspec (G_OBJECT (self), search_mode_property);
}

static void
stop_cb (FhOutputSearchBar *self)
{
  set_search_mode (self, FALSE);
  g_signal_emit (self, stopped_signal, 0);
}

static void
fh_output_search_bar_dispose (GObject *object)
{
  FhOutputSearchBar *self = FH_OUTPUT_SEARCH_BAR (object);

  g_clear_object (&self->search);
  G_OBJECT_CLASS (fh_output_search_bar_parent_class)->dispose (object);
}

static void
fh_output_search_bar_get_property (GObject *object, guint id, GValue *value, GParamSpec *pspec)
{
  g_value_set_boolean (value, FH_OUTPUT_SEARCH_BAR (object)->search_mode);
}

static void
fh_output_search_bar_set_property (GObject *object,
                                   guint id,
                                   const GValue *value,
                                   GParamSpec *pspec)
{
  set_search_mode (FH_OUTPUT_SEARCH_BAR (object), g_value_get_boolean (value));
}

static void
bind_template (GtkWidgetClass *widget_class)
{
  fh_set_template (widget_class, "output/output-search-bar.ui");
  gtk_widget_class_bind_template_child (widget_class, FhOutputSearchBar, bar);
  gtk_widget_class_bind_template_child (widget_class, FhOutputSearchBar, entry);
  gtk_widget_class_bind_template_child (widget_class, FhOutputSearchBar, previous_button);
  gtk_widget_class_bind_template_child (widget_class, FhOutputSearchBar, next_button);
  gtk_widget_class_bind_template_child (widget_class, FhOutputSearchBar, count);
  gtk_widget_class_bind_template_callback (widget_class, search_changed_cb);
  gtk_widget_class_bind_template_callback (widget_class, next_cb);
  gtk_widget_class_bind_template_callback (widget_class, previous_cb);
  gtk_widget_class_bind_template_callback (widget_class, stop_cb);
  gtk_widget_class_bind_template_callback (widget_class, key_pressed_cb);
}

static void
fh_output_search_bar_class_init (FhOutputSearchBarClass *klass)
{
  GObjectClass *object_class = G_OBJECT_CLASS (klass);

  object_class->dispose = fh_output_search_bar_dispose;
  object_class->get_property = fh_output_search_bar_get_property;
  object_class->set_property = fh_output_search_bar_set_property;

  search_mode_property = g_param_spec_boolean ("search-mode", NULL, NULL, FALSE, FH_PARAM_WRITE);
  g_object_class_install_property (object_class, 1, search_mode_property);
  searching_signal = fh_signal_new ("searching", G_TYPE_FROM_CLASS (klass), 0);
  stopped_signal = fh_signal_new ("stopped", G_TYPE_FROM_CLASS (klass), 0);
  bind_template (GTK_WIDGET_CLASS (klass));
}

static void
fh_output_search_bar_init (FhOutputSearchBar *self)
{
  gtk_widget_init_template (GTK_WIDGET (self));
  fh_search_bar_open_at_once (self->bar, GTK_EDITABLE (self->entry));
}

void
fh_output_search_bar_set_search (FhOutputSearchBar *self, FhOutputSearch *search)
{
  g_return_if_fail (FH_IS_OUTPUT_SEARCH_BAR (self));
  g_return_if_fail (self->search == NULL && FH_IS_OUTPUT_SEARCH (search));

  self->search = g_object_ref (search);
  fh_connect (search, "changed", changed_cb, self);
  changed_cb (self);
}

void
fh_output_search_bar_open (FhOutputSearchBar *self, const char *text)
{
  g_return_if_fail (FH_IS_OUTPUT_SEARCH_BAR (self));

  if (text != NULL)
    gtk_editable_set_text (GTK_EDITABLE (self->entry), text);
  set_search_mode (self, TRUE);
  gtk_widget_grab_focus (GTK_WIDGET (self->entry));
  gtk_editable_select_region (GTK_EDITABLE (self->entry), 0, -1);
}
