/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "run.h"

#include "output/output-styles.h"

/* The output of one cell among those of a session: a heading, what it prints, and lines about its
 * end. Each pane that shows it has a reference.
 *
 * Signal "ended": nothing more is added. */
#define FH_TYPE_OUTPUT_SECTION (fh_output_section_get_type ())
G_DECLARE_FINAL_TYPE (FhOutputSection, fh_output_section, FH, OUTPUT_SECTION, GObject)

/* `run`: nullable; NULL for what has ended. `log`: the output of that; NULL for lines only. */
FhOutputSection *fh_output_section_new (const char *heading, FhRun *run, FhOutputLog *log);

/* A line at its end, for panes with any of the streams. */
void
fh_output_section_say (FhOutputSection *self, guint streams, FhOutputTag tag, const char *text);
/* Called after the run has its result. */
void fh_output_section_end (FhOutputSection *self);

const char *fh_output_section_get_heading (FhOutputSection *self);
/* NULL after the end: files and attempts of a run need not be kept for its output. */
FhRun *fh_output_section_get_run (FhOutputSection *self);
FhOutputLog *fh_output_section_get_log (FhOutputSection *self); /* nullable */
gboolean fh_output_section_has_ended (FhOutputSection *self);
/* The line of that number; NULL behind the last one. */
const char *
fh_output_section_get_line (FhOutputSection *self, guint number, guint *streams, FhOutputTag *tag);
/* About how many bytes it keeps. */
gsize fh_output_section_get_size (FhOutputSection *self);
