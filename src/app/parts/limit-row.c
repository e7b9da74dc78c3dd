/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "parts/limit-row.h"

#include <glib/gi18n.h>

#include "parts/calls.h"

enum
{
  PROP_OPTION = 1,
  PROP_VALUE,
  PROP_PROBLEM,
  N_PROPS
};

static GParamSpec *properties[N_PROPS];

/* While the user types, the text is left as it is; it gets its usual form when the entry loses the
 * focus. `parsed` holds nothing but the option's last value. */
struct _FhLimitRow
{
  AdwActionRow parent_instance;

  const FhRunOption *option;
  FhRunOptions *parsed;
  guint64 value;
  char *problem;
  gboolean typing;
  gboolean showing;

  GtkEntry *entry;
  GtkMenuButton *choices_button;
};

G_DEFINE_FINAL_TYPE (FhLimitRow, fh_limit_row, ADW_TYPE_ACTION_ROW)

#define MIB ((guint64) 1 << 20)

static const guint64 times[] = { 1000, 5000, 10000, 30000, 120000, 600000, 3600000, 0 };
static const guint64 sizes[] = { 64 * MIB,   256 * MIB,  512 * MIB, 1024 * MIB,
                                 2048 * MIB, 4096 * MIB, 0 };
static const guint64 counts[] = { 16, 64, 128, 256, 512, 1024, 4096, 0 };
static const guint64 large_counts[] = { 100000, 1000000, 10000000, 100000000, 0 };
static const guint64 cpus[] = { 500, 1000, 2000, 4000, 0 };

/* The usual values, ending in 0. */
static const guint64 *
usual_values (const FhRunOption *option)
{
  if (option->kind == FH_OPTION_TIME)
    return times;
  if (option->kind == FH_OPTION_SIZE)
    return sizes;
  if (option->kind == FH_OPTION_CPUS)
    return cpus;
  return option->maximum > G_MAXUINT32 ? large_counts : counts;
}

static char *
format (FhLimitRow *self, guint64 value)
{
  if (value == 0 && !(self->option->flags & FH_OPTION_LIMITED))
    return g_strdup (_ ("no limit"));
  fh_run_option_set_number (self->option, self->parsed, value);
  return fh_run_option_format (self->option, self->parsed);
}

static gboolean
parse (FhLimitRow *self, const char *text, guint64 *value, GError **error)
{
  g_autofree char *word = g_strstrip (g_strdup (text));

  if (!fh_run_option_parse (self->option, self->parsed, word, error))
    return FALSE;
  *value = fh_run_option_get_number (self->option, self->parsed);
  return TRUE;
}

static void
set_problem (FhLimitRow *self, const char *problem)
{
  if (!fh_set_str (&self->problem, problem))
    return;
  adw_action_row_set_subtitle (ADW_ACTION_ROW (self), problem != NULL ? problem : "");
  fh_set_invalid (self->entry, problem != NULL);
  g_object_notify_by_pspec (G_OBJECT (self), properties[PROP_PROBLEM]);
}

static void
show_value (FhLimitRow *self)
{
  g_autofree char *text = NULL;

  if (self->typing || self->option == NULL)
    return;
  text = format (self, self->value);
  self->showing = TRUE;
  gtk_editable_set_text (GTK_EDITABLE (self->entry), text);
  self->showing = FALSE;
  set_problem (self, NULL);
}

static void
set_value (FhLimitRow *self, guint64 value)
{
  if (self->value != value)
    {
      self->value = value;
      g_object_notify_by_pspec (G_OBJECT (self), properties[PROP_VALUE]);
    }
  show_value (self);
}

static void
changed_cb (FhLimitRow *self)
{
  g_autoptr (GError) error = NULL;
  guint64 value;

  if (self->showing)
    return;
  if (!parse (self, gtk_editable_get_text (GTK_EDITABLE (self->entry)), &value, &error))
    {
      set_problem (self, error->message);
      return;
    }
  set_problem (self, NULL);
  self->typing = TRUE;
  set_value (self, value);
  self->typing = FALSE;
}

/* An invalid text stays for the user to correct. */
static void
tidy_cb (FhLimitRow *self)
{
  if (self->problem == NULL)
    show_value (self);
}

/* Enter chooses in a menu, which closes. */
static void
entered_cb (FhLimitRow *self)
{
  GtkWidget *menu = gtk_widget_get_ancestor (GTK_WIDGET (self), GTK_TYPE_POPOVER_MENU);

  tidy_cb (self);
  if (menu != NULL && self->problem == NULL)
    gtk_popover_popdown (GTK_POPOVER (menu));
}

static void
choose_cb (GtkWidget *widget, const char *action, GVariant *target)
{
  set_value (FH_LIMIT_ROW (widget), g_variant_get_uint64 (target));
}

static void
add_choice (FhLimitRow *self, GMenu *menu, const char *action, guint64 value)
{
  g_autofree char *label = format (self, value);
  g_autoptr (GMenuItem) item = g_menu_item_new (label, NULL);

  g_menu_item_set_action_and_target_value (item, action, g_variant_new_uint64 (value));
  g_menu_append_item (menu, item);
}

