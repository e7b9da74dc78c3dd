/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "controls/presets-row.h"

#include <glib/gi18n.h>

#include "parts/calls.h"
#include "parts/toasts.h"
#include "presets.h"

struct _FhPresetsRow
{
  AdwExpanderRow parent_instance;

  FhOptions *options;
  GPtrArray *rows;       /* of the presets that are listed; borrowed */
  GCancellable *listing; /* nullable */

  GtkEditable *name_row;
};

G_DEFINE_FINAL_TYPE (FhPresetsRow, fh_presets_row, ADW_TYPE_EXPANDER_ROW)

static void list (FhPresetsRow *self);

/* What was done last, or why it could not be. */
static void
say (FhPresetsRow *self, const char *text)
{
  g_autofree char *shown = g_markup_escape_text (text, -1);

  adw_expander_row_set_subtitle (ADW_EXPANDER_ROW (self), shown);
}

static void
loaded_cb (GObject *source, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (FhPresetsRow) self = user_data;
  g_autoptr (GError) error = NULL;
  g_autoptr (FhRunOptions) values = fh_preset_load_finish (result, &error);

  if (self->options == NULL)
    return;
  if (values != NULL)
    fh_options_set_values (self->options, values);
  say (self, values != NULL ? _ ("These options are loaded") : error->message);
}

static void
activated_cb (FhPresetsRow *self, AdwActionRow *row)
{
  fh_preset_load_async (adw_preferences_row_get_title (ADW_PREFERENCES_ROW (row)),
                        NULL,
                        loaded_cb,
                        g_object_ref (self));
}

static void
saved_cb (GObject *source, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (FhPresetsRow) self = user_data;
  g_autoptr (GError) error = NULL;

  if (fh_preset_save_finish (result, &error))
    {
      say (self, _ ("Saved"));
      list (self);
    }
  else
    say (self, error->message);
}

/* Whether lines are reported follows from what is watched, and was not chosen. */
static void
save_cb (FhPresetsRow *self)
{
  g_autoptr (FhRunOptions) values = fh_options_dup_values (self->options);
  g_autofree char *problem = NULL;

  g_object_get (self->options, "problem", &problem, NULL);
  values->guards.report_lines = FALSE;
  if (problem != NULL)
    say (self, problem);
  else
    fh_preset_save_async (gtk_editable_get_text (self->name_row),
                          values,
                          NULL,
                          saved_cb,
                          g_object_ref (self));
}

typedef struct
{
  FhPresetsRow *row;
  char *name;
  FhRunOptions *options; /* nullable: it was damaged */
} Deletion;

static void
deletion_free (gpointer data)
{
  Deletion *deletion = data;

  g_object_unref (deletion->row);
  g_free (deletion->name);
  if (deletion->options != NULL)
    fh_run_options_free (deletion->options);
  g_free (deletion);
}

static void
undo_cb (gpointer user_data)
{
  Deletion *deletion = user_data;

  fh_preset_save_async (deletion->name,
                        deletion->options,
                        NULL,
                        saved_cb,
                        g_object_ref (deletion->row));
}

static void
deleted_cb (GObject *source, GAsyncResult *result, gpointer user_data)
{
  Deletion *deletion = user_data;
  FhPresetsRow *self = deletion->row;
  g_autofree char *text = g_strdup_printf (_ ("“%s” is deleted"), deletion->name);
  g_autoptr (GError) error = NULL;

  fh_preset_delete_finish (result, &deletion->options, &error);
  say (self, error == NULL ? text : error->message);
  list (self);
  if (deletion->options != NULL)
    fh_toast_show_undo (GTK_WIDGET (self), text, undo_cb, deletion, deletion_free);
  else
    deletion_free (deletion);
}

static void
delete_cb (FhPresetsRow *self, GtkWidget *button)
{
  GtkWidget *row = gtk_widget_get_ancestor (button, ADW_TYPE_ACTION_ROW);
  Deletion *deletion = g_new0 (Deletion, 1);

  deletion->row = g_object_ref (self);
  deletion->name = g_strdup (adw_preferences_row_get_title (ADW_PREFERENCES_ROW (row)));
  fh_preset_delete_async (deletion->name, NULL, deleted_cb, deletion);
}

