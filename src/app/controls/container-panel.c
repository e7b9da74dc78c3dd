/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "controls/container-panel.h"

#include <adwaita.h>
#include <glib/gi18n.h>

#include "controls/image-check-row.h"
#include "controls/image-row.h"
#include "controls/option-rows.h"
#include "parts/calls.h"
#include "parts/file-dialogs.h"
#include "parts/limit-row.h"
#include "parts/lines-row.h"

/* The rows of network_row. */
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
  GCancellable *cancellable;
  gboolean updating;

  GtkWidget *group;
  FhImageRow *image_row;
  FhImageCheckRow *check_row;
  AdwExpanderRow *options_row;
  AdwComboRow *network_row;
  GtkWidget *network_name_row;
  AdwActionRow *folder_row;
  GtkWidget *clear_folder_button;
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

/* The entry stays while a name is typed into it, even if that is empty or “bridge”. */
static void
follow_network (FhContainerPanel *self)
{
  g_autofree char *network = dup_text (self, "container-network");
  guint position = NETWORK_NAMED;
  gboolean is_typing = adw_combo_row_get_selected (self->network_row) == NETWORK_NAMED &&
                       gtk_widget_get_focus_child (self->network_name_row) != NULL;

  if (*network == '\0' && !is_typing)
    position = NETWORK_NONE;
  else if (g_str_equal (network, BRIDGE) && !is_typing)
    position = NETWORK_BRIDGE;
  self->updating = TRUE;
  adw_combo_row_set_selected (self->network_row, position);
  if (position == NETWORK_NAMED)
    gtk_editable_set_text (GTK_EDITABLE (self->network_name_row), network);
  self->updating = FALSE;
  gtk_widget_set_visible (self->network_name_row, position == NETWORK_NAMED);
}

static void
network_changed_cb (FhContainerPanel *self)
{
  guint position = adw_combo_row_get_selected (self->network_row);
  const char *network = "";

  if (self->options == NULL || self->updating)
    return;
  if (position == NETWORK_BRIDGE)
    network = BRIDGE;
  else if (position == NETWORK_NAMED)
    network = gtk_editable_get_text (GTK_EDITABLE (self->network_name_row));
  gtk_widget_set_visible (self->network_name_row, position == NETWORK_NAMED);
  self->updating = TRUE;
  g_object_set (self->options, "container-network", network, NULL);
  self->updating = FALSE;
}

static void
network_notified_cb (FhContainerPanel *self)
{
  if (!self->updating)
    follow_network (self);
}

static void
follow_folder (FhContainerPanel *self)
{
  g_autofree char *folder = dup_text (self, "container-work-dir");
  g_autofree char *name = NULL;
  gboolean has_folder = *folder != '\0';

  /* Translators: %s is the path of a folder */
  name = has_folder
             ? g_strdup_printf (_ ("%s — the program can change and delete its files"), folder)
             : g_strdup (_ ("Empty; deleted with the container"));
  adw_action_row_set_subtitle (self->folder_row, name);
  gtk_widget_set_visible (self->clear_folder_button, has_folder);
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
folder_chosen_cb (GObject *source, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (FhContainerPanel) self = user_data;
  g_autoptr (GFile) folder = fh_file_dialogs_finish (result, NULL);
  g_autofree char *path = folder != NULL ? g_file_get_path (folder) : NULL;

  if (path != NULL && self->options != NULL)
    g_object_set (self->options, "container-work-dir", path, NULL);
}

static void
choose_folder_cb (FhContainerPanel *self)
{
  fh_file_dialogs_show_async (GTK_WIDGET (self),
                              GTK_FILE_CHOOSER_ACTION_SELECT_FOLDER,
                              _ ("Choose a Work Folder"),
                              NULL,
                              self->cancellable,
                              folder_chosen_cb,
                              g_object_ref (self));
}

static void
clear_folder_cb (FhContainerPanel *self)
{
  g_object_set (self->options, "container-work-dir", "", NULL);
}

static void
fh_container_panel_dispose (GObject *object)
{
  FhContainerPanel *self = FH_CONTAINER_PANEL (object);

  g_cancellable_cancel (self->cancellable);
  /* Ends its questions. */
  if (self->check != NULL)
    fh_image_check_set (self->check, FH_ENGINE_AUTO, NULL);
  g_clear_object (&self->options);
  gtk_widget_dispose_template (GTK_WIDGET (self), FH_TYPE_CONTAINER_PANEL);
  g_clear_object (&self->check);
  g_clear_object (&self->cancellable);

  G_OBJECT_CLASS (fh_container_panel_parent_class)->dispose (object);
}

static void
bind_template (GtkWidgetClass *widget_class)
{
  fh_set_template (widget_class, "controls/container-panel.ui");
  gtk_widget_class_bind_template_child (widget_class, FhContainerPanel, group);
  gtk_widget_class_bind_template_child (widget_class, FhContainerPanel, image_row);
  gtk_widget_class_bind_template_child (widget_class, FhContainerPanel, check_row);
  gtk_widget_class_bind_template_child (widget_class, FhContainerPanel, options_row);
  gtk_widget_class_bind_template_child (widget_class, FhContainerPanel, network_row);
  gtk_widget_class_bind_template_child (widget_class, FhContainerPanel, network_name_row);
  gtk_widget_class_bind_template_child (widget_class, FhContainerPanel, folder_row);
  gtk_widget_class_bind_template_child (widget_class, FhContainerPanel, clear_folder_button);
  gtk_widget_class_bind_template_child (widget_class, FhContainerPanel, kept_row);
  gtk_widget_class_bind_template_child (widget_class, FhContainerPanel, state_row);
  gtk_widget_class_bind_template_child (widget_class, FhContainerPanel, stop_button);
  gtk_widget_class_bind_template_child (widget_class, FhContainerPanel, problem);
  gtk_widget_class_bind_template_callback (widget_class, network_changed_cb);
  gtk_widget_class_bind_template_callback (widget_class, choose_folder_cb);
  gtk_widget_class_bind_template_callback (widget_class, clear_folder_cb);
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
  gtk_widget_class_set_layout_manager_type (widget_class, GTK_TYPE_BIN_LAYOUT);
  bind_template (widget_class);
}

static GtkWidget *
find_switch (GtkWidget *root)
{
  GtkWidget *found = GTK_IS_SWITCH (root) ? root : NULL;

  for (GtkWidget *child = gtk_widget_get_first_child (root); child != NULL && found == NULL;
       child = gtk_widget_get_next_sibling (child))
    found = find_switch (child);
  return found;
}

/* The switch of the row itself: libadwaita 1.2 gives it no name. */
static void
name_kept_switch (FhContainerPanel *self)
{
  GtkWidget *button = find_switch (GTK_WIDGET (self->kept_row));

  if (button != NULL)
    fh_set_accessible_label (button, _ ("Keep the container between runs"));
}

static void
fh_container_panel_init (FhContainerPanel *self)
{
  self->check = fh_image_check_new ();
  self->cancellable = g_cancellable_new ();
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
    { "notify::container-network", network_notified_cb },
    { "notify::container-work-dir", follow_folder },
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
