/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "output/output-view-private.h"

#include <glib/gi18n.h>

static const char *const pane_names[FH_N_OUTPUT_PANES] = { "output", "stdout", "stderr" };
static const guint pane_streams[FH_N_OUTPUT_PANES] = {
  FH_STREAM_STDOUT | FH_STREAM_STDERR,
  FH_STREAM_STDOUT,
  FH_STREAM_STDERR,
};

G_DEFINE_FINAL_TYPE (FhOutputView, fh_output_view, ADW_TYPE_BIN)

enum
{
  PROP_0,
  PROP_PANE,
  PROP_WRAP,
  PROP_PAGE,
  N_PROPS
};

static GParamSpec *properties[N_PROPS];

static void
set_pane (FhOutputView *self, const char *name)
{
  for (guint i = 0; i < FH_N_OUTPUT_PANES; i++)
    if (g_strcmp0 (name, pane_names[i]) == 0 && i != self->pane)
      {
        self->pane = i;
        gtk_stack_set_visible_child_name (self->panes, name);
        fh_output_search_set_view (self->search,
                                   fh_output_text_get_view (fh_output_view_get_text (self)));
        g_object_notify_by_pspec (G_OBJECT (self), properties[PROP_PANE]);
        return;
      }
}

static void
set_wrap (FhOutputView *self, gboolean wrap)
{
  if (self->wrap == wrap)
    return;
  self->wrap = wrap;
  for (guint i = 0; i < FH_N_OUTPUT_PANES; i++)
    fh_output_text_set_wrap (self->texts[i], wrap);
  g_object_notify_by_pspec (G_OBJECT (self), properties[PROP_WRAP]);
}

static void
page_cb (FhOutputView *self)
{
  const char *name = adw_view_stack_get_visible_child_name (self->pages);

  /* Children are named one after the other while the template is built. */
  if (name == NULL || gtk_stack_get_child_by_name (self->tools, name) == NULL)
    return;
  gtk_stack_set_visible_child_name (self->tools, name);
  gtk_widget_set_visible (self->streams, g_str_equal (name, "output"));
  g_object_notify_by_pspec (G_OBJECT (self), properties[PROP_PAGE]);
}

static void
searching_cb (FhOutputView *self)
{
  fh_output_text_pause (fh_output_view_get_text (self));
}

static void
place_activated_cb (FhOutputView *self, guint line, guint column)
{
  gtk_widget_activate_action (GTK_WIDGET (self), "page.go-to-line", "(uu)", line, column);
}

static void
set_log (FhOutputView *self, FhRunRequest *request, FhOutputLog *log, FhRun *run)
{
  const char *file_name = request != NULL ? fh_run_request_get_language (request)->file_name : NULL;

  g_set_object (&self->log, log);
  for (guint i = 0; i < FH_N_OUTPUT_PANES; i++)
    fh_output_text_set_log (self->texts[i], log, run, file_name);
  gtk_widget_action_set_enabled (GTK_WIDGET (self), "output.copy-all", log != NULL);
  gtk_widget_action_set_enabled (GTK_WIDGET (self), "output.save", log != NULL);
}

static void
fh_output_view_dispose (GObject *object)
{
  FhOutputView *self = FH_OUTPUT_VIEW (object);

  if (self->search != NULL)
    fh_output_search_set_view (self->search, NULL);
  g_clear_object (&self->search);
  g_clear_object (&self->log);
  G_OBJECT_CLASS (fh_output_view_parent_class)->dispose (object);
}

static void
fh_output_view_get_property (GObject *object, guint id, GValue *value, GParamSpec *pspec)
{
  FhOutputView *self = FH_OUTPUT_VIEW (object);

  switch (id)
    {
    case PROP_PANE:
      g_value_set_string (value, pane_names[self->pane]);
      break;
    case PROP_WRAP:
      g_value_set_boolean (value, self->wrap);
      break;
    case PROP_PAGE:
      g_value_set_string (value, adw_view_stack_get_visible_child_name (self->pages));
      break;
    default:
      G_OBJECT_WARN_INVALID_PROPERTY_ID (object, id, pspec);
    }
}

static void
fh_output_view_set_property (GObject *object, guint id, const GValue *value, GParamSpec *pspec)
{
  FhOutputView *self = FH_OUTPUT_VIEW (object);

  switch (id)
    {
    case PROP_PANE:
      set_pane (self, g_value_get_string (value));
      break;
    case PROP_WRAP:
      set_wrap (self, g_value_get_boolean (value));
      break;
    case PROP_PAGE:
      adw_view_stack_set_visible_child_name (self->pages, g_value_get_string (value));
      break;
    default:
      G_OBJECT_WARN_INVALID_PROPERTY_ID (object, id, pspec);
    }
}

static void
bind_template (GtkWidgetClass *widget_class)
{
  g_type_ensure (FH_TYPE_OUTPUT_SEARCH_BAR);
  g_type_ensure (FH_TYPE_OUTPUT_STATUS);
  gtk_widget_class_set_template_from_resource (
      widget_class,
      "/io/github/fumehood/Fumehood/output/output-view.ui");
  gtk_widget_class_bind_template_child (widget_class, FhOutputView, search_bar);
  gtk_widget_class_bind_template_child (widget_class, FhOutputView, pages);
  gtk_widget_class_bind_template_child (widget_class, FhOutputView, streams);
  gtk_widget_class_bind_template_child (widget_class, FhOutputView, tools);
  gtk_widget_class_bind_template_child (widget_class, FhOutputView, panes);
  gtk_widget_class_bind_template_child (widget_class, FhOutputView, status);
  gtk_widget_class_bind_template_child (widget_class, FhOutputView, menu);
  gtk_widget_class_bind_template_callback (widget_class, page_cb);
  gtk_widget_class_bind_template_callback (widget_class, searching_cb);
}

