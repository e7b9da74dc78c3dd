/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <json-glib/json-glib.h>

/* The problems that completions solve, in the formats of HumanEval (“prompt”, “test”,
 * “entry_point”) and MBPP (“test_list”, “test_setup_code” or “test_imports”). */
typedef struct _FhBatchProblems FhBatchProblems;

/* NULL with a sentence. */
FhBatchProblems *fh_batch_problems_load (const char *path, GError **error);
void fh_batch_problems_free (FhBatchProblems *problems);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (FhBatchProblems, fh_batch_problems_free)

/* A completion with its problem: as one program, which tests itself, or in two parts. The
 * caller frees all members. */
typedef struct
{
  char *whole;
  char *marker;     /* a word that it writes when its tests have passed, see batch-marker.h */
  char *program;    /* without the tests */
  JsonObject *test; /* the tests without it: an order of data/guest/session.py */
} FhBatchParts;

/* FALSE: there is no such problem. */
gboolean fh_batch_problems_complete (const FhBatchProblems *problems,
                                     const char *task_id,
                                     const char *completion,
                                     FhBatchParts *parts);

/* (element-type utf8) (transfer container) */
GList *fh_batch_problems_list (const FhBatchProblems *problems);

/* The member is a name: a text, or a number as in MBPP. FALSE with a sentence if it is something
 * else; NULL if it is missing. (out: transfer full) */
gboolean fh_batch_get_name (JsonObject *object, const char *member, char **name, GError **error);
