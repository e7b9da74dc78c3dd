/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "controls/guard-button.h"

#include <adwaita.h>
#include <glib/gi18n.h>

struct _FhGuardButton
{
  GtkWidget parent_instance;

  FhProtection *protection; /* nullable */
  FhRunOptions *options;    /* nullable */
  FhRunResult *result;      /* nullable */
  GSignalGroup *protection_signals;
  GSignalGroup *guards_signals;
  GSignalGroup *container_signals;
  GListStore *guards; /* of FhGuardState: what the list shows */

  GtkWidget *choice;
  GtkToggleButton *next_button;
  GtkToggleButton *result_button;
  GtkMenuButton *button;
  GtkLabel *title;
  GtkLabel *tier;
  GtkLabel *given;
  GtkLabel *reason;
  GtkLabel *advice;
  GtkListBox *list;
};

G_DEFINE_FINAL_TYPE (FhGuardButton, fh_guard_button, GTK_TYPE_WIDGET)

/* The interpreter guard protects from nothing that the others let through: off, it is no loss. */
static gboolean
is_extra (FhGuardState *guard)
{
  return fh_guard_state_get_guard (guard) == FH_GUARD_INTERPRETER &&
         fh_guard_state_get_level (guard) != FH_GUARD_LEVEL_ACTIVE;
}

static const char *
level_icon_name (FhGuardLevel level)
{
  switch (level)
    {
    case FH_GUARD_LEVEL_ACTIVE:
      return "emblem-ok-symbolic";
    case FH_GUARD_LEVEL_DEGRADED:
      return "dialog-warning-symbolic";
    case FH_GUARD_LEVEL_UNAVAILABLE:
    case FH_GUARD_LEVEL_OFF:
    default:
      return "action-unavailable-symbolic";
    }
}

static const char *
level_class (FhGuardLevel level)
{
  switch (level)
    {
    case FH_GUARD_LEVEL_ACTIVE:
      return "success";
    case FH_GUARD_LEVEL_DEGRADED:
      return "warning";
    case FH_GUARD_LEVEL_UNAVAILABLE:
    case FH_GUARD_LEVEL_OFF:
    default:
      return "error";
    }
}

static const char *
level_word (FhGuardLevel level)
{
  switch (level)
    {
    case FH_GUARD_LEVEL_ACTIVE:
      return _ ("Active");
    case FH_GUARD_LEVEL_DEGRADED:
      return _ ("Weaker than usual");
    case FH_GUARD_LEVEL_UNAVAILABLE:
      return _ ("Not available");
    case FH_GUARD_LEVEL_OFF:
    default:
      return _ ("Switched off");
    }
}

static GtkWidget *
create_row (gpointer item, gpointer user_data)
{
  FhGuardState *guard = FH_GUARD_STATE (item);
  FhGuardLevel level = fh_guard_state_get_level (guard);
  GtkWidget *row = adw_action_row_new ();
  GtkWidget *icon = gtk_image_new_from_icon_name (is_extra (guard) ? "list-remove-symbolic"
                                                                   : level_icon_name (level));
  g_autofree char *sentence = g_markup_escape_text (fh_guard_state_get_sentence (guard), -1);

  adw_preferences_row_set_title (ADW_PREFERENCES_ROW (row), fh_guard_state_get_title (guard));
  adw_action_row_set_subtitle (ADW_ACTION_ROW (row), sentence);
  adw_action_row_set_subtitle_lines (ADW_ACTION_ROW (row), 0);
  gtk_widget_set_tooltip_text (icon, level_word (level));
  gtk_widget_add_css_class (icon, is_extra (guard) ? "dim-label" : level_class (level));
  gtk_accessible_update_property (GTK_ACCESSIBLE (icon),
                                  GTK_ACCESSIBLE_PROPERTY_LABEL,
                                  level_word (level),
                                  -1);
  adw_action_row_add_prefix (ADW_ACTION_ROW (row), icon);
  /* What it is made of, for those who want to know. */
  gtk_widget_set_tooltip_text (row, fh_guard_state_get_layers (guard));
  gtk_list_box_row_set_activatable (GTK_LIST_BOX_ROW (row), FALSE);
  return row;
}

