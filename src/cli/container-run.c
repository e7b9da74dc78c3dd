/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "container-run.h"

#include "awaited.h"
#include "message.h"

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
fh_container_run_to_json (FhContainerSandbox *sandbox, const FhContainerOptions *options)
{
  FhEngine *engine = fh_container_sandbox_get_engine (sandbox);
  const FhEngineFacts *facts = engine != NULL ? fh_engine_get_facts (engine) : NULL;
  g_autoptr (JsonObject) object = json_object_new ();

  set_text (object, "engine", facts != NULL ? fh_engine_kind_to_string (facts->kind) : NULL);
  set_text (object, "version", facts != NULL ? facts->version : NULL);
  set_switch (object, "rootless", facts != NULL ? &facts->is_rootless : NULL);
  set_switch (object, "remote", facts != NULL ? &facts->is_remote : NULL);
  set_text (object, "image", fh_container_options_image (options));
  set_text (object, "name", fh_container_sandbox_get_name (sandbox));
  set_switch (object, "kept", &options->is_kept);
  return json_node_init_object (json_node_alloc (), object);
}

void
fh_container_run_let_go (FhContainerSandbox *sandbox, const FhContainerOptions *options)
{
  g_autoptr (FhAwaited) awaited = NULL;
  g_autoptr (GError) error = NULL;

  if (options->after == FH_CONTAINER_LEAVE)
    return;
  awaited = fh_awaited_new ();
  fh_container_sandbox_stop_async (sandbox, NULL, fh_awaited_cb, awaited);
  if (!fh_container_sandbox_stop_finish (sandbox, fh_awaited_get (awaited), &error))
    fh_message ("%s", error->message);
}
