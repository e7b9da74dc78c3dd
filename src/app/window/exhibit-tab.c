/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "window/exhibit-tab.h"

#include <string.h>

void
fh_exhibit_tab_show (FhTab *page, const FhExhibit *exhibit)
{
  g_autofree char *path =
      g_strconcat ("/io/github/fumehood/Fumehood/exhibits/", exhibit->file_name, NULL);
  g_autoptr (GBytes) bytes = g_resources_lookup_data (path, G_RESOURCE_LOOKUP_FLAGS_NONE, NULL);
  g_autoptr (GString) text = NULL;
  const char *line, *end;

  g_return_if_fail (FH_IS_TAB (page));
  g_return_if_fail (bytes != NULL);

  text = g_string_new_len (g_bytes_get_data (bytes, NULL), (gssize) g_bytes_get_size (bytes));
  /* The line of the license is not a part of what is shown. */
  line = strstr (text->str, "# SPDX-License-Identifier:");
  end = line != NULL ? strchr (line, '\n') : NULL;
  if (end != NULL)
    g_string_erase (text, line - text->str, end + 1 - line);
  fh_tab_set_exhibit (page, exhibit, text->str, fh_language_guess (exhibit->file_name, text->str));
}

void
fh_exhibit_tab_open (FhTab *page, const FhExhibit *exhibit)
{
  g_autoptr (FhRunOptions) options = NULL;

  g_return_if_fail (FH_IS_TAB (page) && exhibit != NULL);

  fh_exhibit_tab_show (page, exhibit);
  options = fh_exhibit_dup_options (exhibit, FALSE);
  fh_options_set_values (fh_tab_get_options (page), options);
}

void
fh_exhibit_tab_run (FhTab *page, const FhExhibit *exhibit, gboolean compare)
{
  g_autoptr (FhRunOptions) options = NULL;
  g_autoptr (FhRunOptions) bare = NULL;

  g_return_if_fail (FH_IS_TAB (page));
  g_return_if_fail (exhibit != NULL);
  g_return_if_fail (!compare || exhibit->without_guard != NULL);

  fh_exhibit_tab_show (page, exhibit);
  options = fh_exhibit_dup_options (exhibit, FALSE);
  if (compare)
    {
      bare = fh_exhibit_dup_options (exhibit, TRUE);
      /* As the options of a tab do; it is no difference of interest. */
      bare->guards.report_lines = TRUE;
    }
  fh_tab_run_with (page, options, bare);
}
