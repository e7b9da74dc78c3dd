/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include <glib/gi18n-lib.h>
#include <string.h>

#include "command.h"
#include "exhibit.h"
#include "input-file.h"
#include "json-output.h"
#include "message.h"
#include "option-parsing.h"
#include "run-error.h"
#include "run-request.h"
#include "terminal-text.h"

#define SUMMARY N_ ("Lists, shows and runs small programs, each of which shows one guard at work.")

#define DESCRIPTION                                                                                    \
  N_ ("Actions:\n"                                                                                     \
      "  list                  List the exhibits (the default)\n"                                      \
      "  show NAME             Show what it tries, what can be learned from it, and its source\n"      \
      "  run NAME [OPTION…]    Run it, with further options of “fumehoodctl run”\n"              \
      "  bare NAME [OPTION…]   Run it without its guard, where that is harmless\n"                   \
      "  compare NAME          Run it with its guard, and then without\n"                              \
      "\n"                                                                                             \
      "--json prints “exhibits”, an array of objects: name, file, title, guard, level (1 to 3),\n" \
      "shows, lesson, question, with_guard (options) and without_guard (options, or null).\n"          \
      "\n"                                                                                             \
      "Exit status:\n"                                                                                 \
      "  that of “fumehoodctl run”, or\n"                                                          \
      "  1  the exhibit could not be read, or has no harmless way without its guard\n"                 \
      "  2  wrong usage")

static char *
dup_name (const FhExhibit *exhibit)
{
  return g_strndup (exhibit->file_name, strcspn (exhibit->file_name, "."));
}

static JsonObject *
to_json (const FhExhibit *exhibit)
{
  JsonObject *object = json_object_new ();
  g_autofree char *name = dup_name (exhibit);

  fh_json_set_text (object, "name", name);
  fh_json_set_text (object, "file", exhibit->file_name);
  fh_json_set_text (object, "title", _ (exhibit->title));
  fh_json_set_text (object, "guard", fh_guard_to_string (exhibit->guard));
  json_object_set_int_member (object, "level", exhibit->level);
  fh_json_set_text (object, "shows", _ (exhibit->shows));
  fh_json_set_text (object, "lesson", _ (exhibit->lesson));
  fh_json_set_text (object, "question", _ (exhibit->question));
  fh_json_set_text (object, "with_guard", exhibit->with_guard);
  fh_json_set_text (object, "without_guard", exhibit->without_guard);
  return object;
}

static gboolean
list (gboolean json)
{
  g_autoptr (GString) text = g_string_new (NULL);
  g_autoptr (JsonObject) object = json_object_new ();
  JsonArray *array = json_array_new ();

  json_object_set_array_member (object, "exhibits", array);
  for (const FhExhibit *exhibit = fh_exhibit_list (); exhibit->file_name != NULL; exhibit++)
    {
      g_autofree char *name = dup_name (exhibit);

      json_array_add_object_element (array, to_json (exhibit));
      fh_terminal_append_cell (text, name, 20);
      fh_terminal_append_cell (text, fh_guard_title (exhibit->guard), 16);
      g_string_append_printf (text, "%s\n", _ (exhibit->title));
    }
  return json ? fh_print_json (object, TRUE) : fh_print (text->str);
}

static gboolean
show (const FhExhibit *exhibit, gboolean json)
{
  g_autoptr (JsonObject) object = to_json (exhibit);
  g_autoptr (GError) error = NULL;
  g_autofree char *path = fh_exhibit_dup_path (exhibit);
  g_autoptr (GBytes) source = fh_input_file_read (path, FH_RUN_REQUEST_MAX_SOURCE, &error);
  g_autofree char *text = NULL;

  if (json)
    return fh_print_json (object, TRUE);
  if (source == NULL)
    {
      fh_message ("%s", error->message);
      return FALSE;
    }
  text = g_strdup_printf ("%s (%s, %u/3)\n\n%s\n%s\n%s\n\n",
                          _ (exhibit->title),
                          fh_guard_title (exhibit->guard),
                          exhibit->level,
                          _ (exhibit->shows),
                          _ (exhibit->lesson),
                          _ (exhibit->question));
  return fh_print (text) &&
         fh_print_bytes (1, g_bytes_get_data (source, NULL), g_bytes_get_size (source));
}

