/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "run-language.h"
#include "run-options.h"

G_BEGIN_DECLS

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

G_END_DECLS
