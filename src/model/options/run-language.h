/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <glib.h>

/* In bytes. A larger source is refused by name. */
#define FH_RUN_REQUEST_MAX_SOURCE ((gsize) 8 << 20)

/* A language that can be run: one row of a static table, never freed. */
typedef struct
{
  const char *id;          /* "python": stored, never translated */
  const char *name;        /* "Python": untranslated proper name */
  const char *file_name;   /* the file of the workspace that holds the source: "main.py" */
  const char *interpreter; /* the program that is looked up when the user chose none: "python3" */
  const char *source_view_id;  /* GtkSourceView's language id: "python3" */
  const char *const *aliases;  /* lower case, NULL-terminated: "py", "python3" */
  const char *const *suffixes; /* of file names, in the same way: ".py" */
  /* NULL, or what a shell in the sandbox does with the program: $0 is the interpreter or compiler,
   * $1 the file, and the arguments follow */
  const char *command;
} FhLanguage;

/* All languages, in the order in which they are offered; the last has no id. */
const FhLanguage *fh_language_list (void);

/* Their ids: "python, sh, bash" with ", ". (transfer full) */
char *fh_language_dup_ids (const char *separator);

/* Finds a language by its id or an alias, in any case; NULL when unknown. */
const FhLanguage *fh_language_lookup (const char *name);

/* Guesses the language from a file name ("x.py"), else from the source (a #! line, the look of the
 * first lines). Either may be NULL. NULL when unknown. */
const FhLanguage *fh_language_guess (const char *file_name, const char *source);

/* "TypeScript" of "x.ts", "HTML" of a text that looks like it: what is clearly something that
 * cannot be run, and must not be run as Python. `file_name`: nullable. NULL if it is not. */
const char *fh_language_find_foreign (const char *file_name, const char *source);

/* Whether lines that have nothing of any language would work as Python: at least one assignment,
 * calls of built-in functions, and no name that is not known. */
gboolean fh_python_is_plain (char **lines);

/* Returns what was typed in a terminal, for a text that was copied from one: the lines behind ">>>
 * " and "..." or "$ ", with the language that they are in. What was printed between them is left
 * out; with `keep_lines` an empty line stays for each, so that the others have the numbers they
 * had. NULL if the first line does not begin so. (transfer full) */
char *
fh_language_strip_prompts (const char *text, gboolean keep_lines, const FhLanguage **language);
