/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "run-json.h"

#include "json-output.h"
#include "run-result-json.h"

static void
set_switch (JsonObject *object, const char *name, const gboolean *is_on)
{
  if (is_on != NULL)
    json_object_set_boolean_member (object, name, *is_on);
  else
    json_object_set_null_member (object, name);
}

/* What is not known stays null. */
static JsonNode *
container_to_json (const FhContainerOptions *options, FhSandbox *sandbox)
{
  const FhEngineFacts *engine = fh_sandbox_get_engine (sandbox);
  g_autoptr (JsonObject) object = json_object_new ();

  fh_json_set_text (object,
                    "engine",
                    engine != NULL ? fh_engine_kind_to_string (engine->kind) : NULL);
  fh_json_set_text (object, "version", engine != NULL ? engine->version : NULL);
  set_switch (object, "rootless", engine != NULL ? &engine->is_rootless : NULL);
  set_switch (object, "remote", engine != NULL ? &engine->is_remote : NULL);
  fh_json_set_text (object, "image", fh_container_options_image (options));
  fh_json_set_text (object, "name", fh_sandbox_get_name (sandbox));
  set_switch (object, "kept", &options->is_kept);
  return json_node_init_object (json_node_alloc (), object);
}

JsonNode *
fh_run_json_new (FhRunResult *result, const FhRunOptions *options, FhSandbox *sandbox)
{
  JsonNode *node = fh_run_result_to_json_cut (result, options->show_bytes);

  json_object_set_member (json_node_get_object (node),
                          "container",
                          options->in_container && sandbox != NULL
                              ? container_to_json (&options->container, sandbox)
                              : json_node_init_null (json_node_alloc ()));
  return node;
}
