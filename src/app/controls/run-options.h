/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "controls/container-choice.h"
#include "controls/guard-options.h"
#include "run-request.h"

G_BEGIN_DECLS

/* How the program of one tab is run, as the user set it: what a request needs besides the source.
 *
 * Properties (all read-write and notified): language (id), interpreter (path or NULL for the
 * default), arguments (as typed), standard-input, time-limit (ms, 0: none), memory-limit (bytes,
 * 0: none), keep (in the history), problem (what the user typed and cannot be used: a sentence, or
 * NULL), summary (read-only: "Python · 30 s · 512 MiB", with the image of a container in
 * between). */
#define FH_TYPE_RUN_OPTIONS (fh_run_options_get_type ())
G_DECLARE_FINAL_TYPE (FhRunOptions, fh_run_options, FH, RUN_OPTIONS, GObject)

FhRunOptions *fh_run_options_new (void);

const FhLanguage *fh_run_options_get_language (FhRunOptions *self); /* never NULL */
void fh_run_options_set_language (FhRunOptions *self, const FhLanguage *language);
const char *fh_run_options_get_interpreter (FhRunOptions *self);
const char *fh_run_options_get_arguments (FhRunOptions *self);      /* never NULL */
const char *fh_run_options_get_standard_input (FhRunOptions *self); /* never NULL */
gboolean fh_run_options_get_keep (FhRunOptions *self);
FhGuardOptions *fh_run_options_get_guards (FhRunOptions *self);       /* never NULL */
FhContainerChoice *fh_run_options_get_container (FhRunOptions *self); /* never NULL */

/* All limits, those among them that have no control of their own. */
FhRunLimits fh_run_options_get_limits (FhRunOptions *self);
void fh_run_options_set_limits (FhRunOptions *self, const FhRunLimits *limits);

/* Takes over everything but the source. */
void fh_run_options_set_from_request (FhRunOptions *self, FhRunRequest *request);

/* NULL with a sentence for people when something cannot be used. `title` is nullable. `tier` is for
 * this request alone. */
FhRunRequest *fh_run_options_build_request (FhRunOptions *self,
                                            const char *source,
                                            const char *title,
                                            FhTier tier,
                                            GError **error);

G_END_DECLS
