/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "window/snippet-page.h"

#include "output/output-view.h"
#include "window/snippet-page-private.h"

enum
{
  PROP_TITLE = 1,
  PROP_SUBTITLE,
  PROP_RUN_STATE,
  PROP_RESULT,
  PROP_MODIFIED,
  PROP_PROTECTION,
  N_PROPS
};

static GParamSpec *properties[N_PROPS];

G_DEFINE_FINAL_TYPE (FhSnippetPage, fh_snippet_page, GTK_TYPE_WIDGET)

void
fh_snippet_page_notify (FhSnippetPage *self, const char *property)
{
  g_object_notify (G_OBJECT (self), property);
}

static char *
dup_subtitle (FhSnippetPage *self)
{
  g_autoptr (GFile) folder = NULL;

  if (self->file != NULL)
    folder = g_file_get_parent (self->file);
  return folder != NULL ? g_file_get_parse_name (folder) : NULL;
}

static void
modified_cb (FhSnippetPage *self)
{
  g_object_notify_by_pspec (G_OBJECT (self), properties[PROP_MODIFIED]);
}

static gboolean
fh_snippet_page_grab_focus (GtkWidget *widget)
{
  return gtk_widget_grab_focus (GTK_WIDGET (FH_SNIPPET_PAGE (widget)->editor));
}

static void
fh_snippet_page_get_property (GObject *object, guint id, GValue *value, GParamSpec *pspec)
{
  FhSnippetPage *self = FH_SNIPPET_PAGE (object);

  switch (id)
    {
    case PROP_TITLE:
      g_value_set_string (value, self->title);
      break;
    case PROP_SUBTITLE:
      g_value_take_string (value, dup_subtitle (self));
      break;
    case PROP_RUN_STATE:
      g_value_set_int (value, (int) fh_snippet_page_get_run_state (self));
      break;
    case PROP_RESULT:
      g_value_set_object (value, self->result);
      break;
    case PROP_MODIFIED:
      g_value_set_boolean (value, fh_snippet_page_get_modified (self));
      break;
    case PROP_PROTECTION:
      g_value_set_object (value, self->protection);
      break;
    default:
      G_OBJECT_WARN_INVALID_PROPERTY_ID (object, id, pspec);
    }
}

static void
fh_snippet_page_dispose (GObject *object)
{
  FhSnippetPage *self = FH_SNIPPET_PAGE (object);

  g_cancellable_cancel (self->cancellable);
  g_clear_handle_id (&self->draft_timer, g_source_remove);
  g_clear_handle_id (&self->protection_timer, g_source_remove);
  fh_snippet_page_end_run (self);
  fh_snippet_page_let_go_of_container (self);
  g_clear_object (&self->run_signals);
  g_clear_object (&self->sandbox_signals);
  g_clear_object (&self->pull_signals);
  g_clear_object (&self->protection);
  g_clear_object (&self->result);
  gtk_widget_dispose_template (GTK_WIDGET (self), FH_TYPE_SNIPPET_PAGE);
  g_clear_object (&self->options);
  g_clear_object (&self->file);
  g_clear_object (&self->services);

  G_OBJECT_CLASS (fh_snippet_page_parent_class)->dispose (object);
}

static void
fh_snippet_page_finalize (GObject *object)
{
  FhSnippetPage *self = FH_SNIPPET_PAGE (object);

  g_object_unref (self->cancellable);
  g_free (self->id);
  g_free (self->given_title);
  g_free (self->title);
  g_free (self->run_source);

  G_OBJECT_CLASS (fh_snippet_page_parent_class)->finalize (object);
}

