/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "run-options.h"

/* Whether it is a number that may be "none". */
gboolean fh_run_option_is_limit (const FhRunOption *option);
/* TEXT or PATH; WORDS or LINES; and their members. */
gboolean fh_run_option_is_text (const FhRunOption *option);
gboolean fh_run_option_is_list (const FhRunOption *option);
char **fh_run_option_text (const FhRunOption *option, const FhRunOptions *options);
GStrv *fh_run_option_list_of (const FhRunOption *option, const FhRunOptions *options);

/* The words of a set of guards. (transfer full) */
GStrv fh_run_option_guard_words (guint64 guards);

/* Whether the value is in the option's range and passes its own check. */
gboolean
fh_run_option_check (const FhRunOption *option, const FhRunOptions *options, GError **error);

/* FALSE with a sentence that names the range of a number. */
gboolean fh_run_option_refuse_range (const FhRunOption *option, GError **error);

/* The checks that rows name. They look at their own option, and at `in_container`. */
gboolean fh_run_option_check_interpreter (const FhRunOptions *options, GError **error);
gboolean fh_run_option_check_cwd (const FhRunOptions *options, GError **error);
gboolean fh_run_option_check_without (const FhRunOptions *options, GError **error);
gboolean fh_run_option_check_allowed_hosts (const FhRunOptions *options, GError **error);
gboolean fh_run_option_check_imports (const FhRunOptions *options, GError **error);
gboolean fh_run_option_check_image (const FhRunOptions *options, GError **error);
gboolean fh_run_option_check_name (const FhRunOptions *options, GError **error);
gboolean fh_run_option_check_init (const FhRunOptions *options, GError **error);
gboolean fh_run_option_check_network (const FhRunOptions *options, GError **error);
gboolean fh_run_option_check_gpus (const FhRunOptions *options, GError **error);
gboolean fh_run_option_check_volumes (const FhRunOptions *options, GError **error);
gboolean fh_run_option_check_hosts (const FhRunOptions *options, GError **error);
gboolean fh_run_option_check_environment (const FhRunOptions *options, GError **error);

/* The same host as the proxy knows it: lower case, ASCII, without a dot at the end. */
GStrv fh_run_option_read_hosts (const char *const *words);
/* "default" stands for fh_run_guards_default_imports, "none" for an empty list, "all" for NULL. */
GStrv fh_run_option_read_imports (const char *const *words);
