/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "output/output-view.h"

#include <glib/gi18n.h>

#include "output-cut.h"
#include "output/output-export.h"
#include "output/output-search-bar.h"
#include "output/output-status.h"
#include "output/output-text.h"
#include "parts/calls.h"
#include "parts/file-dialogs.h"
#include "parts/toasts.h"

#define N_PANES 3
/* The buttons of the pages stand beside those of the streams, alone, or with their icons above
 * their titles: whichever fits. */
#define N_SWITCHERS 3
/* A page that a run has something for is made so much later while it goes on: its output comes
 * first. */
#define MAKE_MS 100

static const char *const pane_names[N_PANES] = { "output", "stdout", "stderr" };
static const guint pane_streams[N_PANES] = {
  FH_STREAM_STDOUT | FH_STREAM_STDERR,
  FH_STREAM_STDOUT,
  FH_STREAM_STDERR,
};

/* A page beside the output. It is made when it is turned to, or has something to show: most tabs
 * never need most of them. */
typedef struct
{
  GType type;
  const FhResultPageInterface *iface;
  FhResultPage *page; /* nullable: not made yet */
  GtkWidget *place;   /* that it is put into */
  GtkWidget *tools;   /* that its tools are put into */
  AdwViewStackPage *stack_page;
  GtkWidget *buttons[N_SWITCHERS];
} Page;

struct _FhOutputView
{
  AdwBin parent_instance;
  FhOutputLog *log; /* of the run that is shown; nullable */
  FhOutputSearch *search;
  FhOutputText *texts[N_PANES];
  GArray *others;      /* (element-type Page) */
  FhShownResult shown; /* on them; with references */
  guint make_timer;
  guint pane;
  guint wrap : 1;
  guint has_sections : 1;