static void
bind_template (GtkWidgetClass *widget_class)
{
  gtk_widget_class_set_template_from_resource (
      widget_class,
      "/io/github/fumehood/Fumehood/window/snippet-page.ui");
  gtk_widget_class_bind_template_child (widget_class, FhSnippetPage, overlay);
  gtk_widget_class_bind_template_child (widget_class, FhSnippetPage, notice);
  gtk_widget_class_bind_template_child (widget_class, FhSnippetPage, guards_notice);
  gtk_widget_class_bind_template_child (widget_class, FhSnippetPage, paned);
  gtk_widget_class_bind_template_child (widget_class, FhSnippetPage, editor);
  gtk_widget_class_bind_template_child (widget_class, FhSnippetPage, options_button);
  gtk_widget_class_bind_template_child (widget_class, FhSnippetPage, options_label);
  gtk_widget_class_bind_template_child (widget_class, FhSnippetPage, options_panel);
  gtk_widget_class_bind_template_child (widget_class, FhSnippetPage, position_button);
  gtk_widget_class_bind_template_child (widget_class, FhSnippetPage, line_entry);
  gtk_widget_class_bind_template_child (widget_class, FhSnippetPage, deadline);
  gtk_widget_class_bind_template_child (widget_class, FhSnippetPage, output);
  gtk_widget_class_bind_template_callback_full (widget_class,
                                                "edited_cb",
                                                G_CALLBACK (fh_snippet_page_edited_cb));
  gtk_widget_class_bind_template_callback (widget_class, modified_cb);
  gtk_widget_class_bind_template_callback_full (widget_class,
                                                "language_found_cb",
                                                G_CALLBACK (fh_snippet_page_language_found_cb));
  gtk_widget_class_bind_template_callback_full (widget_class,
                                                "unwrapped_cb",
                                                G_CALLBACK (fh_snippet_page_unwrapped_cb));
  gtk_widget_class_bind_template_callback_full (widget_class,
                                                "format_position",
                                                G_CALLBACK (fh_snippet_page_format_position));
  gtk_widget_class_bind_template_callback_full (widget_class,
                                                "line_entered_cb",
                                                G_CALLBACK (fh_snippet_page_line_entered_cb));
}

static void
fh_snippet_page_class_init (FhSnippetPageClass *klass)
{
  GObjectClass *object_class = G_OBJECT_CLASS (klass);
  GtkWidgetClass *widget_class = GTK_WIDGET_CLASS (klass);
  GParamFlags flags = G_PARAM_READABLE | G_PARAM_STATIC_STRINGS;

  object_class->dispose = fh_snippet_page_dispose;
  object_class->finalize = fh_snippet_page_finalize;
  object_class->get_property = fh_snippet_page_get_property;
  widget_class->grab_focus = fh_snippet_page_grab_focus;

  properties[PROP_TITLE] = g_param_spec_string ("title", NULL, NULL, NULL, flags);
  properties[PROP_SUBTITLE] = g_param_spec_string ("subtitle", NULL, NULL, NULL, flags);
  properties[PROP_RUN_STATE] = g_param_spec_int ("run-state",
                                                 NULL,
                                                 NULL,
                                                 FH_RUN_PREPARING,
                                                 FH_RUN_FINISHED,
                                                 FH_RUN_FINISHED,
                                                 flags);
  properties[PROP_RESULT] = g_param_spec_object ("result", NULL, NULL, FH_TYPE_RUN_RESULT, flags);
  properties[PROP_MODIFIED] = g_param_spec_boolean ("modified", NULL, NULL, FALSE, flags);
  properties[PROP_PROTECTION] =
      g_param_spec_object ("protection", NULL, NULL, FH_TYPE_PROTECTION, flags);
  g_object_class_install_properties (object_class, N_PROPS, properties);

  g_type_ensure (FH_TYPE_ADAPTIVE_PANED);
  g_type_ensure (FH_TYPE_EDITOR_VIEW);
  g_type_ensure (FH_TYPE_NOTICE_BAR);
  g_type_ensure (FH_TYPE_OPTIONS_PANEL);
  g_type_ensure (FH_TYPE_OUTPUT_VIEW);
  gtk_widget_class_set_layout_manager_type (widget_class, GTK_TYPE_BIN_LAYOUT);
  bind_template (widget_class);
  gtk_widget_class_install_action (widget_class,
                                   "page.go-to-line",
                                   "(uu)",
                                   fh_snippet_page_go_to_line_action);
  gtk_widget_class_install_action (widget_class,
                                   "page.restore-guards",
                                   NULL,
                                   fh_snippet_page_restore_guards_action);
  gtk_widget_class_install_action (widget_class,
                                   "page.restart-container",
                                   NULL,
                                   fh_snippet_page_restart_container_action);
  gtk_widget_class_install_action (widget_class,
                                   "page.stop-container",
                                   NULL,
                                   fh_snippet_page_stop_container_action);
}

