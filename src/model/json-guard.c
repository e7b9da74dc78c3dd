/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "json-guard.h"

#include "config.h"

#include <glib/gi18n-lib.h>
#include <math.h>
#include <string.h>

#include "run-error.h"

/* Checks the text in one pass without recursion; `open` is the stack. Only the keys of open objects
 * are kept. The first fault ends the check: `fault` describes it, `at` is its position. */
typedef struct
{
  gboolean is_object;
  GHashTable *keys; /* (element-type utf8), of an object that has any */
} Level;

typedef struct
{
  const char *text;
  gsize size;
  gsize at;
  const char *fault; /* marked for translation */
  Level open[FH_JSON_MAX_DEPTH];
  guint depth;
} Checker;

static gboolean
fail (Checker *checker, const char *fault)
{
  checker->fault = fault;
  return FALSE;
}

/* The byte at the cursor, or -1 at the end. */
static int
peek (const Checker *checker)
{
  return checker->at < checker->size ? (guchar) checker->text[checker->at] : -1;
}

static gboolean
accept (Checker *checker, char c)
{
  if (peek (checker) != (guchar) c)
    return FALSE;
  checker->at++;
  return TRUE;
}

static void
skip_space (Checker *checker)
{
  for (int c = peek (checker); c == ' ' || c == '\t' || c == '\n' || c == '\r'; c = peek (checker))
    checker->at++;
}

static gsize
skip_digits (Checker *checker)
{
  gsize start = checker->at;

  for (int c = peek (checker); c >= '0' && c <= '9'; c = peek (checker))
    checker->at++;
  return checker->at - start;
}

static gboolean
check_word (Checker *checker, const char *word)
{
  gsize size = strlen (word);

  if (checker->size - checker->at < size || memcmp (checker->text + checker->at, word, size) != 0)
    return fail (checker, N_ ("a value was expected"));
  checker->at += size;
  return TRUE;
}

/* `from` is where the number begins, the cursor where it ends. */
static gboolean
check_range (Checker *checker, gsize from, gboolean is_integer)
{
  g_autofree char *number = g_strndup (checker->text + from, checker->at - from);

  checker->at = from;
  if (is_integer && !g_ascii_string_to_signed (number, 10, G_MININT64, G_MAXINT64, NULL, NULL))
    return fail (checker, N_ ("this integer does not fit in 64 bits"));
  if (!is_integer && !isfinite (g_ascii_strtod (number, NULL)))
    return fail (checker, N_ ("this number is too large"));
  checker->at += strlen (number);
  return TRUE;
}

static gboolean
check_number (Checker *checker)
{
  gsize from = checker->at;
  gboolean is_integer = TRUE;

  accept (checker, '-');
  if (accept (checker, '0'))
    {
      if (skip_digits (checker) > 0)
        return fail (checker, N_ ("a number must not begin with a zero"));
    }
  else if (skip_digits (checker) == 0)
    return fail (checker, N_ ("a digit was expected"));
  if (accept (checker, '.'))
    {
      is_integer = FALSE;
      if (skip_digits (checker) == 0)
        return fail (checker, N_ ("a digit was expected"));
    }
  if (accept (checker, 'e') || accept (checker, 'E'))
    {
      is_integer = FALSE;
      if (!accept (checker, '+'))
        accept (checker, '-');
      if (skip_digits (checker) == 0)
        return fail (checker, N_ ("a digit was expected"));
    }
  return check_range (checker, from, is_integer);
}

static gboolean
take_hex4 (Checker *checker, guint *value)
{
  *value = 0;
  for (guint i = 0; i < 4; i++)
    {
      int c = peek (checker);

      if (c < 0 || !g_ascii_isxdigit (c))
        return fail (checker, N_ ("four hexadecimal digits were expected"));
      *value = *value << 4 | (guint) g_ascii_xdigit_value ((char) c);
      checker->at++;
    }
  return TRUE;
}