  FhOutputSearchBar *search_bar;
  AdwViewStack *pages;
  GtkWidget *switchers[N_SWITCHERS];
  GtkWidget *streams;
  GtkStack *tools;
  GtkStack *panes;
  FhOutputPictures *pictures;
  FhOutputStatus *status;
  GMenuModel *menu;
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

static guint page_made_signal;

/* The visible pane. */
static FhOutputText *
get_text (FhOutputView *self)
{
  return self->texts[self->pane];
}

static void
set_pane (FhOutputView *self, const char *name)
{
  for (guint i = 0; i < N_PANES; i++)
    if (g_strcmp0 (name, pane_names[i]) == 0 && i != self->pane)
      {
        self->pane = i;
        gtk_stack_set_visible_child_name (self->panes, name);
        fh_output_search_set_view (self->search, fh_output_text_get_view (get_text (self)));
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
  for (guint i = 0; i < N_PANES; i++)
    fh_output_text_set_wrap (self->texts[i], wrap);
  g_object_notify_by_pspec (G_OBJECT (self), properties[PROP_WRAP]);
}

static void
toggled_cb (GtkToggleButton *button)
{
  gtk_accessible_update_state (GTK_ACCESSIBLE (button),
                               GTK_ACCESSIBLE_STATE_SELECTED,
                               gtk_toggle_button_get_active (button),
                               -1);
}

/* Makes the button that turns to a page. `page`: of the stack. */
static GtkWidget *
new_button (AdwViewStackPage *page, gboolean is_narrow)
{
  GtkWidget *box = gtk_box_new (is_narrow ? GTK_ORIENTATION_VERTICAL : GTK_ORIENTATION_HORIZONTAL,
                                is_narrow ? 0 : 6);
  GtkWidget *label = gtk_label_new (NULL);
  GtkWidget *button = g_object_new (GTK_TYPE_TOGGLE_BUTTON,
                                    "accessible-role",
                                    GTK_ACCESSIBLE_ROLE_TAB,
                                    "child",
                                    box,
                                    "action-name",
                                    "output.page",
                                    NULL);

  gtk_actionable_set_action_target (GTK_ACTIONABLE (button),
                                    "s",
                                    adw_view_stack_page_get_name (page));
  gtk_widget_add_css_class (button, "flat");
  if (is_narrow)
    gtk_widget_add_css_class (label, "caption");
  gtk_label_set_ellipsize (GTK_LABEL (label), PANGO_ELLIPSIZE_END);
  gtk_box_append (GTK_BOX (box),
                  gtk_image_new_from_icon_name (adw_view_stack_page_get_icon_name (page)));
  gtk_box_append (GTK_BOX (box), label);
  fh_bind (page, "title", label, "label");
  fh_bind (page, "visible", button, "visible");
  gtk_accessible_update_relation (GTK_ACCESSIBLE (button),
                                  GTK_ACCESSIBLE_RELATION_LABELLED_BY,
                                  label,
                                  NULL,
                                  -1);
  g_signal_connect (button, "toggled", G_CALLBACK (toggled_cb), NULL);
  toggled_cb (GTK_TOGGLE_BUTTON (button));
  return button;
}

/* Adds the buttons of a page of the stack. Those of libadwaita take five times as much memory. */
static void
add_buttons (FhOutputView *self, AdwViewStackPage *page, GtkWidget **buttons)
{
  for (guint i = 0; i < N_SWITCHERS; i++)
    {
      buttons[i] = new_button (page, i == N_SWITCHERS - 1);
      gtk_box_append (GTK_BOX (self->switchers[i]), buttons[i]);
    }
}

/* A page that has gone must not be the one that is seen. */
static void
follow_page (FhOutputView *self, const Page *page)
{
  const gboolean needs_attention =
      page->page != NULL && fh_result_page_needs_attention (page->page);
  const gboolean is_present =
      page->page != NULL ? fh_result_page_is_present (page->page) : page->iface->is_present == NULL;

  if (!is_present && adw_view_stack_get_visible_child (self->pages) == page->place)
    adw_view_stack_set_visible_child_name (self->pages, "output");
  adw_view_stack_page_set_visible (page->stack_page, is_present);
  for (guint i = 0; i < N_SWITCHERS; i++)
    fh_set_css_class (page->buttons[i], "needs-attention", needs_attention);
}

static void
page_changed_cb (FhOutputView *self, FhResultPage *changed)
{
  for (guint i = 0; i < self->others->len; i++)
    {
      const Page *page = &g_array_index (self->others, Page, i);

      /* A page that is being destroyed is in no place any more. */
      if (page->page == changed && gtk_widget_get_parent (GTK_WIDGET (changed)) == page->place)
        follow_page (self, page);
    }
}

static void
make_page (FhOutputView *self, Page *page)
{
  GtkWidget *tools;

  if (page->page != NULL)
    return;
  page->page = g_object_new (page->type, NULL);
  tools = fh_result_page_get_tools (page->page);
  if (tools != NULL)
    adw_bin_set_child (ADW_BIN (page->tools), tools);
  adw_bin_set_child (ADW_BIN (page->place), GTK_WIDGET (page->page));
  fh_connect (page->page, "changed", page_changed_cb, self);
  g_signal_emit (self,
                 page_made_signal,
                 g_quark_from_static_string (page->iface->name),
                 page->page);
  fh_result_page_show (page->page, &self->shown);
  follow_page (self, page);
}

/* Makes the pages that have something to show. */
static gboolean
make_pages_cb (gpointer user_data)
{
  FhOutputView *self = FH_OUTPUT_VIEW (user_data);

  g_clear_handle_id (&self->make_timer, g_source_remove);
  for (guint i = 0; i < self->others->len; i++)
    {
      Page *page = &g_array_index (self->others, Page, i);

      if (page->iface->concerns != NULL && page->iface->concerns (&self->shown))
        make_page (self, page);
    }
  return G_SOURCE_REMOVE;
}

static void
page_cb (FhOutputView *self)
{
  const char *name = adw_view_stack_get_visible_child_name (self->pages);
  GtkWidget *child = adw_view_stack_get_visible_child (self->pages);

  /* While the template is built, the child has no name or no tools yet. */
  if (name == NULL || gtk_stack_get_child_by_name (self->tools, name) == NULL)
    return;
  for (guint i = 0; i < self->others->len; i++)
    if (g_array_index (self->others, Page, i).place == child)
      make_page (self, &g_array_index (self->others, Page, i));
  gtk_stack_set_visible_child_name (self->tools, name);
  gtk_widget_set_visible (self->streams, g_str_equal (name, "output"));
  g_object_notify_by_pspec (G_OBJECT (self), properties[PROP_PAGE]);
}

static void
searching_cb (FhOutputView *self)
{
  fh_output_text_pause (get_text (self));
}

/* The cursor of the text is at the match. */
static void
stopped_cb (FhOutputView *self)
{
  gtk_widget_grab_focus (GTK_WIDGET (fh_output_text_get_view (get_text (self))));
}

static void
update_actions (FhOutputView *self)
{
  const gboolean has_output = self->log != NULL || self->has_sections;

  gtk_widget_action_set_enabled (GTK_WIDGET (self), "output.copy-all", has_output);
  gtk_widget_action_set_enabled (GTK_WIDGET (self), "output.save", has_output);
}

static void
set_log (FhOutputView *self, FhRunRequest *request, FhOutputLog *log, FhRun *run)
{
  const char *file_name =
      request != NULL ? fh_run_request_get_parts (request)->language->file_name : NULL;

  g_set_object (&self->log, log);
  for (guint i = 0; i < N_PANES; i++)
    fh_output_text_set_log (self->texts[i], log, run, file_name);
  fh_output_pictures_clear (self->pictures);
  self->has_sections = FALSE;
  update_actions (self);
}

/* Returns what can be copied and saved: for a session, what is to be seen. */
static FhOutputLog *
dup_log (FhOutputView *self)
{
  FhOutputText *text = get_text (self);

  if (self->has_sections)
    return fh_output_export_new_log (gtk_text_view_get_buffer (fh_output_text_get_view (text)),
                                     fh_output_text_get_streams (text));
  return self->log != NULL ? g_object_ref (self->log) : NULL;
}

static void
update_silence (FhOutputView *self, FhRunResult *result)
{
  const FhRunOutcome *outcome = fh_run_result_get_parts (result)->outcome;
  FhOutputLog *log = fh_run_result_get_parts (result)->output;

  for (guint i = 0; i < N_PANES; i++)
    fh_output_text_set_nothing_ran (self->texts[i], !fh_run_outcome_has_run (outcome));
  fh_output_pictures_set_alone (self->pictures,
                                fh_output_log_get_total (log, FH_STREAM_STDOUT) +
                                        fh_output_log_get_total (log, FH_STREAM_STDERR) ==
                                    0);
}

static void
result_cb (FhOutputView *self, GParamSpec *pspec, FhRun *run)
{
  if (fh_run_get_output (run) == self->log)
    update_silence (self, fh_run_get_result (run));
}

static void
fh_output_view_dispose (GObject *object)
{
  FhOutputView *self = FH_OUTPUT_VIEW (object);

  if (self->search != NULL)
    fh_output_search_set_view (self->search, NULL);
  g_clear_object (&self->search);
  g_clear_object (&self->log);
  g_clear_handle_id (&self->make_timer, g_source_remove);
  fh_shown_result_set (&self->shown, &(FhShownResult){ NULL });
  for (guint i = 0; i < N_PANES; i++)
    g_clear_object (&self->texts[i]);
  G_OBJECT_CLASS (fh_output_view_parent_class)->dispose (object);
}

static void
fh_output_view_finalize (GObject *object)
{
  g_array_unref (FH_OUTPUT_VIEW (object)->others);
  G_OBJECT_CLASS (fh_output_view_parent_class)->finalize (object);
}

static void
fh_output_view_get_property (GObject *object, guint id, GValue *value, GParamSpec *pspec)
{
  FhOutputView *self = FH_OUTPUT_VIEW (object);

  if (id == PROP_PANE)
    g_value_set_string (value, pane_names[self->pane]);
  else if (id == PROP_WRAP)
    g_value_set_boolean (value, self->wrap);
  else
    g_value_set_string (value, adw_view_stack_get_visible_child_name (self->pages));
}

static void
fh_output_view_set_property (GObject *object, guint id, const GValue *value, GParamSpec *pspec)
{
  FhOutputView *self = FH_OUTPUT_VIEW (object);

  if (id == PROP_PANE)
    set_pane (self, g_value_get_string (value));
  else if (id == PROP_WRAP)
    set_wrap (self, g_value_get_boolean (value));
  else
    adw_view_stack_set_visible_child_name (self->pages, g_value_get_string (value));
}

static void
find_action (GtkWidget *widget, const char *name, GVariant *parameter)
{
  FhOutputView *self = FH_OUTPUT_VIEW (widget);
  GtkTextBuffer *buffer = gtk_text_view_get_buffer (fh_output_text_get_view (get_text (self)));
  GtkTextIter start, end;
  g_autofree char *selected = NULL;

  if (gtk_text_buffer_get_selection_bounds (buffer, &start, &end) &&
      gtk_text_iter_get_line (&start) == gtk_text_iter_get_line (&end))
    selected = gtk_text_iter_get_text (&start, &end);
  g_object_set (self, "page", "output", NULL);
  fh_output_search_bar_open (self->search_bar, selected);
}

static void
copy_all_action (GtkWidget *widget, const char *name, GVariant *parameter)
{
  FhOutputView *self = FH_OUTPUT_VIEW (widget);
  g_autoptr (FhOutputLog) log = dup_log (self);
  g_autofree char *text = NULL;

  if (log == NULL)
    return;
  text = fh_output_export_text (log, fh_output_text_get_streams (get_text (self)));
  gdk_clipboard_set_text (gtk_widget_get_clipboard (widget), text);
  fh_toast_show (widget, _ ("Output copied"));
}

typedef struct
{
  GtkWidget *widget;
  FhOutputLog *log;
  guint streams;
} Saving;

static void
saving_free (Saving *saving)
{
  g_object_unref (saving->widget);
  g_object_unref (saving->log);
  g_free (saving);
}
G_DEFINE_AUTOPTR_CLEANUP_FUNC (Saving, saving_free)

static void
saved_cb (GObject *source, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (Saving) saving = user_data;
  g_autoptr (GError) error = NULL;
  g_autofree char *message = NULL;

  if (!fh_output_export_save_finish (G_FILE (source), result, &error))
    message = g_strdup_printf (_ ("Could not save the output: %s"), error->message);
  else if (fh_output_log_is_truncated (saving->log))
    message = g_strdup (_ ("Saved what was kept: the beginning and the end of the output"));
  else
    message = g_strdup (_ ("Output saved"));
  fh_toast_show (saving->widget, message);
}

static void
file_chosen_cb (GObject *source, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (Saving) saving = user_data;
  g_autoptr (GFile) file = fh_file_dialogs_finish (result, NULL);
  FhOutputLog *log = saving->log;
  const guint streams = saving->streams;

  if (file != NULL)
    fh_output_export_save_async (file, log, streams, NULL, saved_cb, g_steal_pointer (&saving));
}

/* Asks for a file, and saves output in it: see output-export.h. A toast says how it went. */
static void
ask_to_save (GtkWidget *widget, FhOutputLog *log, guint streams)
{
  Saving *saving = g_new (Saving, 1);

  saving->widget = g_object_ref (widget);
  saving->log = g_object_ref (log);
  saving->streams = streams;
  fh_file_dialogs_show_async (widget,
                              GTK_FILE_CHOOSER_ACTION_SAVE,
                              _ ("Save Output"),
                              fh_output_export_file_name (streams),
                              NULL,
                              file_chosen_cb,
                              saving);
}

static void
save_action (GtkWidget *widget, const char *name, GVariant *parameter)
{
  FhOutputView *self = FH_OUTPUT_VIEW (widget);
  g_autoptr (FhOutputLog) log = dup_log (self);

  if (log != NULL)
    ask_to_save (widget, log, fh_output_text_get_streams (get_text (self)));
}

static void
clear_action (GtkWidget *widget, const char *name, GVariant *parameter)
{
  FhOutputView *self = FH_OUTPUT_VIEW (widget);

  for (guint i = 0; i < N_PANES; i++)
    fh_output_text_clear (self->texts[i]);
}

static void
jump_to_end_action (GtkWidget *widget, const char *name, GVariant *parameter)
{
  fh_output_text_jump_to_end (get_text (FH_OUTPUT_VIEW (widget)));
}

static void
place_action (GtkWidget *widget, const char *name, GVariant *parameter)
{
  FhOutputView *self = FH_OUTPUT_VIEW (widget);

  fh_output_text_pause (get_text (self));
  if (!fh_output_text_go_to_place (get_text (self), g_str_equal (name, "output.next-place")))
    gtk_widget_error_bell (widget);
}

static void
install_actions (GtkWidgetClass *widget_class)
{
  const GdkModifierType both = GDK_CONTROL_MASK | GDK_SHIFT_MASK;
  const struct
  {
    const char *name;
    GtkWidgetActionActivateFunc func;
    guint key;
    GdkModifierType modifiers;
  } actions[] = {
    { "output.find", find_action, GDK_KEY_f, both },
    { "output.copy-all", copy_all_action, GDK_KEY_c, both },
    { "output.save", save_action },
    { "output.clear", clear_action, GDK_KEY_k, GDK_CONTROL_MASK },
    { "output.jump-to-end", jump_to_end_action },
    { "output.next-place", place_action, GDK_KEY_F8 },
    { "output.previous-place", place_action, GDK_KEY_F8, GDK_SHIFT_MASK },
  };

  for (guint i = 0; i < G_N_ELEMENTS (actions); i++)
    {
      gtk_widget_class_install_action (widget_class, actions[i].name, NULL, actions[i].func);
      if (actions[i].key != 0)
        gtk_widget_class_add_binding_action (widget_class,
                                             actions[i].key,
                                             actions[i].modifiers,
                                             actions[i].name,
                                             NULL);
    }
  gtk_widget_class_install_property_action (widget_class, "output.pane", "pane");
  gtk_widget_class_install_property_action (widget_class, "output.wrap", "wrap");
  gtk_widget_class_install_property_action (widget_class, "output.page", "page");
}

static void
bind_template (GtkWidgetClass *widget_class)
{
  const char *const switchers[] = { "roomy_switcher", "wide_switcher", "narrow_switcher" };
  g_type_ensure (FH_TYPE_OUTPUT_PICTURES);
  g_type_ensure (FH_TYPE_OUTPUT_SEARCH_BAR);
  g_type_ensure (FH_TYPE_OUTPUT_STATUS);
  fh_set_template (widget_class, "output/output-view.ui");
  gtk_widget_class_bind_template_child (widget_class, FhOutputView, search_bar);
  gtk_widget_class_bind_template_child (widget_class, FhOutputView, pages);
  for (guint i = 0; i < N_SWITCHERS; i++)
    gtk_widget_class_bind_template_child_full (
        widget_class,
        switchers[i],
        FALSE,
        (gssize) (G_STRUCT_OFFSET (FhOutputView, switchers) + i * sizeof (GtkWidget *)));
  gtk_widget_class_bind_template_child (widget_class, FhOutputView, streams);
  gtk_widget_class_bind_template_child (widget_class, FhOutputView, tools);
  gtk_widget_class_bind_template_child (widget_class, FhOutputView, panes);
  gtk_widget_class_bind_template_child (widget_class, FhOutputView, pictures);
  gtk_widget_class_bind_template_child (widget_class, FhOutputView, status);
  gtk_widget_class_bind_template_child (widget_class, FhOutputView, menu);
  gtk_widget_class_bind_template_callback (widget_class, page_cb);
  gtk_widget_class_bind_template_callback (widget_class, searching_cb);
  gtk_widget_class_bind_template_callback (widget_class, stopped_cb);
}

static void
fh_output_view_class_init (FhOutputViewClass *klass)
{
  GObjectClass *object_class = G_OBJECT_CLASS (klass);

  object_class->dispose = fh_output_view_dispose;
  object_class->finalize = fh_output_view_finalize;
  object_class->get_property = fh_output_view_get_property;
  object_class->set_property = fh_output_view_set_property;

  properties[PROP_PANE] = g_param_spec_string ("pane", NULL, NULL, "output", FH_PARAM_WRITE);
  properties[PROP_WRAP] = g_param_spec_boolean ("wrap", NULL, NULL, TRUE, FH_PARAM_WRITE);
  properties[PROP_PAGE] = g_param_spec_string ("page", NULL, NULL, "output", FH_PARAM_WRITE);
  g_object_class_install_properties (object_class, N_PROPS, properties);

  page_made_signal = g_signal_new ("page-made",
                                   FH_TYPE_OUTPUT_VIEW,
                                   G_SIGNAL_RUN_LAST | G_SIGNAL_DETAILED,
                                   0,
                                   NULL,
                                   NULL,
                                   NULL,
                                   G_TYPE_NONE,
                                   1,
                                   FH_TYPE_RESULT_PAGE);

  bind_template (GTK_WIDGET_CLASS (klass));
  install_actions (GTK_WIDGET_CLASS (klass));
}

static void
add_pane (FhOutputView *self, guint pane, FhOutputStyles *styles)
{
  const char *labels[N_PANES] = { _ ("Output"), _ ("Standard output"), _ ("Standard error") };
  FhOutputText *text = fh_output_text_new (styles, pane_streams[pane]);
  GtkTextView *view = fh_output_text_get_view (text);

  fh_set_accessible_label (view, labels[pane]);
  gtk_text_view_set_extra_menu (view, self->menu);
  gtk_stack_add_named (self->panes, GTK_WIDGET (text), pane_names[pane]);
  self->texts[pane] = g_object_ref (text);
}

static void
fh_output_view_init (FhOutputView *self)
{
  g_autoptr (FhOutputStyles) styles = fh_output_styles_new ();
  GtkWidget *buttons[N_SWITCHERS];

  self->others = g_array_new (FALSE, FALSE, sizeof (Page));
  gtk_widget_init_template (GTK_WIDGET (self));
  add_buttons (
      self,
      adw_view_stack_get_page (self->pages, adw_view_stack_get_visible_child (self->pages)),
      buttons);
  fh_allocate_all (self->pages, "notify::visible-child", self->pages);
  fh_allocate_all (self->panes, "notify::visible-child", self->panes);
  self->search = fh_output_search_new (styles);
  fh_output_search_bar_set_search (self->search_bar, self->search);
  for (guint pane = 0; pane < N_PANES; pane++)
    add_pane (self, pane, styles);
  fh_output_search_set_view (self->search, fh_output_text_get_view (self->texts[0]));
  set_wrap (self, TRUE);
  set_log (self, NULL, NULL, NULL);
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
  if (run != NULL)
    fh_output_pictures_add (self->pictures, fh_run_get_files (run));
  if (run != NULL && fh_run_get_result (run) != NULL)
    result_cb (self, NULL, run);
  else if (run != NULL)
    fh_connect (run, "notify::result", result_cb, self);
  fh_output_status_set_run (self->status, run, FALSE);
}

void
fh_output_view_show_result (FhOutputView *self,
                            FhRunRequest *request,
                            FhRunResult *result,
                            gboolean is_answer)
{
  g_return_if_fail (FH_IS_OUTPUT_VIEW (self));
  g_return_if_fail (FH_IS_RUN_REQUEST (request));
  g_return_if_fail (FH_IS_RUN_RESULT (result));

  set_log (self, is_answer ? NULL : request, fh_run_result_get_parts (result)->output, NULL);
  fh_output_pictures_add (self->pictures, fh_run_result_get_parts (result)->files);
  update_silence (self, result);
  fh_output_status_show_result (self->status, request, result, is_answer);
}

void
fh_output_view_begin_session (FhOutputView *self, GPtrArray *sources)
{
  g_return_if_fail (FH_IS_OUTPUT_VIEW (self));

  set_log (self, NULL, NULL, NULL);
  for (guint i = 0; i < N_PANES; i++)
    fh_output_text_begin_sections (self->texts[i], sources);
  self->has_sections = TRUE;
  update_actions (self);
  fh_output_status_set_run (self->status, NULL, FALSE);
}

void
fh_output_view_add_section (FhOutputView *self, FhOutputSection *section)
{
  FhRun *run;

  g_return_if_fail (FH_IS_OUTPUT_VIEW (self));
  g_return_if_fail (FH_IS_OUTPUT_SECTION (section));

  for (guint i = 0; i < N_PANES; i++)
    fh_output_text_add_section (self->texts[i], section);
  run = fh_output_section_get_run (section);
  if (run == NULL)
    return;
  fh_output_pictures_add (self->pictures, fh_run_get_files (run));
  fh_output_status_set_run (self->status, run, TRUE);
}

FhOutputStatus *
fh_output_view_get_status (FhOutputView *self)
{
  g_return_val_if_fail (FH_IS_OUTPUT_VIEW (self), NULL);

  return self->status;
}

FhOutputPictures *
fh_output_view_get_pictures (FhOutputView *self)
{
  g_return_val_if_fail (FH_IS_OUTPUT_VIEW (self), NULL);

  return self->pictures;
}

void
fh_output_view_show_page (FhOutputView *self, const char *name)
{
  g_return_if_fail (FH_IS_OUTPUT_VIEW (self));

  if (gtk_stack_get_child_by_name (self->tools, name) == NULL)
    return;
  adw_view_stack_set_visible_child_name (self->pages, name);
  /* The results of a tab that was closed meanwhile have no window to focus anything in. */
  if (gtk_widget_get_root (GTK_WIDGET (self)) != NULL)
    gtk_widget_child_focus (adw_view_stack_get_visible_child (self->pages), GTK_DIR_TAB_FORWARD);
}

AdwViewStackPage *
fh_output_view_add_page (FhOutputView *self, GType type)
{
  Page page = { .type = type, .place = adw_bin_new (), .tools = adw_bin_new () };
  GTypeClass *klass;

  g_return_val_if_fail (FH_IS_OUTPUT_VIEW (self), NULL);
  g_return_val_if_fail (g_type_is_a (type, FH_TYPE_RESULT_PAGE), NULL);

  klass = g_type_class_ref (type);
  page.iface = g_type_interface_peek (klass, FH_TYPE_RESULT_PAGE);
  g_type_class_unref (klass);
  gtk_widget_set_halign (page.tools, GTK_ALIGN_END);
  gtk_stack_add_named (self->tools, page.tools, page.iface->name);
  page.stack_page = adw_view_stack_add_titled_with_icon (
      self->pages,
      page.place,
      page.iface->name,
      page.iface->context != NULL ? g_dpgettext2 (NULL, page.iface->context, page.iface->title)
                                  : _ (page.iface->title),
      page.iface->icon_name);
  add_buttons (self, page.stack_page, page.buttons);
  g_array_append_val (self->others, page);
  follow_page (self, &page);
  return page.stack_page;
}

FhResultPage *
fh_output_view_get_page (FhOutputView *self, GType type, gboolean make)
{
  g_return_val_if_fail (FH_IS_OUTPUT_VIEW (self), NULL);

  for (guint i = 0; i < self->others->len; i++)
    {
      Page *page = &g_array_index (self->others, Page, i);

      if (page->type == type && make)
        make_page (self, page);
      if (page->type == type)
        return page->page;
    }
  g_return_val_if_reached (NULL);
}

void
fh_output_view_show_pages (FhOutputView *self, const FhShownResult *shown)
{
  g_return_if_fail (FH_IS_OUTPUT_VIEW (self) && shown != NULL);

  fh_shown_result_set (&self->shown, shown);
  for (guint i = 0; i < self->others->len; i++)
    {
      FhResultPage *page = g_array_index (self->others, Page, i).page;

      if (page != NULL)
        fh_result_page_show (page, shown);
    }
  if (shown->run == NULL || fh_run_get_result (shown->run) != NULL)
    make_pages_cb (self);
  else if (self->make_timer == 0)
    self->make_timer = g_timeout_add (MAKE_MS, make_pages_cb, self);
}
