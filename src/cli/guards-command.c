/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include <glib/gi18n-lib.h>
#include <json-glib/json-glib.h>

#include "awaited.h"
#include "command.h"
#include "container-backend.h"
#include "container-choice.h"
#include "guard-options.h"
#include "json-text.h"
#include "message.h"
#include "native-backend.h"
#include "run-error.h"
#include "run-result-json.h"

#define SUMMARY N_ ("Tells what protects you here when code is run.")

#define DESCRIPTION                                                                                \
  N_ ("Every guard is really set up once, around nothing, and listed with its state:\n"            \
      "  active       it works\n"                                                                  \
      "  degraded     it works, but less well than it could: the sentence says why\n"              \
      "  unavailable  it does not work here: the sentence says why\n"                              \
      "  off          nobody asked for it\n"                                                       \
      "\n"                                                                                         \
      "With --container it is what protects you in a container of this image, with the options\n"  \
      "that --help-container tells; no image is pulled for that.\n"                                \
      "\n"                                                                                         \
      "Exit status: 0 when code can be run here, 1 when nothing may run, 2 when the command\n"     \
      "line makes no sense.")

/* What the command line asks for. */
typedef struct
{
  gboolean json;
  FhTier tier;
  FhContainerChoice container;
} Choice;

static void
choice_clear (Choice *choice)
{
  fh_container_choice_clear (&choice->container);
}

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (Choice, choice_clear)

static FhBackend *
choose_backend (const Choice *choice)
{
  FhNativeBackend *backend;

  if (choice->container.options != NULL)
    return FH_BACKEND (fh_container_backend_new (choice->container.options));
  backend = fh_native_backend_new ();
  fh_native_backend_set_probed_tier (backend, choice->tier);
  return FH_BACKEND (backend);
}

static FhBackendProbe *
probe (const Choice *choice, GError **error)
{
  g_autoptr (FhBackend) backend = choose_backend (choice);
  g_autoptr (FhAwaited) awaited = fh_awaited_new ();

  fh_backend_probe_async (backend, NULL, fh_awaited_cb, awaited);
  return fh_backend_probe_finish (backend, fh_awaited_get (awaited), error);
}

static void
set_text (JsonObject *object, const char *name, const char *text)
{
  if (text != NULL)
    json_object_set_string_member (object, name, text);
  else
    json_object_set_null_member (object, name);
}

