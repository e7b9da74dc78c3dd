/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include <glib/gi18n-lib.h>
#include <string.h>

#include "command-flags.h"
#include "command.h"
#include "container-ops.h"
#include "container-table.h"
#include "engine-list.h"
#include "json-output.h"
#include "message.h"
#include "run-error.h"

#define SUMMARY N_ ("Lists, stops, restarts and removes kept containers.")

#define DESCRIPTION                                                                                 \
  N_ ("Actions:\n"                                                                                  \
      "  list           List your containers: those that are kept, and those in use now\n"          \
      "  stop NAME      Stop it; its files remain, and the next run starts it again\n"              \
      "  restart NAME   Stop it and start it again; what was installed remains\n"                   \
      "  remove NAME    Remove it with everything in it, but not your work folder\n"                \
      "  clean          Remove containers that a crash left behind\n"                               \
      "\n"                                                                                          \
      "A container that no longer exists counts as stopped and removed. Only containers that\n"     \
      "Fumehood created for you on this computer are changed. Without --engine all engines that\n"  \
      "work are used.\n"                                                                            \
      "\n"                                                                                          \
      "--json prints with list “containers”, an array of objects: name, id, engine, image,\n"   \
      "state (in the engine’s words, such as running or exited), kept and created (Unix\n"        \
      "time); with clean “removed”, a number; otherwise name, engine and error (null, or why\n" \
      "it failed).\n"                                                                               \
      "\n"                                                                                          \
      "Exit status:\n"                                                                              \
      "  0    success\n"                                                                            \
      "  1    it failed\n"                                                                          \
      "  2    wrong usage\n"                                                                        \
      "  125  no engine works")

/* The default of the engines, in seconds. */
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
      g_autoptr (GError) error = NULL;
      g_autoptr (GPtrArray) found = fh_container_list (engine_at (order, i), NULL, &error);

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
      g_autoptr (GError) error = NULL;
      const int n = fh_container_reap (engine_at (order, i), NULL, &error);

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
  if (!(order->json ? fh_print_json (object, TRUE) : fh_print (line)))
    return FH_EXIT_FAILED;
  return status;
}

/* The engine that has it. NULL with a sentence if it belongs to someone else, or with
 * FH_ENGINE_ERROR_NO_CONTAINER if no engine has it. */
static FhEngine *
find (const Order *order, GError **error)
{
  for (guint i = 0; i < order->engines->len; i++)
    {
      g_autoptr (GError) problem = NULL;
      g_autoptr (FhContainer) container =
          fh_container_find (engine_at (order, i), order->name, NULL, &problem);

      if (container != NULL && container->is_ours && fh_container_owner_is_here (container->owner))
        return engine_at (order, i);
      if (container != NULL)
        {
          fh_run_error_refuse (error,
                               _ ("The container “%s” was not created by Fumehood for you on this "
                                  "computer, so it is left alone."),
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
               _ ("There is no container “%s”. “fumehoodctl container list” shows yours."),
               order->name);
  return NULL;
}

static gboolean
act (const Order *order, FhEngine *engine, GError **error)
{
  if (g_str_equal (order->action, "stop"))
    return fh_container_stop (engine, order->name, GRACE, NULL, error);
  if (g_str_equal (order->action, "restart"))
    return fh_container_restart (engine, order->name, NULL, error);
  return fh_container_remove (engine, order->name, NULL, error);
}

static gboolean
print_act (const Order *order, FhEngine *engine, const GError *error)
{
  g_autoptr (JsonObject) object = json_object_new ();

  json_object_set_string_member (object, "name", order->name);
  fh_engine_list_set_engine (object, engine);
  fh_json_set_text (object, "error", error != NULL ? error->message : NULL);
  return fh_print_json (object, TRUE);
}

/* Nothing is left to stop or remove, but its folders may still be here. */
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
take_words (Order *order, char **words, GError **error)
{
  const char *const with_name[] = { "stop", "restart", "remove", NULL };
  const char *const alone[] = { "list", "clean", NULL };
  guint n = words != NULL ? g_strv_length (words) : 0;

  order->action = n > 0 ? words[0] : "";
  order->name = n > 1 ? words[1] : NULL;
  if (!g_strv_contains (with_name, order->action) && !g_strv_contains (alone, order->action))
    return fh_run_error_refuse (error,
                                "%s",
                                _ ("Choose an action: list, stop, restart, remove or clean."));
  if (n > 2 || (n > 1 && g_strv_contains (alone, order->action)))
    return fh_run_error_refuse (error, "%s", _ ("There are too many arguments."));
  if (n < 2 && g_strv_contains (with_name, order->action))
    return fh_run_error_refuse (error, "%s", _ ("Name the container."));
  return order->name == NULL ||
         fh_container_options_check (&(FhContainerOptions){ .name = order->name }, error);
}

/* Returns the engines that work. If none does, prints why. */
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
  const FhOptionHelp help = { N_ ("list|stop|restart|remove|clean [NAME]"), SUMMARY, DESCRIPTION };
  Order order = { 0 };
  FhEngineKind kind;
  g_autofree char *engine = NULL;
  g_auto (GStrv) words = NULL;
  const GOptionEntry entries[] = {
    { FH_TEXT ("engine", 0, &engine),
      N_ ("Use only this engine: docker or podman (default: auto)"),
      N_ ("NAME") },
    { FH_SWITCH ("json", 0, &order.json), N_ ("Print one JSON object") },
    { FH_TEXTS (G_OPTION_REMAINING, 0, &words) },
    { NULL },
  };
  g_autoptr (GPtrArray) engines = NULL;
  g_autoptr (GError) error = NULL;

  if (!fh_option_parse (&help, entries, NULL, argv, &error) ||
      !fh_command_flags_parse_engine (engine, &kind, &error) || !take_words (&order, words, &error))
    return fh_message_usage ("container", error);
  engines = order.engines = working_engines (kind);
  if (engines->len == 0)
    return FH_EXIT_NO_RUN;
  if (g_str_equal (order.action, "list"))
    return list (&order);
  return g_str_equal (order.action, "clean") ? clean (&order) : act_on_one (&order);
}