/* After "\u". Reads both escapes of a surrogate pair. */
static gboolean
take_unicode_escape (Checker *checker, GString *string)
{
  guint unit;
  guint low;

  if (!take_hex4 (checker, &unit))
    return FALSE;
  if (unit == 0)
    return fail (checker, N_ ("a string must not hold a NUL"));
  if (unit >= 0xdc00 && unit <= 0xdfff)
    return fail (checker, N_ ("half of a surrogate pair"));
  if (unit >= 0xd800 && unit <= 0xdbff)
    {
      if (!accept (checker, '\\') || !accept (checker, 'u'))
        return fail (checker, N_ ("half of a surrogate pair"));
      if (!take_hex4 (checker, &low))
        return FALSE;
      if (low < 0xdc00 || low > 0xdfff)
        return fail (checker, N_ ("half of a surrogate pair"));
      unit = 0x10000 + ((unit - 0xd800) << 10) + (low - 0xdc00);
    }
  if (string != NULL)
    g_string_append_unichar (string, unit);
  return TRUE;
}

/* After "\". */
static gboolean
take_escape (Checker *checker, GString *string)
{
  static const char letters[] = "\"\\/bfnrt";
  static const char meanings[] = "\"\\/\b\f\n\r\t";
  int c = peek (checker);
  const char *letter = c > 0 ? strchr (letters, c) : NULL;

  if (accept (checker, 'u'))
    return take_unicode_escape (checker, string);
  if (letter == NULL)
    return fail (checker, N_ ("no such escape sequence"));
  if (string != NULL)
    g_string_append_c (string, meanings[letter - letters]);
  checker->at++;
  return TRUE;
}

/* `string` (nullable) receives the decoded text. */
static gboolean
check_string (Checker *checker, GString *string)
{
  if (!accept (checker, '"'))
    return fail (checker, N_ ("a string was expected"));
  for (;;)
    {
      int c = peek (checker);

      if (c < 0)
        return fail (checker, N_ ("the text ends inside a string"));
      if (c < 0x20)
        return fail (checker, N_ ("a control character inside a string"));
      checker->at++;
      if (c == '"')
        return TRUE;
      if (c == '\\')
        {
          if (!take_escape (checker, string))
            return FALSE;
        }
      else if (string != NULL)
        g_string_append_c (string, (char) c);
    }
}

/* A key and its colon. */
static gboolean
check_key (Checker *checker)
{
  Level *level = &checker->open[checker->depth - 1];
  g_autoptr (GString) key = g_string_new (NULL);
  gsize from = checker->at;

  if (!check_string (checker, key))
    return FALSE;
  if (level->keys == NULL)
    level->keys = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);
  if (g_hash_table_size (level->keys) == FH_JSON_MAX_MEMBERS)
    return fail (checker, N_ ("too many members in one object"));
  if (!g_hash_table_add (level->keys, g_strdup (key->str)))
    {
      checker->at = from;
      return fail (checker, N_ ("this key is there twice"));
    }
  skip_space (checker);
  if (!accept (checker, ':'))
    return fail (checker, N_ ("a colon was expected"));
  skip_space (checker);
  return TRUE;
}

static gboolean
open_level (Checker *checker, gboolean is_object)
{
  if (checker->depth == FH_JSON_MAX_DEPTH)
    return fail (checker, N_ ("nested too deeply"));
  checker->open[checker->depth++] = (Level){ .is_object = is_object };
  checker->at++;
  return TRUE;
}

static void
close_level (Checker *checker)
{
  g_clear_pointer (&checker->open[--checker->depth].keys, g_hash_table_unref);
}

/* Reads a complete value, or the beginning of an object or array: then `*opened` is set. */
static gboolean
check_value_start (Checker *checker, gboolean *opened)
{
  int c = peek (checker);

  *opened = c == '{' || c == '[';
  if (*opened)
    return open_level (checker, c == '{');
  switch (c)
    {
    case '"':
      return check_string (checker, NULL);
    case 't':
      return check_word (checker, "true");
    case 'f':
      return check_word (checker, "false");
    case 'n':
      return check_word (checker, "null");
    case -1:
      return fail (checker, N_ ("the text ends too early"));
    default:
      if (c == '-' || g_ascii_isdigit (c))
        return check_number (checker);
      return fail (checker, N_ ("a value was expected"));
    }
}

