/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "window/examples.h"

#include <glib/gi18n.h>
#include <string.h>

static const FhExample examples[] = {
  { "first-run.py", N_ ("A First Run") },
  { "curious-code.py", N_ ("Curious Code") },
  { "what-is-guarded.py", N_ ("What Is Guarded") },
  { "progress.py", N_ ("Colors and a Progress Bar") },
  { "input.py", N_ ("Reading Standard Input") },
  { "surroundings.sh", N_ ("A Look Around") },
  { NULL },
};

const FhExample *
fh_examples_list (void)
{
  return examples;
}

const FhExample *
fh_examples_lookup (const char *file_name)
{
  g_return_val_if_fail (file_name != NULL, NULL);

  for (const FhExample *example = examples; example->file_name != NULL; example++)
    {
      if (g_str_equal (example->file_name, file_name))
        return example;
    }
  return NULL;
}

void
fh_examples_fill_menu (GMenu *menu)
{
  g_return_if_fail (G_IS_MENU (menu));

  for (const FhExample *example = examples; example->file_name != NULL; example++)
    {
      g_autofree char *action = g_strconcat ("win.example::", example->file_name, NULL);

      g_menu_append (menu, _ (example->title), action);
    }
}

/* Shows the text of a resource without its license line. */
static void
show (FhSnippetPage *page, const char *folder, const char *file_name, const char *title)
{
  g_autofree char *path =
      g_strconcat ("/io/github/fumehood/Fumehood/", folder, "/", file_name, NULL);
  g_autoptr (GBytes) bytes = g_resources_lookup_data (path, G_RESOURCE_LOOKUP_FLAGS_NONE, NULL);
  g_autoptr (GString) text = NULL;
  const char *line, *end;

  g_return_if_fail (bytes != NULL);

  text = g_string_new_len (g_bytes_get_data (bytes, NULL), (gssize) g_bytes_get_size (bytes));
  line = strstr (text->str, "# SPDX-License-Identifier:");
  end = line != NULL ? strchr (line, '\n') : NULL;
  if (end != NULL)
    g_string_erase (text, line - text->str, end + 1 - line);
  fh_snippet_page_set_example (page, text->str, title, fh_language_guess (file_name, text->str));
}

void
fh_examples_show (FhSnippetPage *page, const FhExample *example)
{
  g_return_if_fail (FH_IS_SNIPPET_PAGE (page));
  g_return_if_fail (example != NULL && example->file_name != NULL);

  show (page, "examples", example->file_name, _ (example->title));
}

void
fh_examples_run_exhibit (FhSnippetPage *page, const FhExhibit *exhibit, gboolean compare)
{
  g_autoptr (FhRunOptions) options = NULL;
  g_autoptr (FhRunOptions) bare = NULL;

  g_return_if_fail (FH_IS_SNIPPET_PAGE (page));
  g_return_if_fail (exhibit != NULL);
  g_return_if_fail (!compare || exhibit->without_guard != NULL);

  show (page, "exhibits", exhibit->file_name, _ (exhibit->title));
  options = fh_exhibit_dup_options (exhibit, FALSE);
  if (compare)
    {
      bare = fh_exhibit_dup_options (exhibit, TRUE);
      /* As the options of a tab do; it is no difference of interest. */
      bare->guards.report_lines = TRUE;
    }
  fh_snippet_page_run_with (page, options, bare);
}
