/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "window/tabs.h"

#include <glib/gi18n.h>

#include "parts/calls.h"
#include "parts/toasts.h"

/* The tab of a file remembers under this name which of the opened files it has, from 1 on. */
#define ORDER "fh-order"

struct _FhTabs
{
  AdwBin parent_instance;

  FhServices *services;
  GCancellable *cancellable; /* cancelled with the window */
  AdwToast *toast;           /* weak: offers to reopen the tab that was closed last */
  GPtrArray *waiting;        /* (element-type Opening) until the drafts are restored, else NULL */
  char *wanted;              /* the page to be shown then; nullable */
  GPtrArray *drafts;         /* (element-type FhDraft) that are being restored; nullable */
  guint n_restored;          /* of those, without the first one */
  guint first_draft;         /* the one that was restored first */
  guint restore_source;
  guint n_opened; /* files, also those that are still read */
  AdwTabView *view;
};

enum
{
  PROP_PAGE = 1,
  PROP_CAN_REOPEN,
  N_PROPS
};

static GParamSpec *properties[N_PROPS];

G_DEFINE_FINAL_TYPE (FhTabs, fh_tabs, ADW_TYPE_BIN)

/* A tab's tooltip is markup. */
static gboolean
text_to_markup (GBinding *binding, const GValue *from, GValue *to, gpointer user_data)
{
  g_value_take_string (to, g_markup_escape_text (g_value_get_string (from), -1));
  return TRUE;
}

/* The tab still says what was so before. */
static void
run_state_cb (AdwTabPage *tab, GParamSpec *pspec, FhTab *page)
{
  const gboolean runs = fh_tab_get_run_state (page) != FH_RUN_FINISHED;
  const gboolean waits = fh_tab_waits_for_input (page);
  const gboolean ran = adw_tab_page_get_loading (tab) || adw_tab_page_get_icon (tab) != NULL;
  g_autoptr (GIcon) icon = waits ? g_themed_icon_new ("input-keyboard-symbolic") : NULL;

  if ((waits || (ran && !runs)) && !adw_tab_page_get_selected (tab))
    adw_tab_page_set_needs_attention (tab, TRUE);
  adw_tab_page_set_loading (tab, runs && !waits);
  adw_tab_page_set_icon (tab, icon);
}

static void
selected_cb (AdwTabPage *tab)
{
  if (adw_tab_page_get_selected (tab))
    adw_tab_page_set_needs_attention (tab, FALSE);
}

static const char *
get_title (FhTabs *self, guint position)
{
  return fh_document_get_title (fh_tab_get_document (fh_tabs_get_nth_page (self, position)));
}

/* Tabs of one title are told apart: files by their folders, and what is still the same by numbers
 * from left to right. Both are in front of the title, as narrow tabs hide its end. */
static void
name_pages (FhTabs *self)
{
  const guint n_pages = self->view != NULL ? fh_tabs_get_n_pages (self) : 0;
  g_autoptr (GPtrArray) names = g_ptr_array_new_with_free_func (g_free);

  for (guint i = 0; i < n_pages; i++)
    {
      guint n_same = 0, number = 1;
      g_autofree char *folder = NULL;
      g_autofree char *base = NULL;
      g_autofree char *numbered = NULL;
      char *name;

      for (guint j = 0; j < n_pages; j++)
        n_same += g_str_equal (get_title (self, i), get_title (self, j));
      g_object_get (fh_tabs_get_nth_page (self, i), "subtitle", &folder, NULL);
      base = g_path_get_basename (folder);
      name = n_same > 1 && *folder != '\0' ? g_strconcat (base, "/", get_title (self, i), NULL)
                                           : g_strdup (get_title (self, i));
      for (guint j = 0; j < i; j++)
        number += g_str_equal (names->pdata[j], name);
      numbered = g_strdup_printf ("(%u) %s", number, name);
      fh_tab_set_name (fh_tabs_get_nth_page (self, i), number > 1 ? numbered : name);
      g_ptr_array_add (names, name);
    }
}

