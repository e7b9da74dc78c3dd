/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "exhibits/exhibits-window.h"

#include <glib/gi18n.h>
#include <string.h>

#include "parts/adaptive-paned.h"
#include "parts/calls.h"

struct _FhExhibitsWindow
{
  AdwWindow parent_instance;

  GtkEditable *search;
  GtkDropDown *guard_filter;
  GtkDropDown *level_filter;
  GtkStack *stack;
  GtkFlowBox *cards;
  GtkWidget *details;
  GtkImage *picture;
  GtkLabel *title;
  GtkLabel *figures;
  GtkLabel *shows;
  GtkLabel *lesson;
  GtkLabel *question;
  GtkWidget *without_heading;
  GtkLabel *without;
  GtkWidget *run_button;
  GtkWidget *open_button;
  GtkWidget *compare_button;
};

G_DEFINE_FINAL_TYPE (FhExhibitsWindow, fh_exhibits_window, ADW_TYPE_WINDOW)

/* A search changes the order of the cards. */
static const FhExhibit *
exhibit_of (GtkFlowBoxChild *child)
{
  return g_object_get_data (G_OBJECT (child), "exhibit");
}

static const char *
level_title (guint level)
{
  return level == 1 ? _ ("Easy") : level == 2 ? _ ("Medium") : _ ("Advanced");
}

static gboolean
has_words (const FhExhibit *exhibit, const char *words)
{
  g_autofree char *text = g_strjoin (" ",
                                     exhibit->file_name,
                                     _ (exhibit->title),
                                     fh_guard_title (exhibit->guard),
                                     _ (exhibit->shows),
                                     NULL);

  return g_str_match_string (words, text, TRUE);
}

/* Whether the title has what is searched for. */
static gboolean
is_named (FhExhibitsWindow *self, const FhExhibit *exhibit)
{
  const char *words = gtk_editable_get_text (self->search);

  return *words != '\0' && g_str_match_string (words, _ (exhibit->title), TRUE);
}

/* Cards are in the order of the table, those with the searched title before all others. */
static int
compare_cards (GtkFlowBoxChild *a, GtkFlowBoxChild *b, gpointer user_data)
{
  FhExhibitsWindow *self = FH_EXHIBITS_WINDOW (user_data);
  const FhExhibit *left = exhibit_of (a), *right = exhibit_of (b);
  int named = is_named (self, right) - is_named (self, left);

  return named != 0 ? named : (int) (left - right);
}

/* The first row of both filters is for all. */
static gboolean
is_wanted (FhExhibitsWindow *self, const FhExhibit *exhibit)
{
  const char *words = gtk_editable_get_text (self->search);
  guint guard = gtk_drop_down_get_selected (self->guard_filter);
  guint level = gtk_drop_down_get_selected (self->level_filter);

  return (guard == 0 || exhibit->guard == guard - 1) && (level == 0 || exhibit->level == level) &&
         (*words == '\0' || has_words (exhibit, words));
}

/* NULL: none is shown. The box always has a selected card, which may be one that was not found. */
static GtkFlowBoxChild *
get_selected (FhExhibitsWindow *self)
{
  g_autoptr (GList) children = gtk_flow_box_get_selected_children (self->cards);

  return children != NULL && gtk_widget_get_visible (children->data) ? children->data : NULL;
}

static void
show_details (FhExhibitsWindow *self, const FhExhibit *exhibit, const char *picture)
{
  g_autoptr (FhRunOptions) options = fh_exhibit_dup_options (exhibit, FALSE);
  g_autofree char *described = fh_run_options_describe (options);
  g_autofree char *figures = g_strjoin (" · ",
                                        fh_guard_title (exhibit->guard),
                                        level_title (exhibit->level),
                                        *described != '\0' ? described : NULL,
                                        NULL);
  const char *loss = fh_guard_loss (exhibit->guard);

  if (exhibit->without_guard == NULL)
    loss = exhibit->only_guarded != NULL ? _ (exhibit->only_guarded) : NULL;
  else if (loss == NULL)
    loss = _ ("Python allows everything, but all other guards stay.");
  gtk_image_set_from_resource (self->picture, picture);
  gtk_label_set_text (self->title, _ (exhibit->title));
  gtk_label_set_text (self->figures, figures);
  gtk_label_set_text (self->shows, _ (exhibit->shows));
  gtk_label_set_text (self->lesson, _ (exhibit->lesson));
  gtk_label_set_text (self->question, _ (exhibit->question));
  gtk_widget_set_visible (self->without_heading, loss != NULL);
  fh_show_text (self->without, loss);
  gtk_widget_set_visible (self->compare_button, exhibit->without_guard != NULL);
}

static char *
dup_picture (const FhExhibit *exhibit)
{
  return g_strdup_printf ("/io/github/fumehood/Fumehood/pictures/%.*s.svg",
                          (int) strcspn (exhibit->file_name, "."),
                          exhibit->file_name);
}

