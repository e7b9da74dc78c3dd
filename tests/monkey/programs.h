/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "fake-backend.h"

/* The programs that the window believes to run: they print what is hardest to show, try what is not
 * allowed, leave files and end in every way. */
typedef struct
{
  FakeBackend *backend;
  GRand *rand;
  GPtrArray *runs; /* (element-type FhRun): those that go on */
} Programs;

Programs *programs_new (FakeBackend *backend, GRand *rand);
void programs_free (Programs *self);

/* To be called often: notes which was started, and forgets those that have ended. */
void programs_look (Programs *self);
/* One of them does something. Returns what, for the record. */
const char *programs_go_on (Programs *self);
/* All end. */
void programs_end (Programs *self);
/* A text that is unpleasant to show; of a program, an answer or a clipboard. Static. */
const char *programs_pick_text (GRand *rand);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (Programs, programs_free)
