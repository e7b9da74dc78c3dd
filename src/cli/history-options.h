/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <gio/gio.h>

typedef enum
{
  FH_HISTORY_ACTION_LIST,
  FH_HISTORY_ACTION_SEARCH,
  FH_HISTORY_ACTION_SHOW,
  FH_HISTORY_ACTION_EXPORT,
  FH_HISTORY_ACTION_SAVE_FILES,
  FH_HISTORY_ACTION_DELETE,
  FH_HISTORY_ACTION_RESTORE,
  FH_HISTORY_ACTION_PURGE,
} FhHistoryAction;

/* The command line of `fumehoodctl history`. */
typedef struct
{
  FhHistoryAction action;
  GStrv words; /* after the action, never NULL */
  GArray *ids; /* (element-type gint64) the words that are ids */
  guint limit; /* G_MAXUINT: no limit */
  gboolean json;
  gboolean source;
  gboolean output;
  gboolean review;
  gboolean force;
} FhHistoryOptions;

/* NULL with a sentence. --help is printed and ends the process. */
FhHistoryOptions *fh_history_options_parse (char **argv, GError **error);
void fh_history_options_free (FhHistoryOptions *options);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (FhHistoryOptions, fh_history_options_free)
