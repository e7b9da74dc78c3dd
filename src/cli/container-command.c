/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include <glib/gi18n-lib.h>
#include <string.h>

#include "awaited.h"
#include "command.h"
#include "container-choice.h"
#include "container-life.h"
#include "container-table.h"
#include "engine-list.h"
#include "message.h"
#include "run-error.h"

#define SUMMARY N_ ("Tells of the containers that Fumehood keeps, and ends them.")

#define DESCRIPTION                                                                                 \
  N_ ("Actions:\n"                                                                                  \
      "  list           Containers of yours: those that are kept, and those that work now\n"        \
      "  stop NAME      End what runs in it; its files stay, and the next run starts it again\n"    \
      "  restart NAME   Stop it and start it again; what was installed is still there\n"            \
      "  remove NAME    Remove it with all that is in it, but never a work folder of yours\n"       \
      "  clean          Remove what a crash has left: containers whose program is dead\n"           \
      "\n"                                                                                          \
      "One that is gone is stopped and removed already: that is told, and no failure.\n"            \
      "Only containers that Fumehood made for you on this computer are touched. Without\n"          \
      "--engine all engines that work are asked.\n"                                                 \
      "\n"                                                                                          \
      "--json prints for list “containers”, an array of objects: name, id, engine, image,\n"    \
      "state (the engine’s word, such as running or exited), kept and created (Unix time); for\n" \
      "clean “removed”, a number; else name, engine and error, which is null or why it could\n" \
      "not be done.\n"                                                                              \
      "\n"                                                                                          \
      "Exit status: 0 when it was done, 1 when it could not be, 125 when no engine works, 2 "       \
      "when\n"                                                                                      \
      "the command line makes no sense.")

/* Nobody could be asked. */
#define EXIT_NO_ENGINE 125

/* In seconds: as long as the engines themselves give a container. */
#define GRACE 10

typedef struct
{
  const char *action;
  const char *name;
  GPtrArray *engines; /* (element-type FhFoundEngine): those that work */
  gboolean json;
} Order;

static gboolean
is_gone (const GError *error)
{
  return g_error_matches (error, FH_ENGINE_ERROR, FH_ENGINE_ERROR_NO_CONTAINER);
}

static FhEngine *
engine_at (const Order *order, guint i)
{
  const FhFoundEngine *found = g_ptr_array_index (order->engines, i);

  return found->engine;
}

static int
list (const Order *order)
{
  g_autoptr (FhContainerTable) all = fh_container_table_new ();
  int status = 0;

  for (guint i = 0; i < order->engines->len; i++)
    {
      g_autoptr (FhAwaited) awaited = fh_awaited_new ();
      g_autoptr (GError) error = NULL;
      g_autoptr (GPtrArray) found = NULL;

      fh_container_list_async (engine_at (order, i), NULL, fh_awaited_cb, awaited);
      found = fh_container_list_finish (fh_awaited_get (awaited), &error);
      if (found != NULL)
        fh_container_table_add (all, engine_at (order, i), found);
      else
        {
          fh_message ("%s", error->message);
          status = FH_EXIT_FAILED;
        }
    }
  if (!fh_container_table_print (all, order->json))
    return FH_EXIT_FAILED;
  return status;
}

static int
clean (const Order *order)
{
  g_autoptr (JsonObject) object = json_object_new ();
  g_autofree char *line = NULL;
  guint n_removed = 0;
  int status = 0;

  for (guint i = 0; i < order->engines->len; i++)
    {
      g_autoptr (FhAwaited) awaited = fh_awaited_new ();
      g_autoptr (GError) error = NULL;
      int n;

      fh_container_reap_async (engine_at (order, i), NULL, fh_awaited_cb, awaited);
      n = fh_container_reap_finish (fh_awaited_get (awaited), &error);
      n_removed += (guint) MAX (n, 0);
      if (n >= 0)
        continue;
      fh_message ("%s", error->message);
      status = FH_EXIT_FAILED;
    }
  json_object_set_int_member (object, "removed", n_removed);
  line = g_strdup_printf (g_dngettext (GETTEXT_PACKAGE,
                                       "%u container was removed.\n",
                                       "%u containers were removed.\n",
                                       n_removed),
                          n_removed);
  if (!(order->json ? fh_engine_list_print_json (object) : fh_print (line)))
    return FH_EXIT_FAILED;
  return status;
}

