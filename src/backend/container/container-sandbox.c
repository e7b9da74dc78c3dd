/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "container-sandbox.h"

#include <glib/gi18n-lib.h>

#include "early-end.h"

struct _FhContainerSandbox
{
  GObject parent_instance;

  FhContainerOptions *options;
  FhRunLimits limits;
  FhEngine *engine;
  FhImagePull *pull;
  char *name;
};

enum
{
  PROP_0,
  PROP_PULL,
  PROP_CONTAINER_NAME,
  N_PROPS,
};

static GParamSpec *properties[N_PROPS];

static void sandbox_iface_init (FhSandboxInterface *iface);

G_DEFINE_FINAL_TYPE_WITH_CODE (FhContainerSandbox,
                               fh_container_sandbox,
                               G_TYPE_OBJECT,
                               G_IMPLEMENT_INTERFACE (FH_TYPE_SANDBOX, sandbox_iface_init))

static FhRun *
fh_container_sandbox_run (FhSandbox *sandbox, FhRunRequest *request)
{
  FhRun *run = fh_run_new (request, "container");

  fh_run_end_early (run, FH_RUN_STATUS_INTERNAL_ERROR, "container", NULL);
  return run;
}

static void
fh_container_sandbox_get_property (GObject *object, guint id, GValue *value, GParamSpec *pspec)
{
  FhContainerSandbox *self = FH_CONTAINER_SANDBOX (object);

  switch (id)
    {
    case PROP_PULL:
      g_value_set_object (value, self->pull);
      break;
    case PROP_CONTAINER_NAME:
      g_value_set_string (value, self->name);
      break;
    default:
      G_OBJECT_WARN_INVALID_PROPERTY_ID (object, id, pspec);
    }
}

static void
fh_container_sandbox_finalize (GObject *object)
{
  FhContainerSandbox *self = FH_CONTAINER_SANDBOX (object);

  fh_container_options_free (self->options);
  g_clear_object (&self->engine);
  g_clear_object (&self->pull);
  g_free (self->name);

  G_OBJECT_CLASS (fh_container_sandbox_parent_class)->finalize (object);
}

static void
fh_container_sandbox_class_init (FhContainerSandboxClass *klass)
{
  GObjectClass *object_class = G_OBJECT_CLASS (klass);
  const GParamFlags flags = G_PARAM_READABLE | G_PARAM_STATIC_STRINGS;

  object_class->finalize = fh_container_sandbox_finalize;
  object_class->get_property = fh_container_sandbox_get_property;

  properties[PROP_PULL] = g_param_spec_object ("pull", NULL, NULL, G_TYPE_OBJECT, flags);
  properties[PROP_CONTAINER_NAME] = g_param_spec_string ("container-name", NULL, NULL, NULL, flags);
  g_object_class_install_properties (object_class, N_PROPS, properties);
}

static void
sandbox_iface_init (FhSandboxInterface *iface)
{
  iface->run = fh_container_sandbox_run;
}

static void
fh_container_sandbox_init (FhContainerSandbox *self)
{
}

FhSandbox *
fh_container_sandbox_new (const FhContainerOptions *options, const FhRunLimits *limits)
{
  FhContainerSandbox *self = g_object_new (FH_TYPE_CONTAINER_SANDBOX, NULL);

  self->options = fh_container_options_copy (options);
  self->limits = *limits;
  return FH_SANDBOX (self);
}

FhEngine *
fh_container_sandbox_get_engine (FhContainerSandbox *self)
{
  g_return_val_if_fail (FH_IS_CONTAINER_SANDBOX (self), NULL);

  return self->engine;
}

const char *
fh_container_sandbox_get_name (FhContainerSandbox *self)
{
  g_return_val_if_fail (FH_IS_CONTAINER_SANDBOX (self), NULL);

  return self->name;
}

static void
do_nothing_async (FhContainerSandbox *self,
                  gpointer tag,
                  GCancellable *cancellable,
                  GAsyncReadyCallback callback,
                  gpointer user_data)
{
  g_autoptr (GTask) task = g_task_new (self, cancellable, callback, user_data);

  g_task_set_source_tag (task, tag);
  g_task_return_boolean (task, TRUE);
}

void
fh_container_sandbox_start_async (FhContainerSandbox *self,
                                  GCancellable *cancellable,
                                  GAsyncReadyCallback callback,
                                  gpointer user_data)
{
  do_nothing_async (self, fh_container_sandbox_start_async, cancellable, callback, user_data);
}

gboolean
fh_container_sandbox_start_finish (FhContainerSandbox *self, GAsyncResult *result, GError **error)
{
  g_return_val_if_fail (g_task_is_valid (result, self), FALSE);

  return g_task_propagate_boolean (G_TASK (result), error);
}

void
fh_container_sandbox_restart_async (FhContainerSandbox *self,
                                    GCancellable *cancellable,
                                    GAsyncReadyCallback callback,
                                    gpointer user_data)
{
  do_nothing_async (self, fh_container_sandbox_restart_async, cancellable, callback, user_data);
}

gboolean
fh_container_sandbox_restart_finish (FhContainerSandbox *self, GAsyncResult *result, GError **error)
{
  g_return_val_if_fail (g_task_is_valid (result, self), FALSE);

  return g_task_propagate_boolean (G_TASK (result), error);
}

void
fh_container_sandbox_stop_async (FhContainerSandbox *self,
                                 GCancellable *cancellable,
                                 GAsyncReadyCallback callback,
                                 gpointer user_data)
{
  do_nothing_async (self, fh_container_sandbox_stop_async, cancellable, callback, user_data);
}

gboolean
fh_container_sandbox_stop_finish (FhContainerSandbox *self, GAsyncResult *result, GError **error)
{
  g_return_val_if_fail (g_task_is_valid (result, self), FALSE);

  return g_task_propagate_boolean (G_TASK (result), error);
}
