/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "controls/container-panel.h"

#include <adwaita.h>
#include <glib/gi18n.h>

#include "controls/image-check-row.h"
#include "controls/image-row.h"
#include "parts/file-dialogs.h"
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

/* Everything is bound to the choice but what is a position in a list, which is kept in step by
 * hand. `updating` is set while rows follow the choice. */
struct _FhContainerPanel
{
  GtkWidget parent_instance;

  FhContainerChoice *choice;
  FhImageCheck *check;
  GCancellable *cancellable;
  gboolean updating;

  GtkWidget *group;
  AdwComboRow *place_row;
  FhImageRow *image_row;
  FhImageCheckRow *check_row;
  AdwExpanderRow *options_row;
  AdwComboRow *engine_row;
  AdwComboRow *network_row;
  GtkWidget *network_name_row;
  GtkWidget *cpus_row;
  GtkWidget *gpus_row;
  AdwActionRow *folder_row;
  GtkWidget *clear_folder_button;
  FhLinesRow *volumes_row;
  FhLinesRow *hosts_row;
  FhLinesRow *environment_row;
  GtkSwitch *writable_switch;
  GtkSwitch *root_switch;
  AdwExpanderRow *kept_row;
  AdwActionRow *state_row;
  GtkButton *stop_button;
  GtkWidget *name_row;
  AdwComboRow *after_row;
  GtkLabel *problem;
};

G_DEFINE_FINAL_TYPE (FhContainerPanel, fh_container_panel, GTK_TYPE_WIDGET)

static void
follow_place (FhContainerPanel *self)
{
  gboolean in_container = fh_container_choice_is_in_container (self->choice);
  GtkWidget *const rows[] = {
    GTK_WIDGET (self->image_row),
    GTK_WIDGET (self->check_row),
    GTK_WIDGET (self->options_row),
    GTK_WIDGET (self->kept_row),
  };

  self->updating = TRUE;
  adw_combo_row_set_selected (self->place_row, in_container ? 1 : 0);
  self->updating = FALSE;
  for (guint i = 0; i < G_N_ELEMENTS (rows); i++)
    gtk_widget_set_visible (rows[i], in_container);
}

static void
follow_image (FhContainerPanel *self)
{
  FhEngineKind engine = fh_container_choice_get_engine (self->choice);
  gboolean in_container = fh_container_choice_is_in_container (self->choice);

  fh_image_row_set_engine (self->image_row, engine);
  fh_image_check_set (self->check,
                      engine,
                      in_container ? fh_container_choice_get_image (self->choice) : NULL);
}

static void
follow_lists (FhContainerPanel *self)
{
  guint after;

  g_object_get (self->choice, "after", &after, NULL);
  self->updating = TRUE;
  adw_combo_row_set_selected (self->engine_row, fh_container_choice_get_engine (self->choice));
  adw_combo_row_set_selected (self->after_row, after);
  self->updating = FALSE;
}

/* A name that is being typed stays where it is typed, whatever it is. */
static void
follow_network (FhContainerPanel *self)
{
  g_autofree char *network = NULL;
  guint position = NETWORK_NAMED;
  gboolean is_typing = adw_combo_row_get_selected (self->network_row) == NETWORK_NAMED &&
                       gtk_widget_get_focus_child (self->network_name_row) != NULL;

  g_object_get (self->choice, "network", &network, NULL);
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

  if (self->choice == NULL || self->updating)
    return;
  if (position == NETWORK_BRIDGE)
    network = BRIDGE;
  else if (position == NETWORK_NAMED)
    network = gtk_editable_get_text (GTK_EDITABLE (self->network_name_row));
  gtk_widget_set_visible (self->network_name_row, position == NETWORK_NAMED);
  self->updating = TRUE;
  g_object_set (self->choice, "network", network, NULL);
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
  g_autofree char *folder = NULL;
  g_autofree char *name = NULL;
  gboolean has_folder;

  g_object_get (self->choice, "work-dir", &folder, NULL);
  has_folder = *folder != '\0';
  /* Translators: %s is the path of a folder */
  name = has_folder
             ? g_strdup_printf (_ ("%s — the program can change and delete what is in it"), folder)
             : g_strdup (_ ("An empty one, which goes with the container"));
  adw_action_row_set_subtitle (self->folder_row, name);
  gtk_widget_set_visible (self->clear_folder_button, has_folder);
}

