/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "history/history-model.h"

#include "history/history-merge.h"

#include "parts/calls.h"

/* There is at most one query at a time. A new search cancels it; a change of the history makes its
 * answer stale, and everything that was loaded is queried again. */
struct _FhHistoryModel
{
  GObject parent_instance;
  FhHistory *history;
  GPtrArray *entries; /* (element-type FhHistoryEntry) */
  char *search;       /* never NULL */
  char *problem;
  GCancellable *query; /* in progress, or NULL */
  guint loaded : 1;
  guint complete : 1; /* there are no more pages */
  guint stale : 1;
};

static void fh_history_model_list_init (GListModelInterface *interface);

G_DEFINE_FINAL_TYPE_WITH_CODE (FhHistoryModel,
                               fh_history_model,
                               G_TYPE_OBJECT,
                               G_IMPLEMENT_INTERFACE (G_TYPE_LIST_MODEL,
                                                      fh_history_model_list_init))

static guint loaded_signal;
static guint problem_signal;

static FhHistoryEntry *
entry_at (GPtrArray *entries, guint index)
{
  return g_ptr_array_index (entries, index);
}

static void
merge (FhHistoryModel *self, GPtrArray *fresh)
{
  guint position, removed, added;

  fh_history_merge (self->entries, fresh, &position, &removed, &added);
  if (removed > 0 || added > 0)
    g_list_model_items_changed (G_LIST_MODEL (self), position, removed, added);
}

static void
set_loaded (FhHistoryModel *self, gboolean loaded)
{
  if (self->loaded == loaded)
    return;
  self->loaded = loaded;
  g_signal_emit (self, loaded_signal, 0);
}

static void
set_problem (FhHistoryModel *self, const char *problem)
{
  if (!fh_set_str (&self->problem, problem))
    return;
  g_signal_emit (self, problem_signal, 0);
}

typedef struct
{
  FhHistoryModel *model;
  GCancellable *cancellable;
  guint offset;
  guint limit;
} Query;

static void
query_free (Query *query)
{
  g_object_unref (query->cancellable);
  g_object_unref (query->model);
  g_free (query);
}

G_DEFINE_AUTOPTR_CLEANUP_FUNC (Query, query_free)

static void start_query (FhHistoryModel *self, guint offset, guint limit);

static void
reload (FhHistoryModel *self)
{
  guint pages = (self->entries->len + FH_HISTORY_MODEL_PAGE - 1) / FH_HISTORY_MODEL_PAGE;

  self->stale = FALSE;
  start_query (self, 0, MAX (pages, 1) * FH_HISTORY_MODEL_PAGE);
}

static void
apply_answer (FhHistoryModel *self, const Query *query, GPtrArray *answer)
{
  self->complete = answer->len < query->limit;
  if (query->offset > 0)
    {
      g_autoptr (GPtrArray) all = g_ptr_array_new_with_free_func (g_object_unref);

      for (guint i = 0; i < self->entries->len; i++)
        g_ptr_array_add (all, g_object_ref (entry_at (self->entries, i)));
      for (guint i = 0; i < answer->len; i++)
        g_ptr_array_add (all, g_object_ref (entry_at (answer, i)));
      merge (self, all);
    }
  else
    merge (self, answer);
}

static void
answered_cb (GObject *source, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (Query) query = user_data;
  FhHistoryModel *self = query->model;
  g_autoptr (GError) error = NULL;
  g_autoptr (GPtrArray) answer = fh_history_list_finish (FH_HISTORY (source), result, &error);

  if (query->cancellable != self->query)
    return;
  g_clear_object (&self->query);
  set_problem (self, error != NULL ? error->message : NULL);
  if (self->stale && error == NULL)
    {
      reload (self);
      return;
    }
  if (answer != NULL)
    apply_answer (self, query, answer);
  set_loaded (self, TRUE);
}

static void
start_query (FhHistoryModel *self, guint offset, guint limit)
{
  Query *query = g_new0 (Query, 1);

  query->model = g_object_ref (self);
  query->offset = offset;
  query->limit = limit;
  self->query = g_cancellable_new ();
  query->cancellable = g_object_ref (self->query);
  fh_history_list_async (self->history,
                         self->search,
                         offset,
                         limit,
                         self->query,
                         answered_cb,
                         query);
}

