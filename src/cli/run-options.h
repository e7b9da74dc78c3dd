/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "container-choice.h"
#include "guard-options.h"
#include "run-request.h"

G_BEGIN_DECLS

/* What the command line of `fumehoodctl run` asks for. */
typedef struct
{
  char *file; /* "-": stdin */
  char *standard_input;
  char *language;
  char *interpreter;
  GStrv arguments; /* of the program, never NULL */
  FhRunLimits limits;
  FhGuardOptions guards;
  FhContainerChoice container;
  char *save_files; /* a folder for what it leaves behind; NULL: nowhere */
  gboolean no_history;
  gboolean json;
  gboolean attempts;
  gboolean raw;
} FhRunOptions;

/* NULL with a sentence when it makes no sense. --help is printed, and ends the process. */
FhRunOptions *fh_run_options_parse (int argc, char **argv, GError **error);
void fh_run_options_free (FhRunOptions *options);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (FhRunOptions, fh_run_options_free)

G_END_DECLS