static AdwTabPage *
insert (FhTabs *self, FhTab *page, guint position)
{
  AdwTabPage *tab = adw_tab_view_insert (self->view, GTK_WIDGET (page), (int) position);

  fh_connect (page, "notify::run-state", run_state_cb, tab);
  fh_bind (page, "label", tab, "title");
  fh_bind_mapped (page, "subtitle", tab, "tooltip", text_to_markup);
  run_state_cb (tab, NULL, page);
  g_signal_connect (tab, "notify::selected", G_CALLBACK (selected_cb), NULL);
  return tab;
}

/* At the end if there are not so many. */
static void
show_at (FhTabs *self, FhTab *page, guint position)
{
  AdwTabPage *tab = insert (self, page, MIN (position, fh_tabs_get_n_pages (self)));

  adw_tab_view_set_selected_page (self->view, tab);
  gtk_widget_grab_focus (GTK_WIDGET (page));
}

static void
add_at (FhTabs *self, FhTab *page, guint position)
{
  AdwTabPage *selected = adw_tab_view_get_selected_page (self->view);

  show_at (self, page, position);
  if (selected != NULL && fh_tab_is_untouched (FH_TAB (adw_tab_page_get_child (selected))))
    adw_tab_view_close_page (self->view, selected);
}

void
fh_tabs_add (FhTabs *self, FhTab *page)
{
  g_return_if_fail (FH_IS_TABS (self));
  g_return_if_fail (FH_IS_TAB (page));

  add_at (self, page, G_MAXUINT);
}

static void
add_draft (FhTabs *self, const FhDraft *draft)
{
  FhTab *page = FH_TAB (fh_tab_new (self->services));

  fh_tab_set_draft (page, draft);
  add_at (self, page, draft->position);
}

/* While tabs are being restored, their drafts know better where they belong. */
static void
positions_changed_cb (FhTabs *self)
{
  for (guint i = 0; self->waiting == NULL && i < fh_tabs_get_n_pages (self); i++)
    fh_tab_set_position (fh_tabs_get_nth_page (self, i), i);
  name_pages (self);
}

static void
page_attached_cb (FhTabs *self, AdwTabPage *tab)
{
  FhDocument *document = fh_tab_get_document (FH_TAB (adw_tab_page_get_child (tab)));

  fh_connect (document, "notify::title", name_pages, self);
  fh_connect (document, "notify::file", name_pages, self);
  positions_changed_cb (self);
}

static void
selected_page_cb (FhTabs *self)
{
  g_object_notify_by_pspec (G_OBJECT (self), properties[PROP_PAGE]);
}

/* The tab of the toast is back, or another one has been closed since, which would come back. */
static void
closed_changed_cb (FhTabs *self)
{
  fh_toast_replace (&self->toast, NULL);
  g_object_notify_by_pspec (G_OBJECT (self), properties[PROP_CAN_REOPEN]);
}

static void
remember (FhTabs *self, AdwTabPage *tab)
{
  g_autoptr (GPtrArray) drafts = g_ptr_array_new_with_free_func ((GDestroyNotify) fh_draft_free);
  FhDraft *draft = fh_tab_dup_draft (FH_TAB (adw_tab_page_get_child (tab)));

  draft->position = (guint) adw_tab_view_get_page_position (self->view, tab);
  g_ptr_array_add (drafts, draft);
  fh_drafts_push_closed (fh_services_get_drafts (self->services), drafts);
  fh_toast_replace (&self->toast,
                    fh_toast_show_action (GTK_WIDGET (self),
                                          _ ("Tab closed"),
                                          _ ("_Undo"),
                                          "win.reopen-tab",
                                          NULL));
}

