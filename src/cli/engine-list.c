/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "engine-list.h"

#include "json-output.h"

static void
found_free (gpointer data)
{
  FhFoundEngine *found = data;

  g_clear_object (&found->engine);
  g_clear_error (&found->error);
  g_free (found);
}

GPtrArray *
fh_engine_list_probe (FhEngineKind kind)
{
  FhEngine *engines[FH_N_ENGINE_KINDS] = { NULL };
  GError *errors[FH_N_ENGINE_KINDS] = { NULL };
  GPtrArray *all = g_ptr_array_new_with_free_func (found_free);

  fh_engine_probe (kind, engines, errors);
  for (guint i = 0; i < G_N_ELEMENTS (engines); i++)
    {
      FhFoundEngine *found;

      if (engines[i] == NULL && errors[i] == NULL)
        continue;
      found = g_new0 (FhFoundEngine, 1);
      *found = (FhFoundEngine){ .kind = i, .engine = engines[i], .error = errors[i] };
      g_ptr_array_add (all, found);
    }
  return all;
}

FhEngine *
fh_engine_list_choose (FhEngineKind kind, GError **error)
{
  return fh_engine_choose (kind, NULL, error);
}

void
fh_engine_list_set_engine (JsonObject *object, FhEngine *engine)
{
  fh_json_set_text (object,
                    "engine",
                    engine != NULL ? fh_engine_kind_to_string (fh_engine_get_facts (engine)->kind)
                                   : NULL);
}

JsonObject *
fh_engine_list_to_json (FhEngine *engine)
{
  const FhEngineFacts *facts = fh_engine_get_facts (engine);
  JsonObject *object = json_object_new ();
  JsonArray *limits = json_array_new ();

  json_object_set_string_member (object, "kind", fh_engine_kind_to_string (facts->kind));
  json_object_set_string_member (object, "version", facts->version);
  json_object_set_string_member (object, "program", facts->program);
  json_object_set_string_member (object, "endpoint", facts->endpoint);
  json_object_set_string_member (object, "architecture", facts->architecture);
  json_object_set_string_member (object, "storage", facts->storage);
  json_object_set_boolean_member (object, "rootless", facts->is_rootless);
  json_object_set_boolean_member (object, "remote", facts->is_remote);
  if (facts->limits_memory)
    json_array_add_string_element (limits, "memory");
  if (facts->limits_processes)
    json_array_add_string_element (limits, "processes");
  if (facts->limits_cpus)
    json_array_add_string_element (limits, "cpus");
  json_object_set_array_member (object, "limits", limits);
  return object;
}
