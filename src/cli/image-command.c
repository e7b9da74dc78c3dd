/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include <glib-unix.h>
#include <glib/gi18n-lib.h>

#include "awaited.h"
#include "command.h"
#include "container-choice.h"
#include "engine-image.h"
#include "engine-list.h"
#include "image-reference.h"
#include "message.h"
#include "pull-line.h"
#include "run-error.h"
#include "stop-signals.h"
#include "terminal-text.h"

/* Nobody could be asked. */
#define EXIT_NO_ENGINE 125

/* 128 + SIGINT: what a shell reports of a program that obeyed it. */
#define EXIT_STOPPED 130

#define SUMMARY N_ ("Tells which images of containers are here, and pulls them.")

#define DESCRIPTION                                                                                \
  N_ ("Actions:\n"                                                                                 \
      "  list           The images that the engine has\n"                                          \
      "  check [IMAGE]  Whether it is here or must be pulled (default: python:3-slim)\n"           \
      "  pull [IMAGE]   Pull it, with your credentials; Ctrl+C ends that\n"                        \
      "\n"                                                                                         \
      "--json prints engine, and for list images, an array of names; else image, present, id,\n"   \
      "architecture, system, size in bytes (null where it is not present), and error, which is\n"  \
      "null or why it is not.\n"                                                                   \
      "\n"                                                                                         \
      "Exit status: 0 when it was listed, is here or was pulled; 1 when it must be pulled or\n"    \
      "could not be; 125 when no engine works; 130 when it was stopped; 2 when the command line\n" \
      "makes no sense.")

typedef struct
{
  const char *action;
  const char *image;
  FhEngine *engine;
  gboolean json;
} Order;

static void
set_text (JsonObject *object, const char *name, const char *text)
{
  if (text != NULL)
    json_object_set_string_member (object, name, text);
  else
    json_object_set_null_member (object, name);
}

static void
set_engine (JsonObject *object, FhEngine *engine)
{
  set_text (object,
            "engine",
            engine != NULL ? fh_engine_kind_to_string (fh_engine_get_facts (engine)->kind) : NULL);
}

static gboolean
print_image (const Order *order, const FhImage *image, const GError *error)
{
  g_autoptr (JsonObject) object = json_object_new ();

  set_engine (object, order->engine);
  json_object_set_string_member (object, "image", order->image);
  json_object_set_boolean_member (object, "present", image != NULL);
  set_text (object, "id", image != NULL ? image->id : NULL);
  set_text (object, "architecture", image != NULL ? image->architecture : NULL);
  set_text (object, "system", image != NULL ? image->system : NULL);
  if (image != NULL)
    json_object_set_int_member (object, "size", (gint64) MIN (image->size, G_MAXINT64));
  else
    json_object_set_null_member (object, "size");
  set_text (object, "error", error != NULL ? error->message : NULL);
  return fh_engine_list_print_json (object);
}

static gboolean
is_missing (const GError *error)
{
  return g_error_matches (error, FH_ENGINE_ERROR, FH_ENGINE_ERROR_NO_IMAGE);
}

/* The engine itself does not answer, or not to us. */
static int
status_of (const GError *error)
{
  if (g_error_matches (error, FH_ENGINE_ERROR, FH_ENGINE_ERROR_NOT_INSTALLED) ||
      g_error_matches (error, FH_ENGINE_ERROR, FH_ENGINE_ERROR_NOT_RUNNING) ||
      g_error_matches (error, FH_ENGINE_ERROR, FH_ENGINE_ERROR_NOT_ALLOWED) ||
      g_error_matches (error, FH_ENGINE_ERROR, FH_ENGINE_ERROR_TIMED_OUT))
    return EXIT_NO_ENGINE;
  return g_error_matches (error, G_IO_ERROR, G_IO_ERROR_CANCELLED) ? EXIT_STOPPED : FH_EXIT_FAILED;
}

static int
list (const Order *order)
{
  g_autoptr (FhAwaited) awaited = fh_awaited_new ();
  g_autoptr (GError) error = NULL;
  g_autoptr (JsonObject) object = json_object_new ();
  g_autoptr (GString) text = g_string_new (NULL);
  g_auto (GStrv) names = NULL;
  JsonArray *images = json_array_new ();

  json_object_set_array_member (object, "images", images);
  set_engine (object, order->engine);
  fh_image_list_async (order->engine, NULL, fh_awaited_cb, awaited);
  names = fh_image_list_finish (fh_awaited_get (awaited), &error);
  if (names == NULL)
    {
      fh_message ("%s", error->message);
      return status_of (error);
    }
  for (guint i = 0; names[i] != NULL; i++)
    {
      g_autofree char *safe = fh_terminal_line (names[i]);

      json_array_add_string_element (images, names[i]);
      g_string_append_printf (text, "%s\n", safe);
    }
  if (!(order->json ? fh_engine_list_print_json (object) : fh_print (text->str)))
    return FH_EXIT_FAILED;
  return 0;
}

static gboolean
tell_image (const FhImage *image)
{
  g_autofree char *size = g_format_size_full (image->size, G_FORMAT_SIZE_IEC_UNITS);
  g_autofree char *text =
      /* Translators: an image, its size, its kind of processor and its id */
      g_strdup_printf (_ ("%s is here: %s, %s, %s"),
                       image->name,
                       size,
                       image->architecture,
                       image->id);
  g_autofree char *safe = fh_terminal_line (text);
  g_autofree char *line = g_strconcat (safe, "\n", NULL);

  return fh_print (line);
}

