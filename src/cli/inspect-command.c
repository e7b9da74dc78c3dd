/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include <glib/gi18n-lib.h>
#include <string.h>

#include "code-look.h"
#include "command-flags.h"
#include "command.h"
#include "input-file.h"
#include "json-output.h"
#include "message.h"
#include "option-parsing.h"
#include "run-error.h"
#include "sync-wait.h"
#include "terminal-text.h"

#define SUMMARY                                                                                    \
  N_ ("Shows what FILE, or standard input if it is “-”, would do, without running it.")

#define DESCRIPTION                                                                                \
  N_ ("Lists by line what modules reach, calls that are worth a look, packages that would be\n"    \
      "installed, and signs that code is meant to be hard to read. FILE can also be a model's\n"   \
      "whole answer, which is Markdown: then each of its code blocks is looked at.\n"              \
      "\n"                                                                                         \
      "Python, sh and bash are parsed, in a sandbox; of other languages only what can be seen\n"   \
      "in any text. This informs and does not decide: code can do what is not seen here.\n"        \
      "\n"                                                                                         \
      "Values:\n"                                                                                  \
      "  LANG   %s\n"                                                                              \
      "\n"                                                                                         \
      "Exit status:\n"                                                                             \
      "  0  the code was looked at, whatever was found\n"                                          \
      "  1  it could not be: the reason is on standard error\n"                                    \
      "  2  wrong usage")

/* The wishes of the command line. */
typedef struct
{
  gboolean json;
  char *language; /* nullable */
  char *file;
  FhCommandFlags *flags;
} Choice;

static void
choice_clear (Choice *choice)
{
  g_free (choice->language);
  g_free (choice->file);
  fh_command_flags_free (choice->flags);
}

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (Choice, choice_clear)

static gboolean
check_choice (Choice *choice, GStrv files, GError **error)
{
  choice->file = files != NULL && files[0] != NULL ? g_strdup (files[0])
                                                   : fh_command_flags_take_word (choice->flags);
  if (choice->file == NULL || (files != NULL && files[0] != NULL && files[1] != NULL))
    return fh_run_error_refuse (error,
                                "%s",
                                _ ("Name one file to look at, or “-” for standard input."));
  if (choice->language != NULL && fh_language_lookup (choice->language) == NULL)
    {
      g_autofree char *ids = fh_language_dup_ids (", ");

      return fh_run_error_refuse (
          error,
          _ ("“%s” is not a language that Fumehood can run. Choose one of: %s."),
          choice->language,
          ids);
    }
  return fh_command_flags_finish (choice->flags, error);
}

static gboolean
parse (char **argv, Choice *choice, GError **error)
{
  g_autofree char *languages = fh_option_dup_languages ();
  g_autofree char *description = g_strdup_printf (_ (DESCRIPTION), languages);
  const FhOptionHelp help = { N_ ("FILE|-"), SUMMARY, description };
  g_auto (GStrv) files = NULL;
  const GOptionEntry entries[] = {
    { FH_TEXT ("language", 'l', &choice->language),
      N_ ("Language of the program (default: by its name and text)"),
      N_ ("LANG") },
    { FH_SWITCH ("json", 0, &choice->json), N_ ("Print one JSON object") },
    { FH_FILES (G_OPTION_REMAINING, 0, &files) },
    { NULL },
  };

  return fh_command_flags_parse (choice->flags, FALSE, &help, entries, argv, error) &&
         check_choice (choice, files, error);
}

/* The blocks of an answer, or the program as the only one. (transfer full) */
static GPtrArray *
read_blocks (const Choice *choice, GError **error)
{
  gboolean is_notebook;
  g_autoptr (GBytes) source =
      fh_input_file_read_program (choice->file, FH_CODE_LOOK_MAX, &is_notebook, error);
  const char *name = g_str_equal (choice->file, "-") ? NULL : choice->file;
  const FhLanguage *language;
  g_autofree char *text = NULL;
  GPtrArray *blocks;
  const char *data;
  gsize size;

  if (source == NULL)
    return NULL;
  data = g_bytes_get_data (source, &size);
  if (size > 0 && memchr (data, '\0', size) != NULL)
    {
      fh_run_error_refuse (error,
                           _ ("“%s” is not a program: it contains a NUL byte."),
                           choice->file);
      return NULL;
    }
  text = g_strndup (size > 0 ? data : "", size);
  blocks = choice->language == NULL && !is_notebook ? fh_answer_parse (name, text, FALSE) : NULL;
  if (blocks != NULL)
    return blocks;
  language = choice->language != NULL ? fh_language_lookup (choice->language)
             : is_notebook            ? fh_language_lookup ("python")
                                      : fh_language_guess (name, text);
  blocks = g_ptr_array_new_with_free_func ((GDestroyNotify) fh_answer_block_free);
  g_ptr_array_add (
      blocks,
      fh_answer_block_new (language != NULL ? language : fh_language_lookup ("python"), text));
  return blocks;
}

