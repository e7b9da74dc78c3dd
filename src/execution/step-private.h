/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The parts of a step, for the series that takes it and the builder that knows what it is. */
#pragma once

#include "cell-private.h"
#include "step.h"

G_BEGIN_DECLS

struct _FhStep
{
  GObject parent_instance;

  FhStepState state;
  guint number;
  gboolean is_silent;
  FhRun *run;            /* nullable */
  char *note;            /* nullable */
  FhRunRequest *request; /* of a program; nullable */
  GPtrArray *blocks;     /* keeps the block; nullable */
  const FhAnswerBlock *block;
  FhCell *cell;           /* nullable */
  const FhLanguage *asks; /* a person is asked first, about code in this language; nullable */
  JsonObject *answer;     /* nullable */
  gboolean is_restarted;

  FhStepState ending;   /* the state of a step that is complete without a run */
  gboolean is_approved; /* by the person who was asked */
  gboolean is_doomed;   /* it will not run */
};

FhStep *fh_step_new (void);
FhStep *fh_step_new_program (FhRunRequest *request, gboolean asks);
FhStep *fh_step_new_block (GPtrArray *blocks, guint index, guint number);
/* Only cells that execute code are seen. */
FhStep *fh_step_new_cell (FhCell *cell);
/* Copies the text. */
void fh_step_set_note (FhStep *self, const char *note);

G_END_DECLS