static GMenu *
new_choices (FhLimitRow *self, const char *action)
{
  const FhRunOption *option = self->option;
  GMenu *menu = g_menu_new ();

  for (const guint64 *value = usual_values (option); *value != 0; value++)
    {
      if (*value >= option->minimum && *value <= option->maximum)
        add_choice (self, menu, action, *value);
    }
  add_choice (self, menu, action, option->flags & FH_OPTION_LIMITED ? option->maximum : 0);
  return menu;
}

static void
fh_limit_row_constructed (GObject *object)
{
  FhLimitRow *self = FH_LIMIT_ROW (object);
  g_autoptr (GMenu) choices = new_choices (self, "limit.choose");

  G_OBJECT_CLASS (fh_limit_row_parent_class)->constructed (object);

  adw_preferences_row_set_title (ADW_PREFERENCES_ROW (self), _ (self->option->title));
  fh_set_accessible_label (self->entry, _ (self->option->title));
  gtk_menu_button_set_menu_model (self->choices_button, G_MENU_MODEL (choices));
  show_value (self);
}

static void
fh_limit_row_finalize (GObject *object)
{
  FhLimitRow *self = FH_LIMIT_ROW (object);

  fh_run_options_free (self->parsed);
  g_free (self->problem);

  G_OBJECT_CLASS (fh_limit_row_parent_class)->finalize (object);
}

static void
fh_limit_row_get_property (GObject *object, guint id, GValue *value, GParamSpec *pspec)
{
  FhLimitRow *self = FH_LIMIT_ROW (object);

  if (id == PROP_VALUE)
    g_value_set_uint64 (value, self->value);
  else
    g_value_set_string (value, self->problem);
}

static void
fh_limit_row_set_property (GObject *object, guint id, const GValue *value, GParamSpec *pspec)
{
  FhLimitRow *self = FH_LIMIT_ROW (object);

  if (id == PROP_OPTION)
    self->option = fh_run_option_find (g_value_get_string (value));
  else
    set_value (self, g_value_get_uint64 (value));
}

static void
fh_limit_row_class_init (FhLimitRowClass *klass)
{
  GObjectClass *object_class = G_OBJECT_CLASS (klass);
  GtkWidgetClass *widget_class = GTK_WIDGET_CLASS (klass);

  object_class->constructed = fh_limit_row_constructed;
  object_class->finalize = fh_limit_row_finalize;
  object_class->get_property = fh_limit_row_get_property;
  object_class->set_property = fh_limit_row_set_property;

  properties[PROP_OPTION] =
      g_param_spec_string ("option",
                           NULL,
                           NULL,
                           NULL,
                           G_PARAM_WRITABLE | G_PARAM_CONSTRUCT_ONLY | G_PARAM_STATIC_STRINGS);
  properties[PROP_VALUE] =
      g_param_spec_uint64 ("value", NULL, NULL, 0, G_MAXUINT64, 0, FH_PARAM_WRITE);
  properties[PROP_PROBLEM] = g_param_spec_string ("problem", NULL, NULL, NULL, FH_PARAM_READ);
  g_object_class_install_properties (object_class, N_PROPS, properties);

  fh_set_template (widget_class, "parts/limit-row.ui");
  gtk_widget_class_bind_template_child (widget_class, FhLimitRow, entry);
  gtk_widget_class_bind_template_child (widget_class, FhLimitRow, choices_button);
  gtk_widget_class_bind_template_callback (widget_class, changed_cb);
  gtk_widget_class_bind_template_callback (widget_class, entered_cb);
  gtk_widget_class_bind_template_callback (widget_class, tidy_cb);
  gtk_widget_class_install_action (widget_class, "limit.choose", "t", choose_cb);
}

static void
fh_limit_row_init (FhLimitRow *self)
{
  self->parsed = fh_run_options_new ();
  gtk_widget_init_template (GTK_WIDGET (self));
}

GtkWidget *
fh_limit_row_new (const FhRunOption *option)
{
  g_return_val_if_fail (option != NULL, NULL);

  return g_object_new (FH_TYPE_LIMIT_ROW, "option", option->key, NULL);
}

GMenu *
fh_limit_row_take_choices (FhLimitRow *self, const char *action)
{
  g_return_val_if_fail (FH_IS_LIMIT_ROW (self), NULL);

  gtk_widget_set_visible (GTK_WIDGET (self->choices_button), FALSE);
  return new_choices (self, action);
}

const FhRunOption *
fh_limit_row_get_option (FhLimitRow *self)
{
  g_return_val_if_fail (FH_IS_LIMIT_ROW (self), NULL);

  return self->option;
}

const char *
fh_limit_row_get_problem (FhLimitRow *self)
{
  g_return_val_if_fail (FH_IS_LIMIT_ROW (self), NULL);

  return self->problem;
}
