/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "controls/container-panel.h"

#include <adwaita.h>
#include <glib/gi18n.h>

#include "controls/image-check-row.h"
#include "controls/image-row.h"
#include "controls/option-rows.h"
#include "parts/calls.h"
#include "parts/limit-row.h"
#include "parts/lines-row.h"
#include "parts/switch-row.h"

/* The rows of network_row. The last is only there for a network with a name, which no row can give:
 * it comes from a past run, a draft or a preset. */
enum
{
  NETWORK_NONE,
  NETWORK_BRIDGE,
  NETWORK_NAMED,
};

/* The network that engines make by themselves. */
#define BRIDGE "bridge"

/* Rows are bound by their names; that of the network is kept in step by hand: `updating` is set
 * while it follows. */
struct _FhContainerPanel
{
  GtkWidget parent_instance;

  FhOptions *options;
  FhImageCheck *check;
  gboolean updating;

  GtkWidget *box; /* is taken off with the template */
  FhImageRow *image_row;
  FhImageCheckRow *check_row;
  AdwExpanderRow *options_row;
  AdwComboRow *network_row;
  AdwActionRow *given_row;
  AdwExpanderRow *kept_row;
  AdwActionRow *state_row;
  GtkButton *stop_button;
  GtkLabel *problem;
};

G_DEFINE_FINAL_TYPE (FhContainerPanel, fh_container_panel, GTK_TYPE_WIDGET)

static char *
dup_text (FhContainerPanel *self, const char *property)
{
  char *text;

  g_object_get (self->options, property, &text, NULL);
  return text;
}

static void
follow_image (FhContainerPanel *self)
{
  g_autofree char *image = g_strstrip (dup_text (self, "container-image"));
  const char *shown = *image != '\0' ? image : FH_CONTAINER_DEFAULT_IMAGE;
  guint engine;

  g_object_get (self->options, "container-engine", &engine, NULL);
  fh_image_row_set_engine (self->image_row, (FhEngineKind) engine);
  fh_image_check_set (self->check,
                      (FhEngineKind) engine,
                      fh_options_is_in_container (self->options) ? shown : NULL);
}

static void
follow_network (FhContainerPanel *self)
{
  g_autofree char *network = dup_text (self, "container-network");
  GtkStringList *networks = GTK_STRING_LIST (adw_combo_row_get_model (self->network_row));
  const gboolean is_named = *network != '\0' && !g_str_equal (network, BRIDGE);
  const char *names[] = { network, NULL };

  self->updating = TRUE;
  gtk_string_list_splice (networks,
                          NETWORK_NAMED,
                          g_list_model_get_n_items (G_LIST_MODEL (networks)) - NETWORK_NAMED,
                          is_named ? names : NULL);
  adw_combo_row_set_selected (self->network_row,
                              is_named           ? NETWORK_NAMED
                              : *network != '\0' ? NETWORK_BRIDGE
                                                 : NETWORK_NONE);
  self->updating = FALSE;
}

static void
network_changed_cb (FhContainerPanel *self)
{
  guint position = adw_combo_row_get_selected (self->network_row);

  if (self->options != NULL && !self->updating && position < NETWORK_NAMED)
    g_object_set (self->options,
                  "container-network",
                  position == NETWORK_BRIDGE ? BRIDGE : "",
                  NULL);
}

/* Tells what no row can give, but a past run, a draft or a preset may have: it is used, so it has
 * to be seen and can be taken away. */
static void
follow_given (FhContainerPanel *self)
{
  g_autofree char *folder = dup_text (self, "container-work-dir");
  g_autofree char *volumes = g_strstrip (dup_text (self, "container-volumes"));
  g_autofree char *init = dup_text (self, "container-init");
  g_autoptr (GStrvBuilder) builder = g_strv_builder_new ();
  g_auto (GStrv) lines = NULL;
  g_autofree char *text = NULL;

  if (*folder != '\0')
    /* Translators: %s is the path of a folder */
    fh_strv_builder_take (
        builder,
        g_strdup_printf (_ ("%s — the program can change and delete its files"), folder));
  if (*volumes != '\0')
    fh_strv_builder_take (builder, g_strdup_printf (_ ("Volumes: %s"), volumes));
  if (*init != '\0')
    fh_strv_builder_take (builder, g_strdup_printf (_ ("Set-up command: %s"), init));
  lines = g_strv_builder_end (builder);
  text = g_strjoinv ("\n", lines);
  adw_action_row_set_subtitle (self->given_row, text);
  gtk_widget_set_visible (GTK_WIDGET (self->given_row), *text != '\0');
}

static void
clear_given_cb (FhContainerPanel *self)
{
  g_object_set (self->options,
                "container-work-dir",
                "",
                "container-volumes",
                "",
                "container-init",
                "",
                NULL);
}

static void
follow_notice (FhContainerPanel *self)
{
  g_autofree char *notice = dup_text (self, "container-notice");

  adw_expander_row_set_subtitle (self->options_row,
                                 notice != NULL ? notice
                                                : _ ("No network, no access to your files"));
}

/* An invalid name of an image is reported beside it. */
static void
follow_problem (FhContainerPanel *self)
{
  g_autofree char *problem = dup_text (self, "container-problem");

  gtk_widget_set_visible (GTK_WIDGET (self->problem),
                          problem != NULL &&
                              fh_image_check_get_state (self->check) != FH_IMAGE_CHECK_INVALID);
}

