/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include <glib-unix.h>
#include <glib/gi18n-lib.h>

#include "command-flags.h"
#include "command.h"
#include "engine-image.h"
#include "engine-list.h"
#include "image-build.h"
#include "json-output.h"
#include "message.h"
#include "pull-line.h"
#include "run-error.h"
#include "stop-signals.h"
#include "sync-wait.h"
#include "terminal-text.h"

/* 128 + SIGINT, as shells report it. */
#define EXIT_STOPPED 130

#define SUMMARY N_ ("Pulls and builds container images.")

#define DESCRIPTION                                                                                \
  N_ ("Actions:\n"                                                                                 \
      "  pull [IMAGE]   Pull it with your credentials; Ctrl+C stops this (default: "               \
      "python:3-slim)\n"                                                                           \
      "  build FILE|-   Build one from a Containerfile of at most 1 MiB; Ctrl+C stops this\n"      \
      "\n"                                                                                         \
      "A build has no files of this computer: COPY finds nothing. The engine runs its RUN "        \
      "lines,\n"                                                                                   \
      "with its own guards only and with its network, and ADD fetches from where the engine is:\n" \
      "read a file that you did not write before you build it.\n"                                  \
      "\n"                                                                                         \
      "--json prints engine, image, present, id, architecture, system, size in bytes (null if\n"   \
      "it is not present) and error (null, or why it is not present).\n"                           \
      "\n"                                                                                         \
      "Exit status:\n"                                                                             \
      "  0    it was pulled or built\n"                                                            \
      "  1    it could not be pulled or built\n"                                                   \
      "  2    wrong usage\n"                                                                       \
      "  125  no engine works\n"                                                                   \
      "  130  you stopped it")

typedef struct
{
  const char *action;
  const char *image; /* of a build: its name or NULL */
  const char *file;  /* of a build */
  FhEngine *engine;
  gboolean json;
} Order;

static gboolean
print_image (const Order *order, const FhImage *image, const GError *error)
{
  g_autoptr (JsonObject) object = json_object_new ();

  fh_engine_list_set_engine (object, order->engine);
  fh_json_set_text (object, "image", order->image);
  json_object_set_boolean_member (object, "present", image != NULL);
  fh_json_set_text (object, "id", image != NULL ? image->id : NULL);
  fh_json_set_text (object, "architecture", image != NULL ? image->architecture : NULL);
  fh_json_set_text (object, "system", image != NULL ? image->system : NULL);
  if (image != NULL)
    json_object_set_int_member (object, "size", (gint64) MIN (image->size, G_MAXINT64));
  else
    json_object_set_null_member (object, "size");
  fh_json_set_text (object, "error", error != NULL ? error->message : NULL);
  return fh_print_json (object, TRUE);
}

/* 125 if the engine does not work or refuses us. */
static int
status_of (const GError *error)
{
  if (g_error_matches (error, FH_ENGINE_ERROR, FH_ENGINE_ERROR_NOT_INSTALLED) ||
      g_error_matches (error, FH_ENGINE_ERROR, FH_ENGINE_ERROR_NOT_RUNNING) ||
      g_error_matches (error, FH_ENGINE_ERROR, FH_ENGINE_ERROR_NOT_ALLOWED) ||
      g_error_matches (error, FH_ENGINE_ERROR, FH_ENGINE_ERROR_TIMED_OUT))
    return FH_EXIT_NO_RUN;
  return g_error_matches (error, G_IO_ERROR, G_IO_ERROR_CANCELLED) ? EXIT_STOPPED : FH_EXIT_FAILED;
}

static gboolean
print_found (const FhImage *image)
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

typedef struct
{
  GMainLoop *loop;
  FhImagePull *pull;
  FhPullLine *progress;
  gboolean is_stopped;
  const Order *order;
  int status;
} Pull;

static void
show_progress (Pull *self, const FhImage *image)
{
  const FhSandboxProgress progress = {
    .image = self->order->image,
    .text = fh_image_pull_get_text (self->pull),
    .fraction = fh_image_pull_get_fraction (self->pull),
    .is_done = image != NULL,
    .size = image != NULL ? image->size : 0,
  };

  fh_pull_line_update (self->progress, &progress);
}

