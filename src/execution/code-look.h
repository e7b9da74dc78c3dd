/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <json-glib/json-glib.h>

#include "answer.h"
#include "run-request.h"
#include "run-result.h"

/* Looks at code without running it: data/guest/look.py parses it in a sandbox. It informs, decides
 * nothing, and can be fooled. */

/* More code is refused, of all blocks together; and more blocks. */
#define FH_CODE_LOOK_MAX        ((gsize) 1 << 20)
#define FH_CODE_LOOK_MAX_BLOCKS 200

/* In the order in which they are listed. */
typedef enum
{
  FH_LOOK_FAULT,   /* the parser's message */
  FH_LOOK_SIGN,    /* that something is meant to be hard to read */
  FH_LOOK_CALL,    /* a call, or a command of a shell, that is worth a look */
  FH_LOOK_PACKAGE, /* that would be installed */
  FH_LOOK_IMPORT,  /* a module */
} FhLookKind;

/* What modules reach. A set: 1 << FhLookReach. */
typedef enum
{
  FH_LOOK_NETWORK,
  FH_LOOK_PROCESSES,
  FH_LOOK_FILES,
  FH_LOOK_NATIVE,
  FH_LOOK_DYNAMIC,
} FhLookReach;
#define FH_LOOK_N_REACHES 5

typedef struct
{
  FhLookKind kind;
  const char *reason;   /* "deletes-files": stored, never translated */
  const char *sentence; /* translated: "deletes files" */
  char *name;           /* "os.remove": a line that can be shown; "" if there is none */
  guint line;           /* of the whole text, from 1 on */
  guint reaches;        /* of a module */
} FhLookFinding;

typedef enum
{
  FH_LOOK_PARSED,
  FH_LOOK_TEXT,   /* Fumehood cannot parse this language: only what can be seen in any text */
  FH_LOOK_FAILED, /* the parser gave up, or took too long */
} FhLookDepth;

/* What was found in one block of code. */
typedef struct
{
  FhLookDepth depth;
  const FhLanguage *language; /* NULL: one that Fumehood does not know */
  guint line;                 /* where the block begins, from 1 on */
  guint n_lines;
  guint n_left_out;    /* findings */
  GPtrArray *findings; /* (element-type FhLookFinding) by kind, then line */
} FhCodeLook;

void fh_code_look_free (FhCodeLook *look);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (FhCodeLook, fh_code_look_free)

/* Looks at these blocks (element-type FhAnswerBlock) in a sandbox of its own, which takes some
 * tenths of a second and at most ten seconds. Nothing of it is in the history. A program that is no
 * answer is one block: fh_answer_block_new. Of `options` (nullable) the interpreter and a container
 * are used; a sandbox is always guarded. */
void fh_code_look_async (GPtrArray *blocks,
                         const FhRunOptions *options,
                         GCancellable *cancellable,
                         GAsyncReadyCallback callback,
                         gpointer user_data);
/* One for each block (element-type FhCodeLook). NULL with FH_RUN_ERROR and a sentence that says why
 * the code could not be looked at. (transfer full) */
GPtrArray *fh_code_look_finish (GAsyncResult *result, GError **error);

/* The two halves of it, for callers that have an executor of their own. The run that looks at the
 * blocks; NULL with FH_RUN_ERROR. */
FhRunRequest *
fh_code_look_new_request (GPtrArray *blocks, const FhRunOptions *options, GError **error);
/* What that run found, checked member by member. (transfer full) */
GPtrArray *fh_code_look_read (FhRunResult *result, GPtrArray *blocks, GError **error);

/* What look.py has printed: our own program, but in a sandbox in which hostile text was read. NULL
 * if anything in it is not as it should be. (transfer full) */
GPtrArray *fh_code_look_parse (const char *text, GPtrArray *blocks);

/* "2 calls worth a look; imports that reach the network, files": translated, without a full stop;
 * "nothing that stands out" if that is so. (transfer full) */
char *fh_code_look_dup_summary (const FhCodeLook *look);
/* "Fumehood cannot look into JavaScript yet"; NULL if it was parsed. (transfer full) (nullable) */
char *fh_code_look_dup_depth (const FhCodeLook *look);
/* All of it, with headings: translated lines for people. (transfer full) */
char *fh_code_look_dup_text (const FhCodeLook *look);
/* The same for programs: see tools.json. (transfer full) */
JsonObject *fh_code_look_to_json (const FhCodeLook *look);