static void
changed_cb (FhHistoryModel *self)
{
  if (self->query != NULL)
    self->stale = TRUE;
  else
    reload (self);
}

static GType
fh_history_model_get_item_type (GListModel *list)
{
  return FH_TYPE_HISTORY_ENTRY;
}

static guint
fh_history_model_get_n_items (GListModel *list)
{
  return FH_HISTORY_MODEL (list)->entries->len;
}

static gpointer
fh_history_model_get_item (GListModel *list, guint position)
{
  FhHistoryModel *self = FH_HISTORY_MODEL (list);

  return position < self->entries->len ? g_object_ref (entry_at (self->entries, position)) : NULL;
}

static void
fh_history_model_list_init (GListModelInterface *interface)
{
  interface->get_item_type = fh_history_model_get_item_type;
  interface->get_n_items = fh_history_model_get_n_items;
  interface->get_item = fh_history_model_get_item;
}

static void
fh_history_model_dispose (GObject *object)
{
  FhHistoryModel *self = FH_HISTORY_MODEL (object);

  fh_cancel (&self->query);
  g_clear_object (&self->history);
  g_clear_pointer (&self->entries, g_ptr_array_unref);
  g_clear_pointer (&self->search, g_free);
  g_clear_pointer (&self->problem, g_free);
  G_OBJECT_CLASS (fh_history_model_parent_class)->dispose (object);
}

static void
fh_history_model_class_init (FhHistoryModelClass *klass)
{
  G_OBJECT_CLASS (klass)->dispose = fh_history_model_dispose;

  loaded_signal = fh_signal_new ("loaded", FH_TYPE_HISTORY_MODEL, 0);
  problem_signal = fh_signal_new ("problem", FH_TYPE_HISTORY_MODEL, 0);
}

static void
fh_history_model_init (FhHistoryModel *self)
{
  self->entries = g_ptr_array_new_with_free_func (g_object_unref);
  self->search = g_strdup ("");
}

FhHistoryModel *
fh_history_model_new (FhHistory *history)
{
  FhHistoryModel *self;

  g_return_val_if_fail (FH_IS_HISTORY (history), NULL);

  self = g_object_new (FH_TYPE_HISTORY_MODEL, NULL);
  self->history = g_object_ref (history);
  fh_connect (history, "changed", changed_cb, self);
  reload (self);
  return self;
}

void
fh_history_model_set_search (FhHistoryModel *self, const char *search)
{
  g_return_if_fail (FH_IS_HISTORY_MODEL (self));

  if (!fh_set_str (&self->search, search != NULL ? search : ""))
    return;
  fh_cancel (&self->query);
  self->stale = FALSE;
  /* The list stays as it is until the answer, so that it does not flicker while typing. */
  start_query (self, 0, FH_HISTORY_MODEL_PAGE);
}

const char *
fh_history_model_get_search (FhHistoryModel *self)
{
  g_return_val_if_fail (FH_IS_HISTORY_MODEL (self), "");

  return self->search;
}

void
fh_history_model_load_more (FhHistoryModel *self)
{
  g_return_if_fail (FH_IS_HISTORY_MODEL (self));

  if (self->query == NULL && self->loaded && !self->complete)
    start_query (self, self->entries->len, FH_HISTORY_MODEL_PAGE);
}

void
fh_history_model_remove (FhHistoryModel *self, gint64 id)
{
  g_return_if_fail (FH_IS_HISTORY_MODEL (self));

  for (guint i = 0; i < self->entries->len; i++)
    if (fh_history_entry_get_id (entry_at (self->entries, i)) == id)
      {
        g_ptr_array_remove_index (self->entries, i);
        g_list_model_items_changed (G_LIST_MODEL (self), i, 1, 0);
        return;
      }
}

gboolean
fh_history_model_is_loaded (FhHistoryModel *self)
{
  g_return_val_if_fail (FH_IS_HISTORY_MODEL (self), FALSE);

  return self->loaded;
}

const char *
fh_history_model_get_problem (FhHistoryModel *self)
{
  g_return_val_if_fail (FH_IS_HISTORY_MODEL (self), NULL);

  return self->problem;
}