/* In another window they come after what is there. */
void
fh_tabs_remember (FhTabs *self)
{
  g_autoptr (GPtrArray) drafts = g_ptr_array_new_with_free_func ((GDestroyNotify) fh_draft_free);

  g_return_if_fail (FH_IS_TABS (self));

  for (guint i = 0; i < fh_tabs_get_n_pages (self); i++)
    {
      FhTab *page = fh_tabs_get_nth_page (self, i);
      FhDraft *draft = fh_tab_is_untouched (page) ? NULL : fh_tab_dup_draft (page);

      if (draft == NULL)
        continue;
      draft->position = G_MAXUINT;
      g_ptr_array_add (drafts, draft);
    }
  if (drafts->len > 0)
    fh_drafts_push_closed (fh_services_get_drafts (self->services), drafts);
}

static void
finish_close (FhTabs *self, AdwTabPage *tab, gboolean confirmed)
{
  FhTab *page = FH_TAB (adw_tab_page_get_child (tab));

  if (confirmed && !fh_tab_is_untouched (page))
    remember (self, tab);
  if (confirmed)
    fh_tab_close (page);
  adw_tab_view_close_page_finish (self->view, tab, confirmed);
}

static void
close_confirmed_cb (GObject *source, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (AdwTabPage) tab = user_data;
  FhTab *page = FH_TAB (source);
  gboolean confirmed = fh_tab_confirm_close_finish (page, result, NULL);
  /* The tab may have been dragged to another window; NULL if the window was closed. */
  GtkWidget *tabs = gtk_widget_get_ancestor (GTK_WIDGET (page), FH_TYPE_TABS);

  if (tabs != NULL)
    finish_close (FH_TABS (tabs), tab, confirmed);
}

static gboolean
close_page_cb (FhTabs *self, AdwTabPage *tab)
{
  FhTab *page = FH_TAB (adw_tab_page_get_child (tab));

  if (fh_tab_may_close (page))
    finish_close (self, tab, TRUE);
  else
    fh_tab_confirm_close_async (page, close_confirmed_cb, g_object_ref (tab));
  return GDK_EVENT_STOP;
}

/* A file to open once the drafts are restored. */
typedef struct
{
  GFile *file;
  gboolean run;
} Opening;

static void
opening_free (gpointer data)
{
  Opening *opening = data;

  g_object_unref (opening->file);
  g_free (opening);
}

static guint
get_order (FhTab *page)
{
  return GPOINTER_TO_UINT (g_object_get_data (G_OBJECT (page), ORDER));
}

/* Adds the tab of a file before those of files that were opened after it but read sooner, and then
 * shows the last of these. */
static void
add_in_order (FhTabs *self, FhTab *page)
{
  guint last, position;

  fh_tabs_add (self, page);
  last = position = fh_tabs_get_n_pages (self) - 1;
  while (position > 0 && get_order (fh_tabs_get_nth_page (self, position - 1)) > get_order (page))
    position--;
  if (position == last)
    return;
  adw_tab_view_reorder_page (self->view,
                             adw_tab_view_get_page (self->view, GTK_WIDGET (page)),
                             (int) position);
  fh_tabs_show_page (self, fh_tab_get_id (fh_tabs_get_nth_page (self, last)));
}

/* Returns whether there is a page to be run. */
static gboolean
add_loaded (FhTabs *self, FhTab *page, GAsyncResult *result)
{
  g_autoptr (GError) error = NULL;
  gboolean loaded = fh_tab_load_finish (page, result, &error);

  if (g_cancellable_is_cancelled (self->cancellable))
    return FALSE;
  if (loaded)
    {
      add_in_order (self, page);
      return TRUE;
    }
  if (fh_tabs_get_n_pages (self) == 0)
    fh_tabs_open_new (self);
  fh_toast_show_problem (GTK_WIDGET (self), error->message);
  return FALSE;
}

static void
loaded_cb (GObject *source, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (FhTabs) self = user_data;

  add_loaded (self, FH_TAB (source), result);
}

static void
loaded_to_run_cb (GObject *source, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (FhTabs) self = user_data;

  if (add_loaded (self, FH_TAB (source), result))
    fh_tab_run_when_ready (FH_TAB (source));
}

