/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "run-request.h"

/* The text and options of a tab, which survive a crash. */
typedef struct
{
  char *id;           /* a UUID, the file's name */
  guint position;     /* of the tab in its window */
  char *title;        /* nullable */
  char *path;         /* nullable: the file that the text was opened from or saved to */
  gboolean modified;  /* the text is newer than that file */
  gboolean repaired;  /* that file has bytes which the text has not */
  char *file_version; /* of that file, when the text was read or saved; nullable */
  char *text;
  gboolean session; /* its cells run one by one */
  guint cursor;     /* character offset */
  const FhLanguage *language;
  char *arguments; /* as typed */
  char *standard_input;
  FhRunOptions *options; /* never NULL; options for one run only are not stored */
  GHashTable *typed;     /* nullable: an option's key → an invalid text that was typed for it */
  GHashTable *choices;   /* nullable: see answer-choices.h */
  gint64 run;            /* the id in the history of what the tab shows; 0: nothing */
  GPtrArray *files;      /* (element-type FhRunFile) that lie beside the program; nullable */
} FhDraft;

FhDraft *fh_draft_new (void);
FhDraft *fh_draft_copy (const FhDraft *draft);
void fh_draft_free (FhDraft *draft);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (FhDraft, fh_draft_free)

/* The text of the draft's file. Bytes that are not valid UTF-8 are kept. */
char *fh_draft_to_json (const FhDraft *draft, gsize *size);

/* NULL with FH_RUN_ERROR if the text is damaged, or G_IO_ERROR_NOT_SUPPORTED if it is of a newer
 * version. Options that cannot be read get the default, so that the text is not lost. */
FhDraft *fh_draft_from_json (const char *id, const char *json, gsize size, GError **error);