static void
follow_after (FhContainerPanel *self)
{
  const char *label;
  guint after;

  g_object_get (self->options, "container-after", &after, NULL);
  label =
      after == FH_CONTAINER_REMOVE ? _ ("Stop and Remove the Container") : _ ("Stop the Container");
  gtk_button_set_icon_name (self->stop_button,
                            after == FH_CONTAINER_REMOVE ? "user-trash-symbolic"
                                                         : "media-playback-stop-symbolic");
  gtk_widget_set_tooltip_text (GTK_WIDGET (self->stop_button), label);
  fh_set_accessible_label (self->stop_button, label);
}

static void
fh_container_panel_dispose (GObject *object)
{
  FhContainerPanel *self = FH_CONTAINER_PANEL (object);

  /* Ends its questions. */
  if (self->check != NULL)
    fh_image_check_set (self->check, FH_ENGINE_AUTO, NULL);
  if (self->options != NULL)
    g_signal_handlers_disconnect_by_data (self->options, self);
  g_clear_object (&self->options);
  gtk_widget_dispose_template (GTK_WIDGET (self), FH_TYPE_CONTAINER_PANEL);
  g_clear_object (&self->check);

  G_OBJECT_CLASS (fh_container_panel_parent_class)->dispose (object);
}

static void
bind_template (GtkWidgetClass *widget_class)
{
  fh_set_template (widget_class, "controls/container-panel.ui");
  gtk_widget_class_bind_template_child (widget_class, FhContainerPanel, box);
  gtk_widget_class_bind_template_child (widget_class, FhContainerPanel, image_row);
  gtk_widget_class_bind_template_child (widget_class, FhContainerPanel, check_row);
  gtk_widget_class_bind_template_child (widget_class, FhContainerPanel, options_row);
  gtk_widget_class_bind_template_child (widget_class, FhContainerPanel, network_row);
  gtk_widget_class_bind_template_child (widget_class, FhContainerPanel, given_row);
  gtk_widget_class_bind_template_child (widget_class, FhContainerPanel, kept_row);
  gtk_widget_class_bind_template_child (widget_class, FhContainerPanel, state_row);
  gtk_widget_class_bind_template_child (widget_class, FhContainerPanel, stop_button);
  gtk_widget_class_bind_template_child (widget_class, FhContainerPanel, problem);
  gtk_widget_class_bind_template_callback (widget_class, network_changed_cb);
  gtk_widget_class_bind_template_callback (widget_class, clear_given_cb);
}

static void
fh_container_panel_class_init (FhContainerPanelClass *klass)
{
  GtkWidgetClass *widget_class = GTK_WIDGET_CLASS (klass);

  G_OBJECT_CLASS (klass)->dispose = fh_container_panel_dispose;

  g_type_ensure (FH_TYPE_IMAGE_ROW);
  g_type_ensure (FH_TYPE_IMAGE_CHECK_ROW);
  g_type_ensure (FH_TYPE_LIMIT_ROW);
  g_type_ensure (FH_TYPE_LINES_ROW);
  g_type_ensure (FH_TYPE_SWITCH_ROW);
  gtk_widget_class_set_layout_manager_type (widget_class, GTK_TYPE_BIN_LAYOUT);
  bind_template (widget_class);
}

/* The switch of the row itself: libadwaita 1.2 gives it no name. */
static void
name_kept_switch (FhContainerPanel *self)
{
  GtkWidget *button = fh_find_widget (GTK_WIDGET (self->kept_row), GTK_TYPE_SWITCH);

  if (button != NULL)
    fh_set_accessible_label (button, _ ("Keep the container between runs"));
}

static void
fh_container_panel_init (FhContainerPanel *self)
{
  self->check = fh_image_check_new ();
  gtk_widget_init_template (GTK_WIDGET (self));
  name_kept_switch (self);
  fh_image_check_row_set_check (self->check_row, self->check);
}

void
fh_container_panel_set_options (FhContainerPanel *self, FhOptions *options)
{
  const struct
  {
    const char *signal;
    void (*follow) (FhContainerPanel *self);
  } followers[] = {
    { "notify::in-container", follow_image },
    { "notify::container-image", follow_image },
    { "notify::container-engine", follow_image },
    { "notify::container-after", follow_after },
    { "notify::container-network", follow_network },
    { "notify::container-work-dir", follow_given },
    { "notify::container-volumes", follow_given },
    { "notify::container-init", follow_given },
    { "notify::container-notice", follow_notice },
    { "notify::container-problem", follow_problem },
  };

  g_return_if_fail (FH_IS_CONTAINER_PANEL (self));
  g_return_if_fail (FH_IS_OPTIONS (options));
  g_return_if_fail (self->options == NULL);

  self->options = g_object_ref (options);
  fh_option_rows_bind (GTK_WIDGET (self), options);
  fh_connect (self->check, "changed", follow_problem, self);
  for (guint i = 0; i < G_N_ELEMENTS (followers); i++)
    {
      fh_connect (options, followers[i].signal, followers[i].follow, self);
      followers[i].follow (self);
    }
}

FhImageCheck *
fh_container_panel_get_check (FhContainerPanel *self)
{
  g_return_val_if_fail (FH_IS_CONTAINER_PANEL (self), NULL);

  return self->check;
}

void
fh_container_panel_show_container (FhContainerPanel *self, const char *name, const char *state)
{
  g_return_if_fail (FH_IS_CONTAINER_PANEL (self));

  gtk_widget_set_visible (GTK_WIDGET (self->state_row), name != NULL);
  adw_preferences_row_set_title (ADW_PREFERENCES_ROW (self->state_row), state != NULL ? state : "");
  adw_action_row_set_subtitle (self->state_row, name != NULL ? name : "");
}
