/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <glib.h>

/* The position of `text` in a NULL-terminated list, such as that of an enum's words. FALSE when it
 * is not there or NULL. */
gboolean fh_word_find (const char *const *words, const char *text, guint *position);

/* The pattern (PCRE, any bytes), which is made only once and stays in `place`. */
GRegex *fh_regex_once (GRegex **place, const char *pattern, GRegexCompileFlags flags);

/* Defines name_to_string and name_from_string for an enum whose words are in a NULL-terminated
 * array. */
#define FH_DEFINE_WORDS(Type, name, words)                                                         \
  const char *name##_to_string (Type value)                                                        \
  {                                                                                                \
    g_return_val_if_fail ((guint) value < G_N_ELEMENTS (words) - 1, NULL);                         \
                                                                                                   \
    return words[value];                                                                           \
  }                                                                                                \
                                                                                                   \
  gboolean name##_from_string (const char *text, Type *value)                                      \
  {                                                                                                \
    guint position;                                                                                \
                                                                                                   \
    if (!fh_word_find (words, text, &position))                                                    \
      return FALSE;                                                                                \
    *value = (Type) position;                                                                      \
    return TRUE;                                                                                   \
  }
