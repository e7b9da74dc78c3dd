/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "search-provider.h"

#include <glib/gi18n.h>

#include "parts/calls.h"
#include "parts/exported-object.h"
#include "parts/run-labels.h"

/* The shell shows five. */
#define MAX_RESULTS 20

/* How many found runs are remembered, until the shell asks what to show of them. */
#define MAX_KNOWN 500

struct _FhSearchProvider
{
  GObject parent_instance;

  FhHistory *history; /* nullable */
  GHashTable *known;  /* id → FhHistoryEntry, of what was found */
  FhExportedObject exported;
};

static guint open_run_signal;
static guint search_signal;

G_DEFINE_FINAL_TYPE (FhSearchProvider, fh_search_provider, G_TYPE_OBJECT)

static const char interface_xml[] = "<node>"
                                    "<interface name='org.gnome.Shell.SearchProvider2'>"
                                    "<method name='GetInitialResultSet'>"
                                    "<arg type='as' direction='in'/>"
                                    "<arg type='as' direction='out'/>"
                                    "</method>"
                                    "<method name='GetSubsearchResultSet'>"
                                    "<arg type='as' direction='in'/>"
                                    "<arg type='as' direction='in'/>"
                                    "<arg type='as' direction='out'/>"
                                    "</method>"
                                    "<method name='GetResultMetas'>"
                                    "<arg type='as' direction='in'/>"
                                    "<arg type='aa{sv}' direction='out'/>"
                                    "</method>"
                                    "<method name='ActivateResult'>"
                                    "<arg type='s' direction='in'/>"
                                    "<arg type='as' direction='in'/>"
                                    "<arg type='u' direction='in'/>"
                                    "</method>"
                                    "<method name='LaunchSearch'>"
                                    "<arg type='as' direction='in'/>"
                                    "<arg type='u' direction='in'/>"
                                    "</method>"
                                    "</interface>"
                                    "</node>";

/* A search that is going on. The application, which may have been started for it alone, stays until
 * it is answered. */
typedef struct
{
  FhSearchProvider *provider;
  GDBusMethodInvocation *invocation;
  GApplication *application;
} Search;

static void
search_free (Search *search)
{
  if (search->application != NULL)
    {
      g_application_release (search->application);
      g_object_unref (search->application);
    }
  g_object_unref (search->provider);
  g_free (search);
}

G_DEFINE_AUTOPTR_CLEANUP_FUNC (Search, search_free)

static void
listed_cb (GObject *source, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (Search) search = user_data;
  g_autoptr (GError) error = NULL;
  g_autoptr (GPtrArray) entries = fh_history_list_finish (FH_HISTORY (source), result, &error);
  GHashTable *known = search->provider->known;
  GVariantBuilder ids;

  if (entries == NULL)
    {
      g_dbus_method_invocation_return_gerror (search->invocation, error);
      return;
    }
  if (g_hash_table_size (known) + entries->len > MAX_KNOWN)
    g_hash_table_remove_all (known);
  g_variant_builder_init (&ids, G_VARIANT_TYPE ("as"));
  for (guint i = 0; i < entries->len; i++)
    {
      FhHistoryEntry *entry = g_ptr_array_index (entries, i);
      g_autofree char *id = g_strdup_printf ("%" G_GINT64_FORMAT, fh_history_entry_get_id (entry));

      g_variant_builder_add (&ids, "s", id);
      g_hash_table_insert (known, g_steal_pointer (&id), g_object_ref (entry));
    }
  g_dbus_method_invocation_return_value (search->invocation, g_variant_new ("(as)", &ids));
}

/* `index`: which of the parameters are the words. */
static void
search (FhSearchProvider *self, GDBusMethodInvocation *invocation, guint index)
{
  GVariant *parameters = g_dbus_method_invocation_get_parameters (invocation);
  g_autoptr (GVariant) words = g_variant_get_child_value (parameters, index);
  g_autofree const char **terms = g_variant_get_strv (words, NULL);
  g_autofree char *text = g_strstrip (g_strjoinv (" ", (char **) terms));
  Search *search;

  if (*text == '\0' || self->history == NULL)
    {
      g_dbus_method_invocation_return_value (invocation, g_variant_new ("(as)", NULL));
      return;
    }
  search = g_new0 (Search, 1);
  search->provider = g_object_ref (self);
  search->invocation = invocation;
  search->application = g_application_get_default ();
  if (search->application != NULL)
    {
      g_object_ref (search->application);
      g_application_hold (search->application);
    }
  fh_history_list_async (self->history, text, 0, MAX_RESULTS, NULL, listed_cb, search);
}

/* "Finished · Python · 12 Nov". (transfer full) */
static char *
describe (FhHistoryEntry *entry)
{
  const FhLanguage *language = fh_history_entry_get_language (entry);
  const char *status = fh_run_status_title (fh_history_entry_get_status (entry));
  g_autoptr (GDateTime) now = g_date_time_new_now_local ();
  g_autoptr (GDateTime) when = g_date_time_to_local (fh_history_entry_get_started_at (entry));
  g_autofree char *time = fh_run_label_time (when, now);

  if (language == NULL)
    /* Translators: a past run: how it ended, and when it was started. */
    return g_strdup_printf (_ ("%s · %s"), status, time);
  /* Translators: a past run: how it ended, its language, and when it was started. */
  return g_strdup_printf (_ ("%s · %s · %s"), status, language->name, time);
}

