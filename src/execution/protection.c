/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "protection.h"

#include <glib/gi18n-lib.h>

static guint changed_signal;

struct _FhProtection
{
  GObject parent_instance;

  FhProtectionState state;
  FhTier tier;
  char *reason;
  char *advice;
  GListStore *guards;
  GCancellable *cancellable; /* of the check that is under way */
};

G_DEFINE_FINAL_TYPE (FhProtection, fh_protection, G_TYPE_OBJECT)

static void
set_sentences (FhProtection *self, const char *reason, const char *advice)
{
  g_free (self->reason);
  g_free (self->advice);
  self->reason = g_strdup (reason);
  self->advice = g_strdup (advice);
}

/* The interpreter guard does not count: it is no protection from malicious code. */
static gboolean
all_active (GPtrArray *guards)
{
  for (guint i = 0; i < guards->len; i++)
    {
      FhGuardState *guard = g_ptr_array_index (guards, i);

      if (fh_guard_state_get_facts (guard)->level != FH_GUARD_LEVEL_ACTIVE &&
          fh_guard_state_get_facts (guard)->guard != FH_GUARD_INTERPRETER)
        return FALSE;
    }
  return TRUE;
}

static void
take_probe (FhProtection *self, FhBackendProbe *probe)
{
  if (probe->lacks_image)
    self->state = FH_PROTECTION_UNKNOWN;
  else if (!probe->may_run)
    self->state = FH_PROTECTION_REFUSED;
  else
    self->state = all_active (probe->guards) ? FH_PROTECTION_FULL : FH_PROTECTION_REDUCED;
  if (probe->tier == NULL || !fh_tier_from_string (probe->tier, &self->tier))
    self->tier = FH_TIER_AUTO;
  /* The row of the image has the advice and a button for it. */
  set_sentences (self, probe->reason, probe->lacks_image ? NULL : probe->advice);
  g_list_store_splice (self->guards,
                       0,
                       g_list_model_get_n_items (G_LIST_MODEL (self->guards)),
                       probe->guards->pdata,
                       probe->guards->len);
}

static void
take_error (FhProtection *self, const GError *error)
{
  self->state = FH_PROTECTION_REFUSED;
  set_sentences (self,
                 error->message,
                 _ ("Without the guards nothing can run. Installing Fumehood again may help."));
  g_list_store_remove_all (self->guards);
}

static void
probed_cb (GObject *source, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (FhProtection) self = user_data;
  g_autoptr (GError) error = NULL;
  g_autoptr (FhBackendProbe) probe = NULL;

  probe = fh_backend_probe_finish (FH_BACKEND (source), result, &error);
  if (probe == NULL && g_error_matches (error, G_IO_ERROR, G_IO_ERROR_CANCELLED))
    return;

  if (probe != NULL)
    take_probe (self, probe);
  else
    take_error (self, error);
  g_clear_object (&self->cancellable);
  g_signal_emit (self, changed_signal, 0);
}

static void
fh_protection_dispose (GObject *object)
{
  FhProtection *self = FH_PROTECTION (object);

  g_cancellable_cancel (self->cancellable);
  g_clear_object (&self->cancellable);
  g_clear_object (&self->guards);

  G_OBJECT_CLASS (fh_protection_parent_class)->dispose (object);
}

static void
fh_protection_finalize (GObject *object)
{
  FhProtection *self = FH_PROTECTION (object);

  g_free (self->reason);
  g_free (self->advice);

  G_OBJECT_CLASS (fh_protection_parent_class)->finalize (object);
}

static void
fh_protection_class_init (FhProtectionClass *klass)
{
  GObjectClass *object_class = G_OBJECT_CLASS (klass);

  object_class->dispose = fh_protection_dispose;
  object_class->finalize = fh_protection_finalize;

  changed_signal = g_signal_new ("changed",
                                 FH_TYPE_PROTECTION,
                                 G_SIGNAL_RUN_LAST,
                                 0,
                                 NULL,
                                 NULL,
                                 NULL,
                                 G_TYPE_NONE,
                                 0);
}

static void
fh_protection_init (FhProtection *self)
{
  self->guards = g_list_store_new (FH_TYPE_GUARD_STATE);
}

FhProtection *
fh_protection_new (void)
{
  return g_object_new (FH_TYPE_PROTECTION, NULL);
}

