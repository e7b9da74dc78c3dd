/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "tab/tab.h"

#include <glib/gi18n.h>

#include "attempts/attempts-view.h"
#include "changes/changes-view.h"
#include "output/output-view.h"
#include "parts/calls.h"
#include "tab/tab-private.h"

enum
{
  PROP_LABEL = 1,
  PROP_SUBTITLE,
  PROP_RUN_STATE,
  PROP_RESULT,
  PROP_MODIFIED,
  PROP_PROTECTION,
  PROP_SESSION,
  PROP_FOLD_PROSE,
  N_PROPS
};

static GParamSpec *properties[N_PROPS];

G_DEFINE_FINAL_TYPE (FhTab, fh_tab, ADW_TYPE_BIN)

static char *
dup_subtitle (FhTab *self)
{
  g_autoptr (GFile) folder = NULL;

  GFile *file = fh_document_get_file (self->document);

  if (file != NULL)
    folder = g_file_get_parent (file);
  return folder != NULL ? g_file_get_parse_name (folder) : g_strdup ("");
}

static void
modified_cb (FhTab *self)
{
  fh_tab_notify (self, "modified");
}

static void
file_cb (FhTab *self)
{
  fh_tab_notify (self, "subtitle");
  fh_tab_notify (self, "modified");
}

static void
edited_cb (FhTab *self)
{
  self->touched = TRUE;
  fh_notice_bar_set_text (self->exhibit_notice, NULL);
  fh_tab_schedule_draft (self);
  fh_tab_look_for_answer_soon (self);
  fh_executor_expect_run (self->executor);
}

static void
options_changed_cb (FhTab *self, GParamSpec *pspec)
{
  fh_tab_drop_changed_run (self);
  if (self->loading || !fh_options_is_kept (pspec))
    return;
  self->touched = TRUE;
  fh_tab_schedule_draft (self);
  if (!g_str_equal (pspec->name, "language"))
    return;
  self->language_is_chosen = TRUE;
  fh_tab_offer_session (self);
  g_object_set (fh_services_get_settings (self->services),
                "language",
                fh_options_get_language (self->options)->id,
                NULL);
}

static void
language_found_cb (FhTab *self, const char *id)
{
  fh_options_set_language (self->options, fh_language_lookup (id));
  self->language_is_chosen = FALSE;
}

static gboolean
fh_tab_grab_focus (GtkWidget *widget)
{
  return gtk_widget_grab_focus (GTK_WIDGET (FH_TAB (widget)->editor));
}

static void
fh_tab_get_property (GObject *object, guint id, GValue *value, GParamSpec *pspec)
{
  FhTab *self = FH_TAB (object);
  FhDocument *document = self->document;

  if (id == PROP_LABEL)
    g_value_take_string (
        value,
        g_strconcat (fh_document_is_unsaved (document) ? "• " : "", fh_tab_get_name (self), NULL));
  else if (id == PROP_SUBTITLE)
    g_value_take_string (value, dup_subtitle (self));
  else if (id == PROP_RUN_STATE)
    g_value_set_int (value, (int) fh_tab_get_run_state (self));
  else if (id == PROP_RESULT)
    g_value_set_object (value, self->result);
  else if (id == PROP_MODIFIED)
    g_value_set_boolean (value, fh_document_is_unsaved (document));
  else if (id == PROP_PROTECTION)
    g_value_set_object (value, fh_tab_get_protection (self));
  else if (id == PROP_SESSION)
    g_value_set_boolean (value, self->in_session);
  else
    g_object_get_property (G_OBJECT (fh_editor_view_get_blocks (self->editor)), "folded", value);
}

static void
fh_tab_set_property (GObject *object, guint id, const GValue *value, GParamSpec *pspec)
{
  FhTab *self = FH_TAB (object);

  if (id == PROP_SESSION)
    fh_tab_ask_for_session (self, g_value_get_boolean (value));
  else
    g_object_set_property (G_OBJECT (fh_editor_view_get_blocks (self->editor)), "folded", value);
}

