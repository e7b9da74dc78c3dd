/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "controls/guard-button.h"

#include <adwaita.h>
#include <glib/gi18n.h>

#include "parts/calls.h"

struct _FhGuardButton
{
  GtkWidget parent_instance;

  FhProtection *protection; /* nullable */
  FhOptions *options;       /* nullable */
  FhRunResult *result;      /* nullable */
  GSignalGroup *protection_signals;
  GSignalGroup *options_signals;
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

/* The interpreter guard is no protection, so its absence is no weakness. */
static gboolean
is_extra (FhGuardState *guard)
{
  return fh_guard_state_get_facts (guard)->guard == FH_GUARD_INTERPRETER &&
         fh_guard_state_get_facts (guard)->level != FH_GUARD_LEVEL_ACTIVE;
}

typedef struct
{
  const char *icon_name;
  const char *css_class;
  const char *word;
} Look;

static const Look looks[] = {
  [FH_GUARD_LEVEL_ACTIVE] = { "emblem-ok-symbolic", "success", N_ ("Active") },
  [FH_GUARD_LEVEL_DEGRADED] = { "dialog-warning-symbolic", "warning", N_ ("Weaker than usual") },
  [FH_GUARD_LEVEL_UNAVAILABLE] = { "action-unavailable-symbolic", "error", N_ ("Not available") },
  [FH_GUARD_LEVEL_OFF] = { "action-unavailable-symbolic", "error", N_ ("Switched off") },
};

static gboolean
shows_result (FhGuardButton *self)
{
  return self->result != NULL && gtk_toggle_button_get_active (self->result_button);
}

/* Whether the run that is shown could be had without it. */
static gboolean
can_do_without (FhGuardButton *self, FhGuardState *state)
{
  guint guard = 1u << fh_guard_state_get_facts (state)->guard;
  FhGuardLevel level = fh_guard_state_get_facts (state)->level;
  FhTier tier;

  return shows_result (self) && (FH_RUN_GUARDS_SWITCHES & guard) &&
         (level == FH_GUARD_LEVEL_ACTIVE || level == FH_GUARD_LEVEL_DEGRADED) &&
         fh_tier_from_string (fh_run_result_get_parts (self->result)->tier, &tier) &&
         tier != FH_TIER_UNPROTECTED &&
         (tier != FH_TIER_CONTAINER || !(FH_OPTIONS_NOT_IN_CONTAINER & guard));
}

/* Adds a button to the row of a guard. */
static GtkWidget *
add_button (GtkWidget *row,
            const char *icon_name,
            const char *label,
            const char *action,
            const char *target)
{
  GtkWidget *button = gtk_button_new_from_icon_name (icon_name);

  gtk_actionable_set_action_target (GTK_ACTIONABLE (button), "s", target);
  gtk_actionable_set_action_name (GTK_ACTIONABLE (button), action);
  gtk_widget_set_valign (button, GTK_ALIGN_CENTER);
  gtk_widget_add_css_class (button, "flat");
  gtk_widget_set_tooltip_text (button, label);
  fh_set_accessible_label (button, label);
  adw_action_row_add_suffix (ADW_ACTION_ROW (row), button);
  return button;
}

static void
add_help_button (GtkWidget *row, FhGuard guard)
{
  g_autofree char *page = g_strconcat ("guard-", fh_guard_to_string (guard), NULL);
  g_autofree char *label = g_strdup_printf (_ ("Learn more: %s"), fh_guard_title (guard));

  add_button (row, "help-about-symbolic", label, "app.help", page);
}

static void
add_without_button (FhGuardButton *self, GtkWidget *row, FhGuard guard)
{
  /* Translators: %s is a guard, such as “Network” */
  g_autofree char *label =
      g_strdup_printf (_ ("Run Again Without “%s” and Compare…"), fh_guard_title (guard));

  GtkWidget *button =
      add_button (row, "view-dual-symbolic", label, "win.run-without", fh_guard_to_string (guard));

  /* The action opens a dialog, which the popover would cover. */
  fh_connect (button, "clicked", gtk_menu_button_popdown, self->button);
}

/* The runner and records have these words in English. Those with numbers or names in them, and the
 * names of parts of the kernel, are left as they are. */
static const char *const words[] = {
  N_ ("CPU time of all processes"),
  N_ ("DNS sink"),
  N_ ("Flatpak's private root"),
  N_ ("Landlock rules for TCP"),
  N_ ("Landlock scope of abstract sockets"),
  N_ ("Landlock scope of signals"),
  N_ ("bound work folder"),
  N_ ("built environment"),
  N_ ("byte count per stream"),
  N_ ("cgroup memory limit"),
  N_ ("data limit"),
  N_ ("engine's filter"),
  N_ ("file size limit"),
  N_ ("limit for the user"),
  N_ ("limited inodes"),
  N_ ("looking"),
  N_ ("loopback only"),
  N_ ("mount namespace"),
  N_ ("network namespace"),
  N_ ("no capabilities"),
  N_ ("no inherited descriptors"),
  N_ ("no new privileges"),
  N_ ("no proxies of the client"),
  N_ ("no signals"),
  N_ ("no sockets"),
  N_ ("no swap"),
  N_ ("one architecture"),
  N_ ("overlay of the project"),
  N_ ("overlays for projects"),
  N_ ("own keyring"),
  N_ ("pid namespace"),
  N_ ("pipes"),
  N_ ("private root"),
  N_ ("process limit"),
  N_ ("read-only image"),
  N_ ("read-only root"),
  N_ ("read-only system folders"),
  N_ ("reports"),
  N_ ("sampling"),
  N_ ("seccomp filter"),
  N_ ("seccomp profile of the container"),
  N_ ("sized tmpfs"),
  N_ ("socket families"),
  N_ ("system call filter"),
  N_ ("the engine's network"),
  N_ ("the engine's seccomp profile"),
  N_ ("user namespace"),
  N_ ("wall clock"),
  N_ ("writable layer"),
  NULL,
};

/* Returns what a guard is made of, in the language of the user. */
static char *
dup_layers (const char *layers)
{
  g_auto (GStrv) parts = g_strsplit (layers, ", ", -1);

  for (guint i = 0; parts[i] != NULL; i++)
    {
      char *part = parts[i];

      if (!g_strv_contains (words, part))
        continue;
      parts[i] = g_strdup (_ (part));
      g_free (part);
    }
  return g_strjoinv (", ", parts);
}

static GtkWidget *
create_row (gpointer item, gpointer user_data)
{
  FhGuardButton *self = FH_GUARD_BUTTON (user_data);
  FhGuardState *guard = FH_GUARD_STATE (item);
  const Look *look = &looks[fh_guard_state_get_facts (guard)->level];
  GtkWidget *row = adw_action_row_new ();
  GtkWidget *icon =
      gtk_image_new_from_icon_name (is_extra (guard) ? "list-remove-symbolic" : look->icon_name);
  g_autofree char *layers = dup_layers (fh_guard_state_get_facts (guard)->layers);
  g_autofree char *text =
      *layers != '\0' ? g_markup_printf_escaped ("%s\n<small>%s</small>",
                                                 fh_guard_state_get_facts (guard)->sentence,
                                                 layers)
                      : g_markup_printf_escaped ("%s", fh_guard_state_get_facts (guard)->sentence);

  adw_preferences_row_set_title (ADW_PREFERENCES_ROW (row),
                                 fh_guard_title (fh_guard_state_get_facts (guard)->guard));
  adw_action_row_set_subtitle (ADW_ACTION_ROW (row), text);
  gtk_widget_set_tooltip_text (icon, _ (look->word));
  gtk_widget_add_css_class (icon, is_extra (guard) ? "dim-label" : look->css_class);
  fh_set_accessible_label (icon, _ (look->word));
  adw_action_row_add_prefix (ADW_ACTION_ROW (row), icon);
  if (can_do_without (self, guard))
    add_without_button (self, row, fh_guard_state_get_facts (guard)->guard);
  add_help_button (row, fh_guard_state_get_facts (guard)->guard);
  gtk_list_box_row_set_activatable (GTK_LIST_BOX_ROW (row), FALSE);
  return row;
}

/* Rows with something to know come before those of guards that are as they should be. */
static int
weaker_first (gconstpointer a, gconstpointer b, gpointer user_data)
{
  FhGuardState *first = FH_GUARD_STATE ((gpointer) a);
  FhGuardState *second = FH_GUARD_STATE ((gpointer) b);
  int first_level =
      is_extra (first) ? FH_GUARD_LEVEL_ACTIVE : (int) fh_guard_state_get_facts (first)->level;
  int second_level =
      is_extra (second) ? FH_GUARD_LEVEL_ACTIVE : (int) fh_guard_state_get_facts (second)->level;

  return second_level - first_level;
}

static guint
without (FhGuardButton *self)
{
  guint guards = 0;

  if (self->options != NULL)
    g_object_get (self->options, "guards-without", &guards, NULL);
  return guards;
}

/* NULL without options. */
static char *
dup_notice (FhGuardButton *self, const char *property)
{
  char *notice = NULL;

  if (self->options != NULL)
    g_object_get (self->options, property, &notice, NULL);
  return notice;
}

/* “A container: python:3-slim” */
static char *
dup_tier (FhGuardButton *self, FhTier tier)
{
  g_autoptr (FhRunOptions) values = NULL;

  if (tier == FH_TIER_AUTO)
    return NULL;
  if (tier != FH_TIER_CONTAINER || self->options == NULL)
    return g_strdup (fh_tier_title (tier));
  values = fh_options_dup_values (self->options);
  /* Translators: what a sandbox is made of, and an image: “A container: python:3-slim” */
  return g_strdup_printf (_ ("%s: %s"),
                          fh_tier_title (tier),
                          fh_container_options_image (&values->container));
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

      if (without (self) & 1u << fh_guard_state_get_facts (guard)->guard)
        off = fh_guard_state_new (fh_guard_state_get_facts (guard)->guard,
                                  FH_GUARD_LEVEL_OFF,
                                  fh_guard_state_get_facts (guard)->layers,
                                  NULL);
      g_list_store_append (self->guards, off != NULL ? off : guard);
    }
  g_list_store_sort (self->guards, weaker_first, NULL);
}

