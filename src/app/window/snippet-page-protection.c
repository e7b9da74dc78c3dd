/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "window/snippet-page-private.h"

/* What protects the next run of a tab: found out for this computer once, and for its container a
 * moment after its options were changed last. */

#define DELAY_MS 600

static FhContainerChoice *
get_choice (FhSnippetPage *self)
{
  return fh_run_options_get_container (self->options);
}

static void
set_protection (FhSnippetPage *self, FhProtection *protection)
{
  if (g_set_object (&self->protection, protection))
    fh_snippet_page_notify (self, "protection");
}

/* Of options that cannot be used nothing can be told. */
static void
look (FhSnippetPage *self, gboolean again)
{
  g_autoptr (FhProtection) protection = NULL;
  FhContainerOptions options;

  g_clear_handle_id (&self->protection_timer, g_source_remove);
  if (!fh_container_choice_is_in_container (get_choice (self)))
    protection = g_object_ref (fh_services_get_protection (self->services));
  else if (fh_container_choice_get (get_choice (self), &options, NULL))
    protection = fh_container_probes_get (fh_services_get_container_probes (self->services),
                                          &options,
                                          again);
  else
    protection = fh_protection_new ();
  set_protection (self, protection);
}

static gboolean
timer_cb (gpointer user_data)
{
  FhSnippetPage *self = FH_SNIPPET_PAGE (user_data);

  self->protection_timer = 0;
  look (self, FALSE);
  return G_SOURCE_REMOVE;
}

static void
choice_cb (FhSnippetPage *self)
{
  g_clear_handle_id (&self->protection_timer, g_source_remove);
  if (self->services == NULL || self->closed)
    return;
  if (fh_container_choice_is_in_container (get_choice (self)))
    self->protection_timer = g_timeout_add (DELAY_MS, timer_cb, self);
  else
    look (self, FALSE);
}

/* The place decides whether something may run, which the window wants to know at once. */
static void
place_cb (FhSnippetPage *self)
{
  fh_snippet_page_notify (self, "protection");
}

/* An image that has come, or an engine that was started, is another answer. */
static void
image_cb (FhSnippetPage *self, GParamSpec *pspec, FhImageCheck *check)
{
  FhProtectionState known;

  if (fh_image_check_get_state (check) != FH_IMAGE_CHECK_PRESENT || self->protection == NULL ||
      self->closed)
    return;
  known = fh_protection_get_state (self->protection);
  if (known == FH_PROTECTION_UNKNOWN || known == FH_PROTECTION_REFUSED)
    fh_snippet_page_check_guards (self);
}

void
fh_snippet_page_init_protection (FhSnippetPage *self)
{
  FhContainerPanel *panel = fh_options_panel_get_container_panel (self->options_panel);

  g_signal_connect_object (get_choice (self),
                           "notify::serial",
                           G_CALLBACK (choice_cb),
                           self,
                           G_CONNECT_SWAPPED);
  g_signal_connect_object (get_choice (self),
                           "notify::in-container",
                           G_CALLBACK (place_cb),
                           self,
                           G_CONNECT_SWAPPED);
  g_signal_connect_object (fh_container_panel_get_check (panel),
                           "notify::state",
                           G_CALLBACK (image_cb),
                           self,
                           G_CONNECT_SWAPPED);
}

void
fh_snippet_page_check_guards (FhSnippetPage *self)
{
  g_return_if_fail (FH_IS_SNIPPET_PAGE (self));

  if (fh_container_choice_is_in_container (get_choice (self)))
    look (self, TRUE);
  else
    fh_protection_check (fh_services_get_protection (self->services),
                         fh_services_get_backend (self->services));
}

FhProtection *
fh_snippet_page_get_protection (FhSnippetPage *self)
{
  g_return_val_if_fail (FH_IS_SNIPPET_PAGE (self), NULL);

  return self->protection;
}

gboolean
fh_snippet_page_is_in_container (FhSnippetPage *self)
{
  g_return_val_if_fail (FH_IS_SNIPPET_PAGE (self), FALSE);

  return fh_container_choice_is_in_container (get_choice (self));
}

/* A container that cannot be made runs nothing, and says why better than a probe that is older. */
gboolean
fh_snippet_page_may_run (FhSnippetPage *self)
{
  g_return_val_if_fail (FH_IS_SNIPPET_PAGE (self), FALSE);

  return fh_snippet_page_is_in_container (self) ||
         fh_protection_may_run (fh_services_get_protection (self->services));
}
