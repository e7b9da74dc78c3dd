/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "guard-state.h"
#include "run-options.h"

/* A small program that shows a guard at work, with what a class can learn from it. The program
 * is data/exhibits/FILE_NAME. One row of a static table, never freed; the texts are not yet
 * translated. */
typedef struct
{
  const char *file_name; /* "fork-bomb.py" */
  const char *title;     /* "Fork Bomb" */
  const char *shows;     /* what it tries */
  const char *lesson;    /* what stops it, and why that matters */
  const char *question;  /* for the class */
  FhGuard guard;         /* that stops it or most of it, or shows it for what it is */
  guint level;           /* 1: no knowledge needed … 3: about the kernel */
  /* Options of “fumehoodctl run”, with spaces between them; "" for none. */
  const char *with_guard;
  const char *without_guard; /* NULL: it is only run with its guard */
  const char *only_guarded;  /* why; NULL if nothing can be learned from that */
} FhExhibit;

/* All of them, in the order in which they are shown. The first is what a new user sees first; the
 * last has no file name. */
const FhExhibit *fh_exhibit_list (void);

/* Finds an exhibit by its file name, also without the suffix: "fork-bomb". NULL when unknown. */
const FhExhibit *fh_exhibit_lookup (const char *name);

/* The path of its program. (transfer full) */
char *fh_exhibit_dup_path (const FhExhibit *exhibit);

/* The options that it is run with: `with_guard`, or, if `bare`, `without_guard`, which must not be
 * NULL then. (transfer full) */
FhRunOptions *fh_exhibit_dup_options (const FhExhibit *exhibit, gboolean bare);
