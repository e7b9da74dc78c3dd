/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include <glib/gi18n-lib.h>
#include <json-glib/json-glib.h>

#include "backend.h"
#include "command-flags.h"
#include "command.h"
#include "json-output.h"
#include "message.h"
#include "option-parsing.h"
#include "run-error.h"
#include "run-result.h"
#include "sync-wait.h"
#include "terminal-text.h"

#define SUMMARY N_ ("Shows what protects you on this computer when code is run.")

#define DESCRIPTION                                                                                \
  N_ ("Each guard is set up for a test and listed with its state:\n"                               \
      "  active       it works\n"                                                                  \
      "  degraded     it works, but not as well as it could: the text says why\n"                  \
      "  unavailable  it does not work here: the text says why\n"                                  \
      "  off          it was not requested\n"                                                      \
      "\n"                                                                                         \
      "With --container these are the guards of a container, with the options that\n"              \
      "--help-container lists. The image is not pulled for this.\n"                                \
      "\n"                                                                                         \
      "Exit status:\n"                                                                             \
      "  0  code can be run here\n"                                                                \
      "  1  nothing can be run here\n"                                                             \
      "  2  wrong usage")

/* The wishes of the command line. */
typedef struct
{
  gboolean json;
  FhCommandFlags *flags;
  FhTier tier;
  const FhContainerOptions *container; /* NULL: on this computer */
} Choice;

static void
choice_clear (Choice *choice)
{
  fh_command_flags_free (choice->flags);
}

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (Choice, choice_clear)

static FhBackendProbe *
probe (const Choice *choice, GError **error)
{
  g_autoptr (FhBackend) backend = fh_backend_new (choice->tier, choice->container);
  g_autoptr (FhSyncWait) wait = fh_sync_wait_new ();

  fh_backend_probe_async (backend, NULL, fh_sync_wait_cb, wait);
  return fh_backend_probe_finish (backend, fh_sync_wait_get (wait), error);
}

static char *
to_json (const Choice *choice, const FhBackendProbe *found)
{
  const FhContainerOptions *container = choice->container;
  g_autoptr (JsonObject) object = json_object_new ();

  json_object_set_boolean_member (object, "may_run", found->may_run);
  json_object_set_string_member (object, "backend", container != NULL ? "container" : "native");
  fh_json_set_text (object,
                    "image",
                    container != NULL ? fh_container_options_image (container) : NULL);
  json_object_set_string_member (object, "tier", found->tier);
  fh_json_set_text (object, "reason", found->reason);
  fh_json_set_text (object, "advice", found->advice);
  json_object_set_array_member (object, "guards", fh_guard_states_to_json (found->guards));
  return fh_json_object_to_text (object, TRUE);
}

static char *
level_name (FhGuardLevel level)
{
  switch (level)
    {
    case FH_GUARD_LEVEL_ACTIVE:
      return _ ("active");
    case FH_GUARD_LEVEL_DEGRADED:
      return _ ("degraded");
    case FH_GUARD_LEVEL_UNAVAILABLE:
      return _ ("unavailable");
    case FH_GUARD_LEVEL_OFF:
    default:
      return _ ("off");
    }
}

static FhColor
level_color (FhGuardLevel level)
{
  return level == FH_GUARD_LEVEL_ACTIVE     ? FH_COLOR_GOOD
         : level == FH_GUARD_LEVEL_DEGRADED ? FH_COLOR_WARNING
                                            : FH_COLOR_BAD;
}

#define TITLE_WIDTH 15
#define LEVEL_WIDTH 13
#define INDENT      (2 + TITLE_WIDTH + LEVEL_WIDTH)
/* Longer lines are hard to read. */
#define WIDEST_LINE 100

/* Wraps the text from column INDENT on; ends with a newline. */
static void
append_paragraph (GString *text, const char *paragraph)
{
  g_auto (GStrv) words = g_strsplit (paragraph, " ", -1);
  glong column = INDENT;
  glong line = MIN (fh_terminal_width (STDOUT_FILENO), WIDEST_LINE);

  for (guint i = 0; words[i] != NULL; i++)
    {
      glong width = g_utf8_strlen (words[i], -1);

      if (i > 0 && column + 1 + width > line)
        {
          g_string_append_c (text, '\n');
          fh_terminal_append_cell (text, "", INDENT);
          column = INDENT;
        }
      else if (i > 0)
        {
          g_string_append_c (text, ' ');
          column++;
        }
      g_string_append (text, words[i]);
      column += width;
    }
  g_string_append_c (text, '\n');
}