static FhTab *
find_file (FhTabs *self, GFile *file)
{
  for (guint i = 0; i < fh_tabs_get_n_pages (self); i++)
    {
      FhTab *page = fh_tabs_get_nth_page (self, i);
      GFile *other = fh_document_get_file (fh_tab_get_document (page));

      if (other != NULL && g_file_equal (other, file))
        return page;
    }
  return NULL;
}

void
fh_tabs_open_file (FhTabs *self, GFile *file, gboolean run)
{
  FhTab *page;
  g_autoptr (FhTab) fresh = NULL;

  g_return_if_fail (FH_IS_TABS (self));
  g_return_if_fail (G_IS_FILE (file));

  if (self->waiting != NULL)
    {
      Opening *opening = g_new0 (Opening, 1);

      opening->file = g_object_ref (file);
      opening->run = run;
      g_ptr_array_add (self->waiting, opening);
      return;
    }
  page = find_file (self, file);
  if (page != NULL)
    {
      fh_tabs_show_page (self, fh_tab_get_id (page));
      if (run)
        fh_tab_run_when_ready (page);
      return;
    }
  fresh = FH_TAB (g_object_ref_sink (fh_tab_new (self->services)));
  g_object_set_data (G_OBJECT (fresh), ORDER, GUINT_TO_POINTER (++self->n_opened));
  fh_tab_load_async (fresh,
                     file,
                     self->cancellable,
                     run ? loaded_to_run_cb : loaded_cb,
                     g_object_ref (self));
}

void
fh_tabs_open_new (FhTabs *self)
{
  g_return_if_fail (FH_IS_TABS (self));

  show_at (self, FH_TAB (fh_tab_new (self->services)), G_MAXUINT);
}

/* NULL if there is no such page. */
static AdwTabPage *
find_page (FhTabs *self, const char *page_id)
{
  for (guint i = 0; i < fh_tabs_get_n_pages (self); i++)
    if (g_strcmp0 (fh_tab_get_id (fh_tabs_get_nth_page (self, i)), page_id) == 0)
      return adw_tab_view_get_nth_page (self->view, (int) i);
  return NULL;
}

gboolean
fh_tabs_has_page (FhTabs *self, const char *page_id)
{
  g_return_val_if_fail (FH_IS_TABS (self), FALSE);

  return find_page (self, page_id) != NULL;
}

gboolean
fh_tabs_show_page (FhTabs *self, const char *page_id)
{
  AdwTabPage *tab;

  g_return_val_if_fail (FH_IS_TABS (self), FALSE);

  if (self->waiting != NULL)
    {
      fh_set_str (&self->wanted, page_id);
      return TRUE;
    }
  tab = find_page (self, page_id);
  if (tab != NULL)
    adw_tab_view_set_selected_page (self->view, tab);
  return tab != NULL;
}

/* All are restored. */
static void
end_restoring (FhTabs *self)
{
  g_autoptr (GPtrArray) waiting = g_steal_pointer (&self->waiting);

  g_clear_pointer (&self->drafts, g_ptr_array_unref);
  positions_changed_cb (self);
  if (self->wanted != NULL)
    fh_tabs_show_page (self, self->wanted);
  for (guint i = 0; i < waiting->len; i++)
    {
      Opening *opening = g_ptr_array_index (waiting, i);

      fh_tabs_open_file (self, opening->file, opening->run);
    }
  if (waiting->len == 0 && fh_tabs_get_n_pages (self) == 0)
    fh_tabs_add (self, FH_TAB (fh_tab_new (self->services)));
}

/* FALSE if there was none left. */
static gboolean
restore_next (FhTabs *self)
{
  FhTab *page;

  self->n_restored += self->n_restored == self->first_draft;
  if (self->n_restored >= self->drafts->len)
    return FALSE;
  page = FH_TAB (fh_tab_new (self->services));
  fh_tab_set_draft (page, g_ptr_array_index (self->drafts, self->n_restored));
  insert (self, page, MIN (self->n_restored, fh_tabs_get_n_pages (self)));
  self->n_restored++;
  return TRUE;
}