/* Whether the row of a guard gives the same reason. */
static gboolean
says_the_same (GListModel *guards, const char *reason)
{
  for (guint i = 0; i < g_list_model_get_n_items (guards); i++)
    {
      g_autoptr (FhGuardState) guard = g_list_model_get_item (guards, i);

      if (g_strcmp0 (fh_guard_state_get_facts (guard)->sentence, reason) == 0)
        return TRUE;
    }
  return FALSE;
}

static void
show_next_run (FhGuardButton *self)
{
  const char *reason = fh_protection_get_reason (self->protection);
  FhTier tier = fh_protection_get_tier (self->protection);
  g_autofree char *shown = dup_tier (self, tier);
  g_autofree char *given = dup_notice (self, "container-notice");

  gtk_label_set_text (self->title,
                      fh_protection_get_title_without (self->protection, without (self)));
  fh_show_text (self->tier, shown);
  fh_show_text (self->given, given);
  fh_show_text (self->reason,
                says_the_same (fh_protection_get_guards (self->protection), reason) ? NULL
                                                                                    : reason);
  fh_show_text (self->advice, fh_protection_get_advice (self->protection));
  show_next_guards (self);
}

/* The interpreter guard does not count: most runs do not use it. */
static const char *
title_of_past (FhGuardButton *self, FhTier tier)
{
  GPtrArray *guards = fh_run_result_get_parts (self->result)->guards;
  gboolean some_weaker = FALSE;

  if (guards->len == 0)
    return _ ("No Guards Were Set Up");
  if (tier == FH_TIER_UNPROTECTED)
    return _ ("This Run Had No Protection");
  for (guint i = 0; i < guards->len; i++)
    {
      FhGuardState *guard = g_ptr_array_index (guards, i);

      if (fh_guard_state_get_facts (guard)->guard == FH_GUARD_INTERPRETER ||
          fh_guard_state_get_facts (guard)->level == FH_GUARD_LEVEL_ACTIVE)
        continue;
      if (fh_guard_state_get_facts (guard)->level == FH_GUARD_LEVEL_OFF)
        return _ ("Some Guards Were Switched Off");
      some_weaker = TRUE;
    }
  return some_weaker ? _ ("Some Guards Were Weaker") : _ ("Every Guard Was Active");
}