static int
check (const Order *order)
{
  g_autoptr (FhAwaited) awaited = fh_awaited_new ();
  g_autoptr (GError) error = NULL;
  g_autoptr (FhImage) image = NULL;
  g_autofree char *line = NULL;

  fh_image_find_async (order->engine, order->image, NULL, fh_awaited_cb, awaited);
  image = fh_image_find_finish (fh_awaited_get (awaited), &error);
  if (order->json)
    return !print_image (order, image, error) ? FH_EXIT_FAILED
           : error != NULL                    ? status_of (error)
                                              : 0;
  if (image != NULL)
    return tell_image (image) ? 0 : FH_EXIT_FAILED;
  if (!is_missing (error))
    {
      fh_message ("%s", error->message);
      return status_of (error);
    }
  line = g_strdup_printf (_ ("%s must be pulled: fumehoodctl image pull %s"),
                          order->image,
                          order->image);
  fh_message ("%s", line);
  return FH_EXIT_FAILED;
}

typedef struct
{
  GMainLoop *loop;
  FhImagePull *pull;
  gboolean is_stopped;
  const Order *order;
  int status;
} Pull;

static void
pulled_cb (FhImagePull *pull, FhImage *image, GError *error, Pull *self)
{
  if (self->order->json && !print_image (self->order, image, error))
    self->status = FH_EXIT_FAILED;
  else
    self->status = image != NULL ? 0 : self->is_stopped ? EXIT_STOPPED : status_of (error);
  if (error != NULL && !self->order->json && !self->is_stopped)
    fh_message ("%s", error->message);
  g_main_loop_quit (self->loop);
}

static gboolean
signal_cb (int fd, GIOCondition condition, gpointer user_data)
{
  Pull *self = user_data;

  while (fh_stop_signals_take () != 0)
    {
      self->is_stopped = TRUE;
      fh_image_pull_cancel (self->pull);
    }
  return G_SOURCE_CONTINUE;
}

static int
pull (const Order *order)
{
  g_autoptr (GMainLoop) loop = g_main_loop_new (NULL, FALSE);
  g_autoptr (FhImagePull) image_pull = NULL;
  g_autoptr (FhPullLine) progress = NULL;
  Pull self = { .loop = loop, .order = order };
  guint source;

  fh_stop_signals_catch ();
  image_pull = fh_image_pull_start (order->engine, order->image);
  self.pull = image_pull;
  progress = fh_pull_line_new (image_pull, order->image);
  g_signal_connect (image_pull, "finished", G_CALLBACK (pulled_cb), &self);
  source = g_unix_fd_add (fh_stop_signals_get_fd (), G_IO_IN, signal_cb, &self);
  g_main_loop_run (loop);
  g_source_remove (source);
  g_signal_handlers_disconnect_by_data (image_pull, &self);
  return self.status;
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
  order->action = words != NULL ? words[0] : NULL;
  order->image = FH_CONTAINER_DEFAULT_IMAGE;
  if (order->action == NULL ||
      (!g_str_equal (order->action, "list") && !g_str_equal (order->action, "check") &&
       !g_str_equal (order->action, "pull")))
    return refuse (error, _ ("Name what to do: list, check or pull."));
  if (words[1] == NULL)
    return TRUE;
  if (words[2] != NULL || g_str_equal (order->action, "list"))
    return refuse (error, _ ("There is too much after the action."));
  order->image = words[1];
  return fh_image_reference_check (order->image, error);
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
      N_ ("auto (default), docker or podman"),
      N_ ("NAME") },
    { "json", 0, 0, G_OPTION_ARG_NONE, &order->json, N_ ("Print one JSON object"), NULL },
    { G_OPTION_REMAINING, 0, 0, G_OPTION_ARG_STRING_ARRAY, words, NULL, NULL },
    { NULL },
  };
  g_autoptr (GOptionContext) context = g_option_context_new (_ ("list|check|pull [IMAGE]"));

  g_option_context_add_main_entries (context, entries, GETTEXT_PACKAGE);
  g_option_context_set_summary (context, _ (SUMMARY));
  g_option_context_set_description (context, _ (DESCRIPTION));
  return g_option_context_parse (context, &argc, &argv, error) &&
         (engine == NULL || fh_container_choice_parse_engine (engine, kind, error)) &&
         take_words (order, *words, error);
}

/* No engine works: for those who read JSON that is an answer as well. */
static int
no_engine (const Order *order, const GError *error)
{
  if (order->json && !g_str_equal (order->action, "list"))
    print_image (order, NULL, error);
  else
    fh_message ("%s", error->message);
  return EXIT_NO_ENGINE;
}

int
fh_command_image (int argc, char **argv)
{
  Order order = { 0 };
  FhEngineKind kind = FH_ENGINE_AUTO;
  g_auto (GStrv) words = NULL;
  g_autoptr (FhEngine) engine = NULL;
  g_autoptr (GError) error = NULL;

  if (!parse (argc, argv, &order, &kind, &words, &error))
    {
      fh_message (_ ("%s Try “fumehoodctl image --help”."), error->message);
      return FH_EXIT_USAGE;
    }
  engine = order.engine = fh_engine_list_choose (kind, &error);
  if (engine == NULL)
    return no_engine (&order, error);
  if (g_str_equal (order.action, "list"))
    return list (&order);
  return g_str_equal (order.action, "check") ? check (&order) : pull (&order);
}