static gboolean
restore_cb (gpointer user_data)
{
  FhTabs *self = FH_TABS (user_data);

  /* A file that waits may be that of a tab which is not there yet. */
  while (restore_next (self))
    {
      if (self->waiting->len == 0)
        return G_SOURCE_CONTINUE;
    }
  self->restore_source = 0;
  end_restoring (self);
  return G_SOURCE_REMOVE;
}

/* The tab that was in front comes first, and the others after it is painted. What was opened before
 * the drafts were read stays in front. */
static void
restore (FhTabs *self, GPtrArray *drafts)
{
  FhTab *page = FH_TAB (fh_tab_new (self->services));

  self->drafts = g_ptr_array_ref (drafts);
  self->n_restored = self->first_draft = 0;
  for (guint i = 0; i < drafts->len; i++)
    {
      if (g_strcmp0 (((FhDraft *) drafts->pdata[i])->id, self->wanted) == 0)
        self->first_draft = i;
    }
  g_clear_pointer (&self->wanted, g_free);
  fh_tab_set_draft (page, g_ptr_array_index (drafts, self->first_draft));
  if (fh_tabs_get_page (self) == NULL)
    show_at (self, page, 0);
  else
    insert (self, page, 0);
  self->restore_source = g_idle_add_full (G_PRIORITY_LOW, restore_cb, self, NULL);
}

static void
drafts_loaded_cb (GObject *source, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (FhTabs) self = user_data;
  g_autofree char *notice = NULL;
  g_autoptr (GError) error = NULL;
  g_autoptr (GPtrArray) drafts =
      fh_drafts_load_finish (FH_DRAFTS (source), result, &notice, &error);

  if (g_cancellable_is_cancelled (self->cancellable))
    return;
  if (drafts == NULL || notice != NULL)
    fh_toast_show_problem (GTK_WIDGET (self), drafts == NULL ? error->message : notice);
  if (drafts != NULL && drafts->len > 0)
    restore (self, drafts);
  else
    end_restoring (self);
}

void
fh_tabs_restore (FhTabs *self)
{
  g_return_if_fail (FH_IS_TABS (self));
  g_return_if_fail (self->waiting == NULL);

  self->waiting = g_ptr_array_new_with_free_func (opening_free);
  g_object_get (fh_services_get_settings (self->services), "selected-tab", &self->wanted, NULL);
  fh_drafts_load_async (fh_services_get_drafts (self->services),
                        self->cancellable,
                        drafts_loaded_cb,
                        g_object_ref (self));
}

void
fh_tabs_reopen (FhTabs *self)
{
  g_autoptr (GPtrArray) drafts = NULL;

  g_return_if_fail (FH_IS_TABS (self));

  drafts = fh_drafts_pop_closed (fh_services_get_drafts (self->services));
  for (guint i = 0; drafts != NULL && i < drafts->len; i++)
    {
      add_draft (self, g_ptr_array_index (drafts, i));
      fh_tab_save_draft (fh_tabs_get_page (self));
    }
}

AdwTabView *
fh_tabs_get_view (FhTabs *self)
{
  g_return_val_if_fail (FH_IS_TABS (self), NULL);

  return self->view;
}

guint
fh_tabs_get_n_pages (FhTabs *self)
{
  g_return_val_if_fail (FH_IS_TABS (self), 0);

  return (guint) adw_tab_view_get_n_pages (self->view);
}

FhTab *
fh_tabs_get_nth_page (FhTabs *self, guint position)
{
  g_return_val_if_fail (FH_IS_TABS (self), NULL);

  return FH_TAB (adw_tab_page_get_child (adw_tab_view_get_nth_page (self->view, (int) position)));
}

