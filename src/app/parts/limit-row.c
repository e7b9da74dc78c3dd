/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "parts/limit-row.h"

#include <glib/gi18n.h>

#include "run-limits.h"

enum
{
  PROP_KIND = 1,
  PROP_VALUE,
  PROP_PROBLEM,
  N_PROPS
};

static GParamSpec *properties[N_PROPS];

/* `typing` is set while the entry's text comes from the user, so that it is not rewritten under
 * the cursor; it is put into its usual form when the entry loses the focus. */
struct _FhLimitRow
{
  AdwActionRow parent_instance;

  FhLimitKind kind;
  guint64 value;
  char *problem;
  gboolean typing;

  GtkEntry *entry;
  GtkMenuButton *choices_button;
};

G_DEFINE_FINAL_TYPE (FhLimitRow, fh_limit_row, ADW_TYPE_ACTION_ROW)

G_DEFINE_ENUM_TYPE (FhLimitKind,
                    fh_limit_kind,
                    G_DEFINE_ENUM_VALUE (FH_LIMIT_KIND_TIME, "time"),
                    G_DEFINE_ENUM_VALUE (FH_LIMIT_KIND_MEMORY, "memory"))

static const guint64 time_choices[] = { 1000, 5000, 10000, 30000, 120000, 600000, 3600000, 0 };
static const guint64 memory_choices[] = {
  (guint64) 64 << 20,
  (guint64) 256 << 20,
  (guint64) 512 << 20,
  (guint64) 1 << 30,
  (guint64) 2 << 30,
  (guint64) 4 << 30,
  0,
};

static char *
format (FhLimitRow *self, guint64 value)
{
  return self->kind == FH_LIMIT_KIND_TIME ? fh_run_limits_format_duration (value)
                                          : fh_run_limits_format_size (value);
}

static gboolean
parse (FhLimitRow *self, const char *text, guint64 *value, GError **error)
{
  g_autofree char *word = g_strstrip (g_strdup (text));
  g_autofree char *no_limit = format (self, 0);

  if (g_ascii_strcasecmp (word, no_limit) == 0)
    {
      *value = 0;
      return TRUE;
    }
  return self->kind == FH_LIMIT_KIND_TIME ? fh_run_limits_parse_duration (word, value, error)
                                          : fh_run_limits_parse_memory (word, value, error);
}

static void
set_problem (FhLimitRow *self, const char *problem)
{
  GtkWidget *entry = GTK_WIDGET (self->entry);

  if (g_strcmp0 (self->problem, problem) == 0)
    return;

  g_free (self->problem);
  self->problem = g_strdup (problem);
  adw_action_row_set_subtitle (ADW_ACTION_ROW (self), problem != NULL ? problem : "");
  if (problem != NULL)
    gtk_widget_add_css_class (entry, "error");
  else
    gtk_widget_remove_css_class (entry, "error");
  gtk_accessible_update_state (GTK_ACCESSIBLE (entry),
                               GTK_ACCESSIBLE_STATE_INVALID,
                               problem != NULL ? GTK_ACCESSIBLE_INVALID_TRUE
                                               : GTK_ACCESSIBLE_INVALID_FALSE,
                               -1);
  g_object_notify_by_pspec (G_OBJECT (self), properties[PROP_PROBLEM]);
}

static void
show_value (FhLimitRow *self)
{
  g_autofree char *text = format (self, self->value);

  if (!self->typing)
    gtk_editable_set_text (GTK_EDITABLE (self->entry), text);
}

static void
changed_cb (FhLimitRow *self)
{
  g_autoptr (GError) error = NULL;
  guint64 value;

  if (parse (self, gtk_editable_get_text (GTK_EDITABLE (self->entry)), &value, &error))
    {
      set_problem (self, NULL);
      self->typing = TRUE;
      fh_limit_row_set_value (self, value);
      self->typing = FALSE;
    }
  else
    {
      set_problem (self, error->message);
    }
}

/* A text that makes no sense is left for the user to mend. */
static void
tidy_cb (FhLimitRow *self)
{
  if (self->problem == NULL)
    show_value (self);
}

static void
choose_cb (GSimpleAction *action, GVariant *target, gpointer user_data)
{
  FhLimitRow *self = FH_LIMIT_ROW (user_data);

  fh_limit_row_set_value (self, g_variant_get_uint64 (target));
  show_value (self);
}

static void
build_choices (FhLimitRow *self)
{
  gboolean is_time = self->kind == FH_LIMIT_KIND_TIME;
  const guint64 *choices = is_time ? time_choices : memory_choices;
  gsize count = is_time ? G_N_ELEMENTS (time_choices) : G_N_ELEMENTS (memory_choices);
  g_autoptr (GMenu) menu = g_menu_new ();

  for (gsize i = 0; i < count; i++)
    {
      g_autofree char *label = format (self, choices[i]);
      g_autoptr (GMenuItem) item = g_menu_item_new (label, NULL);

      g_menu_item_set_action_and_target_value (item,
                                               "limit.choose",
                                               g_variant_new_uint64 (choices[i]));
      g_menu_append_item (menu, item);
    }
  gtk_menu_button_set_menu_model (self->choices_button, G_MENU_MODEL (menu));
}