/* After a complete value: closes objects and arrays up to a comma or the end of the text. */
static gboolean
check_value_end (Checker *checker)
{
  while (checker->depth > 0)
    {
      Level *level = &checker->open[checker->depth - 1];

      skip_space (checker);
      if (accept (checker, ','))
        {
          skip_space (checker);
          return !level->is_object || check_key (checker);
        }
      if (!accept (checker, level->is_object ? '}' : ']'))
        return fail (checker,
                     peek (checker) < 0 ? N_ ("the text ends too early")
                                        : N_ ("a comma or a closing bracket was expected"));
      close_level (checker);
    }
  return TRUE;
}

static gboolean
check_document (Checker *checker)
{
  skip_space (checker);
  do
    {
      gboolean opened;

      if (!check_value_start (checker, &opened))
        return FALSE;
      if (opened)
        {
          gboolean is_object = checker->open[checker->depth - 1].is_object;

          skip_space (checker);
          if (!accept (checker, is_object ? '}' : ']'))
            {
              if (is_object && !check_key (checker))
                return FALSE;
              continue;
            }
          close_level (checker);
        }
      if (!check_value_end (checker))
        return FALSE;
    }
  while (checker->depth > 0);
  skip_space (checker);
  return checker->at == checker->size || fail (checker, N_ ("something follows the end"));
}

gboolean
fh_json_guard_check (const char *text, gsize size, gsize max_size, GError **error)
{
  Checker checker = { .text = text, .size = size };
  const char *invalid;

  g_return_val_if_fail (text != NULL || size == 0, FALSE);

  if (size > max_size)
    {
      checker.at = max_size;
      fail (&checker, N_ ("the text is too long"));
    }
  else if (size > 0 && !g_utf8_validate_len (text, size, &invalid))
    {
      checker.at = (gsize) (invalid - text);
      fail (&checker, N_ ("this is not valid UTF-8"));
    }
  else if (check_document (&checker))
    return TRUE;

  while (checker.depth > 0)
    close_level (&checker);
  g_set_error (error,
               FH_RUN_ERROR,
               FH_RUN_ERROR_INVALID,
               /* Translators: a position in a text, and a few words that say what is wrong there */
               _ ("Not valid JSON at byte %lu: %s."),
               (gulong) checker.at,
               _ (checker.fault));
  return FALSE;
}

JsonNode *
fh_json_guard_parse_any (const char *text, gsize size, gsize max_size, GError **error)
{
  g_autoptr (JsonParser) parser = NULL;
  g_autoptr (GError) parse_error = NULL;
  JsonNode *root;

  if (!fh_json_guard_check (text, size, max_size, error))
    return NULL;

  parser = json_parser_new_immutable ();
  if (!json_parser_load_from_data (parser, text, (gssize) size, &parse_error))
    {
      g_set_error (error,
                   FH_RUN_ERROR,
                   FH_RUN_ERROR_INVALID,
                   _ ("Not valid JSON: %s"),
                   parse_error->message);
      return NULL;
    }
  root = json_parser_get_root (parser);
  return root != NULL ? json_node_ref (root) : json_node_init_null (json_node_alloc ());
}

JsonObject *
fh_json_guard_parse (const char *text, gsize size, gsize max_size, GError **error)
{
  g_autoptr (JsonNode) root = fh_json_guard_parse_any (text, size, max_size, error);

  if (root == NULL)
    return NULL;
  if (!JSON_NODE_HOLDS_OBJECT (root))
    {
      g_set_error_literal (error,
                           FH_RUN_ERROR,
                           FH_RUN_ERROR_INVALID,
                           _ ("A JSON object was expected."));
      return NULL;
    }
  return json_node_dup_object (root);
}