static void
selected_cb (FhExhibitsWindow *self)
{
  GtkFlowBoxChild *child = get_selected (self);
  g_autofree char *picture = child != NULL ? dup_picture (exhibit_of (child)) : NULL;

  gtk_widget_set_visible (self->details, child != NULL);
  gtk_widget_set_sensitive (self->run_button, child != NULL);
  gtk_widget_set_sensitive (self->open_button, child != NULL);
  if (child != NULL)
    show_details (self, exhibit_of (child), picture);
}

/* The selected one stays if it is still to be seen, unless others are meant by their titles; else
 * it is the first that is. A screen reader would find cards that are hidden by a filter function of
 * the box. */
static void
filtered_cb (FhExhibitsWindow *self)
{
  GtkFlowBoxChild *first = NULL;
  GtkFlowBoxChild *selected;

  gtk_flow_box_invalidate_sort (self->cards);
  for (guint i = 0; fh_exhibit_list ()[i].file_name != NULL; i++)
    {
      GtkFlowBoxChild *child = gtk_flow_box_get_child_at_index (self->cards, (int) i);
      gboolean wanted = is_wanted (self, exhibit_of (child));

      gtk_widget_set_visible (GTK_WIDGET (child), wanted);
      if (wanted && first == NULL)
        first = child;
    }
  gtk_stack_set_visible_child_name (self->stack, first != NULL ? "cards" : "none");
  selected = get_selected (self);
  if (first != NULL && (selected == NULL || (is_named (self, exhibit_of (first)) &&
                                             !is_named (self, exhibit_of (selected)))))
    gtk_flow_box_select_child (self->cards, first);
  selected_cb (self);
}

/* Text typed anywhere goes to the search, and so does the space bar, which would run the card that
 * has the focus. */
static void
search_cb (FhExhibitsWindow *self)
{
  gtk_widget_grab_focus (GTK_WIDGET (self->search));
  gtk_editable_set_position (self->search, -1);
}

static void
choose (FhExhibitsWindow *self, const char *what)
{
  GtkWindow *parent = gtk_window_get_transient_for (GTK_WINDOW (self));
  GtkFlowBoxChild *child = get_selected (self);

  if (child == NULL || parent == NULL)
    return;
  gtk_window_close (GTK_WINDOW (self));
  g_action_group_activate_action (G_ACTION_GROUP (parent),
                                  "exhibit",
                                  g_variant_new ("(ss)", exhibit_of (child)->file_name, what));
}

/* The window opens the next time with an empty search, so that typing does not add to the old text.
 */
static void
hide_cb (FhExhibitsWindow *self)
{
  gtk_editable_set_text (self->search, "");
}

static void
run_cb (FhExhibitsWindow *self)
{
  choose (self, "run");
}

static void
open_cb (FhExhibitsWindow *self)
{
  choose (self, "open");
}

static void
compare_cb (FhExhibitsWindow *self)
{
  choose (self, "compare");
}

static GtkWidget *
create_label (const char *text, const char *css_class)
{
  GtkWidget *label = gtk_label_new (text);

  gtk_label_set_wrap (GTK_LABEL (label), TRUE);
  gtk_label_set_justify (GTK_LABEL (label), GTK_JUSTIFY_CENTER);
  gtk_label_set_max_width_chars (GTK_LABEL (label), 14);
  gtk_widget_add_css_class (label, css_class);
  return label;
}

static void
add_card (FhExhibitsWindow *self, const FhExhibit *exhibit)
{
  GtkWidget *box = gtk_box_new (GTK_ORIENTATION_VERTICAL, 6);
  GtkWidget *child = gtk_flow_box_child_new ();
  g_autofree char *path = dup_picture (exhibit);
  GtkWidget *picture = g_object_new (GTK_TYPE_IMAGE,
                                     "resource",
                                     path,
                                     "pixel-size",
                                     64,
                                     "accessible-role",
                                     GTK_ACCESSIBLE_ROLE_PRESENTATION,
                                     NULL);
  g_autofree char *name = g_strjoin (", ",
                                     _ (exhibit->title),
                                     fh_guard_title (exhibit->guard),
                                     level_title (exhibit->level),
                                     NULL);
  /* Filled and empty dots; the words are in the name. */
  const char *const dots[] = { "●○○", "●●○", "●●●" };

  gtk_box_append (GTK_BOX (box), picture);
  gtk_box_append (GTK_BOX (box), create_label (_ (exhibit->title), "heading"));
  gtk_box_append (GTK_BOX (box), create_label (fh_guard_title (exhibit->guard), "caption"));
  gtk_box_append (GTK_BOX (box), create_label (dots[exhibit->level - 1], "caption"));
  g_object_set_data (G_OBJECT (child), "exhibit", (gpointer) exhibit);
  gtk_flow_box_child_set_child (GTK_FLOW_BOX_CHILD (child), box);
  gtk_widget_set_tooltip_text (child, level_title (exhibit->level));
  fh_set_accessible_label (child, name);
  gtk_flow_box_insert (self->cards, child, -1);
}

/* The button inside has the keyboard focus, so that is what gets the name. */
static void
name_filter (GtkDropDown *filter, const char *name)
{
  fh_set_accessible_label (filter, name);
  fh_set_accessible_label (gtk_widget_get_first_child (GTK_WIDGET (filter)), name);
}

