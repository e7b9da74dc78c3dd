/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "message.h"

#include <errno.h>
#include <glib/gi18n-lib.h>
#include <string.h>
#include <unistd.h>

static gboolean
write_all (int fd, const char *text, gsize size)
{
  while (size > 0)
    {
      gssize n = write (fd, text, size);

      if (n < 0 && errno == EINTR)
        continue;
      if (n < 0)
        return FALSE;
      text += n;
      size -= (gsize) n;
    }
  return TRUE;
}

void
fh_message (const char *format, ...)
{
  g_autofree char *text = NULL;
  g_autofree char *line = NULL;
  va_list arguments;

  va_start (arguments, format);
  text = g_strdup_vprintf (format, arguments);
  va_end (arguments);
  for (char *at = text; *at != '\0'; at++)
    {
      if (g_ascii_iscntrl (*at))
        *at = '?';
    }
  line = g_strconcat ("fumehoodctl: ", text, "\n", NULL);
  write_all (STDERR_FILENO, line, strlen (line));
}

gboolean
fh_print_bytes (int fd, const void *bytes, gsize size)
{
  if (write_all (fd, bytes, size))
    return TRUE;
  if (errno != EPIPE)
    fh_message (_ ("The output could not be written: %s"), g_strerror (errno));
  return FALSE;
}

gboolean
fh_print (const char *text)
{
  return fh_print_bytes (STDOUT_FILENO, text, strlen (text));
}
