/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What the backend knows of engines, said line by line, for tests that have a real one:
 *
 *   engine-client probe auto|docker|podman
 *   engine-client find ENGINE IMAGE
 *   engine-client list ENGINE
 *   engine-client pull ENGINE IMAGE [WORD]   cancelled when the engine says that word
 *
 * An error is the line "error CODE MESSAGE" and exit status 1. */
#include <locale.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "engine-image.h"

static GMainLoop *loop;
static int status;
static const char *cancel_at;

static void
tell_error (const GError *error)
{
  printf ("error %s:%d %s\n", g_quark_to_string (error->domain), error->code, error->message);
  status = 1;
  g_main_loop_quit (loop);
}

static void
tell_engine (FhEngine *engine)
{
  const FhEngineFacts *facts = fh_engine_get_facts (engine);
  g_autofree char *text = fh_engine_describe (engine);

  printf ("kind %s\nprogram %s\nversion %s\narchitecture %s\nstorage %s\nendpoint %s\n"
          "rootless %d\nremote %d\nlimits %d %d %d\ndescription %s\n",
          fh_engine_kind_to_string (facts->kind),
          facts->program,
          facts->version,
          facts->architecture,
          facts->storage,
          facts->endpoint,
          facts->is_rootless,
          facts->is_remote,
          facts->limits_memory,
          facts->limits_processes,
          facts->limits_cpus,
          text);
}

static void
tell_image (const FhImage *image)
{
  printf ("id %s\narchitecture %s\nsystem %s\nsize %" G_GUINT64_FORMAT "\n",
          image->id,
          image->architecture,
          image->system,
          image->size);
  for (guint i = 0; image->environment[i] != NULL; i++)
    printf ("environment %s\n", image->environment[i]);
}

static void
found_cb (GObject *source, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (FhImage) image = fh_image_find_finish (result, &error);

  if (image == NULL)
    {
      tell_error (error);
      return;
    }
  tell_image (image);
  g_main_loop_quit (loop);
}

static void
listed_cb (GObject *source, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (GError) error = NULL;
  g_auto (GStrv) names = fh_image_list_finish (result, &error);

  if (names == NULL)
    {
      tell_error (error);
      return;
    }
  for (guint i = 0; names[i] != NULL; i++)
    printf ("image %s\n", names[i]);
  g_main_loop_quit (loop);
}

static void
progress_cb (FhImagePull *pull, gpointer user_data)
{
  double fraction = fh_image_pull_get_fraction (pull);

  printf ("progress %.4f %s\n", fraction, fh_image_pull_get_text (pull));
  fflush (stdout);
  if (cancel_at != NULL && strstr (fh_image_pull_get_text (pull), cancel_at) != NULL)
    fh_image_pull_cancel (pull);
}

static void
pulled_cb (FhImagePull *pull, FhImage *image, GError *error, gpointer user_data)
{
  if (image == NULL)
    {
      tell_error (error);
      return;
    }
  tell_image (image);
  g_main_loop_quit (loop);
}

static void
start_pull (FhEngine *engine, const char *name)
{
  FhImagePull *pull = fh_image_pull_start (engine, name);

  g_signal_connect (pull, "changed", G_CALLBACK (progress_cb), NULL);
  g_signal_connect (pull, "finished", G_CALLBACK (pulled_cb), NULL);
  g_object_unref (pull);
}

static void
chosen_cb (GObject *source, GAsyncResult *result, gpointer user_data)
{
  char **words = user_data;
  g_autoptr (GError) error = NULL;
  g_autoptr (FhEngine) engine = fh_engine_choose_finish (result, &error);

  if (engine == NULL)
    {
      tell_error (error);
      return;
    }
  if (g_str_equal (words[1], "find"))
    fh_image_find_async (engine, words[3], NULL, found_cb, NULL);
  else if (g_str_equal (words[1], "list"))
    fh_image_list_async (engine, NULL, listed_cb, NULL);
  else if (g_str_equal (words[1], "pull"))
    start_pull (engine, words[3]);
  else
    {
      tell_engine (engine);
      g_main_loop_quit (loop);
    }
}

int
main (int argc, char *argv[])
{
  FhEngineKind kind;

  setlocale (LC_ALL, "");
  if (argc < 3 || !fh_engine_kind_from_string (argv[2], &kind))
    {
      fputs ("usage: engine-client probe|find|list|pull ENGINE [IMAGE [WORD]]\n", stderr);
      return 2;
    }
  if (argc > 4)
    cancel_at = argv[4];
  loop = g_main_loop_new (NULL, FALSE);
  fh_engine_forget (FH_ENGINE_AUTO);
  fh_engine_choose_async (kind, NULL, chosen_cb, argv);
  g_main_loop_run (loop);
  g_main_loop_unref (loop);
  return status;
}
