/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "changes/changes-view.h"

#include <glib/gi18n.h>

#include "changes/changes-apply.h"
#include "changes/changes-row.h"
#include "parts/calls.h"
#include "parts/diff-view.h"

struct _FhChangesView
{
  AdwBin parent_instance;
  FhFolderChanges *changes; /* nullable */
  GHashTable *chosen;       /* set of FhFolderChange, which `changes` has */
  GHashTable *applied;      /* likewise */
  GtkSingleSelection *selection;
  GCancellable *cancellable; /* of what is being read to be shown */
  gboolean updating;

  GtkCheckButton *all;
  GtkLabel *place;
  GtkListView *list;
  GtkStack *stack;
  GtkLabel *problem;
  FhDiffView *diff;
  GtkLabel *left_out;
};

static void init_page (FhResultPageInterface *iface);

G_DEFINE_FINAL_TYPE_WITH_CODE (FhChangesView,
                               fh_changes_view,
                               ADW_TYPE_BIN,
                               G_IMPLEMENT_INTERFACE (FH_TYPE_RESULT_PAGE, init_page))

static guint
count (FhChangesView *self)
{
  return self->changes != NULL ? g_list_model_get_n_items (G_LIST_MODEL (self->changes)) : 0;
}

static gboolean
is_open (FhChangesView *self, FhFolderChange *change)
{
  return fh_folder_change_is_in_all (change) && !g_hash_table_contains (self->applied, change);
}

/* Checked if all are chosen that it stands for. */
static void
update (FhChangesView *self)
{
  guint n_open = 0, n_chosen = 0;

  for (guint i = 0; i < count (self); i++)
    {
      FhFolderChange *change = fh_folder_changes_get (self->changes, i);

      n_open += is_open (self, change);
      n_chosen += is_open (self, change) && g_hash_table_contains (self->chosen, change);
    }
  self->updating = TRUE;
  gtk_check_button_set_active (self->all, n_open > 0 && n_chosen == n_open);
  gtk_check_button_set_inconsistent (self->all, n_chosen > 0 && n_chosen < n_open);
  self->updating = FALSE;
  gtk_widget_set_sensitive (GTK_WIDGET (self->all), n_open > 0);
  gtk_widget_action_set_enabled (GTK_WIDGET (self),
                                 "changes.apply",
                                 g_hash_table_size (self->chosen) > 0);
}

static void
toggled_cb (FhChangesView *self, FhFolderChange *change, gboolean is_chosen)
{
  if (is_chosen)
    g_hash_table_add (self->chosen, change);
  else
    g_hash_table_remove (self->chosen, change);
  update (self);
}

/* Shows what is chosen and applied: the list binds its rows again. */
static void
refresh (FhChangesView *self)
{
  guint selected = gtk_single_selection_get_selected (self->selection);

  gtk_single_selection_set_model (self->selection, NULL);
  gtk_single_selection_set_model (self->selection, G_LIST_MODEL (self->changes));
  gtk_single_selection_set_selected (self->selection, selected);
  update (self);
}

static void
choose_all (FhChangesView *self, gboolean is_chosen)
{
  for (guint i = 0; i < count (self); i++)
    {
      FhFolderChange *change = fh_folder_changes_get (self->changes, i);

      if (is_chosen && is_open (self, change))
        g_hash_table_add (self->chosen, change);
      else if (!is_chosen)
        g_hash_table_remove (self->chosen, change);
    }
}

static void
all_toggled_cb (FhChangesView *self)
{
  if (self->updating)
    return;
  choose_all (self, gtk_check_button_get_active (self->all));
  refresh (self);
}

static void
show_problem (FhChangesView *self, const char *text)
{
  gtk_label_set_text (self->problem, text);
  gtk_stack_set_visible_child_name (self->stack, "problem");
}

static void
diff_cb (GObject *source, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (FhChangesView) self = user_data;
  g_autoptr (GError) error = NULL;
  g_autoptr (GPtrArray) rows = fh_changes_diff_finish (result, &error);

  if (g_error_matches (error, G_IO_ERROR, G_IO_ERROR_CANCELLED) || self->changes == NULL)
    return;
  if (rows == NULL)
    {
      show_problem (self, error->message);
      return;
    }
  if (rows->len == 0)
    {
      show_problem (self, _ ("The file is empty."));
      return;
    }
  fh_diff_view_set_rows (self->diff, rows);
  gtk_stack_set_visible_child_name (self->stack, "diff");
}

static void
selected_cb (FhChangesView *self)
{
  FhFolderChange *change = gtk_single_selection_get_selected_item (self->selection);

  fh_cancel (&self->cancellable);
  if (change == NULL || self->changes == NULL)
    {
      show_problem (self, _ ("Select a file to see what differs."));
      return;
    }
  if (g_hash_table_contains (self->applied, change))
    {
      show_problem (self, _ ("This change was applied."));
      return;
    }
  self->cancellable = g_cancellable_new ();
  fh_changes_diff_async (self->changes, change, self->cancellable, diff_cb, g_object_ref (self));
}

