/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "container-run.h"

#include "awaited.h"
#include "message.h"
#include "pull-line.h"

struct _FhContainerRun
{
  FhContainerSandbox *sandbox;
  const FhContainerOptions *options;
  FhPullLine *progress; /* of the last pull; it knows itself when that is over */
  gulong handler;
};

static void
pull_changed_cb (FhContainerSandbox *sandbox, GParamSpec *pspec, FhContainerRun *self)
{
  g_autoptr (FhImagePull) pull = NULL;

  g_object_get (sandbox, "pull", &pull, NULL);
  if (pull == NULL)
    return;
  g_clear_pointer (&self->progress, fh_pull_line_free);
  self->progress = fh_pull_line_new (pull, fh_container_options_image (self->options));
}

FhContainerRun *
fh_container_run_new (FhContainerSandbox *sandbox, const FhContainerOptions *options)
{
  FhContainerRun *self;

  g_return_val_if_fail (FH_IS_CONTAINER_SANDBOX (sandbox), NULL);
  g_return_val_if_fail (options != NULL, NULL);

  self = g_new0 (FhContainerRun, 1);
  self->sandbox = sandbox;
  self->options = options;
  self->handler = g_signal_connect (sandbox, "notify::pull", G_CALLBACK (pull_changed_cb), self);
  return self;
}

void
fh_container_run_free (FhContainerRun *self)
{
  g_signal_handler_disconnect (self->sandbox, self->handler);
  g_clear_pointer (&self->progress, fh_pull_line_free);
  g_free (self);
}

static void
set_text (JsonObject *object, const char *name, const char *text)
{
  if (text != NULL)
    json_object_set_string_member (object, name, text);
  else
    json_object_set_null_member (object, name);
}

static void
set_switch (JsonObject *object, const char *name, const gboolean *is_on)
{
  if (is_on != NULL)
    json_object_set_boolean_member (object, name, *is_on);
  else
    json_object_set_null_member (object, name);
}

JsonNode *
fh_container_run_to_json (FhContainerRun *self)
{
  FhEngine *engine = fh_container_sandbox_get_engine (self->sandbox);
  const FhEngineFacts *facts = engine != NULL ? fh_engine_get_facts (engine) : NULL;
  g_autoptr (JsonObject) object = json_object_new ();

  set_text (object, "engine", facts != NULL ? fh_engine_kind_to_string (facts->kind) : NULL);
  set_text (object, "version", facts != NULL ? facts->version : NULL);
  set_switch (object, "rootless", facts != NULL ? &facts->is_rootless : NULL);
  set_switch (object, "remote", facts != NULL ? &facts->is_remote : NULL);
  set_text (object, "image", fh_container_options_image (self->options));
  set_text (object, "name", fh_container_sandbox_get_name (self->sandbox));
  set_switch (object, "kept", &self->options->is_kept);
  return json_node_init_object (json_node_alloc (), object);
}

void
fh_container_run_let_go (FhContainerRun *self)
{
  g_autoptr (FhAwaited) awaited = NULL;
  g_autoptr (GError) error = NULL;

  if (self->options->after == FH_CONTAINER_LEAVE)
    return;
  awaited = fh_awaited_new ();
  fh_container_sandbox_stop_async (self->sandbox, NULL, fh_awaited_cb, awaited);
  if (!fh_container_sandbox_stop_finish (self->sandbox, fh_awaited_get (awaited), &error))
    fh_message ("%s", error->message);
}