static void
add (FhPresetsRow *self, const char *name)
{
  GtkWidget *row = g_object_new (ADW_TYPE_ACTION_ROW,
                                 "title",
                                 name,
                                 "use-markup",
                                 FALSE,
                                 "activatable",
                                 TRUE,
                                 "tooltip-text",
                                 _ ("Load These Options"),
                                 NULL);
  GtkWidget *button = gtk_button_new_from_icon_name ("user-trash-symbolic");
  g_autofree char *label = g_strdup_printf (_ ("Delete the preset “%s”"), name);

  gtk_widget_set_valign (button, GTK_ALIGN_CENTER);
  gtk_widget_add_css_class (button, "flat");
  gtk_widget_set_tooltip_text (button, _ ("Delete"));
  fh_set_accessible_label (button, label);
  fh_connect (button, "clicked", delete_cb, self);
  fh_connect (row, "activated", activated_cb, self);
  adw_action_row_add_suffix (ADW_ACTION_ROW (row), button);
  adw_expander_row_add_row (ADW_EXPANDER_ROW (self), row);
  g_ptr_array_add (self->rows, row);
}

static void
listed_cb (GObject *source, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (FhPresetsRow) self = user_data;
  g_auto (GStrv) names = fh_preset_list_finish (result, NULL);

  if (names == NULL || self->options == NULL)
    return;
  while (self->rows->len > 0)
    adw_expander_row_remove (ADW_EXPANDER_ROW (self),
                             g_ptr_array_remove_index (self->rows, self->rows->len - 1));
  for (guint i = 0; names[i] != NULL; i++)
    add (self, names[i]);
}

static void
list (FhPresetsRow *self)
{
  if (self->options == NULL)
    return;
  g_cancellable_cancel (self->listing);
  g_clear_object (&self->listing);
  self->listing = g_cancellable_new ();
  fh_preset_list_async (self->listing, listed_cb, g_object_ref (self));
}

static void
expanded_cb (FhPresetsRow *self)
{
  say (self, "");
  if (adw_expander_row_get_expanded (ADW_EXPANDER_ROW (self)))
    list (self);
}

static void
fh_presets_row_dispose (GObject *object)
{
  FhPresetsRow *self = FH_PRESETS_ROW (object);

  g_cancellable_cancel (self->listing);
  g_clear_object (&self->listing);
  g_clear_object (&self->options);
  G_OBJECT_CLASS (fh_presets_row_parent_class)->dispose (object);
}

static void
fh_presets_row_finalize (GObject *object)
{
  g_ptr_array_unref (FH_PRESETS_ROW (object)->rows);
  G_OBJECT_CLASS (fh_presets_row_parent_class)->finalize (object);
}

static void
fh_presets_row_class_init (FhPresetsRowClass *klass)
{
  G_OBJECT_CLASS (klass)->dispose = fh_presets_row_dispose;
  G_OBJECT_CLASS (klass)->finalize = fh_presets_row_finalize;
}

static void
fh_presets_row_init (FhPresetsRow *self)
{
  self->rows = g_ptr_array_new ();
  self->name_row = GTK_EDITABLE (g_object_new (ADW_TYPE_ENTRY_ROW,
                                               "title",
                                               _ ("Save These Options As"),
                                               "show-apply-button",
                                               TRUE,
                                               "input-hints",
                                               GTK_INPUT_HINT_NO_SPELLCHECK,
                                               NULL));
  adw_expander_row_add_row (ADW_EXPANDER_ROW (self), GTK_WIDGET (self->name_row));
  fh_connect (self->name_row, "apply", save_cb, self);
  fh_connect (self, "notify::expanded", expanded_cb, self);
}

void
fh_presets_row_set_options (FhPresetsRow *self, FhOptions *options)
{
  g_return_if_fail (FH_IS_PRESETS_ROW (self));
  g_return_if_fail (FH_IS_OPTIONS (options));
  g_return_if_fail (self->options == NULL);

  self->options = g_object_ref (options);
}
