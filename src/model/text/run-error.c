/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "run-error.h"

G_DEFINE_QUARK (fh - run - error - quark, fh_run_error)

gboolean
fh_run_error_refuse (GError **error, const char *format, ...)
{
  g_autofree char *message = NULL;
  g_autofree char *valid = NULL;
  va_list arguments;

  va_start (arguments, format);
  message = g_strdup_vprintf (format, arguments);
  va_end (arguments);
  valid = g_utf8_make_valid (message, -1);
  g_set_error_literal (error, FH_RUN_ERROR, FH_RUN_ERROR_INVALID, valid);
  return FALSE;
}
