/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "fake-backend.h"
#include "fh-test.h"
#include "recorder.h"

/* A series around a backend that does what the test says, and what it tells. */
typedef struct
{
  FakeBackend *backend;
  FhProbes *probes;
  FhExecutor *executor;
  FhRunOptions *options;
  FhSeries *series;
  FhStep *step; /* that was told last */

  /* The steps that were told, each as its number, none for silent ones, and a letter: "a" asking,
   * "o" waiting again, "s" running, "f" finished, "w" saved, "x" refused, "-" not run. "c" is a
   * call, and "." that the series is done. */
  GString *told;
  GString *states;  /* a letter each: "Y" ready, "R" running, "A", "S", "D" */
  gboolean is_deaf; /* does not listen to questions */

  char *folder;
  FhHistory *history;
} SeriesRoom;

void series_room_set_up (SeriesRoom *room, gconstpointer data);
void series_room_tear_down (SeriesRoom *room, gconstpointer data);

/* The blocks of this answer, numbered from 1 on. `policies`: NULL-terminated; nullable. */
void series_room_new_answer (SeriesRoom *room, const char *text, const char *const *policies);
void series_room_new_session (SeriesRoom *room, FhAfterFailure after);
FhRunRequest *series_room_new_request (void);
/* Listens to the series, and starts it. */
void series_room_start (SeriesRoom *room);
/* Runs the main loop until this was told, and no more. */
void series_room_await (SeriesRoom *room, const char *told);
void series_room_await_runs (SeriesRoom *room, guint n_runs);
/* Lets the sources of the main loop that wait be dispatched. */
void series_room_turn (void);

/* Takes the cell. */
FhStep *series_room_push (SeriesRoom *room, FhCell *taken);
FhStep *series_room_execute (SeriesRoom *room, const char *code);
/* The interpreter answers the cell that runs; NULL: it ends instead. */
void series_room_answer (SeriesRoom *room, const char *json);
/* Closes the series; an interpreter that is idle ends at once. */
void series_room_close (SeriesRoom *room);
/* The number of cells that this interpreter has run is in its answer. */
void series_room_succeed (SeriesRoom *room, guint cell);

/* FH_FIXTURE_TESTS, with a room for each test. */
#define SERIES_ROOM_TESTS(...)                                                                     \
  FH_FIXTURE_TESTS (SeriesRoom, series_room_set_up, series_room_tear_down, __VA_ARGS__)
