/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "run-language.h"

/* A text of several lines that a program's code begins and does not end: a string of Python between
 * three quotes, or the here-document of a shell. */
typedef struct
{
  guint line;               /* of the code, in which it begins, from 1 on */
  char *end;                /* what ends it: three quotes, or the word of a here-document */
  gboolean is_here;         /* it is a here-document, which ends in a line of its own */
  gboolean may_be_indented; /* by tabs, as after "<<-" */
} FhUnclosedText;

/* Finds the text that `code` leaves open at its end. Only Python and shells are looked at. Returns
 * NULL if there is none, and also if the code is not understood, so that sound code is not refused.
 * (transfer full) (nullable) */
FhUnclosedText *fh_unclosed_text_find (const FhLanguage *language, const char *code);

/* A byte of a program is one of these. */
typedef enum
{
  FH_CODE_BYTE_OTHER, /* in a string, a comment or a here-document, or not looked at */
  FH_CODE_BYTE_CODE,
  FH_CODE_BYTE_QUOTE, /* of one of the two quotation marks of a typesetter that stand where a string
                         begins and ends */
} FhCodeByte;

/* Tells the bytes of code from those of strings and comments. Of languages other than Python and
 * shells only what stands before the first quote and comment of a line is looked at, and nothing if
 * the program may have texts of several lines. Returns an FhCodeByte for each byte.
 * (transfer full) */
guint8 *fh_unclosed_text_find_code (const FhLanguage *language, const char *code);

/* Whether a line of `size` bytes, without its newline, would end the text. */
gboolean fh_unclosed_text_ends_in (const FhUnclosedText *text, const char *line, gsize size);

void fh_unclosed_text_free (FhUnclosedText *text);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (FhUnclosedText, fh_unclosed_text_free)
