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

/* The text without its license line. */
static char *
dup_code (GBytes *bytes)
{
  gsize size;
  const char *data = g_bytes_get_data (bytes, &size);
  g_autoptr (GString) text = g_string_new_len (data, (gssize) size);
  const char *line = strstr (text->str, "# SPDX-License-Identifier:");
  const char *end = line != NULL ? strchr (line, '\n') : NULL;

  if (end != NULL)
    g_string_erase (text, line - text->str, end + 1 - line);
  return g_string_free (g_steal_pointer (&text), FALSE);
}

void
fh_examples_show (FhSnippetPage *page, const FhExample *example)
{
  g_autofree char *path = NULL;
  g_autoptr (GBytes) bytes = NULL;
  g_autofree char *text = NULL;

  g_return_if_fail (FH_IS_SNIPPET_PAGE (page));
  g_return_if_fail (example != NULL && example->file_name != NULL);

  path = g_strconcat ("/io/github/fumehood/Fumehood/examples/", example->file_name, NULL);
  bytes = g_resources_lookup_data (path, G_RESOURCE_LOOKUP_FLAGS_NONE, NULL);
  g_return_if_fail (bytes != NULL);

  text = dup_code (bytes);
  fh_snippet_page_set_example (page,
                               text,
                               _ (example->title),
                               fh_language_guess (example->file_name, text));
}