static void
show_text (GtkLabel *label, const char *text)
{
  gtk_label_set_text (label, text != NULL ? text : "");
  gtk_widget_set_visible (GTK_WIDGET (label), text != NULL && *text != '\0');
}

static guint
without (FhGuardButton *self)
{
  return self->options != NULL
             ? fh_guard_options_get_without (fh_run_options_get_guards (self->options))
             : 0;
}

/* What a container is given beyond the usual, or NULL. */
static char *
dup_given (FhGuardButton *self)
{
  char *notice = NULL;

  if (self->options != NULL)
    g_object_get (fh_run_options_get_container (self->options), "notice", &notice, NULL);
  return notice;
}

/* “A container: python:3-slim” */
static char *
dup_tier (FhGuardButton *self, FhTier tier)
{
  FhContainerChoice *choice;

  if (tier == FH_TIER_AUTO)
    return NULL;
  if (tier != FH_TIER_CONTAINER || self->options == NULL)
    return g_strdup (fh_tier_title (tier));
  choice = fh_run_options_get_container (self->options);
  /* Translators: what a sandbox is made of, and an image: “A container: python:3-slim” */
  return g_strdup_printf (_ ("%s: %s"),
                          fh_tier_title (tier),
                          fh_container_choice_get_image (choice));
}

static gboolean
shows_result (FhGuardButton *self)
{
  return self->result != NULL && gtk_toggle_button_get_active (self->result_button);
}

static void
show_next_guards (FhGuardButton *self)
{
  GListModel *guards = fh_protection_get_guards (self->protection);

  g_list_store_remove_all (self->guards);
  for (guint i = 0; i < g_list_model_get_n_items (guards); i++)
    {
      g_autoptr (FhGuardState) guard = g_list_model_get_item (guards, i);
      g_autoptr (FhGuardState) off = NULL;

      if (without (self) & 1u << fh_guard_state_get_guard (guard))
        off = fh_guard_state_new (fh_guard_state_get_guard (guard),
                                  FH_GUARD_LEVEL_OFF,
                                  fh_guard_state_get_layers (guard),
                                  NULL);
      g_list_store_append (self->guards, off != NULL ? off : guard);
    }
}

/* The reason may be what a guard's own row says. */
static gboolean
says_the_same (GListModel *guards, const char *reason)
{
  for (guint i = 0; i < g_list_model_get_n_items (guards); i++)
    {
      g_autoptr (FhGuardState) guard = g_list_model_get_item (guards, i);

      if (g_strcmp0 (fh_guard_state_get_sentence (guard), reason) == 0)
        return TRUE;
    }
  return FALSE;
}

static void
show_next_run (FhGuardButton *self)
{
  const char *reason = fh_protection_get_reason (self->protection);
  FhTier tier = fh_protection_get_tier (self->protection);
  gboolean may_run = fh_protection_may_run (self->protection);
  g_autofree char *shown = dup_tier (self, tier);
  g_autofree char *given = dup_given (self);

  gtk_label_set_text (self->title,
                      may_run && without (self) != 0 ? _ ("Some Guards Are Switched Off")
                                                     : fh_protection_get_title (self->protection));
  show_text (self->tier, shown);
  show_text (self->given, given);
  show_text (self->reason,
             says_the_same (fh_protection_get_guards (self->protection), reason) ? NULL : reason);
  show_text (self->advice, fh_protection_get_advice (self->protection));
  show_next_guards (self);
}

