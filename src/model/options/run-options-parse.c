/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include <glib/gi18n-lib.h>
#include <math.h>
#include <string.h>

#include "run-error.h"
#include "run-options-private.h"
#include "word-list.h"

/* Longer numbers are beyond every range. */
#define MAX_DIGITS 24

typedef struct
{
  const char *name; /* lower case */
  double factor;
} Unit;

/* "none", or what the window shows for it. */
static gboolean
is_none (const char *text)
{
  return g_ascii_strcasecmp (text, "none") == 0 || g_ascii_strcasecmp (text, _ ("no limit")) == 0;
}

/* Digits with at most one point among them: no sign, no exponent, no "inf", no hexadecimal, all of
 * which g_ascii_strtod would set_checked. Returns where the number ends, NULL when there is none.
 */
static const char *
scan_number (const char *text, double *number)
{
  gsize digits = strspn (text, "0123456789");
  gsize size = digits;

  if (text[size] == '.')
    {
      gsize decimals = strspn (text + size + 1, "0123456789");

      if (decimals == 0)
        return NULL;
      size += 1 + decimals;
    }
  if (digits == 0 || size > MAX_DIGITS)
    return NULL;
  *number = g_ascii_strtod (text, NULL);
  return text + size;
}

/* "NUMBER[ ]UNIT" with white space around it. */
static gboolean
scan_quantity (const char *text, const Unit *units, guint n_units, double *value)
{
  g_autofree char *lower = g_strstrip (g_ascii_strdown (text, -1));
  const char *rest = scan_number (lower, value);

  if (rest == NULL)
    return FALSE;
  while (*rest == ' ')
    rest++;
  for (guint i = 0; i < n_units; i++)
    {
      if (g_str_equal (rest, units[i].name))
        {
          *value *= units[i].factor;
          return TRUE;
        }
    }
  return FALSE;
}

/* The user's input may be long or invalid; messages quote only the beginning. */
static char *
quote (const char *text)
{
  g_autofree char *valid = g_utf8_make_valid (text, -1);

  if (g_utf8_strlen (valid, -1) > 40)
    {
      g_autofree char *start = g_utf8_substring (valid, 0, 40);

      return g_strconcat (start, "…", NULL);
    }
  return g_steal_pointer (&valid);
}

static gboolean
scan (const FhRunOption *option, const char *text, double *value)
{
  static const Unit times[] = { { "", 1e3 },  { "s", 1e3 },   { "ms", 1 },
                                { "m", 6e4 }, { "min", 6e4 }, { "h", 3.6e6 } };
  static const Unit sizes[] = {
    { "", 0x1p20 },    { "b", 1 },       { "k", 0x1p10 },   { "kb", 0x1p10 },  { "kib", 0x1p10 },
    { "m", 0x1p20 },   { "mb", 0x1p20 }, { "mib", 0x1p20 }, { "g", 0x1p30 },   { "gb", 0x1p30 },
    { "gib", 0x1p30 }, { "t", 0x1p40 },  { "tb", 0x1p40 },  { "tib", 0x1p40 },
  };
  static const Unit bytes[] = { { "", 1 } };
  static const Unit thousandths[] = { { "", 1e3 } };
  g_autofree char *number = NULL;

  if (option->kind == FH_OPTION_TIME)
    return scan_quantity (text, times, G_N_ELEMENTS (times), value);
  if (option->flags & FH_OPTION_IN_BYTES &&
      scan_quantity (text, bytes, G_N_ELEMENTS (bytes), value))
    return TRUE;
  if (option->kind == FH_OPTION_SIZE)
    return scan_quantity (text, sizes, G_N_ELEMENTS (sizes), value);
  /* Many languages write 1,5. */
  number = g_strdelimit (g_strdup (text), ",", '.');
  return scan_quantity (number, thousandths, G_N_ELEMENTS (thousandths), value);
}

static gboolean
parse_quantity (const FhRunOption *option, const char *text, guint64 *value, GError **error)
{
  g_autofree char *quoted = quote (text);
  double number;

  if (!scan (option, text, &number))
    return fh_run_error_refuse (
        error,
        option->kind == FH_OPTION_TIME
            ? _ ("“%s” is not a time. Use seconds such as 1.5, or 500ms, 2m, 1h, none.")
        : option->flags & FH_OPTION_IN_BYTES
            ? _ ("“%s” is not a size. Use bytes such as 8192, or 512K, 256M, 1.5G, none.")
        : option->kind == FH_OPTION_SIZE
            ? _ ("“%s” is not a size. Use MiB such as 256, or 512K, 256M, 1.5G, none.")
            : _ ("“%s” is not a number of processors, such as 1.5, or “none”."),
        quoted);
  /* Rounded, because 0.1 × 1000 need not be exactly 100; but half a byte is none. */
  number = option->kind == FH_OPTION_SIZE ? floor (number) : floor (number + 0.5);
  if (number < (double) option->minimum || number > (double) option->maximum)
    return fh_run_option_refuse_range (option, error);
  *value = (guint64) number;
  return TRUE;
}

