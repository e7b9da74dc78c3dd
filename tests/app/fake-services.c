/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "fake-services.h"

#include "widget-test.h"

FhServices *
fake_services_new (FakeBackend *backend, const char *folder)
{
  g_autofree char *history_path = g_build_filename (folder, "history.db", NULL);
  g_autofree char *drafts_path = g_build_filename (folder, "drafts", NULL);
  g_autoptr (FhSettings) settings = fh_settings_new ();
  g_autoptr (FhHistory) history = fh_history_new (history_path);
  g_autoptr (FhDrafts) drafts = fh_drafts_new (drafts_path);
  FhServices *services = fh_services_new (settings, FH_BACKEND (backend), history, drafts);
  FhProtection *protection = fh_probes_get_here (fh_services_get_probes (services));

  fh_protection_check (protection, FH_BACKEND (backend));
  while (fh_protection_get_state (protection) == FH_PROTECTION_CHECKING)
    g_main_context_iteration (NULL, TRUE);
  return services;
}

/* Calls that are still on their way in a thread keep the history and the drafts alive. */
void
fake_services_free (FhServices *services)
{
  FhHistory *history = g_object_ref (fh_services_get_history (services));
  FhDrafts *drafts = g_object_ref (fh_services_get_drafts (services));

  fh_drafts_flush (drafts);
  FH_AWAIT_TRUE (!fh_recorder_get_busy (fh_services_get_recorder (services)));
  widget_test_finalize (services);
  fh_drafts_flush (drafts);
  fh_history_flush (history);
  widget_test_finalize (drafts);
  widget_test_finalize (history);
}