static void
fh_tab_dispose (GObject *object)
{
  FhTab *self = FH_TAB (object);

  g_cancellable_cancel (self->cancellable);
  g_clear_weak_pointer (&self->advice);
  g_clear_handle_id (&self->draft_timer, g_source_remove);
  g_clear_handle_id (&self->answer_timer, g_source_remove);
  fh_tab_end (self);
  g_clear_object (&self->result);
  g_clear_object (&self->again);
  fh_tab_end_comparison (self);
  fh_tab_end_look (self);
  gtk_widget_dispose_template (GTK_WIDGET (self), FH_TYPE_TAB);
  g_clear_object (&self->executor);
  g_clear_object (&self->services);

  G_OBJECT_CLASS (fh_tab_parent_class)->dispose (object);
}

static void
fh_tab_finalize (GObject *object)
{
  FhTab *self = FH_TAB (object);

  g_object_unref (self->document);
  g_object_unref (self->cancellable);
  g_free (self->id);
  g_free (self->name);
  g_clear_pointer (&self->run_source, g_bytes_unref);
  g_hash_table_unref (self->choices);
  g_clear_pointer (&self->missing, g_ptr_array_unref);
  g_clear_pointer (&self->sample_files, g_ptr_array_unref);

  G_OBJECT_CLASS (fh_tab_parent_class)->finalize (object);
}

static void
bind_template (GtkWidgetClass *widget_class)
{
  fh_set_template (widget_class, "tab/tab.ui");
  gtk_widget_class_bind_template_child (widget_class, FhTab, options);
  gtk_widget_class_bind_template_child (widget_class, FhTab, notice);
  gtk_widget_class_bind_template_child (widget_class, FhTab, waiting_notice);
  gtk_widget_class_bind_template_child (widget_class, FhTab, answer_notice);
  gtk_widget_class_bind_template_child (widget_class, FhTab, repair_notice);
  gtk_widget_class_bind_template_child (widget_class, FhTab, session_notice);
  gtk_widget_class_bind_template_child (widget_class, FhTab, compare_notice);
  gtk_widget_class_bind_template_child (widget_class, FhTab, exhibit_notice);
  gtk_widget_class_bind_template_child (widget_class, FhTab, input_bar);
  gtk_widget_class_bind_template_child (widget_class, FhTab, session_box);
  gtk_widget_class_bind_template_child (widget_class, FhTab, session_menu);
  gtk_widget_class_bind_template_child (widget_class, FhTab, waiting_label);
  gtk_widget_class_bind_template_child (widget_class, FhTab, paned);
  gtk_widget_class_bind_template_child (widget_class, FhTab, editor);
  gtk_widget_class_bind_template_child (widget_class, FhTab, controls);
  gtk_widget_class_bind_template_child (widget_class, FhTab, start_box);
  gtk_widget_class_bind_template_child (widget_class, FhTab, start_texts);
  gtk_widget_class_bind_template_child (widget_class, FhTab, start_buttons);
  gtk_widget_class_bind_template_child (widget_class, FhTab, start_guards);
  gtk_widget_class_bind_template_child (widget_class, FhTab, start_icon);
  gtk_widget_class_bind_template_child (widget_class, FhTab, start_title);
  gtk_widget_class_bind_template_child (widget_class, FhTab, start_details);
  gtk_widget_class_bind_template_child (widget_class, FhTab, position_button);
  gtk_widget_class_bind_template_child (widget_class, FhTab, position_label);
  gtk_widget_class_bind_template_child (widget_class, FhTab, line_entry);
  gtk_widget_class_bind_template_child (widget_class, FhTab, deadline);
  gtk_widget_class_bind_template_child (widget_class, FhTab, output);
  gtk_widget_class_bind_template_callback (widget_class, language_found_cb);
  gtk_widget_class_bind_template_callback (widget_class, fh_tab_unwrapped_cb);
  gtk_widget_class_bind_template_callback (widget_class, fh_tab_moved_cb);
  gtk_widget_class_bind_template_callback (widget_class, fh_tab_line_entered_cb);
}