static void
show_past_run (FhGuardButton *self)
{
  GPtrArray *guards = fh_run_result_get_parts (self->result)->guards;
  FhTier tier;

  if (!fh_tier_from_string (fh_run_result_get_parts (self->result)->tier, &tier))
    tier = FH_TIER_AUTO;
  gtk_label_set_text (self->title, title_of_past (self, tier));
  fh_show_text (self->tier, tier != FH_TIER_AUTO ? fh_tier_title (tier) : NULL);
  fh_show_text (self->given, NULL);
  fh_show_text (self->reason, NULL);
  fh_show_text (self->advice, NULL);
  g_list_store_splice (self->guards,
                       0,
                       g_list_model_get_n_items (G_LIST_MODEL (self->guards)),
                       guards->pdata,
                       guards->len);
  g_list_store_sort (self->guards, weaker_first, NULL);
}

static void
update_button (FhGuardButton *self)
{
  gboolean refused = fh_protection_get_state (self->protection) == FH_PROTECTION_REFUSED;
  g_autofree char *notice = dup_notice (self, without (self) != 0 ? "notice" : "container-notice");
  gboolean reduced = !refused && notice != NULL;
  g_autofree char *tooltip = NULL;

  tooltip = g_strdup_printf (_ ("What Protects You Now: %s"),
                             reduced ? notice : fh_protection_get_title (self->protection));
  gtk_menu_button_set_icon_name (self->button,
                                 reduced ? "security-low-symbolic"
                                         : fh_protection_get_icon_name (self->protection));
  gtk_widget_set_tooltip_text (GTK_WIDGET (self->button), tooltip);
  fh_set_css_class (self->button, "error", refused);
  fh_set_css_class (self->button, "warning", reduced);
}