FhTab *
fh_tabs_get_page (FhTabs *self)
{
  AdwTabPage *tab;

  g_return_val_if_fail (FH_IS_TABS (self), NULL);

  tab = self->view != NULL ? adw_tab_view_get_selected_page (self->view) : NULL;
  return tab != NULL ? FH_TAB (adw_tab_page_get_child (tab)) : NULL;
}

static void
fh_tabs_get_property (GObject *object, guint id, GValue *value, GParamSpec *pspec)
{
  FhTabs *self = FH_TABS (object);

  if (id == PROP_PAGE)
    g_value_set_object (value, fh_tabs_get_page (self));
  else
    g_value_set_boolean (value,
                         self->services != NULL &&
                             fh_drafts_has_closed (fh_services_get_drafts (self->services)));
}

static void
fh_tabs_unroot (GtkWidget *widget)
{
  g_cancellable_cancel (FH_TABS (widget)->cancellable);
  GTK_WIDGET_CLASS (fh_tabs_parent_class)->unroot (widget);
}

static void
fh_tabs_dispose (GObject *object)
{
  FhTabs *self = FH_TABS (object);

  g_clear_handle_id (&self->restore_source, g_source_remove);
  g_clear_weak_pointer (&self->toast);
  self->view = NULL;
  g_clear_object (&self->services);
  G_OBJECT_CLASS (fh_tabs_parent_class)->dispose (object);
}

static void
fh_tabs_finalize (GObject *object)
{
  FhTabs *self = FH_TABS (object);

  g_object_unref (self->cancellable);
  g_clear_pointer (&self->waiting, g_ptr_array_unref);
  g_clear_pointer (&self->drafts, g_ptr_array_unref);
  g_free (self->wanted);
  G_OBJECT_CLASS (fh_tabs_parent_class)->finalize (object);
}

static void
fh_tabs_class_init (FhTabsClass *klass)
{
  GObjectClass *object_class = G_OBJECT_CLASS (klass);

  object_class->dispose = fh_tabs_dispose;
  object_class->finalize = fh_tabs_finalize;
  object_class->get_property = fh_tabs_get_property;
  GTK_WIDGET_CLASS (klass)->unroot = fh_tabs_unroot;

  properties[PROP_PAGE] = g_param_spec_object ("page", NULL, NULL, FH_TYPE_TAB, FH_PARAM_READ);
  properties[PROP_CAN_REOPEN] =
      g_param_spec_boolean ("can-reopen", NULL, NULL, FALSE, FH_PARAM_READ);
  g_object_class_install_properties (object_class, N_PROPS, properties);
}

static void
fh_tabs_init (FhTabs *self)
{
  self->cancellable = g_cancellable_new ();
  self->view = adw_tab_view_new ();
  /* These keys belong to the text that has the focus, and the tabs would take them first. */
  adw_tab_view_remove_shortcuts (
      self->view,
      ADW_TAB_VIEW_SHORTCUT_CONTROL_HOME | ADW_TAB_VIEW_SHORTCUT_CONTROL_END |
          ADW_TAB_VIEW_SHORTCUT_CONTROL_SHIFT_HOME | ADW_TAB_VIEW_SHORTCUT_CONTROL_SHIFT_END);
  adw_bin_set_child (ADW_BIN (self), GTK_WIDGET (self->view));
  fh_connect (self->view, "close-page", close_page_cb, self);
  fh_connect (self->view, "page-reordered", positions_changed_cb, self);
  fh_connect (self->view, "page-attached", page_attached_cb, self);
  fh_connect (self->view, "page-detached", name_pages, self);
  fh_connect (self->view, "notify::selected-page", selected_page_cb, self);
  fh_allocate_all (self->view, "notify::selected-page", self->view);
}

void
fh_tabs_set_services (FhTabs *self, FhServices *services)
{
  g_return_if_fail (FH_IS_TABS (self));
  g_return_if_fail (FH_IS_SERVICES (services));
  g_return_if_fail (self->services == NULL);

  self->services = g_object_ref (services);
  fh_connect (fh_services_get_drafts (services), "closed-changed", closed_changed_cb, self);
}
