/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The parts of a step, for the series that takes it and the builder that knows what it is. */
#pragma once

#include "cell-private.h"
#include "step.h"

/* What a kind of step says about itself: one for each builder. All are nullable. See step.h. */
typedef struct
{
  char *(*dup_heading) (FhStep *step);
  char *(*dup_place) (FhStep *step);
  char *(*dup_left) (guint n);
  char **(*dup_repairs) (FhStep *step);
} FhStepKind;

struct _FhStep
{
  GObject parent_instance;

  const FhStepKind *kind;
  FhStepState state;
  guint number;
  gboolean is_silent;
  FhRun *run;                 /* nullable */
  char *note;                 /* nullable */
  const FhLanguage *language; /* nullable */
  guint line;                 /* of the series' text, from 0 */
  guint n_blocks;             /* of the answer that it is from; 0: of none */
  FhRunRequest *request;      /* of a program; nullable */
  GPtrArray *blocks;          /* keeps the block; nullable */
  const FhAnswerBlock *block; /* nullable */
  FhCell *cell;               /* nullable */
  const FhLanguage *asks;     /* a person is asked first, about code in this language; nullable */
  JsonObject *answer;         /* nullable */
  gboolean is_restarted;

  FhStepState ending;   /* the state of a step that is complete without a run */
  gboolean is_approved; /* by the person who was asked */
  gboolean is_doomed;   /* it will not run */
};

FhStep *fh_step_new (const FhStepKind *kind);
/* Copies the text. */
void fh_step_set_note (FhStep *self, const char *note);