static void
follow_notices (FhContainerPanel *self)
{
  g_autofree char *notice = NULL;
  g_autofree char *problem = NULL;
  FhImageCheckState state = fh_image_check_get_state (self->check);

  g_object_get (self->choice, "notice", &notice, "problem", &problem, NULL);
  adw_expander_row_set_subtitle (self->options_row,
                                 notice != NULL ? notice : _ ("No network, nothing of yours"));
  /* What is wrong with the name of the image is said beside it. */
  if (state == FH_IMAGE_CHECK_INVALID)
    g_clear_pointer (&problem, g_free);
  gtk_label_set_text (self->problem, problem != NULL ? problem : "");
  gtk_widget_set_visible (GTK_WIDGET (self->problem), problem != NULL);
}

/* Only a container that goes with the tab is removed before. */
static void
follow_after (FhContainerPanel *self)
{
  const char *label;
  guint after;

  g_object_get (self->choice, "after", &after, NULL);
  label =
      after == FH_CONTAINER_REMOVE ? _ ("Stop and Remove the Container") : _ ("Stop the Container");
  gtk_button_set_icon_name (self->stop_button,
                            after == FH_CONTAINER_REMOVE ? "user-trash-symbolic"
                                                         : "media-playback-stop-symbolic");
  gtk_widget_set_tooltip_text (GTK_WIDGET (self->stop_button), label);
  gtk_accessible_update_property (GTK_ACCESSIBLE (self->stop_button),
                                  GTK_ACCESSIBLE_PROPERTY_LABEL,
                                  label,
                                  -1);
}

static void
selected_cb (FhContainerPanel *self)
{
  if (self->choice == NULL || self->updating)
    return;
  g_object_set (self->choice,
                "in-container",
                adw_combo_row_get_selected (self->place_row) == 1,
                "engine",
                MIN (adw_combo_row_get_selected (self->engine_row), (guint) FH_ENGINE_PODMAN),
                "after",
                MIN (adw_combo_row_get_selected (self->after_row), (guint) FH_CONTAINER_LEAVE),
                NULL);
}

static void
folder_chosen_cb (GObject *source, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (FhContainerPanel) self = user_data;
  g_autoptr (GFile) folder = fh_file_dialogs_choose_folder_finish (result, NULL);
  g_autofree char *path = folder != NULL ? g_file_get_path (folder) : NULL;

  if (path != NULL && self->choice != NULL)
    g_object_set (self->choice, "work-dir", path, NULL);
}

static void
choose_folder_cb (FhContainerPanel *self)
{
  fh_file_dialogs_choose_folder_async (GTK_WIDGET (self),
                                       _ ("Choose a Work Folder"),
                                       self->cancellable,
                                       folder_chosen_cb,
                                       g_object_ref (self));
}

static void
clear_folder_cb (FhContainerPanel *self)
{
  g_object_set (self->choice, "work-dir", "", NULL);
}

static void
fh_container_panel_dispose (GObject *object)
{
  FhContainerPanel *self = FH_CONTAINER_PANEL (object);

  g_cancellable_cancel (self->cancellable);
  /* It would wait on for its answers. */
  if (self->check != NULL)
    fh_image_check_set (self->check, FH_ENGINE_AUTO, NULL);
  g_clear_object (&self->choice);
  gtk_widget_dispose_template (GTK_WIDGET (self), FH_TYPE_CONTAINER_PANEL);
  g_clear_object (&self->check);
  g_clear_object (&self->cancellable);

  G_OBJECT_CLASS (fh_container_panel_parent_class)->dispose (object);
}