static void
add_meta (GVariantBuilder *metas, const char *id, FhHistoryEntry *entry)
{
  g_autofree char *description = describe (entry);
  g_autoptr (GIcon) icon = g_themed_icon_new (FH_APP_ID);
  g_autoptr (GVariant) serialized = g_icon_serialize (icon);

  g_variant_builder_open (metas, G_VARIANT_TYPE ("a{sv}"));
  g_variant_builder_add (metas, "{sv}", "id", g_variant_new_string (id));
  g_variant_builder_add (metas,
                         "{sv}",
                         "name",
                         g_variant_new_string (fh_history_entry_get_title (entry)));
  g_variant_builder_add (metas, "{sv}", "description", g_variant_new_string (description));
  g_variant_builder_add (metas, "{sv}", "icon", serialized);
  g_variant_builder_close (metas);
}

static void
return_metas (FhSearchProvider *self, GVariant *parameters, GDBusMethodInvocation *invocation)
{
  g_autofree const char **ids = NULL;
  GVariantBuilder metas;

  g_variant_get (parameters, "(^a&s)", &ids);
  g_variant_builder_init (&metas, G_VARIANT_TYPE ("aa{sv}"));
  for (guint i = 0; ids[i] != NULL; i++)
    {
      FhHistoryEntry *entry = g_hash_table_lookup (self->known, ids[i]);

      if (entry != NULL)
        add_meta (&metas, ids[i], entry);
    }
  g_dbus_method_invocation_return_value (invocation, g_variant_new ("(aa{sv})", &metas));
}

static void
activate_result (FhSearchProvider *self, GVariant *parameters, GDBusMethodInvocation *invocation)
{
  const char *id;
  gint64 number;
  guint time;

  g_variant_get (parameters, "(&s^a&su)", &id, NULL, &time);
  if (!g_ascii_string_to_signed (id, 10, 1, G_MAXINT64, &number, NULL))
    {
      g_dbus_method_invocation_return_error_literal (invocation,
                                                     G_DBUS_ERROR,
                                                     G_DBUS_ERROR_INVALID_ARGS,
                                                     "There is no such result");
      return;
    }
  g_signal_emit (self, open_run_signal, 0, number, time);
  g_dbus_method_invocation_return_value (invocation, NULL);
}

static void
launch_search (FhSearchProvider *self, GVariant *parameters, GDBusMethodInvocation *invocation)
{
  g_autofree const char **terms = NULL;
  g_autofree char *text = NULL;
  guint time;

  g_variant_get (parameters, "(^a&su)", &terms, &time);
  text = g_strjoinv (" ", (char **) terms);
  g_signal_emit (self, search_signal, 0, text, time);
  g_dbus_method_invocation_return_value (invocation, NULL);
}

static void
method_call_cb (GDBusConnection *connection,
                const char *sender,
                const char *path,
                const char *interface,
                const char *method,
                GVariant *parameters,
                GDBusMethodInvocation *invocation,
                gpointer user_data)
{
  FhSearchProvider *self = FH_SEARCH_PROVIDER (user_data);

  if (g_str_equal (method, "GetInitialResultSet"))
    search (self, invocation, 0);
  else if (g_str_equal (method, "GetSubsearchResultSet"))
    search (self, invocation, 1);
  else if (g_str_equal (method, "GetResultMetas"))
    return_metas (self, parameters, invocation);
  else if (g_str_equal (method, "ActivateResult"))
    activate_result (self, parameters, invocation);
  else
    launch_search (self, parameters, invocation);
}

static void
fh_search_provider_dispose (GObject *object)
{
  FhSearchProvider *self = FH_SEARCH_PROVIDER (object);

  fh_search_provider_unexport (self);
  g_clear_object (&self->history);
  g_clear_pointer (&self->known, g_hash_table_unref);

  G_OBJECT_CLASS (fh_search_provider_parent_class)->dispose (object);
}

static void
fh_search_provider_class_init (FhSearchProviderClass *klass)
{
  G_OBJECT_CLASS (klass)->dispose = fh_search_provider_dispose;
  open_run_signal =
      fh_signal_new ("open-run", FH_TYPE_SEARCH_PROVIDER, 2, G_TYPE_INT64, G_TYPE_UINT);
  search_signal = fh_signal_new ("search", FH_TYPE_SEARCH_PROVIDER, 2, G_TYPE_STRING, G_TYPE_UINT);
}

static void
fh_search_provider_init (FhSearchProvider *self)
{
  self->known = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, g_object_unref);
}

gboolean
fh_search_provider_export (FhSearchProvider *self,
                           GDBusConnection *connection,
                           const char *application_path,
                           GError **error)
{
  g_return_val_if_fail (FH_IS_SEARCH_PROVIDER (self), FALSE);

  return fh_exported_object_export (&self->exported,
                                    connection,
                                    application_path,
                                    "SearchProvider",
                                    interface_xml,
                                    method_call_cb,
                                    self,
                                    error);
}

void
fh_search_provider_unexport (FhSearchProvider *self)
{
  g_return_if_fail (FH_IS_SEARCH_PROVIDER (self));

  fh_exported_object_clear (&self->exported);
}

void
fh_search_provider_set_history (FhSearchProvider *self, FhHistory *history)
{
  g_return_if_fail (FH_IS_SEARCH_PROVIDER (self));
  g_return_if_fail (history == NULL || FH_IS_HISTORY (history));

  g_set_object (&self->history, history);
}