static void
install_actions (GtkWidgetClass *widget_class)
{
  static const struct
  {
    const char *name;
    const char *type;
    GtkWidgetActionActivateFunc func;
  } actions[] = {
    { "page.show-option", "(ss)", fh_tab_show_option_action },
    { "page.go-to-line", "(uu)", fh_tab_go_to_line_action },
    { "page.go-to-cell-line", "(uuu)", fh_tab_go_to_cell_line_action },
    { "page.restore-guards", NULL, fh_tab_restore_guards_action },
    { "page.restart-container", NULL, fh_tab_container_action },
    { "page.run-here", NULL, fh_tab_run_here_action },
    { "page.stop-container", NULL, fh_tab_container_action },
    { "page.start-session", NULL, fh_tab_start_session_action },
    { "page.reset-session", NULL, fh_tab_reset_session_action },
    { "page.block-menu", NULL, fh_tab_block_menu_action },
    { "page.read-otherwise", NULL, fh_tab_read_otherwise_action },
    { "page.look", NULL, fh_tab_look_action },
    { "page.paste", NULL, fh_tab_paste_action },
  };

  for (guint i = 0; i < G_N_ELEMENTS (actions); i++)
    gtk_widget_class_install_action (widget_class,
                                     actions[i].name,
                                     actions[i].type,
                                     actions[i].func);
  gtk_widget_class_install_property_action (widget_class, "page.session", "session");
  gtk_widget_class_install_property_action (widget_class, "page.fold-prose", "fold-prose");
  gtk_widget_class_add_binding_action (widget_class,
                                       GDK_KEY_p,
                                       GDK_CONTROL_MASK | GDK_SHIFT_MASK,
                                       "page.fold-prose",
                                       NULL);
  gtk_widget_class_add_binding_action (widget_class,
                                       GDK_KEY_b,
                                       GDK_CONTROL_MASK | GDK_SHIFT_MASK,
                                       "page.block-menu",
                                       NULL);
}

static void
fh_tab_class_init (FhTabClass *klass)
{
  GObjectClass *object_class = G_OBJECT_CLASS (klass);
  GtkWidgetClass *widget_class = GTK_WIDGET_CLASS (klass);

  object_class->dispose = fh_tab_dispose;
  object_class->finalize = fh_tab_finalize;
  object_class->get_property = fh_tab_get_property;
  object_class->set_property = fh_tab_set_property;
  widget_class->grab_focus = fh_tab_grab_focus;

  properties[PROP_LABEL] = g_param_spec_string ("label", NULL, NULL, NULL, FH_PARAM_READ);
  properties[PROP_SUBTITLE] = g_param_spec_string ("subtitle", NULL, NULL, NULL, FH_PARAM_READ);
  properties[PROP_RUN_STATE] = g_param_spec_int ("run-state",
                                                 NULL,
                                                 NULL,
                                                 FH_RUN_PREPARING,
                                                 FH_RUN_FINISHED,
                                                 FH_RUN_FINISHED,
                                                 FH_PARAM_READ);
  properties[PROP_RESULT] =
      g_param_spec_object ("result", NULL, NULL, FH_TYPE_RUN_RESULT, FH_PARAM_READ);
  properties[PROP_MODIFIED] = g_param_spec_boolean ("modified", NULL, NULL, FALSE, FH_PARAM_READ);
  properties[PROP_PROTECTION] =
      g_param_spec_object ("protection", NULL, NULL, FH_TYPE_PROTECTION, FH_PARAM_READ);
  properties[PROP_SESSION] = g_param_spec_boolean ("session", NULL, NULL, FALSE, FH_PARAM_WRITE);
  properties[PROP_FOLD_PROSE] =
      g_param_spec_boolean ("fold-prose", NULL, NULL, FALSE, FH_PARAM_WRITE);
  g_object_class_install_properties (object_class, N_PROPS, properties);

  g_type_ensure (FH_TYPE_ADAPTIVE_PANED);
  g_type_ensure (FH_TYPE_CONTROLS_BAR);
  g_type_ensure (FH_TYPE_EDITOR_VIEW);
  g_type_ensure (FH_TYPE_INPUT_BAR);
  g_type_ensure (FH_TYPE_NOTICE_BAR);
  g_type_ensure (FH_TYPE_OPTIONS);
  g_type_ensure (FH_TYPE_OUTPUT_VIEW);
  bind_template (widget_class);
  install_actions (widget_class);
}