static void
fill_filters (FhExhibitsWindow *self)
{
  GtkStringList *guards = GTK_STRING_LIST (gtk_drop_down_get_model (self->guard_filter));
  GtkStringList *levels = GTK_STRING_LIST (gtk_drop_down_get_model (self->level_filter));

  for (guint guard = 0; guard < FH_N_GUARDS; guard++)
    gtk_string_list_append (guards, fh_guard_title ((FhGuard) guard));
  for (guint level = 1; level <= 3; level++)
    gtk_string_list_append (levels, level_title (level));
  name_filter (self->guard_filter, _ ("Guard"));
  name_filter (self->level_filter, _ ("Difficulty"));
}

static void
fh_exhibits_window_class_init (FhExhibitsWindowClass *klass)
{
  GtkWidgetClass *widget_class = GTK_WIDGET_CLASS (klass);

  g_type_ensure (FH_TYPE_ADAPTIVE_PANED);
  fh_set_template (widget_class, "exhibits/exhibits-window.ui");
  gtk_widget_class_bind_template_child (widget_class, FhExhibitsWindow, search);
  gtk_widget_class_bind_template_child (widget_class, FhExhibitsWindow, guard_filter);
  gtk_widget_class_bind_template_child (widget_class, FhExhibitsWindow, level_filter);
  gtk_widget_class_bind_template_child (widget_class, FhExhibitsWindow, stack);
  gtk_widget_class_bind_template_child (widget_class, FhExhibitsWindow, cards);
  gtk_widget_class_bind_template_child (widget_class, FhExhibitsWindow, details);
  gtk_widget_class_bind_template_child (widget_class, FhExhibitsWindow, picture);
  gtk_widget_class_bind_template_child (widget_class, FhExhibitsWindow, title);
  gtk_widget_class_bind_template_child (widget_class, FhExhibitsWindow, figures);
  gtk_widget_class_bind_template_child (widget_class, FhExhibitsWindow, shows);
  gtk_widget_class_bind_template_child (widget_class, FhExhibitsWindow, lesson);
  gtk_widget_class_bind_template_child (widget_class, FhExhibitsWindow, question);
  gtk_widget_class_bind_template_child (widget_class, FhExhibitsWindow, without_heading);
  gtk_widget_class_bind_template_child (widget_class, FhExhibitsWindow, without);
  gtk_widget_class_bind_template_child (widget_class, FhExhibitsWindow, run_button);
  gtk_widget_class_bind_template_child (widget_class, FhExhibitsWindow, open_button);
  gtk_widget_class_bind_template_child (widget_class, FhExhibitsWindow, compare_button);
  gtk_widget_class_bind_template_callback (widget_class, selected_cb);
  gtk_widget_class_bind_template_callback (widget_class, filtered_cb);
  gtk_widget_class_bind_template_callback (widget_class, search_cb);
  gtk_widget_class_bind_template_callback (widget_class, run_cb);
  gtk_widget_class_bind_template_callback (widget_class, open_cb);
  gtk_widget_class_bind_template_callback (widget_class, compare_cb);
  gtk_widget_class_add_binding_action (widget_class, GDK_KEY_Escape, 0, "window.close", NULL);
}

static void
fh_exhibits_window_init (FhExhibitsWindow *self)
{
  gtk_widget_init_template (GTK_WIDGET (self));
  gtk_search_entry_set_key_capture_widget (GTK_SEARCH_ENTRY (self->search), GTK_WIDGET (self));
  fill_filters (self);
  for (const FhExhibit *exhibit = fh_exhibit_list (); exhibit->file_name != NULL; exhibit++)
    add_card (self, exhibit);
  gtk_flow_box_set_sort_func (self->cards, compare_cards, self, NULL);
  fh_connect (self, "hide", hide_cb, self);
  fh_connect (self->guard_filter, "notify::selected", filtered_cb, self);
  fh_connect (self->level_filter, "notify::selected", filtered_cb, self);
  filtered_cb (self);
  gtk_widget_grab_focus (GTK_WIDGET (get_selected (self)));
}

FhExhibitsWindow *
fh_exhibits_window_new (GtkWindow *parent)
{
  g_return_val_if_fail (GTK_IS_WINDOW (parent), NULL);

  return g_object_new (FH_TYPE_EXHIBITS_WINDOW,
                       "transient-for",
                       parent,
                       "destroy-with-parent",
                       TRUE,
                       NULL);
}

void
fh_exhibits_window_select (FhExhibitsWindow *self, const FhExhibit *exhibit)
{
  GtkFlowBoxChild *child;

  g_return_if_fail (FH_IS_EXHIBITS_WINDOW (self));
  g_return_if_fail (exhibit != NULL);

  gtk_editable_set_text (self->search, "");
  gtk_drop_down_set_selected (self->guard_filter, 0);
  gtk_drop_down_set_selected (self->level_filter, 0);
  child = gtk_flow_box_get_child_at_index (self->cards, (int) (exhibit - fh_exhibit_list ()));
  gtk_flow_box_select_child (self->cards, child);
  gtk_widget_grab_focus (GTK_WIDGET (child));
}
