/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "output/output-sources.h"

typedef struct
{
  char *file_name;
  guint number;
} Source;

static void
free_source (gpointer data)
{
  Source *source = data;

  g_free (source->file_name);
  g_free (source);
}

GPtrArray *
fh_output_sources_new (void)
{
  return g_ptr_array_new_with_free_func (free_source);
}

const char *
fh_output_sources_get_file_name (GPtrArray *sources, guint index)
{
  g_return_val_if_fail (sources != NULL && index < sources->len, NULL);

  return ((const Source *) sources->pdata[index])->file_name;
}

void
fh_output_sources_add (GPtrArray *sources, const char *file_name, guint number)
{
  Source *source;

  g_return_if_fail (sources != NULL);
  g_return_if_fail (file_name != NULL && *file_name != '\0');

  for (guint i = 0; i < sources->len; i++)
    {
      if (g_str_equal (fh_output_sources_get_file_name (sources, i), file_name))
        return;
    }
  if (sources->len >= FH_OUTPUT_SOURCES_MAX)
    return;
  source = g_new (Source, 1);
  source->file_name = g_strdup (file_name);
  source->number = number;
  g_ptr_array_add (sources, source);
}

gboolean
fh_output_sources_find (GPtrArray *sources, const char *line, gsize size, FhSourcePlace *place)
{
  g_return_val_if_fail (sources != NULL, FALSE);

  for (guint i = 0; i < sources->len; i++)
    {
      const Source *source = sources->pdata[i];

      if (!fh_traceback_find (line, size, source->file_name, place))
        continue;
      if (place->cell == 0)
        place->cell = source->number;
      return TRUE;
    }
  return FALSE;
}