static void
fh_limit_row_constructed (GObject *object)
{
  FhLimitRow *self = FH_LIMIT_ROW (object);

  G_OBJECT_CLASS (fh_limit_row_parent_class)->constructed (object);

  build_choices (self);
  show_value (self);
  gtk_accessible_update_property (GTK_ACCESSIBLE (self->entry),
                                  GTK_ACCESSIBLE_PROPERTY_LABEL,
                                  self->kind == FH_LIMIT_KIND_TIME ? _ ("Time limit")
                                                                   : _ ("Memory limit"),
                                  -1);
}

static void
fh_limit_row_finalize (GObject *object)
{
  FhLimitRow *self = FH_LIMIT_ROW (object);

  g_free (self->problem);

  G_OBJECT_CLASS (fh_limit_row_parent_class)->finalize (object);
}

static void
fh_limit_row_dispose (GObject *object)
{
  gtk_widget_dispose_template (GTK_WIDGET (object), FH_TYPE_LIMIT_ROW);

  G_OBJECT_CLASS (fh_limit_row_parent_class)->dispose (object);
}

static void
fh_limit_row_get_property (GObject *object, guint id, GValue *value, GParamSpec *pspec)
{
  FhLimitRow *self = FH_LIMIT_ROW (object);

  switch (id)
    {
    case PROP_KIND:
      g_value_set_enum (value, self->kind);
      break;
    case PROP_VALUE:
      g_value_set_uint64 (value, self->value);
      break;
    case PROP_PROBLEM:
      g_value_set_string (value, self->problem);
      break;
    default:
      G_OBJECT_WARN_INVALID_PROPERTY_ID (object, id, pspec);
    }
}

static void
fh_limit_row_set_property (GObject *object, guint id, const GValue *value, GParamSpec *pspec)
{
  FhLimitRow *self = FH_LIMIT_ROW (object);

  switch (id)
    {
    case PROP_KIND:
      self->kind = g_value_get_enum (value);
      break;
    case PROP_VALUE:
      fh_limit_row_set_value (self, g_value_get_uint64 (value));
      break;
    default:
      G_OBJECT_WARN_INVALID_PROPERTY_ID (object, id, pspec);
    }
}

static void
fh_limit_row_class_init (FhLimitRowClass *klass)
{
  GObjectClass *object_class = G_OBJECT_CLASS (klass);
  GtkWidgetClass *widget_class = GTK_WIDGET_CLASS (klass);

  object_class->constructed = fh_limit_row_constructed;
  object_class->dispose = fh_limit_row_dispose;
  object_class->finalize = fh_limit_row_finalize;
  object_class->get_property = fh_limit_row_get_property;
  object_class->set_property = fh_limit_row_set_property;

  properties[PROP_KIND] =
      g_param_spec_enum ("kind",
                         NULL,
                         NULL,
                         FH_TYPE_LIMIT_KIND,
                         FH_LIMIT_KIND_TIME,
                         G_PARAM_READWRITE | G_PARAM_CONSTRUCT_ONLY | G_PARAM_STATIC_STRINGS);
  properties[PROP_VALUE] =
      g_param_spec_uint64 ("value",
                           NULL,
                           NULL,
                           0,
                           G_MAXUINT64,
                           0,
                           G_PARAM_READWRITE | G_PARAM_EXPLICIT_NOTIFY | G_PARAM_STATIC_STRINGS);
  properties[PROP_PROBLEM] =
      g_param_spec_string ("problem", NULL, NULL, NULL, G_PARAM_READABLE | G_PARAM_STATIC_STRINGS);
  g_object_class_install_properties (object_class, N_PROPS, properties);

  gtk_widget_class_set_template_from_resource (widget_class,
                                               "/io/github/fumehood/Fumehood/parts/limit-row.ui");
  gtk_widget_class_bind_template_child (widget_class, FhLimitRow, entry);
  gtk_widget_class_bind_template_child (widget_class, FhLimitRow, choices_button);
  gtk_widget_class_bind_template_callback (widget_class, changed_cb);
  gtk_widget_class_bind_template_callback (widget_class, tidy_cb);
}

static void
fh_limit_row_init (FhLimitRow *self)
{
  const GActionEntry entries[] = {
    { .name = "choose", .activate = choose_cb, .parameter_type = "t" }
  };
  g_autoptr (GSimpleActionGroup) group = g_simple_action_group_new ();

  gtk_widget_init_template (GTK_WIDGET (self));
  g_action_map_add_action_entries (G_ACTION_MAP (group), entries, G_N_ELEMENTS (entries), self);
  gtk_widget_insert_action_group (GTK_WIDGET (self), "limit", G_ACTION_GROUP (group));
}

GtkWidget *
fh_limit_row_new (FhLimitKind kind)
{
  return g_object_new (FH_TYPE_LIMIT_ROW, "kind", kind, NULL);
}

guint64
fh_limit_row_get_value (FhLimitRow *self)
{
  g_return_val_if_fail (FH_IS_LIMIT_ROW (self), 0);

  return self->value;
}

void
fh_limit_row_set_value (FhLimitRow *self, guint64 value)
{
  g_return_if_fail (FH_IS_LIMIT_ROW (self));

  if (self->value != value)
    {
      self->value = value;
      g_object_notify_by_pspec (G_OBJECT (self), properties[PROP_VALUE]);
    }
  show_value (self);
}

const char *
fh_limit_row_get_problem (FhLimitRow *self)
{
  g_return_val_if_fail (FH_IS_LIMIT_ROW (self), NULL);

  return self->problem;
}