/* The pages beside the output, in the order in which people see them. */
static void
add_pages (FhTab *self)
{
  FhOutputView *output = FH_OUTPUT_VIEW (self->output);

  fh_output_view_add_page (output, FH_TYPE_ATTEMPTS_VIEW);
  fh_output_view_add_page (output, FH_TYPE_FILES_VIEW);
  fh_output_view_add_page (output, FH_TYPE_CHANGES_VIEW);
  self->samples_page = fh_output_view_add_page (output, FH_TYPE_SAMPLES_VIEW);
  fh_output_view_add_page (output, FH_TYPE_VARIABLES_VIEW);
  fh_output_view_add_page (output, FH_TYPE_LOOK_VIEW);
}

static void
fh_tab_init (FhTab *self)
{
  self->id = g_uuid_string_random ();
  /* After all others, until the tabs say where it is. */
  self->position = G_MAXUINT;
  self->cancellable = g_cancellable_new ();
  gtk_widget_init_template (GTK_WIDGET (self));
  self->document = g_object_ref (fh_editor_view_get_document (self->editor));
  fh_connect (self->document, "changed", fh_tab_drop_changed_run, self);
  fh_connect (self->document, "edited", edited_cb, self);
  fh_connect (self->document, "modified-changed", modified_cb, self);
  fh_connect (self->document, "notify::file", file_cb, self);
  fh_connect (self->document, "saved", fh_tab_saved_cb, self);
  fh_controls_bar_set_options (self->controls, self->options);
  fh_connect (self->options, "notify", options_changed_cb, self);
  fh_connect (self, "unmap", fh_tab_drop_advice, self);
  fh_tab_moved_cb (self);
  add_pages (self);
  fh_tab_init_results (self);
  fh_tab_init_look (self);
  fh_tab_init_session (self);
  fh_tab_init_blocks (self);
  fh_tab_update_title (self);
}

/* Options that weaken a container are not copied from other tabs. */
static void
set_defaults (FhTab *self)
{
  FhSettings *settings = fh_services_get_settings (self->services);
  g_autoptr (FhRunOptions) values = fh_options_dup_values (self->options);
  FhContainerOptions container;
  g_autofree char *image = NULL;
  g_autofree char *language = NULL;

  g_object_get (settings, "language", &language, NULL);
  fh_options_set_language (self->options, fh_language_lookup (language));
  values->limits = fh_settings_get_default_limits (settings);
  values->in_container = fh_settings_get_default_container (settings, &container, &image);
  values->container.engine = container.engine;
  fh_run_option_parse (fh_run_option_find ("container.image"), values, image, NULL);
  fh_options_set_values (self->options, values);
}

GtkWidget *
fh_tab_new (FhServices *services)
{
  FhTab *self;
  FhSettings *settings;

  g_return_val_if_fail (FH_IS_SERVICES (services), NULL);

  self = g_object_new (FH_TYPE_TAB, NULL);
  self->services = g_object_ref (services);
  fh_tab_begin_pictures (self);
  fh_tab_init_executor (self);
  fh_tab_init_start (self);
  settings = fh_services_get_settings (services);
  fh_editor_view_follow (self->editor, settings);
  fh_connect (settings, "notify::block-policies", fh_tab_look_for_answer, self);
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
  set_defaults (self);
  self->loading = FALSE;
  return GTK_WIDGET (self);
}