/* Resets the marks, which mean nothing for another run. */
static void
set_applied (FhChangesView *self, GPtrArray *changes, gboolean is_applied)
{
  for (guint i = 0; i < changes->len; i++)
    {
      const char *path = fh_folder_change_get_facts (changes->pdata[i])->path;

      if (self->changes == NULL ||
          fh_folder_changes_find (self->changes, path) != changes->pdata[i])
        continue;
      g_hash_table_add (is_applied ? self->applied : self->chosen, changes->pdata[i]);
      g_hash_table_remove (is_applied ? self->chosen : self->applied, changes->pdata[i]);
    }
  refresh (self);
  selected_cb (self);
}

static void
offer_undo (FhChangesView *self, gboolean is_possible)
{
  gtk_widget_action_set_enabled (GTK_WIDGET (self), "changes.undo", is_possible);
}

static void
found_cb (GObject *source, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (FhChangesView) self = user_data;
  g_autofree char *backup = NULL;
  g_autoptr (GPtrArray) applied = fh_changes_find_applied_finish (result, &backup);

  /* The backup belongs to another run. */
  if (applied == NULL || applied->len == 0 || self->list == NULL || self->changes == NULL ||
      fh_folder_changes_find (self->changes,
                              fh_folder_change_get_facts (applied->pdata[0])->path) !=
          applied->pdata[0])
    return;
  set_applied (self, applied, TRUE);
  offer_undo (self, TRUE);
}

/* Finds what was applied, also before the app was started. */
static void
find_applied (FhChangesView *self)
{
  offer_undo (self, FALSE);
  if (self->changes != NULL)
    fh_changes_find_applied_async (self->changes, NULL, found_cb, g_object_ref (self));
}

static void
undone (FhChangesView *self, GPtrArray *changes)
{
  set_applied (self, changes, FALSE);
  find_applied (self);
}

static void
applied_cb (GObject *source, GAsyncResult *result, gpointer user_data)
{
  FhChangesView *self = FH_CHANGES_VIEW (source);

  if (!fh_changes_apply_finish (result))
    return;
  set_applied (self, fh_changes_apply_get_chosen (result), TRUE);
  find_applied (self);
}

/* Looks again: the command line may have applied or taken back something since. */
static void
undo_cb (GObject *source, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (FhChangesView) self = user_data;
  g_autofree char *backup = NULL;
  g_autoptr (GPtrArray) applied = fh_changes_find_applied_finish (result, &backup);

  if (applied != NULL)
    fh_changes_undo (GTK_WIDGET (self), backup, applied, G_CALLBACK (undone));
  else
    offer_undo (self, FALSE);
}

static void
undo_action (GtkWidget *widget, const char *name, GVariant *parameter)
{
  FhChangesView *self = FH_CHANGES_VIEW (widget);

  if (self->changes != NULL)
    fh_changes_find_applied_async (self->changes, NULL, undo_cb, g_object_ref (self));
}

/* Collects the changes in the order of the list. */
static void
apply_action (GtkWidget *widget, const char *name, GVariant *parameter)
{
  FhChangesView *self = FH_CHANGES_VIEW (widget);
  g_autoptr (GPtrArray) chosen = g_ptr_array_new_with_free_func (g_object_unref);

  for (guint i = 0; i < count (self); i++)
    {
      FhFolderChange *change = fh_folder_changes_get (self->changes, i);

      if (g_hash_table_contains (self->chosen, change))
        g_ptr_array_add (chosen, g_object_ref (change));
    }
  fh_changes_apply_async (widget, self->changes, chosen, G_CALLBACK (undone), applied_cb);
}

static void
setup_cb (FhChangesView *self, GtkListItem *item)
{
  GtkWidget *row = g_object_new (FH_TYPE_CHANGES_ROW, NULL);

  fh_connect (row, "toggled", toggled_cb, self);
  gtk_list_item_set_child (item, row);
}

static void
bind_cb (FhChangesView *self, GtkListItem *item)
{
  FhFolderChange *change = gtk_list_item_get_item (item);

  fh_changes_row_set_change (FH_CHANGES_ROW (gtk_list_item_get_child (item)),
                             change,
                             g_hash_table_contains (self->chosen, change),
                             g_hash_table_contains (self->applied, change));
}

static void
unbind_cb (FhChangesView *self, GtkListItem *item)
{
  fh_changes_row_set_change (FH_CHANGES_ROW (gtk_list_item_get_child (item)), NULL, FALSE, FALSE);
}

/* Names what the program did not get, and what is not in the list. */
static char *
describe_rest (FhFolderChanges *changes)
{
  const FhFolderChangesFacts *facts = fh_folder_changes_get_facts (changes);
  guint n = facts->n_left_out + facts->n_cached;
  GString *text = g_string_new (NULL);

  if (facts->n_hidden > 0 && facts->hidden[0] != NULL)
    {
      g_autofree char *joined = g_strjoinv (", ", facts->hidden);
      g_autofree char *names = g_filename_display_name (joined);

      /* Translators: %s is a list of files */
      g_string_append_printf (text, _ ("The program did not get: %s."), names);
    }
  if (n > 0)
    g_string_append_printf (text,
                            ngettext ("%s%u more changed file is not listed.",
                                      "%s%u more changed files are not listed.",
                                      n),
                            text->len > 0 ? " " : "",
                            n);
  return g_string_free (text, FALSE);
}

