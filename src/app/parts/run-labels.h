/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <gtk/gtk.h>

#include "history-entry.h"
#include "run-request.h"
#include "run-status.h"

/* Texts about a run that several views show, translated. All strings are (transfer full). */

/* "8 ms", "1.25 s", "2:05 min". */
char *fh_run_label_elapsed (guint64 us);
/* "3 attempts blocked": by guards. `has_more`: attempts were left out, which may be among them. */
char *fh_run_label_stopped (guint n, gboolean has_more);

/* The shortest form of a time: "14:03" today, "Yesterday", "Monday" within a week, "12 Nov",
 * "12 Nov 2024". Both in local time. */
char *fh_run_label_time (GDateTime *when, GDateTime *now);
/* A time that tells two runs of the same minute apart, in the time zone of `now`: "14:03:20" today,
 * "Yesterday, 14:03:20". */
char *fh_run_label_moment (GDateTime *when, GDateTime *now);

/* “In a container: python:3-slim (Docker)”, or NULL for a run on this computer. `engine` is the one
 * that was used; FH_ENGINE_AUTO if unknown. */
char *fh_run_label_place (const FhContainerOptions *container, FhEngineKind engine);

/* The score of a batch: “1 of 4 passed”. */
char *fh_run_label_score (const FhHistoryScore *score);

/* Makes `image` the icon of a batch: green only if all passed. */
void fh_run_label_set_score (GtkImage *image, const FhHistoryScore *score);

/* Makes `image` the colored icon of a status, with its title as the accessible name. */
void fh_run_label_set_status (GtkImage *image, FhRunStatus status);
/* The same for a run that goes on. */
void fh_run_label_set_running (GtkImage *image);