/* Digits, which may stand in groups: "1 000 000". */
static gboolean
parse_count (const FhRunOption *option, const char *text, guint64 *value, GError **error)
{
  g_auto (GStrv) groups = g_strsplit_set (text, " ,", -1);
  g_autofree char *digits = g_strjoinv ("", groups);
  g_autofree char *quoted = quote (text);
  g_autoptr (GError) fault = NULL;

  if (g_ascii_string_to_unsigned (digits, 10, option->minimum, option->maximum, value, &fault))
    return TRUE;
  if (g_error_matches (fault, G_NUMBER_PARSER_ERROR, G_NUMBER_PARSER_ERROR_OUT_OF_BOUNDS) ||
      option->flags & FH_OPTION_LIMITED)
    return fh_run_option_refuse_range (option, error);
  return fh_run_error_refuse (error, _ ("“%s” is not a whole number or “none”."), quoted);
}

static char *
join_choices (const FhRunOption *option)
{
  GString *list = g_string_new (NULL);

  for (guint i = 0; i <= option->maximum; i++)
    g_string_append_printf (list, "%s%s", i > 0 ? ", " : "", option->words[i]);
  return g_string_free (list, FALSE);
}

static gboolean
parse_word (const FhRunOption *option, const char *text, guint64 *value, GError **error)
{
  g_autofree char *choices = NULL;
  guint index;

  if (fh_word_find (option->words, text, &index) && index <= option->maximum)
    {
      *value = index;
      return TRUE;
    }
  choices = join_choices (option);
  /* Translators: the first is a list of words, the second what was typed */
  return fh_run_error_refuse (error, _ ("must be one of %s, not “%s”."), choices, text);
}

static gboolean
parse_switch (const FhRunOption *option, const char *text, guint64 *value, GError **error)
{
  gboolean is_on = g_str_equal (text, "yes");

  if (!is_on && !g_str_equal (text, "no"))
    return fh_run_error_refuse (error, _ ("must be “yes” or “no”, not “%s”."), text);
  *value = is_on ? option->maximum : option->minimum;
  return TRUE;
}

/* Words between spaces, commas or line breaks; none is empty. */
static GStrv
split_words (const char *const *lists)
{
  g_autoptr (GStrvBuilder) builder = g_strv_builder_new ();

  for (guint i = 0; lists[i] != NULL; i++)
    {
      g_auto (GStrv) words = g_strsplit_set (lists[i], " ,;\t\n", -1);

      for (guint j = 0; words[j] != NULL; j++)
        {
          if (*words[j] != '\0')
            g_strv_builder_add (builder, words[j]);
        }
    }
  return g_strv_builder_end (builder);
}

/* The switch that this word of --without turns on; NULL when it is none. */
static const FhRunOption *
find_without (const char *word)
{
  for (const FhRunOption *option = fh_run_option_list (NULL); option->key != NULL; option++)
    {
      if (g_strcmp0 (option->without, word) == 0)
        return option;
    }
  return NULL;
}

static gboolean
parse_guards (const char *text, guint64 *value, GError **error)
{
  g_auto (GStrv) words = split_words ((const char *[]){ text, NULL });

  *value = 0;
  for (guint i = 0; words[i] != NULL; i++)
    {
      FhGuard guard;

      if (g_str_equal (words[i], "none") || find_without (words[i]) != NULL)
        continue;
      if (!fh_guard_from_string (words[i], &guard))
        return fh_run_error_refuse (
            error,
            _ ("“%s” is not a guard. Choose network, system-calls, memory, time, disk, output, "
               "environment or sockets."),
            words[i]);
      *value |= 1u << guard;
    }
  return TRUE;
}

static void
turn_on_without (FhRunOptions *options, const char *text)
{
  g_auto (GStrv) words = split_words ((const char *[]){ text, NULL });

  for (guint i = 0; words[i] != NULL; i++)
    {
      const FhRunOption *option = find_without (words[i]);

      if (option != NULL)
        fh_run_option_set_number (option, options, option->maximum);
    }
}

