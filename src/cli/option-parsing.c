/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "option-parsing.h"

#include <glib/gi18n-lib.h>
#include <string.h>

#include "run-error.h"
#include "run-language.h"
#include "suggestion.h"
#include "terminal.h"

/* A list behind the name of a value in --help has so many bytes in its first line, and the second
 * line begins below it. */
#define VALUE_WIDTH  88
#define VALUE_INDENT "         "

char *
fh_option_dup_languages (void)
{
  g_autofree char *ids = fh_language_dup_ids (", ");
  const char *cut = g_strrstr_len (ids, VALUE_WIDTH, ", ");

  return g_strdup_printf ("%.*s\n" VALUE_INDENT "%s", (int) (cut + 1 - ids), ids, cut + 2);
}

static gboolean
color_cb (const char *option, const char *value, gpointer data, GError **error)
{
  return fh_color_choose (value) ||
         fh_run_error_refuse (error, _ ("“%s” is not one of: auto, always, never."), value);
}

/* GOption has no list of its options but the help. */
static GStrv
dup_options (GOptionContext *context)
{
  g_autofree char *help = g_option_context_get_help (context, FALSE, NULL);
  g_autoptr (GStrvBuilder) builder = g_strv_builder_new ();

  for (const char *at = strstr (help, " --"); at != NULL; at = strstr (at + 1, " --"))
    {
      g_autofree char *option = g_strndup (at + 1, 1 + strcspn (at + 2, " =[,\n"));

      g_strv_builder_add (builder, option);
    }
  return g_strv_builder_end (builder);
}

/* The word behind "Unknown option ", in any language, is the last one. */
static void
explain_unknown (GOptionContext *context, GError **error)
{
  g_auto (GStrv) options = dup_options (context);
  g_autofree char *word = NULL;
  const char *start = strstr ((*error)->message, "--");
  const char *meant;

  if (start == NULL)
    return;
  word = g_strndup (start, strcspn (start, " ="));
  meant = fh_suggestion_find (word, (const char *const *) options);
  g_free ((*error)->message);
  (*error)->message =
      meant != NULL ? g_strdup_printf (_ ("There is no option %s. Did you mean %s?"), word, meant)
                    : g_strdup_printf (_ ("There is no option %s."), word);
}

/* GOption's own messages are sentences without a full stop. */
static void
end_sentence (GError *error)
{
  char *message = error->message;

  if (g_str_has_suffix (message, ".") || g_str_has_suffix (message, "?"))
    return;
  error->message = g_strconcat (message, ".", NULL);
  g_free (message);
}

gboolean
fh_option_parse (const FhOptionHelp *help,
                 const GOptionEntry *entries,
                 GOptionGroup *const *groups,
                 char **argv,
                 GError **error)
{
  const GOptionEntry common[] = {
    { "color",
      0,
      0,
      G_OPTION_ARG_CALLBACK,
      color_cb,
      N_ ("Use colors: auto, always or never (default: auto)"),
      N_ ("WHEN") },
    { NULL },
  };
  const char *usage = help->usage != NULL ? _ (help->usage) : NULL;
  g_autoptr (GOptionContext) context = g_option_context_new (usage);
  g_auto (GStrv) words = g_strdupv (argv);
  GError *problem = NULL;
  gboolean is_parsed;

  if (groups != NULL)
    g_option_context_set_main_group (context, groups[0]);
  for (guint i = 1; groups != NULL && groups[i] != NULL; i++)
    g_option_context_add_group (context, groups[i]);
  g_option_context_add_main_entries (context, entries, GETTEXT_PACKAGE);
  g_option_context_add_main_entries (context, common, GETTEXT_PACKAGE);
  g_option_context_set_summary (context, _ (help->summary));
  g_option_context_set_description (context, _ (help->description));
  is_parsed = g_option_context_parse_strv (context, &words, &problem);
  if (g_error_matches (problem, G_OPTION_ERROR, G_OPTION_ERROR_UNKNOWN_OPTION))
    explain_unknown (context, &problem);
  if (problem != NULL && problem->domain == G_OPTION_ERROR)
    end_sentence (problem);
  if (problem != NULL)
    g_propagate_error (error, problem);
  return is_parsed;
}