void
fh_protection_check (FhProtection *self, FhBackend *backend)
{
  g_return_if_fail (FH_IS_PROTECTION (self));
  g_return_if_fail (FH_IS_BACKEND (backend));

  g_cancellable_cancel (self->cancellable);
  g_clear_object (&self->cancellable);
  self->cancellable = g_cancellable_new ();
  self->state = FH_PROTECTION_CHECKING;
  self->tier = FH_TIER_AUTO;
  set_sentences (self, NULL, NULL);
  g_signal_emit (self, changed_signal, 0);
  fh_backend_probe_async (backend, self->cancellable, probed_cb, g_object_ref (self));
}

FhProtectionState
fh_protection_get_state (FhProtection *self)
{
  g_return_val_if_fail (FH_IS_PROTECTION (self), FH_PROTECTION_REFUSED);

  return self->state;
}

gboolean
fh_protection_may_run (FhProtection *self)
{
  g_return_val_if_fail (FH_IS_PROTECTION (self), FALSE);

  return self->state == FH_PROTECTION_FULL || self->state == FH_PROTECTION_REDUCED;
}

const char *
fh_protection_get_title (FhProtection *self)
{
  g_return_val_if_fail (FH_IS_PROTECTION (self), NULL);

  switch (self->state)
    {
    case FH_PROTECTION_FULL:
      return _ ("Every Guard Is Active");
    case FH_PROTECTION_REDUCED:
      return _ ("Some Guards Are Weaker Here");
    case FH_PROTECTION_REFUSED:
      return _ ("Nothing Can Run Here");
    case FH_PROTECTION_UNKNOWN:
      return _ ("Shown After the First Run");
    case FH_PROTECTION_CHECKING:
    default:
      return _ ("Checking the Guards…");
    }
}

const char *
fh_protection_get_title_without (FhProtection *self, guint without)
{
  g_return_val_if_fail (FH_IS_PROTECTION (self), NULL);

  return without != 0 && fh_protection_may_run (self) ? _ ("Some Guards Are Switched Off")
                                                      : fh_protection_get_title (self);
}

const char *
fh_protection_get_icon_name (FhProtection *self)
{
  g_return_val_if_fail (FH_IS_PROTECTION (self), NULL);

  switch (self->state)
    {
    case FH_PROTECTION_FULL:
      return "security-high-symbolic";
    case FH_PROTECTION_REFUSED:
      return "security-low-symbolic";
    case FH_PROTECTION_REDUCED:
    case FH_PROTECTION_UNKNOWN:
    case FH_PROTECTION_CHECKING:
    default:
      return "security-medium-symbolic";
    }
}

const char *
fh_protection_get_reason (FhProtection *self)
{
  g_return_val_if_fail (FH_IS_PROTECTION (self), NULL);

  return self->reason;
}

const char *
fh_protection_get_advice (FhProtection *self)
{
  g_return_val_if_fail (FH_IS_PROTECTION (self), NULL);

  return self->advice;
}

FhTier
fh_protection_get_tier (FhProtection *self)
{
  g_return_val_if_fail (FH_IS_PROTECTION (self), FH_TIER_AUTO);

  return self->tier;
}

GListModel *
fh_protection_get_guards (FhProtection *self)
{
  g_return_val_if_fail (FH_IS_PROTECTION (self), NULL);

  return G_LIST_MODEL (self->guards);
}

char *
fh_protection_dup_report (FhProtection *self)
{
  GString *report = g_string_new (NULL);
  guint count;

  g_return_val_if_fail (FH_IS_PROTECTION (self), NULL);

  count = g_list_model_get_n_items (G_LIST_MODEL (self->guards));
  for (guint i = 0; i < count; i++)
    {
      g_autoptr (FhGuardState) guard = g_list_model_get_item (G_LIST_MODEL (self->guards), i);

      g_string_append_printf (report,
                              "%s: %s (%s)%s%s\n",
                              fh_guard_to_string (fh_guard_state_get_facts (guard)->guard),
                              fh_guard_level_to_string (fh_guard_state_get_facts (guard)->level),
                              fh_guard_state_get_facts (guard)->layers,
                              fh_guard_state_get_facts (guard)->reason != NULL ? " " : "",
                              fh_guard_state_get_facts (guard)->reason != NULL
                                  ? fh_guard_state_get_facts (guard)->reason
                                  : "");
    }
  if (self->reason != NULL)
    g_string_append_printf (report, "%s\n", self->reason);
  return g_string_free (report, FALSE);
}
