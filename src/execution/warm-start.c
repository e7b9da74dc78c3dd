/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "warm-start.h"

/* Longer than between two keys or two steps of a spin button. */
#define REST_MS      700
#define IDLE_SECONDS 60

struct _FhWarmStart
{
  FhProbes *probes;
  FhNextRequestFunc next; /* nullable */
  gpointer user_data;
  guint rest_timer;
  guint idle_timer;
  FhSandbox *sandbox; /* nullable */
  char *place;        /* of the sandbox, see dup_place */
  GCancellable *cancellable;
  GPowerProfileMonitor *power; /* NULL until they are known */
  GMemoryMonitor *memory;
};

typedef struct
{
  GPowerProfileMonitor *power;
  GMemoryMonitor *memory;
} Monitors;

static void
monitors_free (gpointer data)
{
  Monitors *monitors = data;

  g_clear_object (&monitors->power);
  g_clear_object (&monitors->memory);
  g_free (monitors);
}

void
fh_warm_start_drop (FhWarmStart *self)
{
  g_clear_handle_id (&self->rest_timer, g_source_remove);
  g_clear_handle_id (&self->idle_timer, g_source_remove);
  g_clear_object (&self->sandbox);
  g_clear_pointer (&self->place, g_free);
}

/* The container's options; "" for this computer. */
static char *
dup_place (const FhContainerOptions *container)
{
  return container != NULL ? fh_probes_key (container) : g_strdup ("");
}

static void
low_memory_cb (FhWarmStart *self)
{
  fh_warm_start_drop (self);
}

/* The first use asks services over D-Bus and waits for them. */
static void
find_monitors (GTask *task, gpointer source, gpointer data, GCancellable *cancellable)
{
  Monitors *monitors = g_new0 (Monitors, 1);

  monitors->power = g_power_profile_monitor_dup_default ();
  monitors->memory = g_memory_monitor_dup_default ();
  g_task_return_pointer (task, monitors, monitors_free);
}

static void
monitors_cb (GObject *source, GAsyncResult *result, gpointer user_data)
{
  FhWarmStart *self = user_data;
  Monitors *monitors = g_task_propagate_pointer (G_TASK (result), NULL);

  /* Cancelled: it may be freed. */
  if (monitors == NULL)
    return;
  self->power = g_steal_pointer (&monitors->power);
  self->memory = g_steal_pointer (&monitors->memory);
  g_signal_connect_swapped (self->memory, "low-memory-warning", G_CALLBACK (low_memory_cb), self);
  monitors_free (monitors);
}

static gboolean
idle_cb (gpointer user_data)
{
  FhWarmStart *self = user_data;

  self->idle_timer = 0;
  fh_warm_start_drop (self);
  return G_SOURCE_REMOVE;
}

static gboolean
saves_power (FhWarmStart *self)
{
  return self->power != NULL && g_power_profile_monitor_get_power_saver_enabled (self->power);
}

/* Prepares only with an engine that has just made such a container: before Run is pressed, the user
 * must not be asked for a password or have an image pulled. */
static FhProtectionState
get_state (FhWarmStart *self, const FhContainerOptions *container)
{
  const FhRunOptions options = { .in_container = TRUE, .container = *container };
  g_autoptr (FhProtection) protection = NULL;

  if (container->is_kept)
    return FH_PROTECTION_UNKNOWN;
  protection = fh_probes_get (self->probes, &options, FALSE);
  return fh_protection_get_state (protection);
}

static gboolean
rest_cb (gpointer user_data)
{
  FhWarmStart *self = user_data;
  g_autoptr (FhRunRequest) request = self->next (self->user_data);
  const FhContainerOptions *container;
  FhProtectionState state = FH_PROTECTION_FULL;
  g_autoptr (FhBackend) backend = NULL;

  container = request != NULL ? fh_run_request_get_parts (request)->container : NULL;
  if (container != NULL)
    state = get_state (self, container);
  if (state == FH_PROTECTION_CHECKING)
    return G_SOURCE_CONTINUE;
  self->rest_timer = 0;
  if (request == NULL || (state != FH_PROTECTION_FULL && state != FH_PROTECTION_REDUCED) ||
      saves_power (self))
    return G_SOURCE_REMOVE;
  backend = fh_probes_dup_backend (self->probes, container);
  self->sandbox = fh_backend_prepare (backend, request);
  self->place = dup_place (container);
  fh_sandbox_prepare (self->sandbox, request);
  self->idle_timer = g_timeout_add_seconds (IDLE_SECONDS, idle_cb, self);
  return G_SOURCE_REMOVE;
}

void
fh_warm_start_expect (FhWarmStart *self)
{
  if (self->next == NULL)
    return;
  g_clear_handle_id (&self->rest_timer, g_source_remove);
  g_clear_handle_id (&self->idle_timer, g_source_remove);
  if (self->sandbox != NULL)
    self->idle_timer = g_timeout_add_seconds (IDLE_SECONDS, idle_cb, self);
  else
    self->rest_timer = g_timeout_add (REST_MS, rest_cb, self);
}

void
fh_warm_start_set_next (FhWarmStart *self, FhNextRequestFunc next, gpointer user_data)
{
  g_autoptr (GTask) task = NULL;

  self->next = next;
  self->user_data = user_data;
  if (next == NULL)
    fh_warm_start_drop (self);
  if (next == NULL || self->cancellable != NULL)
    return;
  self->cancellable = g_cancellable_new ();
  task = g_task_new (NULL, self->cancellable, monitors_cb, self);
  g_task_run_in_thread (task, find_monitors);
}

FhSandbox *
fh_warm_start_steal (FhWarmStart *self, const FhContainerOptions *container)
{
  g_autofree char *place = dup_place (container);
  g_autoptr (FhSandbox) sandbox = NULL;

  if (g_strcmp0 (self->place, place) == 0)
    sandbox = g_steal_pointer (&self->sandbox);
  fh_warm_start_drop (self);
  return g_steal_pointer (&sandbox);
}

FhWarmStart *
fh_warm_start_new (FhProbes *probes)
{
  FhWarmStart *self = g_new0 (FhWarmStart, 1);

  self->probes = g_object_ref (probes);
  return self;
}

void
fh_warm_start_free (FhWarmStart *self)
{
  if (self == NULL)
    return;
  fh_warm_start_drop (self);
  g_cancellable_cancel (self->cancellable);
  g_clear_object (&self->cancellable);
  if (self->memory != NULL)
    g_signal_handlers_disconnect_by_data (self->memory, self);
  g_clear_object (&self->power);
  g_clear_object (&self->memory);
  g_object_unref (self->probes);
  g_free (self);
}