static void
fh_snippet_page_init (FhSnippetPage *self)
{
  self->id = g_uuid_string_random ();
  self->cancellable = g_cancellable_new ();
  self->options = fh_run_options_new ();
  gtk_widget_init_template (GTK_WIDGET (self));
  fh_options_panel_set_options (self->options_panel, self->options);
  g_object_bind_property (self->options,
                          "summary",
                          self->options_label,
                          "label",
                          G_BINDING_SYNC_CREATE);
  g_object_bind_property (self->options,
                          "language",
                          self->editor,
                          "language",
                          G_BINDING_SYNC_CREATE);
  g_object_bind_property (fh_run_options_get_guards (self->options),
                          "notice",
                          self->guards_notice,
                          "text",
                          G_BINDING_SYNC_CREATE);
  g_signal_connect_object (self->options,
                           "notify",
                           G_CALLBACK (fh_snippet_page_options_changed_cb),
                           self,
                           G_CONNECT_SWAPPED);
  g_signal_connect_object (fh_run_options_get_container (self->options),
                           "notify::serial",
                           G_CALLBACK (fh_snippet_page_options_changed_cb),
                           self,
                           G_CONNECT_SWAPPED);
  fh_snippet_page_init_run (self);
  fh_snippet_page_init_container (self);
  fh_snippet_page_init_protection (self);
  fh_snippet_page_init_results (self);
  fh_snippet_page_update_title (self);
}

/* Nothing that weakens a container is ever taken over from another tab. */
static void
choose_default_place (FhSnippetPage *self)
{
  FhContainerOptions options;
  g_autofree char *image = NULL;
  FhSettings *settings = fh_services_get_settings (self->services);
  gboolean in_container = fh_settings_get_default_container (settings, &options, &image);
  FhContainerChoice *choice = fh_run_options_get_container (self->options);

  fh_container_choice_set_from (choice, &options, NULL);
  g_object_set (choice, "in-container", in_container, NULL);
}

GtkWidget *
fh_snippet_page_new (FhServices *services)
{
  FhSnippetPage *self;
  FhSettings *settings;
  FhRunLimits limits;
  g_autofree char *language = NULL;

  g_return_val_if_fail (FH_IS_SERVICES (services), NULL);

  self = g_object_new (FH_TYPE_SNIPPET_PAGE, NULL);
  self->services = g_object_ref (services);
  settings = fh_services_get_settings (services);
  fh_editor_view_follow (self->editor, settings);
  g_object_bind_property (settings,
                          "split-wide",
                          self->paned,
                          "split-wide",
                          G_BINDING_SYNC_CREATE | G_BINDING_BIDIRECTIONAL);
  g_object_bind_property (settings,
                          "split-narrow",
                          self->paned,
                          "split-narrow",
                          G_BINDING_SYNC_CREATE | G_BINDING_BIDIRECTIONAL);

  self->loading = TRUE;
  g_object_get (settings, "language", &language, NULL);
  fh_run_options_set_language (self->options, fh_language_lookup (language));
  limits = fh_settings_get_default_limits (settings);
  fh_run_options_set_limits (self->options, &limits);
  choose_default_place (self);
  self->loading = FALSE;
  return GTK_WIDGET (self);
}

const char *
fh_snippet_page_get_id (FhSnippetPage *self)
{
  g_return_val_if_fail (FH_IS_SNIPPET_PAGE (self), NULL);

  return self->id;
}

const char *
fh_snippet_page_get_title (FhSnippetPage *self)
{
  g_return_val_if_fail (FH_IS_SNIPPET_PAGE (self), NULL);

  return self->title;
}

FhRunOptions *
fh_snippet_page_get_options (FhSnippetPage *self)
{
  g_return_val_if_fail (FH_IS_SNIPPET_PAGE (self), NULL);

  return self->options;
}

GFile *
fh_snippet_page_get_file (FhSnippetPage *self)
{
  g_return_val_if_fail (FH_IS_SNIPPET_PAGE (self), NULL);

  return self->file;
}

gboolean
fh_snippet_page_get_modified (FhSnippetPage *self)
{
  g_return_val_if_fail (FH_IS_SNIPPET_PAGE (self), FALSE);

  return self->file != NULL && fh_editor_view_get_modified (self->editor);
}