static void
append_guard (GString *text, FhGuardState *state)
{
  const char *layers = fh_guard_state_get_facts (state)->layers;
  FhGuardLevel level = fh_guard_state_get_facts (state)->level;

  g_string_append (text, "\n  ");
  fh_terminal_append_cell (text,
                           fh_guard_title (fh_guard_state_get_facts (state)->guard),
                           TITLE_WIDTH);
  g_string_append (text, fh_color_begin (level_color (level), STDOUT_FILENO));
  fh_terminal_append_cell (text, level_name (level), LEVEL_WIDTH);
  g_string_append (text, fh_color_end (STDOUT_FILENO));
  append_paragraph (text, fh_guard_state_get_facts (state)->sentence);
  if (*layers != '\0')
    {
      g_autofree char *in_brackets = g_strconcat ("(", layers, ")", NULL);

      fh_terminal_append_cell (text, "", INDENT);
      append_paragraph (text, in_brackets);
    }
}

static void
append_reason (GString *text, const FhBackendProbe *found)
{
  if (found->reason != NULL)
    g_string_append_printf (text, "%s\n", found->reason);
  if (found->advice != NULL)
    g_string_append_printf (text, "%s\n", found->advice);
}

/* The one thing that a guard's own sentence cannot say: what runs have in common. */
static void
append_batches (GString *text)
{
  g_string_append (text, "\n  ");
  fh_terminal_append_cell (text, _ ("Batches"), TITLE_WIDTH + LEVEL_WIDTH);
  append_paragraph (text,
                    _ ("The Python programs of a batch are copies of an interpreter that is kept "
                       "warm. Each has guards of its own, but all share the layout of memory, the "
                       "seed of hashes, the modules that were imported ahead, and read-only files. "
                       "With --cold, each starts its own. Modules named by --preload are imported "
                       "without a network and your files, but with fewer guards than a program "
                       "has: name those that you trust."));
}

static char *
to_text (const FhBackendProbe *found)
{
  GString *text =
      g_string_new (found->may_run ? _ ("Code can be run here.") : _ ("Nothing can be run here."));
  FhTier tier;

  g_string_append_c (text, '\n');
  if (found->may_run && fh_tier_from_string (found->tier, &tier))
    /* Translators: how the sandbox is built, and the name of that: "No protection (tier none)" */
    g_string_append_printf (text, _ ("%s (tier %s)"), fh_tier_title (tier), found->tier);
  if (found->may_run)
    g_string_append_c (text, '\n');
  /* Weak guards have a sentence of their own; why no better tier works is said here. */
  if (!fh_tier_from_string (found->tier, &tier) ||
      (tier != FH_TIER_NAMESPACES && tier != FH_TIER_CONTAINER))
    append_reason (text, found);
  for (guint i = 0; i < found->guards->len; i++)
    append_guard (text, g_ptr_array_index (found->guards, i));
  if (found->may_run && tier == FH_TIER_NAMESPACES)
    append_batches (text);
  return g_string_free (text, FALSE);
}

static gboolean
parse (char **argv, Choice *choice, GError **error)
{
  const FhOptionHelp help = { NULL, SUMMARY, DESCRIPTION };
  g_auto (GStrv) words = NULL;
  const GOptionEntry entries[] = {
    { FH_SWITCH ("json", 0, &choice->json), N_ ("Print one JSON object") },
    { FH_FILES (G_OPTION_REMAINING, 0, &words) },
    { NULL },
  };

  if (!fh_command_flags_parse (choice->flags, FALSE, &help, entries, argv, error))
    return FALSE;
  if (words != NULL)
    return fh_run_error_refuse (error, "%s", _ ("This command takes no arguments."));
  if (!fh_command_flags_finish (choice->flags, error))
    return FALSE;
  choice->tier = choice->flags->options->guards.tier;
  choice->container = fh_command_flags_get_container (choice->flags);
  return TRUE;
}

int
fh_command_guards (int argc, char **argv)
{
  g_auto (Choice) choice = { .flags = fh_command_flags_new () };
  g_autoptr (FhBackendProbe) found = NULL;
  g_autoptr (GError) error = NULL;
  g_autofree char *text = NULL;

  if (!parse (argv, &choice, &error))
    return fh_message_usage ("guards", error);
  found = probe (&choice, &error);
  if (found == NULL)
    {
      found = g_new0 (FhBackendProbe, 1);
      found->tier = g_strdup ("");
      found->reason = g_strdup (error->message);
      found->guards = g_ptr_array_new_with_free_func (g_object_unref);
    }
  text = choice.json ? to_json (&choice, found) : to_text (found);
  if (!fh_print (text) || !found->may_run)
    return FH_EXIT_FAILED;
  return 0;
}