static void
fh_changes_view_dispose (GObject *object)
{
  FhChangesView *self = FH_CHANGES_VIEW (object);

  fh_cancel (&self->cancellable);
  if (self->list != NULL)
    gtk_list_view_set_model (self->list, NULL);
  self->list = NULL;
  g_clear_object (&self->selection);
  g_clear_object (&self->changes);
  G_OBJECT_CLASS (fh_changes_view_parent_class)->dispose (object);
}

static void
fh_changes_view_finalize (GObject *object)
{
  g_hash_table_unref (FH_CHANGES_VIEW (object)->chosen);
  g_hash_table_unref (FH_CHANGES_VIEW (object)->applied);
  G_OBJECT_CLASS (fh_changes_view_parent_class)->finalize (object);
}

static void
fh_changes_view_class_init (FhChangesViewClass *klass)
{
  GObjectClass *object_class = G_OBJECT_CLASS (klass);
  GtkWidgetClass *widget_class = GTK_WIDGET_CLASS (klass);

  object_class->dispose = fh_changes_view_dispose;
  object_class->finalize = fh_changes_view_finalize;

  g_type_ensure (FH_TYPE_DIFF_VIEW);
  fh_set_template (widget_class, "changes/changes-view.ui");
  gtk_widget_class_bind_template_child (widget_class, FhChangesView, all);
  gtk_widget_class_bind_template_child (widget_class, FhChangesView, place);
  gtk_widget_class_bind_template_child (widget_class, FhChangesView, list);
  gtk_widget_class_bind_template_child (widget_class, FhChangesView, stack);
  gtk_widget_class_bind_template_child (widget_class, FhChangesView, problem);
  gtk_widget_class_bind_template_child (widget_class, FhChangesView, diff);
  gtk_widget_class_bind_template_child (widget_class, FhChangesView, left_out);
  gtk_widget_class_bind_template_callback (widget_class, all_toggled_cb);
  gtk_widget_class_install_action (widget_class, "changes.apply", NULL, apply_action);
  gtk_widget_class_install_action (widget_class, "changes.undo", NULL, undo_action);
}

static void
fh_changes_view_init (FhChangesView *self)
{
  g_autoptr (GtkListItemFactory) factory = gtk_signal_list_item_factory_new ();

  self->chosen = g_hash_table_new (NULL, NULL);
  self->applied = g_hash_table_new (NULL, NULL);
  gtk_widget_init_template (GTK_WIDGET (self));
  fh_allocate_all (self->stack, "notify::visible-child", self->stack);
  self->selection = gtk_single_selection_new (NULL);
  gtk_single_selection_set_autoselect (self->selection, FALSE);
  gtk_single_selection_set_can_unselect (self->selection, TRUE);
  fh_connect (factory, "setup", setup_cb, self);
  fh_connect (factory, "bind", bind_cb, self);
  fh_connect (factory, "unbind", unbind_cb, self);
  gtk_list_view_set_factory (self->list, factory);
  gtk_list_view_set_model (self->list, GTK_SELECTION_MODEL (self->selection));
  fh_connect (self->selection, "notify::selected-item", selected_cb, self);
  update (self);
  offer_undo (self, FALSE);
  selected_cb (self);
}

static void
show (FhResultPage *page, const FhShownResult *shown)
{
  FhChangesView *self = FH_CHANGES_VIEW (page);
  FhFolderChanges *changes = shown->changes;
  g_autofree char *folder = NULL;
  g_autofree char *rest = NULL;

  if (changes == self->changes)
    return;
  gtk_single_selection_set_model (self->selection, NULL);
  g_hash_table_remove_all (self->chosen);
  g_hash_table_remove_all (self->applied);
  g_set_object (&self->changes, changes);
  if (changes != NULL)
    {
      folder = g_filename_display_name (fh_folder_changes_get_facts (changes)->place.path);
      rest = describe_rest (changes);
      choose_all (self, TRUE);
    }
  gtk_label_set_text (self->place, folder != NULL ? folder : "");
  gtk_widget_set_tooltip_text (GTK_WIDGET (self->place), folder);
  fh_show_text (self->left_out, rest);
  gtk_single_selection_set_model (self->selection, G_LIST_MODEL (changes));
  gtk_single_selection_set_selected (self->selection,
                                     count (self) > 0 ? 0 : GTK_INVALID_LIST_POSITION);
  update (self);
  find_applied (self);
  fh_result_page_changed (page);
}

static gboolean
is_present (FhResultPage *page)
{
  return count (FH_CHANGES_VIEW (page)) > 0;
}

static gboolean
concerns (const FhShownResult *shown)
{
  return shown->changes != NULL;
}

static void
init_page (FhResultPageInterface *iface)
{
  iface->name = "changes";
  iface->title = N_ ("Changes");
  iface->icon_name = "document-edit-symbolic";
  iface->concerns = concerns;
  iface->show = show;
  iface->is_present = is_present;
}