const char *
fh_tab_get_id (FhTab *self)
{
  g_return_val_if_fail (FH_IS_TAB (self), NULL);

  return self->id;
}

const char *
fh_tab_get_name (FhTab *self)
{
  g_return_val_if_fail (FH_IS_TAB (self), NULL);

  return self->name != NULL ? self->name : fh_document_get_title (self->document);
}

void
fh_tab_set_name (FhTab *self, const char *name)
{
  g_return_if_fail (FH_IS_TAB (self));

  if (!fh_set_str (&self->name, name))
    return;
  g_object_notify_by_pspec (G_OBJECT (self), properties[PROP_LABEL]);
}

FhDocument *
fh_tab_get_document (FhTab *self)
{
  g_return_val_if_fail (FH_IS_TAB (self), NULL);

  return self->document;
}

FhOptions *
fh_tab_get_options (FhTab *self)
{
  g_return_val_if_fail (FH_IS_TAB (self), NULL);

  return self->options;
}

void
fh_tab_show_in_passing (FhTab *self)
{
  g_return_if_fail (FH_IS_TAB (self));

  if (adw_view_stack_page_get_visible (self->samples_page))
    return;
  self->touched = FALSE;
  g_clear_handle_id (&self->draft_timer, g_source_remove);
}

gboolean
fh_tab_is_untouched (FhTab *self)
{
  g_return_val_if_fail (FH_IS_TAB (self), FALSE);

  return fh_executor_get_run (self->executor) == NULL &&
         fh_document_get_file (self->document) == NULL &&
         (!self->touched || fh_document_is_empty (self->document));
}

gboolean
fh_tab_is_kept (FhTab *self)
{
  g_return_val_if_fail (FH_IS_TAB (self), FALSE);

  return self->touched;
}

void
fh_tab_follow_content (FhTab *self, const FhLanguage *language)
{
  fh_tab_set_sample_files (self, NULL);
  fh_notice_bar_set_text (self->exhibit_notice, NULL);
  self->loading = TRUE;
  fh_options_set_language (self->options, language);
  self->loading = FALSE;
  self->language_is_chosen = FALSE;
  self->touched = FALSE;
  fh_tab_update_title (self);
}

void
fh_tab_keep_content (FhTab *self, const FhLanguage *language)
{
  self->touched = TRUE;
  self->language_is_chosen = language != NULL;
  fh_tab_schedule_draft (self);
}

void
fh_tab_set_example (FhTab *self, const char *text, const char *title, const FhLanguage *language)
{
  g_return_if_fail (FH_IS_TAB (self));
  g_return_if_fail (text != NULL);

  fh_document_set_example (self->document, text, title);
  fh_tab_follow_content (self, language);
}

void
fh_tab_set_exhibit (FhTab *self,
                    const FhExhibit *exhibit,
                    const char *text,
                    const FhLanguage *language)
{
  g_autofree char *question = NULL;

  g_return_if_fail (exhibit != NULL);

  fh_tab_set_example (self, text, _ (exhibit->title), language);
  /* Translators: %s is a question that a class can discuss */
  question = g_strdup_printf (_ ("Question for the class: %s"), _ (exhibit->question));
  g_object_set (self->exhibit_notice,
                "action-target",
                g_variant_new ("(ss)", exhibit->file_name, "explain"),
                "action-name",
                "win.exhibit",
                NULL);
  fh_notice_bar_set_text (self->exhibit_notice, question);
}

void
fh_tab_set_text (FhTab *self, const char *text, const char *title, const FhLanguage *language)
{
  g_return_if_fail (FH_IS_TAB (self));
  g_return_if_fail (text != NULL);

  fh_document_set_text (self->document, text, title);
  fh_tab_follow_content (self, language);
  fh_tab_keep_content (self, language);
}