static void
moved_cb (Pull *self)
{
  show_progress (self, NULL);
}

static void
pulled_cb (FhImagePull *pull, FhImage *image, GError *error, Pull *self)
{
  if (image != NULL)
    show_progress (self, image);
  else
    fh_message_progress (NULL);
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
  progress = self.progress = fh_pull_line_new ();
  moved_cb (&self);
  g_signal_connect_swapped (image_pull, "changed", G_CALLBACK (moved_cb), &self);
  g_signal_connect (image_pull, "finished", G_CALLBACK (pulled_cb), &self);
  source = g_unix_fd_add (fh_stop_signals_get_fd (), G_IO_IN, signal_cb, &self);
  g_main_loop_run (loop);
  g_source_remove (source);
  g_signal_handlers_disconnect_by_data (image_pull, &self);
  return self.status;
}

static int
build (const Order *order)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (FhImage) image = fh_image_build (order->engine, order->file, order->image, &error);

  if (order->json && !print_image (order, image, error))
    return FH_EXIT_FAILED;
  if (image == NULL)
    {
      if (!order->json && !g_error_matches (error, G_IO_ERROR, G_IO_ERROR_CANCELLED))
        fh_message ("%s", error->message);
      return status_of (error);
    }
  return order->json || print_found (image) ? 0 : FH_EXIT_FAILED;
}

static gboolean
take_build (Order *order, char **words, const char *tag, GError **error)
{
  if (words[1] == NULL || words[2] != NULL)
    return fh_run_error_refuse (error, "%s", _ ("Name one Containerfile, or “-” for stdin."));
  order->file = words[1];
  order->image = tag;
  return tag == NULL || fh_image_reference_check (tag, error);
}

static gboolean
take_words (Order *order, char **words, const char *tag, GError **error)
{
  order->action = words != NULL ? words[0] : NULL;
  order->image = FH_CONTAINER_DEFAULT_IMAGE;
  if (order->action == NULL ||
      (!g_str_equal (order->action, "pull") && !g_str_equal (order->action, "build")))
    return fh_run_error_refuse (error, "%s", _ ("Choose an action: pull or build."));
  if (g_str_equal (order->action, "build"))
    return take_build (order, words, tag, error);
  if (tag != NULL)
    return fh_run_error_refuse (error, "%s", _ ("--tag names what is built: use it with build."));
  if (words[1] == NULL)
    return TRUE;
  if (words[2] != NULL)
    return fh_run_error_refuse (error, "%s", _ ("There are too many arguments."));
  order->image = words[1];
  return fh_image_reference_check (order->image, error);
}

/* Scripts that read JSON get an object in this case, too. */
static int
no_engine (const Order *order, const GError *error)
{
  if (order->json)
    print_image (order, NULL, error);
  else
    fh_message ("%s", error->message);
  return FH_EXIT_NO_RUN;
}

int
fh_command_image (int argc, char **argv)
{
  const FhOptionHelp help = { N_ ("pull [IMAGE] | build FILE|-"), SUMMARY, DESCRIPTION };
  Order order = { 0 };
  FhEngineKind kind;
  g_autofree char *tag = NULL;
  g_autofree char *engine = NULL;
  g_auto (GStrv) words = NULL;
  const GOptionEntry entries[] = {
    { FH_TEXT ("engine", 0, &engine),
      N_ ("Use only this engine: docker or podman (default: auto)"),
      N_ ("NAME") },
    { FH_SWITCH ("json", 0, &order.json), N_ ("Print one JSON object") },
    { FH_TEXT ("tag", 0, &tag), N_ ("With build: name it so"), N_ ("NAME") },
    { FH_TEXTS (G_OPTION_REMAINING, 0, &words) },
    { NULL },
  };
  g_autoptr (FhEngine) chosen = NULL;
  g_autoptr (GError) error = NULL;

  if (!fh_option_parse (&help, entries, NULL, argv, &error) ||
      !fh_command_flags_parse_engine (engine, &kind, &error) ||
      !take_words (&order, words, tag, &error))
    return fh_message_usage ("image", error);
  chosen = order.engine = fh_engine_list_choose (kind, &error);
  if (chosen == NULL)
    return no_engine (&order, error);
  return g_str_equal (order.action, "build") ? build (&order) : pull (&order);
}
