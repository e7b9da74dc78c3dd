/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "command-flags.h"

/* The command line of `fumehoodctl batch`. */
typedef struct
{
  FhCommandFlags *flags;
  FhRunOptions *options;               /* those of `flags` */
  const FhContainerOptions *container; /* those of `options`; NULL: on this computer */
  gboolean merge;                      /* the files are results to be joined */
  GStrv files;
  char *problems; /* nullable */
  char *output;   /* NULL: standard output */
  guint jobs;
  guint again; /* how often each sample runs */
  gboolean resume;
  gboolean cold;
  GStrv preload; /* modules; never NULL */
  gboolean score;
  guint shard; /* from 1 */
  guint n_shards;
} FhBatchCommandLine;

/* NULL with a sentence. --help is printed and ends the process. */
FhBatchCommandLine *fh_batch_command_line_parse (char **argv, GError **error);
void fh_batch_command_line_free (FhBatchCommandLine *line);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (FhBatchCommandLine, fh_batch_command_line_free)