/* The engine that has it; NULL with a sentence when it is somebody else's, or when none has it,
 * which is FH_ENGINE_ERROR_NO_CONTAINER. */
static FhEngine *
find (const Order *order, GError **error)
{
  for (guint i = 0; i < order->engines->len; i++)
    {
      g_autoptr (FhAwaited) awaited = fh_awaited_new ();
      g_autoptr (FhContainer) container = NULL;
      g_autoptr (GError) problem = NULL;

      fh_container_find_async (engine_at (order, i), order->name, NULL, fh_awaited_cb, awaited);
      container = fh_container_find_finish (fh_awaited_get (awaited), &problem);
      if (container != NULL && container->is_ours && fh_container_owner_is_here (container->owner))
        return engine_at (order, i);
      if (container != NULL)
        {
          g_set_error (
              error,
              FH_RUN_ERROR,
              FH_RUN_ERROR_INVALID,
              _ ("The container “%s” was not made by Fumehood for you here. It is left alone."),
              order->name);
          return NULL;
        }
      if (!is_gone (problem))
        {
          g_propagate_error (error, g_steal_pointer (&problem));
          return NULL;
        }
    }
  g_set_error (error,
               FH_ENGINE_ERROR,
               FH_ENGINE_ERROR_NO_CONTAINER,
               _ ("There is no container “%s”. “fumehoodctl container list” tells which there "
                  "are."),
               order->name);
  return NULL;
}

static gboolean
act (const Order *order, FhEngine *engine, GError **error)
{
  g_autoptr (FhAwaited) awaited = fh_awaited_new ();

  if (g_str_equal (order->action, "stop"))
    {
      fh_container_stop_async (engine, order->name, GRACE, NULL, fh_awaited_cb, awaited);
      return fh_container_stop_finish (fh_awaited_get (awaited), error);
    }
  if (g_str_equal (order->action, "restart"))
    {
      fh_container_restart_async (engine, order->name, NULL, fh_awaited_cb, awaited);
      return fh_container_restart_finish (fh_awaited_get (awaited), error);
    }
  fh_container_remove_async (engine, order->name, NULL, fh_awaited_cb, awaited);
  return fh_container_remove_finish (fh_awaited_get (awaited), error);
}

static gboolean
print_act (const Order *order, FhEngine *engine, const GError *error)
{
  g_autoptr (JsonObject) object = json_object_new ();

  json_object_set_string_member (object, "name", order->name);
  if (engine != NULL)
    json_object_set_string_member (object,
                                   "engine",
                                   fh_engine_kind_to_string (fh_engine_get_facts (engine)->kind));
  else
    json_object_set_null_member (object, "engine");
  if (error != NULL)
    json_object_set_string_member (object, "error", error->message);
  else
    json_object_set_null_member (object, "error");
  return fh_engine_list_print_json (object);
}

/* What is gone need not be stopped nor removed, but folders of it may still be here. */
static gboolean
act_on_gone (const Order *order)
{
  if (g_str_equal (order->action, "remove"))
    return act (order, engine_at (order, 0), NULL);
  return g_str_equal (order->action, "stop");
}

static int
act_on_one (const Order *order)
{
  g_autoptr (GError) error = NULL;
  FhEngine *engine = find (order, &error);
  gboolean is_done =
      engine != NULL ? act (order, engine, &error) : is_gone (error) && act_on_gone (order);

  if (order->json && !print_act (order, engine, is_done ? NULL : error))
    return FH_EXIT_FAILED;
  if (!order->json && error != NULL)
    fh_message ("%s", error->message);
  return is_done ? 0 : FH_EXIT_FAILED;
}