/* (transfer full) */
static JsonObject *
to_json (GPtrArray *blocks, GPtrArray *looks)
{
  JsonObject *object = json_object_new ();
  JsonArray *told = json_array_new ();

  json_object_set_array_member (object, "blocks", told);
  for (guint i = 0; i < looks->len; i++)
    {
      const FhAnswerBlock *block = blocks->pdata[i];
      g_autofree char *summary = fh_code_look_dup_summary (looks->pdata[i]);
      JsonObject *look = fh_code_look_to_json (looks->pdata[i]);

      json_object_set_int_member (look, "line", block->line);
      fh_json_set_text (look, "word", block->word);
      fh_json_set_text (look, "language", block->language != NULL ? block->language->id : NULL);
      fh_json_set_text (look, "file_name", block->file_name);
      fh_json_set_text (look, "summary", summary);
      json_array_add_object_element (told, look);
    }
  return object;
}

static void
append_place (GString *text, const FhAnswerBlock *block, guint index)
{
  g_autofree char *word =
      fh_terminal_line (block->language != NULL ? block->language->name : block->word);

  /* Translators: the number of a code block, its first line, and its language. */
  g_string_append_printf (text, _ ("Block %u, line %u: %s"), index + 1, block->line, word);
  g_string_append_c (text, '\n');
}

/* (transfer full) */
static char *
to_text (GPtrArray *blocks, GPtrArray *looks)
{
  GString *text = g_string_new (NULL);

  for (guint i = 0; i < looks->len; i++)
    {
      g_autofree char *found = fh_code_look_dup_text (looks->pdata[i]);

      if (looks->len > 1)
        append_place (text, blocks->pdata[i], i);
      g_string_append_printf (text, "%s\n", found);
    }
  if (looks->len == 0)
    g_string_append_printf (text, "%s\n\n", _ ("There is no code in this answer."));
  g_string_append (text, _ ("Nothing of it was run. Code can do what is not seen here."));
  g_string_append_c (text, '\n');
  return g_string_free (text, FALSE);
}

static gboolean
print_looks (const Choice *choice, GPtrArray *blocks, GPtrArray *looks)
{
  g_autoptr (JsonObject) object = choice->json ? to_json (blocks, looks) : NULL;
  g_autofree char *text = choice->json ? NULL : to_text (blocks, looks);

  return object != NULL ? fh_print_json (object, TRUE) : fh_print (text);
}

/* A block that could not be looked at is told with the others. */
static gboolean
saw_all (GPtrArray *looks)
{
  for (guint i = 0; i < looks->len; i++)
    {
      if (((const FhCodeLook *) looks->pdata[i])->depth == FH_LOOK_FAILED)
        return FALSE;
    }
  return TRUE;
}

int
fh_command_inspect (int argc, char **argv)
{
  g_auto (Choice) choice = { .flags = fh_command_flags_new () };
  g_autoptr (FhSyncWait) wait = fh_sync_wait_new ();
  g_autoptr (GPtrArray) blocks = NULL;
  g_autoptr (GPtrArray) looks = NULL;
  g_autoptr (GError) error = NULL;

  if (!parse (argv, &choice, &error))
    return fh_message_usage ("inspect", error);
  blocks = read_blocks (&choice, &error);
  if (blocks != NULL)
    {
      fh_code_look_async (blocks, choice.flags->options, NULL, fh_sync_wait_cb, wait);
      looks = fh_code_look_finish (fh_sync_wait_get (wait), &error);
    }
  if (looks == NULL)
    {
      fh_message ("%s", error->message);
      return FH_EXIT_FAILED;
    }
  if (!print_looks (&choice, blocks, looks))
    return FH_EXIT_FAILED;
  if (saw_all (looks))
    return 0;
  fh_message ("%s", _ ("Not all of the code could be looked at."));
  return FH_EXIT_FAILED;
}
