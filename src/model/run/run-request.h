/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <gio/gio.h>

#include "run-files.h"
#include "run-language.h"
#include "run-options.h"

/* The parts of a request, copied or referenced by fh_run_request_new. What a request tells of
 * itself always has a title, lists of arguments and of what was removed, and options; the last four
 * parts are those of the options then. */
typedef struct
{
  const FhLanguage *language;   /* required */
  GBytes *source;               /* required, any bytes */
  const char *title;            /* nullable: a file name, or the first line by default */
  const char *const *arguments; /* nullable: argv after the program, byte strings */
  GBytes *standard_input;       /* nullable: end of file at once, unless */
  gboolean input_stays;         /* more may come while it runs, if there is none. Not part of the
                                   JSON */
  gboolean is_typed;            /* Python prints the value of each statement, as at its prompt */
  gboolean is_called;           /* its functions are called when it has run: lines of JSON that come
                                   as its input, data/guest/called.py. Implies the member above */
  GPtrArray *files;             /* nullable; (element-type FhRunFile): see run-files.h */
  const char *const *removed;   /* nullable: files of the project folder that an earlier run has
                                   deleted. Not part of the JSON */
  gboolean hands_on;            /* what it leaves is for another run: fh_result_files_get_handed_on.
                                   Not part of the JSON */
  const char *const *shares;    /* nullable: it may run in one sandbox with earlier and later runs,
                                   and with what they leave running. Ids of the languages of all
                                   of them. Its files are those that the others have left, except
                                   for new ones. Not part of the JSON, like the next two members */
  const char *shared_python;   /* nullable: the interpreter of those in Python; NULL: the default */
  gboolean stays;              /* a later one may come */
  const FhRunOptions *options; /* nullable: made of the members below */
  GBytes *cell;  /* nullable: it is a cell of a session, and this what it is to do: JSON, see
                    data/guest/session.py. Its source is for people. Not part of the JSON */
  GBytes *setup; /* nullable: what a new interpreter is to do before its first cell: a JSON list */

  FhRunLimits limits;
  const FhRunGuards *guards;           /* nullable: FH_RUN_GUARDS_DEFAULT */
  const FhContainerOptions *container; /* nullable: not in a container */
  const char *interpreter;             /* nullable or empty: the language's default */
} FhRunRequestInit;

/* A program and how to run it. Immutable. */
#define FH_TYPE_RUN_REQUEST (fh_run_request_get_type ())
G_DECLARE_FINAL_TYPE (FhRunRequest, fh_run_request, FH, RUN_REQUEST, GObject)

/* NULL with FH_RUN_ERROR when the source is too large, an argument is too long, the files do not
 * pass fh_run_files_check, or the options fh_run_options_check. Files need a workspace of the run's
 * own: not that of a container that is kept or has a folder of the user. */
FhRunRequest *fh_run_request_new (const FhRunRequestInit *init, GError **error);

/* Borrowed. */
const FhRunRequestInit *fh_run_request_get_parts (FhRunRequest *self);
/* The source as text for people: invalid UTF-8 is replaced, NUL becomes U+2400. Owned by caller. */
char *fh_run_request_dup_source_text (FhRunRequest *self);
/* Whether more input will be sent while it runs, as there is none yet. */
gboolean fh_run_request_takes_live_input (FhRunRequest *self);

/* The same with this standard input, which is all of it. (transfer full) */
FhRunRequest *fh_run_request_with_input (FhRunRequest *self, GBytes *standard_input);

/* A versioned object. Bytes that are not valid UTF-8, or hold a NUL, are written as
 * {"base64": "…"} in place of a string. (transfer full) */
JsonNode *fh_run_request_to_json (FhRunRequest *request);
/* The same as text in one line, which is made only once, in any thread. Borrowed. */
GBytes *fh_run_request_get_text (FhRunRequest *self);

/* Unknown members are ignored, an unknown version is refused. */
FhRunRequest *fh_run_request_from_json (JsonObject *object, GError **error);
