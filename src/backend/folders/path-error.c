/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "path-error.h"

#include "run-error.h"

gboolean
fh_errno_error (GError **error, int code, const char *what)
{
  g_set_error (error,
               G_IO_ERROR,
               (int) g_io_error_from_errno (code),
               "%s%s%s",
               what != NULL ? what : "",
               what != NULL ? ": " : "",
               g_strerror (code));
  return FALSE;
}

#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wformat-nonliteral"

gboolean
fh_path_error (GError **error, int code, const char *format, const char *path)
{
  g_autofree char *name = g_filename_display_name (path);

  g_set_error (error,
               G_IO_ERROR,
               (int) g_io_error_from_errno (code),
               format,
               name,
               g_strerror (code));
  return FALSE;
}

gboolean
fh_path_refuse (GError **error, const char *format, const char *path)
{
  g_autofree char *name = g_filename_display_name (path);

  g_set_error (error, FH_RUN_ERROR, FH_RUN_ERROR_INVALID, format, name);
  return FALSE;
}

gboolean
fh_path_explain (GError **error, GError *reason, const char *format, const char *path)
{
  g_autoptr (GError) taken = reason;
  g_autofree char *name = g_filename_display_name (path);

  if (taken->domain == FH_RUN_ERROR)
    g_propagate_error (error, g_steal_pointer (&taken));
  else
    g_set_error (error, taken->domain, taken->code, format, name, taken->message);
  return FALSE;
}

#pragma GCC diagnostic pop