/* Each run changes what is in the popover, which takes a few milliseconds while the first output of
 * the program waits: that is left until it is shown. */
static void
update (FhGuardButton *self)
{
  GtkPopover *popover = gtk_menu_button_get_popover (self->button);

  if (self->protection == NULL)
    return;
  update_button (self);
  if (popover == NULL || !gtk_widget_get_visible (GTK_WIDGET (popover)))
    return;
  gtk_widget_set_visible (self->choice, self->result != NULL);
  if (shows_result (self))
    show_past_run (self);
  else
    show_next_run (self);
  gtk_widget_set_visible (GTK_WIDGET (self->list),
                          g_list_model_get_n_items (G_LIST_MODEL (self->guards)) > 0);
}

/* The rows exist only while the popover is shown. */
static void
show_cb (FhGuardButton *self)
{
  update (self);
  gtk_widget_child_focus (GTK_WIDGET (gtk_menu_button_get_popover (self->button)),
                          GTK_DIR_TAB_FORWARD);
}

static void
fh_guard_button_dispose (GObject *object)
{
  FhGuardButton *self = FH_GUARD_BUTTON (object);

  if (self->list != NULL)
    gtk_list_box_bind_model (self->list, NULL, NULL, NULL, NULL);
  g_clear_object (&self->protection_signals);
  g_clear_object (&self->options_signals);
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
  fh_set_template (widget_class, "controls/guard-button.ui");
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
  gtk_widget_class_bind_template_callback (widget_class, show_cb);
  gtk_widget_class_bind_template_callback (widget_class, update);
}

static void
fh_guard_button_init (FhGuardButton *self)
{
  gtk_widget_init_template (GTK_WIDGET (self));
  self->guards = g_list_store_new (FH_TYPE_GUARD_STATE);
  gtk_list_box_bind_model (self->list, G_LIST_MODEL (self->guards), create_row, self, NULL);
  self->protection_signals = g_signal_group_new (FH_TYPE_PROTECTION);
  fh_connect_group (self->protection_signals, "changed", update, self);
  self->options_signals = g_signal_group_new (FH_TYPE_OPTIONS);
  fh_connect_group (self->options_signals, "notify::notice", update, self);
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
fh_guard_button_set_options (FhGuardButton *self, FhOptions *options)
{
  g_return_if_fail (FH_IS_GUARD_BUTTON (self));
  g_return_if_fail (options == NULL || FH_IS_OPTIONS (options));

  if (!g_set_object (&self->options, options))
    return;
  g_signal_group_set_target (self->options_signals, options);
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