static char *
to_json (const Choice *choice, const FhBackendProbe *found)
{
  const FhContainerOptions *container = choice->container.options;
  g_autoptr (JsonObject) object = json_object_new ();
  g_autoptr (JsonNode) node = json_node_new (JSON_NODE_OBJECT);
  g_autofree char *text = NULL;

  json_object_set_boolean_member (object, "may_run", found->may_run);
  json_object_set_string_member (object, "backend", container != NULL ? "container" : "native");
  set_text (object, "image", container != NULL ? fh_container_options_image (container) : NULL);
  json_object_set_string_member (object, "tier", found->tier);
  set_text (object, "reason", found->reason);
  set_text (object, "advice", found->advice);
  json_object_set_array_member (object, "guards", fh_guard_states_to_json (found->guards));
  json_node_set_object (node, object);
  text = fh_json_to_text (node, TRUE);
  return g_strconcat (text, "\n", NULL);
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

#define TITLE_WIDTH 14
#define LEVEL_WIDTH 13
#define INDENT      (2 + TITLE_WIDTH + LEVEL_WIDTH)
#define LINE_WIDTH  80

/* A word in a column of `width` characters, which are not bytes in every language. */
static void
append_cell (GString *text, const char *word, int width)
{
  g_string_append (text, word);
  for (glong i = g_utf8_strlen (word, -1); i < width; i++)
    g_string_append_c (text, ' ');
}

/* Words that follow one another from column INDENT on; ends with a newline. */
static void
append_paragraph (GString *text, const char *paragraph)
{
  g_auto (GStrv) words = g_strsplit (paragraph, " ", -1);
  glong column = INDENT;

  for (guint i = 0; words[i] != NULL; i++)
    {
      glong width = g_utf8_strlen (words[i], -1);

      if (i > 0 && column + 1 + width > LINE_WIDTH)
        {
          g_string_append_c (text, '\n');
          append_cell (text, "", INDENT);
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
  const char *layers = fh_guard_state_get_layers (state);

  g_string_append (text, "\n  ");
  append_cell (text, fh_guard_state_get_title (state), TITLE_WIDTH);
  append_cell (text, level_name (fh_guard_state_get_level (state)), LEVEL_WIDTH);
  append_paragraph (text, fh_guard_state_get_sentence (state));
  if (*layers != '\0')
    {
      g_autofree char *in_brackets = g_strconcat ("(", layers, ")", NULL);

      append_cell (text, "", INDENT);
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

static char *
to_text (const FhBackendProbe *found)
{
  GString *text =
      g_string_new (found->may_run ? _ ("Code can be run here.") : _ ("Nothing may be run here."));
  FhTier tier;

  g_string_append_c (text, '\n');
  if (found->may_run && fh_tier_from_string (found->tier, &tier))
    /* Translators: how the sandbox is built, and the name of that: "No protection (tier none)" */
    g_string_append_printf (text, _ ("%s (tier %s)"), fh_tier_title (tier), found->tier);
  if (found->may_run)
    g_string_append_c (text, '\n');
  /* What is weaker than usual is said with its guard; why nothing better works here, is not. */
  if (!fh_tier_from_string (found->tier, &tier) ||
      (tier != FH_TIER_NAMESPACES && tier != FH_TIER_CONTAINER))
    append_reason (text, found);
  for (guint i = 0; i < found->guards->len; i++)
    append_guard (text, g_ptr_array_index (found->guards, i));
  return g_string_free (text, FALSE);
}

static gboolean
interpret (Choice *choice, char *tier, char **words, GError **error)
{
  FhGuardOptions guards = { .tier = tier };

  fh_container_choice_take_word (&choice->container, words, 0);
  if (words != NULL && words[0] != NULL)
    {
      g_set_error_literal (error,
                           FH_RUN_ERROR,
                           FH_RUN_ERROR_INVALID,
                           _ ("There is nothing to name here."));
      return FALSE;
    }
  return (tier == NULL || fh_guard_options_parse_tier (tier, &choice->tier, error)) &&
         fh_container_choice_finish (&choice->container, &guards, error);
}

static gboolean
parse (char **argv, Choice *choice, GError **error)
{
  g_autofree char *tier = NULL;
  g_auto (GStrv) words = g_strdupv (argv);
  g_auto (GStrv) left = NULL;
  const GOptionEntry entries[] = {
    { "json", 0, 0, G_OPTION_ARG_NONE, &choice->json, N_ ("Print one JSON object"), NULL },
    { "tier",
      0,
      0,
      G_OPTION_ARG_STRING,
      &tier,
      N_ ("Only try this kind of sandbox: A, A2 or B (default: the best)"),
      N_ ("TIER") },
    { G_OPTION_REMAINING, 0, 0, G_OPTION_ARG_STRING_ARRAY, &left, NULL, NULL },
    { NULL },
  };
  g_autoptr (GOptionContext) context = g_option_context_new (NULL);

  g_option_context_add_main_entries (context, entries, GETTEXT_PACKAGE);
  fh_container_choice_add (&choice->container, context);
  g_option_context_set_summary (context, _ (SUMMARY));
  g_option_context_set_description (context, _ (DESCRIPTION));
  fh_container_choice_mark_words (words);
  return g_option_context_parse_strv (context, &words, error) &&
         interpret (choice, tier, left, error);
}

int
fh_command_guards (int argc, char **argv)
{
  g_auto (Choice) choice = { .tier = FH_TIER_AUTO };
  g_autoptr (FhBackendProbe) found = NULL;
  g_autoptr (GError) error = NULL;
  g_autofree char *text = NULL;

  if (!parse (argv, &choice, &error))
    {
      fh_message (_ ("%s Try “fumehoodctl guards --help”."), error->message);
      return FH_EXIT_USAGE;
    }
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