static void
fh_output_view_class_init (FhOutputViewClass *klass)
{
  GObjectClass *object_class = G_OBJECT_CLASS (klass);
  const GParamFlags flags = G_PARAM_READWRITE | G_PARAM_EXPLICIT_NOTIFY | G_PARAM_STATIC_STRINGS;

  object_class->dispose = fh_output_view_dispose;
  object_class->get_property = fh_output_view_get_property;
  object_class->set_property = fh_output_view_set_property;

  properties[PROP_PANE] = g_param_spec_string ("pane", NULL, NULL, "output", flags);
  properties[PROP_WRAP] = g_param_spec_boolean ("wrap", NULL, NULL, FALSE, flags);
  properties[PROP_PAGE] = g_param_spec_string ("page", NULL, NULL, "output", flags);
  g_object_class_install_properties (object_class, N_PROPS, properties);

  bind_template (GTK_WIDGET_CLASS (klass));
  fh_output_view_class_install_actions (GTK_WIDGET_CLASS (klass));
}

static void
add_pane (FhOutputView *self, guint pane, FhOutputStyles *styles)
{
  const char *labels[FH_N_OUTPUT_PANES] = { _ ("Output"),
                                            _ ("Standard output"),
                                            _ ("Standard error") };
  FhOutputText *text = fh_output_text_new (styles, pane_streams[pane]);
  GtkTextView *view = fh_output_text_get_view (text);

  gtk_accessible_update_property (GTK_ACCESSIBLE (view),
                                  GTK_ACCESSIBLE_PROPERTY_LABEL,
                                  labels[pane],
                                  -1);
  gtk_text_view_set_extra_menu (view, self->menu);
  g_signal_connect_object (text,
                           "place-activated",
                           G_CALLBACK (place_activated_cb),
                           self,
                           G_CONNECT_SWAPPED);
  gtk_stack_add_named (self->panes, GTK_WIDGET (text), pane_names[pane]);
  self->texts[pane] = text;
}

static void
fh_output_view_init (FhOutputView *self)
{
  g_autoptr (FhOutputStyles) styles = fh_output_styles_new ();

  gtk_widget_init_template (GTK_WIDGET (self));
  self->search = fh_output_search_new (styles);
  fh_output_search_bar_set_search (self->search_bar, self->search);
  for (guint pane = 0; pane < FH_N_OUTPUT_PANES; pane++)
    add_pane (self, pane, styles);
  fh_output_search_set_view (self->search, fh_output_text_get_view (self->texts[0]));
  set_log (self, NULL, NULL, NULL);
}

FhOutputView *
fh_output_view_new (void)
{
  return g_object_new (FH_TYPE_OUTPUT_VIEW, NULL);
}

void
fh_output_view_set_run (FhOutputView *self, FhRun *run)
{
  g_return_if_fail (FH_IS_OUTPUT_VIEW (self));
  g_return_if_fail (run == NULL || FH_IS_RUN (run));

  set_log (self,
           run != NULL ? fh_run_get_request (run) : NULL,
           run != NULL ? fh_run_get_output (run) : NULL,
           run);
  fh_output_status_set_run (self->status, run);
}

void
fh_output_view_show_result (FhOutputView *self, FhRunRequest *request, FhRunResult *result)
{
  g_return_if_fail (FH_IS_OUTPUT_VIEW (self));
  g_return_if_fail (FH_IS_RUN_REQUEST (request));
  g_return_if_fail (FH_IS_RUN_RESULT (result));

  set_log (self, request, fh_run_result_get_output (result), NULL);
  fh_output_status_show_result (self->status, request, result);
}

void
fh_output_view_set_preparation (FhOutputView *self, const char *text)
{
  g_return_if_fail (FH_IS_OUTPUT_VIEW (self));

  fh_output_status_set_preparation (self->status, text);
}

void
fh_output_view_set_engine (FhOutputView *self, FhEngineKind engine)
{
  g_return_if_fail (FH_IS_OUTPUT_VIEW (self));

  fh_output_status_set_engine (self->status, engine);
}

void
fh_output_view_show_page (FhOutputView *self, const char *name)
{
  g_return_if_fail (FH_IS_OUTPUT_VIEW (self));

  if (gtk_stack_get_child_by_name (self->tools, name) == NULL)
    return;
  adw_view_stack_set_visible_child_name (self->pages, name);
  gtk_widget_child_focus (adw_view_stack_get_visible_child (self->pages), GTK_DIR_TAB_FORWARD);
}

AdwViewStackPage *
fh_output_view_add_page (FhOutputView *self,
                         GtkWidget *page,
                         const char *name,
                         const char *title,
                         const char *icon_name,
                         GtkWidget *tools)
{
  g_return_val_if_fail (FH_IS_OUTPUT_VIEW (self), NULL);
  g_return_val_if_fail (GTK_IS_WIDGET (page) && GTK_IS_WIDGET (tools), NULL);

  gtk_widget_set_halign (tools, GTK_ALIGN_END);
  gtk_stack_add_named (self->tools, tools, name);
  return adw_view_stack_add_titled_with_icon (self->pages, page, name, title, icon_name);
}

FhOutputText *
fh_output_view_get_text (FhOutputView *self)
{
  return self->texts[self->pane];
}
