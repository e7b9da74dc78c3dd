/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include <glib/gi18n.h>

#include "parts/calls.h"
#include "window/snippet-page-private.h"

/* A run that is asked for before it is known what the guards are worth. It is started when they can
 * be set up, if nothing has changed by then; else never. */

void
fh_snippet_page_drop_waiting_run (FhSnippetPage *self, const char *why)
{
  if (!self->run_when_ready)
    return;
  self->run_when_ready = FALSE;
  /* A run without a guard was to follow, to be compared with this one. */
  fh_snippet_page_drop_bare (self);
  fh_notice_bar_set_text (self->waiting_notice, why);
}

/* Each time that the guards were probed, or are about to be. A run that waits for that is either
 * started now or never: later the user would not expect it any more. */
static void
probed_cb (FhSnippetPage *self)
{
  FhProtection *here = fh_probes_get_here (fh_services_get_probes (self->services));

  if (!self->run_when_ready || fh_protection_get_state (here) == FH_PROTECTION_CHECKING)
    return;
  if (fh_snippet_page_may_run (self))
    fh_snippet_page_run (self);
  else
    fh_snippet_page_drop_waiting_run (self,
                                      _ ("Nothing was run, because the guards could not be set "
                                         "up. Press Run when they can."));
}

/* The user has asked to run another text, or with other options, than those that are there now. */
void
fh_snippet_page_drop_changed_run (FhSnippetPage *self)
{
  fh_snippet_page_drop_waiting_run (self,
                                    _ ("Nothing was run, because the code or its options have "
                                       "changed since. Press Run to run them as they are now."));
}

void
fh_snippet_page_run_when_ready (FhSnippetPage *self)
{
  g_return_if_fail (FH_IS_SNIPPET_PAGE (self));

  self->run_when_ready = TRUE;
  if (fh_snippet_page_may_run (self))
    fh_snippet_page_run (self);
  else
    probed_cb (self);
}

void
fh_snippet_page_init_ready (FhSnippetPage *self)
{
  fh_connect (fh_probes_get_here (fh_services_get_probes (self->services)),
              "changed",
              probed_cb,
              self);
}