static void
bind_template (GtkWidgetClass *widget_class)
{
  gtk_widget_class_set_template_from_resource (
      widget_class,
      "/io/github/fumehood/Fumehood/controls/container-panel.ui");
  gtk_widget_class_bind_template_child (widget_class, FhContainerPanel, group);
  gtk_widget_class_bind_template_child (widget_class, FhContainerPanel, place_row);
  gtk_widget_class_bind_template_child (widget_class, FhContainerPanel, image_row);
  gtk_widget_class_bind_template_child (widget_class, FhContainerPanel, check_row);
  gtk_widget_class_bind_template_child (widget_class, FhContainerPanel, options_row);
  gtk_widget_class_bind_template_child (widget_class, FhContainerPanel, engine_row);
  gtk_widget_class_bind_template_child (widget_class, FhContainerPanel, network_row);
  gtk_widget_class_bind_template_child (widget_class, FhContainerPanel, network_name_row);
  gtk_widget_class_bind_template_child (widget_class, FhContainerPanel, cpus_row);
  gtk_widget_class_bind_template_child (widget_class, FhContainerPanel, gpus_row);
  gtk_widget_class_bind_template_child (widget_class, FhContainerPanel, folder_row);
  gtk_widget_class_bind_template_child (widget_class, FhContainerPanel, clear_folder_button);
  gtk_widget_class_bind_template_child (widget_class, FhContainerPanel, volumes_row);
  gtk_widget_class_bind_template_child (widget_class, FhContainerPanel, hosts_row);
  gtk_widget_class_bind_template_child (widget_class, FhContainerPanel, environment_row);
  gtk_widget_class_bind_template_child (widget_class, FhContainerPanel, writable_switch);
  gtk_widget_class_bind_template_child (widget_class, FhContainerPanel, root_switch);
  gtk_widget_class_bind_template_child (widget_class, FhContainerPanel, kept_row);
  gtk_widget_class_bind_template_child (widget_class, FhContainerPanel, state_row);
  gtk_widget_class_bind_template_child (widget_class, FhContainerPanel, stop_button);
  gtk_widget_class_bind_template_child (widget_class, FhContainerPanel, name_row);
  gtk_widget_class_bind_template_child (widget_class, FhContainerPanel, after_row);
  gtk_widget_class_bind_template_child (widget_class, FhContainerPanel, problem);
  gtk_widget_class_bind_template_callback (widget_class, selected_cb);
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
    gtk_accessible_update_property (GTK_ACCESSIBLE (button),
                                    GTK_ACCESSIBLE_PROPERTY_LABEL,
                                    _ ("Keep the container between runs"),
                                    -1);
}

static void
fh_container_panel_init (FhContainerPanel *self)
{
  self->check = fh_image_check_new ();
  self->cancellable = g_cancellable_new ();
  gtk_widget_init_template (GTK_WIDGET (self));
  name_kept_switch (self);
  fh_image_check_row_set_check (self->check_row, self->check);
  g_signal_connect_object (self->check,
                           "notify::state",
                           G_CALLBACK (follow_notices),
                           self,
                           G_CONNECT_SWAPPED);
}

/* Texts and switches. */
static void
bind_rows (FhContainerPanel *self)
{
  const struct
  {
    const char *property;
    gpointer row;
    const char *row_property;
  } bindings[] = {
    { "image", self->image_row, "text" },
    { "cpus", self->cpus_row, "text" },
    { "gpus", self->gpus_row, "text" },
    { "volumes", self->volumes_row, "text" },
    { "hosts", self->hosts_row, "text" },
    { "environment", self->environment_row, "text" },
    { "writable", self->writable_switch, "active" },
    { "root", self->root_switch, "active" },
    { "kept", self->kept_row, "enable-expansion" },
    { "name", self->name_row, "text" },
  };

  for (guint i = 0; i < G_N_ELEMENTS (bindings); i++)
    g_object_bind_property (self->choice,
                            bindings[i].property,
                            bindings[i].row,
                            bindings[i].row_property,
                            G_BINDING_SYNC_CREATE | G_BINDING_BIDIRECTIONAL);
}

void
fh_container_panel_set_choice (FhContainerPanel *self, FhContainerChoice *choice)
{
  const struct
  {
    const char *signal;
    void (*follow) (FhContainerPanel *self);
  } followers[] = {
    { "notify::in-container", follow_place },   { "notify::in-container", follow_image },
    { "notify::image", follow_image },          { "notify::engine", follow_image },
    { "notify::engine", follow_lists },         { "notify::after", follow_lists },
    { "notify::network", network_notified_cb }, { "notify::work-dir", follow_folder },
    { "notify::after", follow_after },          { "notify::serial", follow_notices },
  };

  g_return_if_fail (FH_IS_CONTAINER_PANEL (self));
  g_return_if_fail (FH_IS_CONTAINER_CHOICE (choice));
  g_return_if_fail (self->choice == NULL);

  self->choice = g_object_ref (choice);
  bind_rows (self);
  for (guint i = 0; i < G_N_ELEMENTS (followers); i++)
    {
      g_signal_connect_object (choice,
                               followers[i].signal,
                               G_CALLBACK (followers[i].follow),
                               self,
                               G_CONNECT_SWAPPED);
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