static gboolean
refuse (GError **error, const char *text)
{
  g_set_error_literal (error, FH_RUN_ERROR, FH_RUN_ERROR_INVALID, text);
  return FALSE;
}

static gboolean
take_words (Order *order, char **words, GError **error)
{
  const char *const with_name[] = { "stop", "restart", "remove", NULL };
  const char *const alone[] = { "list", "clean", NULL };
  guint n = words != NULL ? g_strv_length (words) : 0;

  order->action = n > 0 ? words[0] : "";
  order->name = n > 1 ? words[1] : NULL;
  if (!g_strv_contains (with_name, order->action) && !g_strv_contains (alone, order->action))
    return refuse (error, _ ("Name what to do: list, stop, restart, remove or clean."));
  if (n > 2 || (n > 1 && g_strv_contains (alone, order->action)))
    return refuse (error, _ ("There is too much after the action."));
  if (n < 2 && g_strv_contains (with_name, order->action))
    return refuse (error, _ ("Name the container."));
  return order->name == NULL ||
         fh_container_options_check (&(FhContainerOptions){ .name = order->name }, error);
}

static gboolean
parse (int argc, char **argv, Order *order, FhEngineKind *kind, GStrv *words, GError **error)
{
  g_autofree char *engine = NULL;
  const GOptionEntry entries[] = {
    { "engine",
      0,
      0,
      G_OPTION_ARG_STRING,
      &engine,
      N_ ("Ask only this one: docker or podman (default: auto, all)"),
      N_ ("NAME") },
    { "json", 0, 0, G_OPTION_ARG_NONE, &order->json, N_ ("Print one JSON object"), NULL },
    { G_OPTION_REMAINING, 0, 0, G_OPTION_ARG_STRING_ARRAY, words, NULL, NULL },
    { NULL },
  };
  g_autoptr (GOptionContext) context =
      g_option_context_new (_ ("list|stop|restart|remove|clean [NAME]"));

  g_option_context_add_main_entries (context, entries, GETTEXT_PACKAGE);
  g_option_context_set_summary (context, _ (SUMMARY));
  g_option_context_set_description (context, _ (DESCRIPTION));
  return g_option_context_parse (context, &argc, &argv, error) &&
         (engine == NULL || fh_container_choice_parse_engine (engine, kind, error)) &&
         take_words (order, *words, error);
}

/* Only those that work are left; what is wrong with the others is told when there are none. */
static GPtrArray *
working_engines (FhEngineKind kind)
{
  g_autoptr (GPtrArray) all = fh_engine_list_probe (kind);
  g_autoptr (GString) problems = g_string_new (NULL);

  for (guint i = all->len; i > 0; i--)
    {
      const FhFoundEngine *found = g_ptr_array_index (all, i - 1);

      if (found->engine != NULL)
        continue;
      g_string_prepend (problems, problems->len > 0 ? " " : "");
      g_string_prepend (problems, found->error->message);
      g_ptr_array_remove_index (all, i - 1);
    }
  if (all->len == 0)
    fh_message ("%s", problems->str);
  return g_steal_pointer (&all);
}

int
fh_command_container (int argc, char **argv)
{
  Order order = { 0 };
  FhEngineKind kind = FH_ENGINE_AUTO;
  g_auto (GStrv) words = NULL;
  g_autoptr (GPtrArray) engines = NULL;
  g_autoptr (GError) error = NULL;

  if (!parse (argc, argv, &order, &kind, &words, &error))
    {
      fh_message (_ ("%s Try “fumehoodctl container --help”."), error->message);
      return FH_EXIT_USAGE;
    }
  engines = order.engines = working_engines (kind);
  if (engines->len == 0)
    return EXIT_NO_ENGINE;
  if (g_str_equal (order.action, "list"))
    return list (&order);
  return g_str_equal (order.action, "clean") ? clean (&order) : act_on_one (&order);
}