static gboolean
parse_number (const FhRunOption *option, const char *text, guint64 *value, GError **error)
{
  *value = 0;
  if (fh_run_option_is_limit (option) && is_none (text))
    return !(option->flags & FH_OPTION_LIMITED) || fh_run_option_refuse_range (option, error);
  switch (option->kind)
    {
    case FH_OPTION_TIME:
    case FH_OPTION_SIZE:
    case FH_OPTION_CPUS:
      return parse_quantity (option, text, value, error);
    case FH_OPTION_COUNT:
      return parse_count (option, text, value, error);
    case FH_OPTION_SWITCH:
      return parse_switch (option, text, value, error);
    case FH_OPTION_WORD:
      return parse_word (option, text, value, error);
    case FH_OPTION_GUARDS:
      return parse_guards (text, value, error);
    case FH_OPTION_TEXT:
    case FH_OPTION_PATH:
    case FH_OPTION_WORDS:
    case FH_OPTION_LINES:
    default:
      g_return_val_if_reached (FALSE);
    }
}

/* Puts the value of `candidate` in place, if it passes the option's check. */
static gboolean
set_checked (const FhRunOption *option,
             FhRunOptions *options,
             const FhRunOptions *candidate,
             GError **error)
{
  FhRunOptions changed = *options;

  memcpy ((guint8 *) &changed + option->offset,
          (const guint8 *) candidate + option->offset,
          option->size);
  if (!fh_run_option_check (option, &changed, error))
    return FALSE;
  fh_run_option_copy (option, options, candidate);
  return TRUE;
}

gboolean
fh_run_option_parse_list (const FhRunOption *option,
                          FhRunOptions *options,
                          const char *const *list,
                          GError **error)
{
  g_auto (GStrv) words = NULL;
  FhRunOptions candidate = { 0 };
  gboolean is_taken;

  g_return_val_if_fail (option != NULL && fh_run_option_is_list (option), FALSE);
  g_return_val_if_fail (list != NULL, FALSE);

  words = option->kind == FH_OPTION_WORDS ? split_words (list) : g_strdupv ((GStrv) list);
  if (option->read != NULL)
    *fh_run_option_list_of (option, &candidate) = option->read ((const char *const *) words);
  else
    *fh_run_option_list_of (option, &candidate) = g_steal_pointer (&words);
  is_taken = set_checked (option, options, &candidate, error);
  g_strfreev (*fh_run_option_list_of (option, &candidate));
  return is_taken;
}

/* The lines that are not blank, stripped. */
static gboolean
parse_lines (const FhRunOption *option, FhRunOptions *options, const char *text, GError **error)
{
  g_auto (GStrv) lines = g_strsplit (text, "\n", -1);
  g_autoptr (GStrvBuilder) builder = g_strv_builder_new ();
  g_auto (GStrv) list = NULL;

  for (guint i = 0; lines[i] != NULL; i++)
    {
      if (*g_strstrip (lines[i]) != '\0')
        g_strv_builder_add (builder, lines[i]);
    }
  list = g_strv_builder_end (builder);
  return fh_run_option_parse_list (option, options, (const char *const *) list, error);
}

gboolean
fh_run_option_parse (const FhRunOption *option,
                     FhRunOptions *options,
                     const char *text,
                     GError **error)
{
  g_autofree char *stripped = NULL;
  FhRunOptions candidate = { 0 };
  guint64 value;

  g_return_val_if_fail (option != NULL && options != NULL && text != NULL, FALSE);

  if (option->kind == FH_OPTION_LINES)
    return parse_lines (option, options, text, error);
  if (fh_run_option_is_list (option))
    return fh_run_option_parse_list (option, options, (const char *[]){ text, NULL }, error);
  stripped = option->kind == FH_OPTION_PATH ? g_strdup (text) : g_strstrip (g_strdup (text));
  if (fh_run_option_is_text (option))
    {
      *fh_run_option_text (option, &candidate) = *stripped != '\0' ? stripped : NULL;
      return set_checked (option, options, &candidate, error);
    }
  if (!parse_number (option, stripped, &value, error))
    return FALSE;
  fh_run_option_set_number (option, &candidate, value);
  if (!set_checked (option, options, &candidate, error))
    return FALSE;
  if (option->kind == FH_OPTION_GUARDS)
    turn_on_without (options, stripped);
  return TRUE;
}
