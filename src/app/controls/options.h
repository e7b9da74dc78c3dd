/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "run-language.h"
#include "run-options.h"
#include "run-request.h"

/* The options of one tab: an FhRunOptions and, for what is typed, the text as it was typed.
 *
 * Properties, read-write and notified: language (an id), arguments and standard-input (as typed),
 * in-container, interpreter-inside (of the image, used instead of "interpreter" in a container),
 * limit-imports (without it every module can be imported), and one for each row of the table,
 * named by its key with dashes, such as "limits-wall-ms". Their types: uint64 for times, sizes,
 * counts and CPUs; boolean for switches; uint for words and sets of guards; for all others the
 * text as typed, one item per line in lists.
 *
 * Read-only: problem (why the options cannot be used, or NULL), guards-problem and
 * container-problem (the part of it that belongs to these panels), notice (the guards that the
 * next run does without, or NULL), container-notice (what the container is given beyond the
 * default, or NULL), place ("This Computer", or the image; notified with each change), serial
 * (notified when the container changes). */
#define FH_TYPE_OPTIONS (fh_options_get_type ())
G_DECLARE_FINAL_TYPE (FhOptions, fh_options, FH, OPTIONS, GObject)

FhOptions *fh_options_new (void);

/* The property of a row of the table. */
const char *fh_options_property (const FhRunOption *row);
/* Whether a draft keeps this property. */
gboolean fh_options_is_kept (GParamSpec *property);

const FhLanguage *fh_options_get_language (FhOptions *self); /* never NULL */
void fh_options_set_language (FhOptions *self, const FhLanguage *language);
gboolean fh_options_is_in_container (FhOptions *self);

/* All that is chosen, also what does not apply where the next run happens. Owned by the caller. */
FhRunOptions *fh_options_dup_values (FhOptions *self);
/* Takes over everything but what is for one run only. */
void fh_options_set_values (FhOptions *self, const FhRunOptions *values);

/* Why what was typed for a row cannot be used, for rows that parse it themselves; NULL: it can. */
void fh_options_set_problem (FhOptions *self, const FhRunOption *row, const char *problem);

/* Guards that have an option of their own in a container: its network and its variables. */
#define FH_OPTIONS_NOT_IN_CONTAINER (1u << FH_GUARD_NETWORK | 1u << FH_GUARD_ENVIRONMENT)

/* Returns the options that the next run gets: without those that do not apply where it happens.
 * Owned by the caller. */
FhRunOptions *fh_options_dup_run_values (FhOptions *self);

/* Splits what was typed as a shell would. (out) (transfer full) (nullable): NULL without arguments.
 * FALSE with FH_RUN_ERROR_INVALID, a sentence, as for a quote that is not closed. */
gboolean fh_options_parse_arguments (const char *arguments, GStrv *argv, GError **error);

/* NULL with a sentence if something cannot be used. `title` is nullable, and so are `files`
 * (element-type FhRunFile), which lie beside the program. `tier` is for this request alone. */
FhRunRequest *fh_options_build_request (FhOptions *self,
                                        GBytes *source,
                                        const char *title,
                                        GPtrArray *files,
                                        FhTier tier,
                                        GError **error);

/* Takes over everything but the source. The settings of a container stay as they are after a run on
 * this computer. */
void fh_options_set_from_request (FhOptions *self, FhRunRequest *request);

/* Returns what was typed and cannot be used, by the keys of the options; NULL for nothing. Drafts
 * keep it beside the values. Owned by the caller. */
GHashTable *fh_options_dup_typed (FhOptions *self);
void fh_options_set_typed (FhOptions *self, GHashTable *typed);

void fh_options_set_limits (FhOptions *self, const FhRunLimits *limits);

/* Resets what was chosen for one run only. */
void fh_options_end_run (FhOptions *self);