/* The interpreter guard is an extra that most runs do without. */
static const char *
title_of_past (FhGuardButton *self, FhTier tier)
{
  GPtrArray *guards = fh_run_result_get_guards (self->result);
  gboolean some_weaker = FALSE;

  if (guards->len == 0)
    return _ ("Nothing Was Set Up");
  if (tier == FH_TIER_UNPROTECTED)
    return _ ("This Run Had No Protection");
  for (guint i = 0; i < guards->len; i++)
    {
      FhGuardState *guard = g_ptr_array_index (guards, i);

      if (fh_guard_state_get_guard (guard) == FH_GUARD_INTERPRETER ||
          fh_guard_state_get_level (guard) == FH_GUARD_LEVEL_ACTIVE)
        continue;
      if (fh_guard_state_get_level (guard) == FH_GUARD_LEVEL_OFF)
        return _ ("Some Guards Were Switched Off");
      some_weaker = TRUE;
    }
  return some_weaker ? _ ("Some Guards Were Weaker") : _ ("Every Guard Was Active");
}

static void
show_past_run (FhGuardButton *self)
{
  GPtrArray *guards = fh_run_result_get_guards (self->result);
  FhTier tier;

  if (!fh_tier_from_string (fh_run_result_get_tier (self->result), &tier))
    tier = FH_TIER_AUTO;
  gtk_label_set_text (self->title, title_of_past (self, tier));
  show_text (self->tier, tier != FH_TIER_AUTO ? fh_tier_title (tier) : NULL);
  show_text (self->given, NULL);
  show_text (self->reason, NULL);
  show_text (self->advice, NULL);
  g_list_store_splice (self->guards,
                       0,
                       g_list_model_get_n_items (G_LIST_MODEL (self->guards)),
                       guards->pdata,
                       guards->len);
}

static void
update_button (FhGuardButton *self)
{
  gboolean refused = fh_protection_get_state (self->protection) == FH_PROTECTION_REFUSED;
  g_autofree char *notice = dup_given (self);
  gboolean reduced = !refused && (without (self) != 0 || notice != NULL);
  g_autofree char *tooltip = NULL;

  if (without (self) != 0)
    {
      g_clear_pointer (&notice, g_free);
      g_object_get (fh_run_options_get_guards (self->options), "notice", &notice, NULL);
    }
  tooltip = g_strdup_printf (_ ("What Protects You Now: %s"),
                             reduced ? notice : fh_protection_get_title (self->protection));
  gtk_menu_button_set_icon_name (self->button,
                                 reduced ? "security-low-symbolic"
                                         : fh_protection_get_icon_name (self->protection));
  gtk_widget_set_tooltip_text (GTK_WIDGET (self->button), tooltip);
  gtk_widget_remove_css_class (GTK_WIDGET (self->button), "error");
  gtk_widget_remove_css_class (GTK_WIDGET (self->button), "warning");
  if (refused || reduced)
    gtk_widget_add_css_class (GTK_WIDGET (self->button), refused ? "error" : "warning");
}

static void
update (FhGuardButton *self)
{
  if (self->protection == NULL)
    return;
  update_button (self);
  gtk_widget_set_visible (self->choice, self->result != NULL);
  if (shows_result (self))
    show_past_run (self);
  else
    show_next_run (self);
  gtk_widget_set_visible (GTK_WIDGET (self->list),
                          g_list_model_get_n_items (G_LIST_MODEL (self->guards)) > 0);
}

static void
fh_guard_button_dispose (GObject *object)
{
  FhGuardButton *self = FH_GUARD_BUTTON (object);

  if (self->list != NULL)
    gtk_list_box_bind_model (self->list, NULL, NULL, NULL, NULL);
  g_clear_object (&self->protection_signals);
  g_clear_object (&self->guards_signals);
  g_clear_object (&self->container_signals);
  g_clear_object (&self->protection);
  g_clear_object (&self->options);
  g_clear_object (&self->result);
  g_clear_object (&self->guards);
  gtk_widget_dispose_template (GTK_WIDGET (self), FH_TYPE_GUARD_BUTTON);

  G_OBJECT_CLASS (fh_guard_button_parent_class)->dispose (object);
}

