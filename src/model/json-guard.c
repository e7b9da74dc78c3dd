/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "json-guard-private.h"

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
  struct Rest *rest; /* nullable: then some faults of values are noted and passed over */
} Checker;

/* Collects what is left of an object when members with such values are taken out. */
typedef struct Rest
{
  char *text;      /* a copy, in which values that are taken out are numbers */
  char *key;       /* of the member of the outermost object whose value is checked; nullable */
  gsize from;      /* where that value begins */
  gboolean is_bad; /* that value */
  GPtrArray *bad;  /* (element-type utf8): keys of such values */
  char *sentence;  /* nullable: about the first of them */
} Rest;

static gboolean
fail (Checker *checker, const char *fault)
{
  checker->fault = fault;
  return FALSE;
}

/* A fault of a value that JSON allows: its member can be passed over. */
static gboolean
fail_value (Checker *checker, const char *fault)
{
  Rest *rest = checker->rest;

  if (rest == NULL || rest->key == NULL)
    return fail (checker, fault);
  if (rest->sentence == NULL)
    rest->sentence = g_strdup_printf ("A value cannot be used, at byte %" G_GSIZE_FORMAT ": %s.",
                                      checker->at,
                                      fault);
  rest->is_bad = TRUE;
  return TRUE;
}

/* Called after a complete value of the outermost object. */
static void
end_member (Checker *checker)
{
  Rest *rest = checker->rest;

  if (rest == NULL || rest->key == NULL)
    return;
  if (rest->is_bad)
    {
      memset (rest->text + rest->from, ' ', checker->at - rest->from);
      rest->text[rest->from] = '0';
      g_ptr_array_add (rest->bad, g_steal_pointer (&rest->key));
    }
  g_clear_pointer (&rest->key, g_free);
  rest->is_bad = FALSE;
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
  if (is_integer && !g_ascii_string_to_signed (number, 10, G_MININT64, G_MAXINT64, NULL, NULL) &&
      !fail_value (checker, N_ ("this integer does not fit in 64 bits")))
    return FALSE;
  if (!is_integer && !isfinite (g_ascii_strtod (number, NULL)) &&
      !fail_value (checker, N_ ("this number is too large")))
    return FALSE;
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

/* Reads what follows "\u": both escapes of a surrogate pair. */
static gboolean
take_unicode_escape (Checker *checker, GString *string)
{
  guint unit;
  guint low = 0;

  if (!take_hex4 (checker, &unit))
    return FALSE;
  if (unit == 0 && !fail_value (checker, N_ ("a string must not hold a NUL")))
    return FALSE;
  if (unit >= 0xdc00 && unit <= 0xdfff && !fail_value (checker, N_ ("half of a surrogate pair")))
    return FALSE;
  if (unit >= 0xd800 && unit <= 0xdbff)
    {
      const gsize after = checker->at;

      if (accept (checker, '\\') && accept (checker, 'u') && !take_hex4 (checker, &low))
        return FALSE;
      if (low < 0xdc00 || low > 0xdfff)
        {
          /* The next escape is another character, and may be the first half of a pair. */
          checker->at = after;
          if (!fail_value (checker, N_ ("half of a surrogate pair")))
            return FALSE;
        }
      else
        unit = 0x10000 + ((unit - 0xd800) << 10) + (low - 0xdc00);
    }
  if (string != NULL)
    g_string_append_unichar (string, unit != 0 && g_unichar_validate (unit) ? unit : 0xfffd);
  return TRUE;
}

/* Reads what follows "\". */
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
  if (checker->rest != NULL && checker->depth == 1)
    {
      checker->rest->key = g_strdup (key->str);
      checker->rest->from = checker->at;
    }
  return TRUE;
}

/* A value that is nested too deeply, without a stack: its member is passed over, so that only its
 * end matters. */
static gboolean
skip_nested (Checker *checker)
{
  guint64 depth = 0;

  do
    {
      const int c = peek (checker);

      if (c < 0)
        return fail (checker, N_ ("the text ends too early"));
      if (c == '"')
        {
          if (!check_string (checker, NULL))
            return FALSE;
          continue;
        }
      if (c == '{' || c == '[')
        depth++;
      else if (c == '}' || c == ']')
        depth--;
      checker->at++;
    }
  while (depth > 0);
  return TRUE;
}

static void
open_level (Checker *checker, gboolean is_object)
{
  checker->open[checker->depth++] = (Level){ .is_object = is_object };
  checker->at++;
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
  if (*opened && checker->depth == FH_JSON_MAX_DEPTH)
    {
      *opened = FALSE;
      return fail_value (checker, N_ ("nested too deeply")) && skip_nested (checker);
    }
  if (*opened)
    {
      open_level (checker, c == '{');
      return TRUE;
    }
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

/* Closes objects and arrays after a complete value, up to a comma or the end of the text. */
static gboolean
check_value_end (Checker *checker)
{
  while (checker->depth > 0)
    {
      Level *level = &checker->open[checker->depth - 1];

      if (checker->depth == 1)
        end_member (checker);
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

static gboolean
check (Checker *checker, gsize max_size)
{
  const char *invalid;
  gboolean ok = FALSE;

  if (checker->size > max_size)
    {
      checker->at = max_size;
      fail (checker, N_ ("the text is too long"));
    }
  else if (checker->size > 0 && !g_utf8_validate_len (checker->text, checker->size, &invalid))
    {
      checker->at = (gsize) (invalid - checker->text);
      fail (checker, N_ ("this is not valid UTF-8"));
    }
  else
    ok = check_document (checker);
  while (checker->depth > 0)
    close_level (checker);
  return ok;
}

gboolean
fh_json_guard_check (const char *text, gsize size, gsize max_size, GError **error)
{
  Checker checker = { .text = text, .size = size };

  g_return_val_if_fail (text != NULL || size == 0, FALSE);

  if (check (&checker, max_size))
    return TRUE;
  g_set_error (error,
               FH_RUN_ERROR,
               FH_RUN_ERROR_INVALID,
               /* Translators: a position in a text, and a few words that say what is wrong there */
               _ ("Not valid JSON at byte %lu: %s."),
               (gulong) checker.at,
               _ (checker.fault));
  return FALSE;
}

gboolean
fh_json_guard_check_rest (const char *text,
                          gsize size,
                          gsize max_size,
                          char *copy,
                          GPtrArray *bad,
                          char **sentence)
{
  Rest rest = { .text = copy, .bad = bad };
  Checker checker = { .text = text, .size = size, .rest = &rest };
  const gboolean ok = check (&checker, max_size);

  g_free (rest.key);
  *sentence = rest.sentence;
  return ok;
}
