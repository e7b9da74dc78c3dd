/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include <glib/gi18n-lib.h>

#include "command.h"
#include "engine-list.h"
#include "json-output.h"
#include "message.h"
#include "option-parsing.h"
#include "run-error.h"
#include "terminal-text.h"

#define SUMMARY N_ ("Shows which container engines work on this computer.")

#define DESCRIPTION                                                                                 \
  N_ ("Docker and Podman are used with your own contexts and addresses (DOCKER_HOST,\n"             \
      "CONTAINER_HOST). If an engine does not work, the text says what to do. A star marks the\n"   \
      "engine that “run --container” uses by default.\n"                                        \
      "\n"                                                                                          \
      "--json prints “engines”, an array of objects: kind, works, chosen and error (null, or\n" \
      "why it does not work); and for an engine that works version, program, endpoint,\n"           \
      "architecture, storage, rootless, remote and limits (those that it enforces: memory,\n"       \
      "processes, cpus).\n"                                                                         \
      "\n"                                                                                          \
      "Exit status:\n"                                                                              \
      "  0  at least one engine works\n"                                                            \
      "  1  none works\n"                                                                           \
      "  2  wrong usage")

static void
append_field (GString *text, const char *name, const char *value)
{
  g_autofree char *safe = fh_terminal_line (value);

  if (*value == '\0')
    return;
  g_string_append (text, "    ");
  fh_terminal_append_cell (text, name, 14);
  g_string_append_printf (text, "%s\n", safe);
}

static char *
limits_text (const FhEngineFacts *facts)
{
  GString *text = g_string_new (NULL);

  if (facts->limits_memory)
    g_string_append_printf (text, ", %s", _ ("memory"));
  if (facts->limits_processes)
    g_string_append_printf (text, ", %s", _ ("processes"));
  if (facts->limits_cpus)
    g_string_append_printf (text, ", %s", _ ("processors"));
  g_string_erase (text, 0, text->len > 0 ? 2 : 0);
  return g_string_free (text, FALSE);
}

static void
append_engine (GString *text, FhEngine *engine, gboolean is_chosen)
{
  const FhEngineFacts *facts = fh_engine_get_facts (engine);
  g_autofree char *described = fh_engine_describe (engine);
  g_autofree char *safe = fh_terminal_line (described);
  g_autofree char *limits = limits_text (facts);

  g_string_append_printf (text, "%s %s\n", is_chosen ? "*" : " ", safe);
  append_field (text, _ ("Program"), facts->program);
  append_field (text, _ ("Address"), facts->endpoint);
  append_field (text, _ ("Machine"), facts->architecture);
  append_field (text, _ ("Storage"), facts->storage);
  append_field (text, _ ("Can limit"), *limits != '\0' ? limits : _ ("nothing"));
}

static gboolean
is_same (FhEngine *a, FhEngine *b)
{
  return a != NULL && b != NULL && fh_engine_get_facts (a)->kind == fh_engine_get_facts (b)->kind;
}

static char *
to_text (GPtrArray *all, FhEngine *chosen)
{
  GString *text = g_string_new (NULL);

  for (guint i = 0; i < all->len; i++)
    {
      const FhFoundEngine *found = g_ptr_array_index (all, i);
      g_autofree char *safe = NULL;

      if (i > 0)
        g_string_append_c (text, '\n');
      if (found->engine != NULL)
        {
          append_engine (text, found->engine, is_same (found->engine, chosen));
          continue;
        }
      safe = fh_terminal_line (found->error->message);
      g_string_append_printf (text,
                              "  %s\n    %s\n",
                              found->kind == FH_ENGINE_DOCKER ? "Docker" : "Podman",
                              safe);
    }
  return g_string_free (text, FALSE);
}

static gboolean
print_json (GPtrArray *all, FhEngine *chosen)
{
  g_autoptr (JsonObject) object = json_object_new ();
  JsonArray *engines = json_array_new ();

  for (guint i = 0; i < all->len; i++)
    {
      const FhFoundEngine *found = g_ptr_array_index (all, i);
      JsonObject *engine =
          found->engine != NULL ? fh_engine_list_to_json (found->engine) : json_object_new ();

      json_object_set_string_member (engine, "kind", fh_engine_kind_to_string (found->kind));
      json_object_set_boolean_member (engine, "works", found->engine != NULL);
      json_object_set_boolean_member (engine, "chosen", is_same (found->engine, chosen));
      fh_json_set_text (engine, "error", found->error != NULL ? found->error->message : NULL);
      json_array_add_object_element (engines, engine);
    }
  json_object_set_array_member (object, "engines", engines);
  return fh_print_json (object, TRUE);
}

static gboolean
parse (char **argv, gboolean *json, GError **error)
{
  const FhOptionHelp help = { NULL, SUMMARY, DESCRIPTION };
  g_auto (GStrv) words = NULL;
  const GOptionEntry entries[] = {
    { FH_SWITCH ("json", 0, json), N_ ("Print one JSON object") },
    { FH_FILES (G_OPTION_REMAINING, 0, &words) },
    { NULL },
  };

  if (!fh_option_parse (&help, entries, NULL, argv, error))
    return FALSE;
  return words == NULL || fh_run_error_refuse (error, "%s", _ ("This command takes no arguments."));
}

int
fh_command_engines (int argc, char **argv)
{
  gboolean json = FALSE;
  g_autoptr (GError) error = NULL;
  g_autoptr (GPtrArray) all = NULL;
  g_autoptr (FhEngine) chosen = NULL;
  g_autofree char *text = NULL;

  if (!parse (argv, &json, &error))
    return fh_message_usage ("engines", error);
  /* The cached state is dropped: an engine may just have been started. */
  fh_engine_forget (FH_ENGINE_AUTO);
  all = fh_engine_list_probe (FH_ENGINE_AUTO);
  chosen = fh_engine_list_choose (FH_ENGINE_AUTO, NULL);
  if (json && !print_json (all, chosen))
    return FH_EXIT_FAILED;
  if (!json)
    {
      text = to_text (all, chosen);
      if (!fh_print (text))
        return FH_EXIT_FAILED;
    }
  for (guint i = 0; i < all->len; i++)
    {
      const FhFoundEngine *found = g_ptr_array_index (all, i);

      if (found->engine != NULL)
        return 0;
    }
  return FH_EXIT_FAILED;
}
