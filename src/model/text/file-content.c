/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "file-content.h"

#include <string.h>

#include "readable-text.h"
#include "text-lines.h"

#define MAX_TEXT     ((gsize) 512 << 10)
#define MAX_LINES    5000
#define MAX_CELL     200
#define SNIFFED      ((gsize) 8 << 10)
#define TAB          "        "
#define N_SEPARATORS 3

static const char *const pictures[] = { ".png", ".jpg", ".jpeg", ".gif", ".webp", ".svg" };
static const char *const tables[] = { ".csv", ".tsv" };

static gboolean
ends_with_one (const char *path, const char *const *endings, gsize n)
{
  g_autofree char *lower = g_ascii_strdown (path, -1);

  for (gsize i = 0; i < n; i++)
    if (g_str_has_suffix (lower, endings[i]))
      return TRUE;
  return FALSE;
}

FhFileContentKind
fh_file_content_kind (const char *path, GBytes *content)
{
  gsize size;
  const char *data = g_bytes_get_data (content, &size);

  if (ends_with_one (path, pictures, G_N_ELEMENTS (pictures)))
    return FH_FILE_CONTENT_PICTURE;
  size = MIN (size, SNIFFED);
  if (size > 0 && memchr (data, '\0', size) != NULL)
    return FH_FILE_CONTENT_OTHER;
  if (size >= 5 && memcmp (data, "%PDF-", 5) == 0)
    return FH_FILE_CONTENT_OTHER;
  return ends_with_one (path, tables, G_N_ELEMENTS (tables)) ? FH_FILE_CONTENT_TABLE
                                                             : FH_FILE_CONTENT_TEXT;
}

/* Cut behind a whole character, so that no half of one is shown as damaged. */
static gsize
cut_length (const char *data, gsize size, gsize limit, gboolean *is_cut)
{
  if (size <= limit)
    return size;
  *is_cut = TRUE;
  for (guint i = 0; i < 3 && limit > 0 && ((guchar) data[limit] & 0xc0) == 0x80; i++)
    limit--;
  return limit;
}

static void
append_line (GString *text, const char *line, gsize size, gboolean *is_cut)
{
  if (size > 0 && line[size - 1] == '\r')
    size--;
  fh_readable_text_append (text,
                           line,
                           line + cut_length (line, size, FH_TEXT_LINES_MAX_COLUMNS, is_cut),
                           TAB);
}

char *
fh_file_content_text (GBytes *content, gboolean *is_cut)
{
  gsize size;
  const char *data = g_bytes_get_data (content, &size);
  GString *text = g_string_new (NULL);
  const char *end;
  guint n_lines = 0;

  *is_cut = FALSE;
  if (size == 0)
    return g_string_free (text, FALSE);
  size = cut_length (data, size, MAX_TEXT, is_cut);
  for (end = data + size; data < end; n_lines++)
    {
      const char *line_end = memchr (data, '\n', (gsize) (end - data));

      if (n_lines == MAX_LINES)
        {
          *is_cut = TRUE;
          break;
        }
      if (n_lines > 0)
        g_string_append_c (text, '\n');
      append_line (text, data, (gsize) ((line_end != NULL ? line_end : end) - data), is_cut);
      data = line_end != NULL ? line_end + 1 : end;
    }
  return g_string_free (text, FALSE);
}

/* Cells are separated by the character that the first line has most of. */
static char
find_separator (const char *data, gsize size)
{
  const char separators[N_SEPARATORS] = { ',', ';', '\t' };
  guint counts[N_SEPARATORS] = { 0 };
  guint best = 0;
  gboolean is_quoted = FALSE;

  for (gsize i = 0; i < size && (is_quoted || data[i] != '\n'); i++)
    {
      is_quoted ^= data[i] == '"';
      for (guint j = 0; j < N_SEPARATORS; j++)
        counts[j] += !is_quoted && data[i] == separators[j] ? 1 : 0;
    }
  for (guint j = 1; j < N_SEPARATORS; j++)
    if (counts[j] > counts[best])
      best = j;
  return separators[best];
}

typedef struct
{
  FhFileTable *table;
  GPtrArray *row; /* of char * */
  GString *cell;
} Reader;

static void
end_cell (Reader *reader)
{
  gboolean *is_cut = &reader->table->is_cut;

  if (reader->row->len < FH_FILE_TABLE_MAX_COLUMNS)
    {
      const gsize size = cut_length (reader->cell->str, reader->cell->len, MAX_CELL, is_cut);

      g_ptr_array_add (reader->row, fh_readable_text_new (reader->cell->str, size));
    }
  else
    *is_cut = TRUE;
  g_string_truncate (reader->cell, 0);
}

static void
end_row (Reader *reader)
{
  end_cell (reader);
  reader->table->n_columns = MAX (reader->table->n_columns, reader->row->len);
  g_ptr_array_add (reader->row, NULL);
  g_ptr_array_add (reader->table->rows, g_ptr_array_steal (reader->row, NULL));
}

/* Returns how many bytes it took. */
static gsize
read_one (Reader *reader, const char *data, gsize size, char separator, gboolean *is_quoted)
{
  if (*data == '"' && *is_quoted && size > 1 && data[1] == '"')
    {
      g_string_append_c (reader->cell, '"');
      return 2;
    }
  if (*data == '"' && (*is_quoted || reader->cell->len == 0))
    *is_quoted = !*is_quoted;
  else if (!*is_quoted && *data == separator)
    end_cell (reader);
  else if (!*is_quoted && *data == '\n')
    end_row (reader);
  else if (*is_quoted || *data != '\r')
    g_string_append_c (reader->cell, *data);
  return 1;
}

FhFileTable *
fh_file_content_table (GBytes *content)
{
  gsize size;
  const char *data = g_bytes_get_data (content, &size);
  FhFileTable *table = g_new0 (FhFileTable, 1);
  Reader reader = { table, g_ptr_array_new (), g_string_new (NULL) };
  gboolean is_quoted = FALSE;
  char separator;
  gsize at = size >= 3 && memcmp (data, "\xef\xbb\xbf", 3) == 0 ? 3 : 0;

  table->rows = g_ptr_array_new_with_free_func ((GDestroyNotify) g_strfreev);
  size = cut_length (data, size, MAX_TEXT, &table->is_cut);
  separator = find_separator (data, size);
  while (at < size && table->rows->len < FH_FILE_TABLE_MAX_ROWS)
    at += read_one (&reader, data + at, size - at, separator, &is_quoted);
  if (at < size)
    table->is_cut = TRUE;
  else if (reader.row->len > 0 || reader.cell->len > 0)
    end_row (&reader);
  g_ptr_array_set_free_func (reader.row, g_free);
  g_ptr_array_unref (reader.row);
  g_string_free (reader.cell, TRUE);
  return table;
}

void
fh_file_table_free (FhFileTable *table)
{
  g_ptr_array_unref (table->rows);
  g_free (table);
}

const char *
fh_file_table_get (const FhFileTable *table, guint row, guint column)
{
  const char *const *cells;

  g_return_val_if_fail (row < table->rows->len, "");

  cells = g_ptr_array_index (table->rows, row);
  for (guint i = 0; cells[i] != NULL; i++)
    if (i == column)
      return cells[i];
  return "";
}