/* `more`: further options, NULL-terminated. */
static int
run (const FhExhibit *exhibit, const char *options, char **more)
{
  g_auto (GStrv) own = g_strsplit (options, " ", -1);
  g_autofree char *path = fh_exhibit_dup_path (exhibit);
  g_autoptr (GPtrArray) words = g_ptr_array_new ();

  g_ptr_array_add (words, (char *) g_get_prgname ());
  for (guint i = 0; own[i] != NULL; i++)
    g_ptr_array_add (words, own[i]);
  for (guint i = 0; more[i] != NULL; i++)
    g_ptr_array_add (words, more[i]);
  g_ptr_array_add (words, path);
  g_ptr_array_add (words, NULL);
  return fh_command_run ((int) words->len - 1, (char **) words->pdata);
}

static int
run_bare (const FhExhibit *exhibit, char **more)
{
  if (exhibit->without_guard != NULL)
    return run (exhibit, exhibit->without_guard, more);
  /* Translators: the title of a program, and a sentence that says why */
  fh_message (_ ("“%s” is only run with its guard. %s"),
              _ (exhibit->title),
              exhibit->only_guarded != NULL ? _ (exhibit->only_guarded)
                                            : _ ("Without it, there would be nothing to learn."));
  return FH_EXIT_FAILED;
}

static int
compare (const FhExhibit *exhibit)
{
  char *none[] = { NULL };

  if (exhibit->without_guard == NULL)
    return run_bare (exhibit, none);
  fh_message (_ ("With the guard “%s”:"), fh_guard_title (exhibit->guard));
  run (exhibit, exhibit->with_guard, none);
  fh_message (_ ("Without it:"));
  return run_bare (exhibit, none);
}

static gboolean
parse (char **argv, gboolean *json, GStrv *words, GError **error)
{
  const FhOptionHelp help = { N_ ("[list|show|run|bare|compare] [NAME] [OPTION…]"),
                              SUMMARY,
                              DESCRIPTION };
  const GOptionEntry entries[] = {
    { FH_SWITCH ("json", 0, json), N_ ("Print one JSON object") },
    { FH_FILES (G_OPTION_REMAINING, 0, words) },
    { NULL },
  };

  return fh_option_parse (&help, entries, NULL, argv, error);
}

static const FhExhibit *
find (const char *name, GError **error)
{
  const FhExhibit *exhibit = name != NULL ? fh_exhibit_lookup (name) : NULL;

  if (name == NULL)
    fh_run_error_refuse (error, "%s", _ ("The name of an exhibit is missing."));
  else if (exhibit == NULL)
    fh_run_error_refuse (error, _ ("There is no exhibit “%s”."), name);
  return exhibit;
}

static gboolean
is_run (const char *action)
{
  return g_strcmp0 (action, "run") == 0 || g_strcmp0 (action, "bare") == 0;
}

int
fh_command_exhibits (int argc, char **argv)
{
  const FhExhibit *exhibit = NULL;
  g_autoptr (GError) error = NULL;
  g_auto (GStrv) words = NULL;
  gboolean json = FALSE;
  const char *action;
  const char *name;

  /* “run” parses what follows these. */
  if (is_run (argc > 1 ? argv[1] : NULL))
    words = g_strdupv (argv + 1);
  else if (!parse (argv, &json, &words, &error))
    return fh_message_usage ("exhibits", error);
  action = words != NULL ? words[0] : "list";
  name = words != NULL ? words[1] : NULL;
  if (g_str_equal (action, "list") && name == NULL)
    return list (json) ? 0 : FH_EXIT_FAILED;
  if (is_run (action) || g_str_equal (action, "show") || g_str_equal (action, "compare"))
    exhibit = find (name, &error);
  else
    fh_run_error_refuse (&error, _ ("“%s” is not an action."), action);
  if (exhibit == NULL)
    return fh_message_usage ("exhibits", error);
  if (g_str_equal (action, "run"))
    return run (exhibit, exhibit->with_guard, words + 2);
  if (g_str_equal (action, "bare"))
    return run_bare (exhibit, words + 2);
  if (words[2] != NULL)
    {
      fh_run_error_refuse (&error, _ ("“%s” is one argument too many."), words[2]);
      return fh_message_usage ("exhibits", error);
    }
  if (g_str_equal (action, "compare"))
    return compare (exhibit);
  return show (exhibit, json) ? 0 : FH_EXIT_FAILED;
}