static void
fh_guard_button_class_init (FhGuardButtonClass *klass)
{
  GtkWidgetClass *widget_class = GTK_WIDGET_CLASS (klass);

  G_OBJECT_CLASS (klass)->dispose = fh_guard_button_dispose;

  gtk_widget_class_set_layout_manager_type (widget_class, GTK_TYPE_BIN_LAYOUT);
  gtk_widget_class_set_template_from_resource (
      widget_class,
      "/io/github/fumehood/Fumehood/controls/guard-button.ui");
  gtk_widget_class_bind_template_child (widget_class, FhGuardButton, button);
  gtk_widget_class_bind_template_child (widget_class, FhGuardButton, choice);
  gtk_widget_class_bind_template_child (widget_class, FhGuardButton, next_button);
  gtk_widget_class_bind_template_child (widget_class, FhGuardButton, result_button);
  gtk_widget_class_bind_template_child (widget_class, FhGuardButton, title);
  gtk_widget_class_bind_template_child (widget_class, FhGuardButton, tier);
  gtk_widget_class_bind_template_child (widget_class, FhGuardButton, given);
  gtk_widget_class_bind_template_child (widget_class, FhGuardButton, reason);
  gtk_widget_class_bind_template_child (widget_class, FhGuardButton, advice);
  gtk_widget_class_bind_template_child (widget_class, FhGuardButton, list);
  gtk_widget_class_bind_template_callback (widget_class, update);
}

static GSignalGroup *
follow (FhGuardButton *self, GType type, const char *signal)
{
  GSignalGroup *signals = g_signal_group_new (type);

  g_signal_group_connect_object (signals, signal, G_CALLBACK (update), self, G_CONNECT_SWAPPED);
  return signals;
}

static void
fh_guard_button_init (FhGuardButton *self)
{
  gtk_widget_init_template (GTK_WIDGET (self));
  self->guards = g_list_store_new (FH_TYPE_GUARD_STATE);
  gtk_list_box_bind_model (self->list, G_LIST_MODEL (self->guards), create_row, NULL, NULL);
  self->protection_signals = follow (self, FH_TYPE_PROTECTION, "notify::state");
  self->guards_signals = follow (self, FH_TYPE_GUARD_OPTIONS, "notify::without");
  self->container_signals = follow (self, FH_TYPE_CONTAINER_CHOICE, "notify::serial");
}

GtkWidget *
fh_guard_button_new (void)
{
  return g_object_new (FH_TYPE_GUARD_BUTTON, NULL);
}

void
fh_guard_button_set_protection (FhGuardButton *self, FhProtection *protection)
{
  g_return_if_fail (FH_IS_GUARD_BUTTON (self));
  g_return_if_fail (FH_IS_PROTECTION (protection));

  if (!g_set_object (&self->protection, protection))
    return;
  g_signal_group_set_target (self->protection_signals, protection);
  update (self);
}

void
fh_guard_button_set_options (FhGuardButton *self, FhRunOptions *options)
{
  g_return_if_fail (FH_IS_GUARD_BUTTON (self));
  g_return_if_fail (options == NULL || FH_IS_RUN_OPTIONS (options));

  if (!g_set_object (&self->options, options))
    return;
  g_signal_group_set_target (self->guards_signals,
                             options != NULL ? fh_run_options_get_guards (options) : NULL);
  g_signal_group_set_target (self->container_signals,
                             options != NULL ? fh_run_options_get_container (options) : NULL);
  update (self);
}

void
fh_guard_button_set_result (FhGuardButton *self, FhRunResult *result)
{
  g_return_if_fail (FH_IS_GUARD_BUTTON (self));
  g_return_if_fail (result == NULL || FH_IS_RUN_RESULT (result));

  g_set_object (&self->result, result);
  if (result == NULL)
    gtk_toggle_button_set_active (self->next_button, TRUE);
  update (self);
}

void
fh_guard_button_popup (FhGuardButton *self)
{
  g_return_if_fail (FH_IS_GUARD_BUTTON (self));

  gtk_menu_button_popup (self->button);
}
