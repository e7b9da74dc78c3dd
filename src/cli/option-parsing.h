/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <glib.h>

/* The beginning of a row of GOptionEntry. Its help follows, and the name of its value if it has
 * one, both marked with N_. */
#define FH_SWITCH(name, letter, place) (name), (letter), 0, G_OPTION_ARG_NONE, (place)
#define FH_TEXT(name, letter, place)   (name), (letter), 0, G_OPTION_ARG_STRING, (place)
#define FH_FILE(name, letter, place)   (name), (letter), 0, G_OPTION_ARG_FILENAME, (place)
/* Each use adds one value; as G_OPTION_REMAINING, what is no option does. */
#define FH_TEXTS(name, letter, place) (name), (letter), 0, G_OPTION_ARG_STRING_ARRAY, (place)
#define FH_FILES(name, letter, place) (name), (letter), 0, G_OPTION_ARG_FILENAME_ARRAY, (place)

/* Returns the ids of all languages, in two lines, as they stand behind "  LANG   " in --help.
 * (transfer full) */
char *fh_option_dup_languages (void);

/* The texts of --help, marked with N_. */
typedef struct
{
  const char *usage; /* nullable: the command has options only */
  const char *summary;
  const char *description; /* or a text that was made from it */
} FhOptionHelp;

/* Parses `argv`, with what all commands have in common: --color, and for an unknown option the one
 * that was probably meant. Words are lost unless there is a row for G_OPTION_REMAINING. `groups`:
 * nullable; ends with NULL and begins with the main group, which gets the rows too. They are taken.
 */
gboolean fh_option_parse (const FhOptionHelp *help,
                          const GOptionEntry *entries,
                          GOptionGroup *const *groups,
                          char **argv,
                          GError **error);
