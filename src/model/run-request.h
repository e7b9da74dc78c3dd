/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <gio/gio.h>

#include "container-options.h"
#include "run-guards.h"
#include "run-language.h"
#include "run-limits.h"

G_BEGIN_DECLS

/* A larger source is refused by name. */
#define FH_RUN_REQUEST_MAX_SOURCE ((gsize) 8 << 20)

/* What goes into a request. Everything is copied or referenced by fh_run_request_new. */
typedef struct
{
  const FhLanguage *language;   /* required */
  GBytes *source;               /* required, any bytes */
  const char *title;            /* nullable: a file name or the first line is taken */
  const char *interpreter;      /* nullable: absolute path; NULL takes the language's default. In a
                                   container also the name of a program of the image */
  const char *const *arguments; /* nullable: argv after the program, byte strings */
  GBytes *standard_input;       /* nullable: end of file at once */
  FhRunLimits limits;
  const FhRunGuards *guards;           /* nullable: FH_RUN_GUARDS_DEFAULT */
  const FhContainerOptions *container; /* nullable: run it on this computer */
} FhRunRequestInit;

/* One wish to run code. Immutable, so that a history entry, a live run and a second run of the
 * same text can share it. */
#define FH_TYPE_RUN_REQUEST (fh_run_request_get_type ())
G_DECLARE_FINAL_TYPE (FhRunRequest, fh_run_request, FH, RUN_REQUEST, GObject)

/* NULL with FH_RUN_ERROR when the source is too large, an argument is too long, or a limit or the
 * choice of guards makes no sense. */
FhRunRequest *fh_run_request_new (const FhRunRequestInit *init, GError **error);

const FhLanguage *fh_run_request_get_language (FhRunRequest *self);
GBytes *fh_run_request_get_source (FhRunRequest *self); /* borrowed */
/* The source as text for people: invalid UTF-8 is replaced, NUL becomes U+2400. Owned by caller. */
char *fh_run_request_dup_source_text (FhRunRequest *self);
const char *fh_run_request_get_title (FhRunRequest *self);            /* never NULL nor empty */
const char *fh_run_request_get_interpreter (FhRunRequest *self);      /* nullable */
const char *const *fh_run_request_get_arguments (FhRunRequest *self); /* never NULL */
GBytes *fh_run_request_get_standard_input (FhRunRequest *self);       /* nullable, borrowed */
const FhRunLimits *fh_run_request_get_limits (FhRunRequest *self);
const FhRunGuards *fh_run_request_get_guards (FhRunRequest *self);
/* NULL: it runs on this computer; else in a container, as these say. */
const FhContainerOptions *fh_run_request_get_container (FhRunRequest *self);

G_END_DECLS
