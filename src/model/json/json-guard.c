/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "json-guard.h"

#include "config.h"

#include <glib/gi18n-lib.h>
#include <math.h>
#include <string.h>

#include "run-error.h"

/* Reads the text in one pass; the depth of its recursion is limited. The first fault ends it:
 * `fault` describes it, `at` is its position. */
typedef struct
{
  const char *text;
  gsize size;
  gsize at;
  guint depth;
  const char *fault; /* marked for translation */

  /* If this is there, faults of values that JSON allows are passed over within a member of the
   * outermost object. It receives the keys of such members. (element-type utf8) (nullable) */
  GPtrArray *bad;
  gboolean in_member;
  gboolean is_bad; /* the value of that member */
  char *sentence;  /* about the first such fault; nullable */
} Reader;

/* Every function that reads returns FALSE at a fault. `*node`: (transfer full) */
static gboolean read_value (Reader *reader, JsonNode **node);

static gboolean
fail (Reader *reader, const char *fault)
{
  reader->fault = fault;
  return FALSE;
}

/* A fault of a value that JSON allows: its member can be passed over. */
static gboolean
fail_value (Reader *reader, const char *fault)
{
  if (reader->bad == NULL || !reader->in_member)
    return fail (reader, fault);
  if (reader->sentence == NULL)
    reader->sentence = g_strdup_printf ("A value cannot be used, at byte %" G_GSIZE_FORMAT ": %s.",
                                        reader->at,
                                        fault);
  reader->is_bad = TRUE;
  return TRUE;
}

/* The byte at the cursor, or -1 at the end. */
static int
peek (const Reader *reader)
{
  return reader->at < reader->size ? (guchar) reader->text[reader->at] : -1;
}

static gboolean
accept (Reader *reader, char c)
{
  if (peek (reader) != (guchar) c)
    return FALSE;
  reader->at++;
  return TRUE;
}

static void
skip_space (Reader *reader)
{
  for (int c = peek (reader); c == ' ' || c == '\t' || c == '\n' || c == '\r'; c = peek (reader))
    reader->at++;
}

static gboolean
take_word (Reader *reader, const char *word)
{
  gsize size = strlen (word);

  if (reader->size - reader->at < size || memcmp (reader->text + reader->at, word, size) != 0)
    return fail (reader, N_ ("a value was expected"));
  reader->at += size;
  return TRUE;
}

static gboolean
take_digits (Reader *reader)
{
  gsize start = reader->at;

  for (int c = peek (reader); c >= '0' && c <= '9'; c = peek (reader))
    reader->at++;
  return reader->at > start || fail (reader, N_ ("a digit was expected"));
}

/* `from` is where the number begins, the cursor where it ends. */
static gboolean
make_number (Reader *reader, gsize from, gboolean is_integer, JsonNode **node)
{
  g_autofree char *text = g_strndup (reader->text + from, reader->at - from);
  double number = is_integer ? 0 : g_ascii_strtod (text, NULL);
  gint64 integer = 0;

  reader->at = from;
  if (is_integer && !g_ascii_string_to_signed (text, 10, G_MININT64, G_MAXINT64, &integer, NULL) &&
      !fail_value (reader, N_ ("this integer does not fit in 64 bits")))
    return FALSE;
  if (!isfinite (number) && !fail_value (reader, N_ ("this number is too large")))
    return FALSE;
  reader->at += strlen (text);
  *node = is_integer ? json_node_init_int (json_node_alloc (), integer)
                     : json_node_init_double (json_node_alloc (), number);
  return TRUE;
}

static gboolean
read_number (Reader *reader, JsonNode **node)
{
  gsize from = reader->at;
  gboolean is_integer = TRUE;

  accept (reader, '-');
  if (accept (reader, '0'))
    {
      if (g_ascii_isdigit (peek (reader)))
        return fail (reader, N_ ("a number must not begin with a zero"));
    }
  else if (!take_digits (reader))
    return FALSE;
  if (accept (reader, '.'))
    {
      is_integer = FALSE;
      if (!take_digits (reader))
        return FALSE;
    }
  if (accept (reader, 'e') || accept (reader, 'E'))
    {
      is_integer = FALSE;
      if (!accept (reader, '+'))
        accept (reader, '-');
      if (!take_digits (reader))
        return FALSE;
    }
  return make_number (reader, from, is_integer, node);
}

static gboolean
take_hex4 (Reader *reader, guint *value)
{
  *value = 0;
  for (guint i = 0; i < 4; i++, reader->at++)
    {
      int digit = peek (reader) < 0 ? -1 : g_ascii_xdigit_value ((char) peek (reader));

      if (digit < 0)
        return fail (reader, N_ ("four hexadecimal digits were expected"));
      *value = *value << 4 | (guint) digit;
    }
  return TRUE;
}

