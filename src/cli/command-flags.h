/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "option-parsing.h"
#include "run-options.h"

/* The options of the table as flags of a command line, and what they choose. */
typedef struct
{
  FhRunOptions *options;
  GStrv *typed;    /* of each row of the table: its values as they were typed, or NULL */
  char *container; /* NULL: --container was not used; else the word after it, or "" */
  gboolean no_container;
  char *preset;      /* nullable: the name of the one that the options begin with */
  char *save_preset; /* nullable: the name under which they are saved */
} FhCommandFlags;

FhCommandFlags *fh_command_flags_new (void);
void fh_command_flags_free (FhCommandFlags *flags);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (FhCommandFlags, fh_command_flags_free)

/* Parses `argv` by these rows and by the flags of containers and of tiers, and all others when
 * `for_run`. FALSE with a sentence. */
gboolean fh_command_flags_parse (FhCommandFlags *flags,
                                 gboolean for_run,
                                 const FhOptionHelp *help,
                                 const GOptionEntry *entries,
                                 char **argv,
                                 GError **error);

/* The word after --container is the image, unless nothing else is left that could be the file to
 * run: then this takes it. NULL when there is none. (transfer full) */
char *fh_command_flags_take_word (FhCommandFlags *flags);

/* Finishes the parsing: reads and saves presets, which replaces `options`. FALSE with
 * FH_RUN_ERROR_INVALID, a sentence, when flags contradict each other or their values cannot be
 * used. */
gboolean fh_command_flags_finish (FhCommandFlags *flags, GError **error);

/* Valid after that; NULL: on this computer. Owned by `flags`. */
const FhContainerOptions *fh_command_flags_get_container (const FhCommandFlags *flags);

/* The first flag that was used and is for Python only, such as "report-lines"; NULL: none. */
const char *fh_command_flags_find_python (const FhCommandFlags *flags);

/* The value of --engine of the commands about engines; NULL: any. */
gboolean fh_command_flags_parse_engine (const char *text, FhEngineKind *kind, GError **error);
