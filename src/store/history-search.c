/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "history-search.h"

#include <string.h>

#include "history-records.h"
#include "history-schema.h"

/* Longer search texts are cut. */
#define MAX_TEXT     4096
#define MAX_PATTERNS 16

/* Decides as unicode61, the tokenizer of FTS5, does. */
static gboolean
is_word_character (gunichar c)
{
  return g_unichar_isalnum (c) || g_unichar_type (c) == G_UNICODE_PRIVATE_USE ||
         g_unichar_type (c) == G_UNICODE_LETTER_NUMBER ||
         g_unichar_type (c) == G_UNICODE_OTHER_NUMBER;
}

/* FTS5 ignores "==" and "→". Text without spaces, such as Chinese, is one token, of which only the
 * beginning would be found. */
static gboolean
needs_pattern (const char *word)
{
  gboolean has_word_character = FALSE;

  for (const char *p = word; *p != '\0'; p = g_utf8_next_char (p))
    {
      gunichar c = g_utf8_get_char (p);

      if (g_unichar_iswide (c))
        return TRUE;
      has_word_character |= is_word_character (c);
    }
  return !has_word_character;
}

/* %word%, with LIKE's special characters escaped by a backslash. */
static char *
make_pattern (const char *word)
{
  GString *pattern = g_string_new ("%");

  for (const char *p = word; *p != '\0'; p++)
    {
      if (*p == '%' || *p == '_' || *p == '\\')
        g_string_append_c (pattern, '\\');
      g_string_append_c (pattern, *p);
    }
  g_string_append_c (pattern, '%');
  return g_string_free (pattern, FALSE);
}

/* An FTS5 string, in which only quotes are escaped, and the sign for "begins with". */
static void
append_term (GString *match, const char *word)
{
  g_auto (GStrv) parts = g_strsplit (word, "\"", -1);
  g_autofree char *quoted = g_strjoinv ("\"\"", parts);

  if (match->len > 0)
    g_string_append_c (match, ' ');
  g_string_append_printf (match, "\"%s\"*", quoted);
}

static void
add_word (FhHistorySearch *search, GString *match, const char *word)
{
  if (!needs_pattern (word))
    append_term (match, word);
  else if (search->patterns->len < MAX_PATTERNS)
    g_ptr_array_add (search->patterns, make_pattern (word));
}

void
fh_history_search_init (FhHistorySearch *search, const char *text)
{
  g_autofree char *valid = NULL;
  g_auto (GStrv) words = NULL;
  GString *match;

  g_return_if_fail (search != NULL);

  valid =
      text != NULL ? g_utf8_make_valid (text, (gssize) strnlen (text, MAX_TEXT)) : g_strdup ("");
  for (char *p = valid; *p != '\0'; p = g_utf8_next_char (p))
    {
      /* White space of every script; a character of several bytes becomes several spaces. */
      if (g_unichar_isspace (g_utf8_get_char (p)))
        memset (p, ' ', (gsize) (g_utf8_next_char (p) - p));
    }
  words = g_strsplit (valid, " ", -1);
  match = g_string_new (NULL);
  search->patterns = g_ptr_array_new_with_free_func (g_free);
  for (guint i = 0; words[i] != NULL; i++)
    {
      if (words[i][0] != '\0')
        add_word (search, match, words[i]);
    }
  search->match = g_string_free (match, match->len == 0);
}

void
fh_history_search_clear (FhHistorySearch *search)
{
  g_clear_pointer (&search->match, g_free);
  g_clear_pointer (&search->patterns, g_ptr_array_unref);
}

static char *
make_statement (FhHistoryDatabase *database, const FhHistorySearch *search)
{
  GString *sql = g_string_new (NULL);

  g_string_append_printf (sql,
                          "SELECT %s FROM runs WHERE %s",
                          fh_history_schema_columns (database),
                          fh_history_schema_listed (database));
  if (search->match)
    g_string_append (sql, " AND id IN (SELECT rowid FROM run_words WHERE run_words MATCH :match)");
  for (guint i = 0; i < search->patterns->len; i++)
    g_string_append_printf (sql,
                            " AND id IN (SELECT rowid FROM run_words WHERE title LIKE :p%1$u"
                            " ESCAPE '\\' OR source LIKE :p%1$u ESCAPE '\\'"
                            " OR output LIKE :p%1$u ESCAPE '\\')",
                            i);
  g_string_append (sql, " ORDER BY id DESC LIMIT :limit OFFSET :offset");
  return g_string_free (sql, FALSE);
}

static void
bind_values (sqlite3_stmt *statement, const FhHistorySearch *search, guint offset, guint limit)
{
  if (search->match)
    sqlite3_bind_text (statement,
                       sqlite3_bind_parameter_index (statement, ":match"),
                       search->match,
                       -1,
                       SQLITE_TRANSIENT);
  for (guint i = 0; i < search->patterns->len; i++)
    {
      g_autofree char *name = g_strdup_printf (":p%u", i);

      sqlite3_bind_text (statement,
                         sqlite3_bind_parameter_index (statement, name),
                         g_ptr_array_index (search->patterns, i),
                         -1,
                         SQLITE_TRANSIENT);
    }
  sqlite3_bind_int64 (statement, sqlite3_bind_parameter_index (statement, ":limit"), limit);
  sqlite3_bind_int64 (statement, sqlite3_bind_parameter_index (statement, ":offset"), offset);
}

/* NULL on failure. (element-type FhHistoryEntry) */
static GPtrArray *
read_entries (FhHistoryDatabase *database, sqlite3_stmt *statement, GError **error)
{
  g_autoptr (GPtrArray) entries = g_ptr_array_new_with_free_func (g_object_unref);
  g_autoptr (GError) local = NULL;

  while (fh_history_database_step (database, statement, &local))
    g_ptr_array_add (entries, fh_history_record_entry (statement));
  if (local)
    {
      g_propagate_error (error, g_steal_pointer (&local));
      return NULL;
    }
  return g_steal_pointer (&entries);
}

GPtrArray *
fh_history_search_list (FhHistoryDatabase *database,
                        const char *text,
                        guint offset,
                        guint limit,
                        GError **error)
{
  g_auto (FhHistorySearch) search = { 0 };
  g_autoptr (sqlite3_stmt) statement = NULL;
  g_autofree char *sql = NULL;

  fh_history_search_init (&search, text);
  sql = make_statement (database, &search);
  statement = fh_history_database_prepare (database, sql, error);
  if (statement == NULL)
    return NULL;
  bind_values (statement, &search, offset, limit);
  return read_entries (database, statement, error);
}

GPtrArray *
fh_history_search_samples (FhHistoryDatabase *database, gint64 batch, GError **error)
{
  g_autoptr (sqlite3_stmt) statement = NULL;
  g_autofree char *sql = g_strdup_printf ("SELECT %s FROM runs WHERE batch = ? ORDER BY id",
                                          fh_history_schema_columns (database));

  statement = fh_history_database_prepare (database, sql, error);
  if (statement == NULL)
    return NULL;
  sqlite3_bind_int64 (statement, 1, batch);
  return read_entries (database, statement, error);
}