/* Reads what follows "\u": both escapes of a surrogate pair. */
static gboolean
take_unicode_escape (Reader *reader, GString *string)
{
  guint unit;
  guint low = 0;

  if (!take_hex4 (reader, &unit))
    return FALSE;
  if (unit == 0 && !fail_value (reader, N_ ("a string must not hold a NUL")))
    return FALSE;
  if (unit >= 0xdc00 && unit <= 0xdfff && !fail_value (reader, N_ ("half of a surrogate pair")))
    return FALSE;
  if (unit >= 0xd800 && unit <= 0xdbff)
    {
      const gsize after = reader->at;

      if (accept (reader, '\\') && accept (reader, 'u') && !take_hex4 (reader, &low))
        return FALSE;
      if (low >= 0xdc00 && low <= 0xdfff)
        unit = 0x10000 + ((unit - 0xd800) << 10) + (low - 0xdc00);
      else
        {
          /* The next escape is another character, and may be the first half of a pair. */
          reader->at = after;
          if (!fail_value (reader, N_ ("half of a surrogate pair")))
            return FALSE;
        }
    }
  g_string_append_unichar (string, unit != 0 && g_unichar_validate (unit) ? unit : 0xfffd);
  return TRUE;
}

/* Reads what follows "\". */
static gboolean
take_escape (Reader *reader, GString *string)
{
  static const char letters[] = "\"\\/bfnrt";
  static const char meanings[] = "\"\\/\b\f\n\r\t";
  int c = peek (reader);
  const char *letter = c > 0 ? strchr (letters, c) : NULL;

  if (accept (reader, 'u'))
    return take_unicode_escape (reader, string);
  if (letter == NULL)
    return fail (reader, N_ ("no such escape sequence"));
  g_string_append_c (string, meanings[letter - letters]);
  reader->at++;
  return TRUE;
}

/* Decodes it into `string`, which is empty. */
static gboolean
take_string (Reader *reader, GString *string)
{
  if (!accept (reader, '"'))
    return fail (reader, N_ ("a string was expected"));
  for (;;)
    {
      gsize from = reader->at;
      int c;

      for (c = peek (reader); c >= 0x20 && c != '"' && c != '\\'; c = peek (reader))
        reader->at++;
      g_string_append_len (string, reader->text + from, (gssize) (reader->at - from));
      if (c < 0)
        return fail (reader, N_ ("the text ends inside a string"));
      if (c < 0x20)
        return fail (reader, N_ ("a control character inside a string"));
      reader->at++;
      if (c == '"')
        return TRUE;
      if (!take_escape (reader, string))
        return FALSE;
    }
}

static gboolean
read_string (Reader *reader, JsonNode **node)
{
  g_autoptr (GString) string = g_string_new (NULL);

  if (!take_string (reader, string))
    return FALSE;
  *node = json_node_init_string (json_node_alloc (), string->str);
  return TRUE;
}

/* A value that is nested too deeply, without recursion: its member is passed over, so that only its
 * end matters. */
static gboolean
skip_nested (Reader *reader)
{
  g_autoptr (GString) string = g_string_new (NULL);
  guint64 depth = 0;

  do
    {
      const int c = peek (reader);

      if (c < 0)
        return fail (reader, N_ ("the text ends too early"));
      if (c == '"')
        {
          if (!take_string (reader, g_string_truncate (string, 0)))
            return FALSE;
          continue;
        }
      if (c == '{' || c == '[')
        depth++;
      else if (c == '}' || c == ']')
        depth--;
      reader->at++;
    }
  while (depth > 0);
  return TRUE;
}

/* A key and its colon. */
static gboolean
take_key (Reader *reader, JsonObject *object, GString *key)
{
  gsize from = reader->at;

  if (!take_string (reader, key))
    return FALSE;
  if (json_object_get_size (object) == FH_JSON_MAX_MEMBERS)
    return fail (reader, N_ ("too many members in one object"));
  if (json_object_has_member (object, key->str))
    {
      reader->at = from;
      return fail (reader, N_ ("this key is there twice"));
    }
  skip_space (reader);
  if (!accept (reader, ':'))
    return fail (reader, N_ ("a colon was expected"));
  skip_space (reader);
  return TRUE;
}

/* A member that is passed over stays in the object until that ends, so that its key cannot come
 * again. */
static gboolean
read_member (Reader *reader, JsonObject *object)
{
  const gboolean is_outermost = reader->depth == 1;
  g_autoptr (GString) key = g_string_new (NULL);
  JsonNode *value;

  if (!take_key (reader, object, key))
    return FALSE;
  reader->in_member |= is_outermost;
  if (!read_value (reader, &value))
    return FALSE;
  json_object_set_member (object, key->str, value);
  if (is_outermost && reader->is_bad)
    g_ptr_array_add (reader->bad, g_strdup (key->str));
  if (is_outermost)
    reader->in_member = reader->is_bad = FALSE;
  return TRUE;
}

static gboolean
read_element (Reader *reader, JsonArray *array)
{
  JsonNode *element;

  if (!read_value (reader, &element))
    return FALSE;
  json_array_add_element (array, element);
  return TRUE;
}

