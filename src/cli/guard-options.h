/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "run-guards.h"

G_BEGIN_DECLS

/* What the command line says about guards: the options as they were typed, and the choice that
 * they make. */
typedef struct
{
  char *watch;
  char *tier;
  GStrv without;
  gboolean without_protection;
  GStrv allow_hosts;
  gboolean report_lines;
  gboolean limit_functions;
  char *allow_imports;
  char *max_operations;
  gboolean no_files;

  FhRunGuards guards; /* its strings are the two below */
  GStrv host_names;
  GStrv imports;
} FhGuardOptions;

/* `options` must be all zero, and outlive the parsing. */
void fh_guard_options_add (FhGuardOptions *options, GOptionContext *context);

/* Fills in `guards` after the parsing; FALSE with a sentence when it makes no sense. */
gboolean fh_guard_options_finish (FhGuardOptions *options, GError **error);

/* The tier of that name; FALSE with a sentence that names those there are. */
gboolean fh_guard_options_parse_tier (const char *text, FhTier *tier, GError **error);

/* Whether something was chosen that only the interpreter of Python can do. */
gboolean fh_guard_options_need_python (const FhGuardOptions *options);

void fh_guard_options_clear (FhGuardOptions *options);

G_END_DECLS