/* An object or array, of which one is not NULL, behind its bracket. */
static gboolean
read_parts (Reader *reader, JsonObject *object, JsonArray *array)
{
  const char bracket = object != NULL ? '}' : ']';

  skip_space (reader);
  if (accept (reader, bracket))
    return TRUE;
  do
    {
      skip_space (reader);
      if (!(object != NULL ? read_member (reader, object) : read_element (reader, array)))
        return FALSE;
      skip_space (reader);
    }
  while (accept (reader, ','));
  return accept (reader, bracket) ||
         fail (reader,
               peek (reader) < 0 ? N_ ("the text ends too early")
                                 : N_ ("a comma or a closing bracket was expected"));
}

static gboolean
read_nested (Reader *reader, JsonNode **node)
{
  g_autoptr (JsonObject) object = peek (reader) == '{' ? json_object_new () : NULL;
  g_autoptr (JsonArray) array = object == NULL ? json_array_new () : NULL;

  if (reader->depth == FH_JSON_MAX_DEPTH)
    {
      if (!fail_value (reader, N_ ("nested too deeply")) || !skip_nested (reader))
        return FALSE;
    }
  else
    {
      reader->at++;
      reader->depth++;
      if (!read_parts (reader, object, array))
        return FALSE;
      reader->depth--;
    }
  *node = object != NULL ? json_node_init_object (json_node_alloc (), object)
                         : json_node_init_array (json_node_alloc (), array);
  return TRUE;
}

static gboolean
read_value (Reader *reader, JsonNode **node)
{
  const int c = peek (reader);

  if (c == '{' || c == '[')
    return read_nested (reader, node);
  if (c == '"')
    return read_string (reader, node);
  if (c == '-' || (c >= '0' && c <= '9'))
    return read_number (reader, node);
  if (c < 0)
    return fail (reader, N_ ("the text ends too early"));
  if (!take_word (reader, c == 't' ? "true" : c == 'f' ? "false" : "null"))
    return FALSE;
  *node = c == 'n' ? json_node_init_null (json_node_alloc ())
                   : json_node_init_boolean (json_node_alloc (), c == 't');
  return TRUE;
}

static gboolean
read_document (Reader *reader, gsize max_size, JsonNode **root)
{
  const char *invalid;

  if (reader->size > max_size)
    {
      reader->at = max_size;
      return fail (reader, N_ ("the text is too long"));
    }
  if (reader->size > 0 && !g_utf8_validate_len (reader->text, reader->size, &invalid))
    {
      reader->at = (gsize) (invalid - reader->text);
      return fail (reader, N_ ("this is not valid UTF-8"));
    }
  skip_space (reader);
  if (!read_value (reader, root))
    return FALSE;
  skip_space (reader);
  if (reader->at == reader->size)
    return TRUE;
  g_clear_pointer (root, json_node_free);
  return fail (reader, N_ ("something follows the end"));
}

JsonNode *
fh_json_guard_parse_any (const char *text, gsize size, gsize max_size, GError **error)
{
  Reader reader = { .text = text, .size = size };
  JsonNode *root;

  g_return_val_if_fail (text != NULL || size == 0, NULL);

  if (read_document (&reader, max_size, &root))
    return root;
  fh_run_error_refuse (
      error,
      /* Translators: a position in a text, and a few words that say what is wrong there */
      _ ("Not valid JSON at byte %lu: %s."),
      (gulong) reader.at,
      _ (reader.fault));
  return NULL;
}

JsonObject *
fh_json_guard_parse (const char *text, gsize size, gsize max_size, GError **error)
{
  g_autoptr (JsonNode) root = fh_json_guard_parse_any (text, size, max_size, error);

  if (root == NULL)
    return NULL;
  if (!JSON_NODE_HOLDS_OBJECT (root))
    {
      fh_run_error_refuse (error, "%s", _ ("A JSON object was expected."));
      return NULL;
    }
  return json_node_dup_object (root);
}

JsonObject *
fh_json_guard_parse_rest (const char *text, gsize size, gsize max_size, char **fault)
{
  g_autoptr (GPtrArray) bad = g_ptr_array_new_with_free_func (g_free);
  Reader reader = { .text = text, .size = size, .bad = bad };
  g_autofree char *sentence = NULL;
  g_autoptr (JsonNode) root = NULL;
  JsonObject *object = NULL;

  g_return_val_if_fail (text != NULL || size == 0, NULL);

  if (read_document (&reader, max_size, &root) && JSON_NODE_HOLDS_OBJECT (root))
    object = json_node_dup_object (root);
  sentence = reader.sentence;
  for (guint i = 0; object != NULL && i < bad->len; i++)
    json_object_remove_member (object, g_ptr_array_index (bad, i));
  *fault = object != NULL ? g_steal_pointer (&sentence) : NULL;
  return object;
}
