/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A place in a line lies inside the line, and names a file and a number. */
#include "fuzz-target.h"
#include "traceback-parser.h"

#include <string.h>

static void
try_name (const char *line, gsize size, const char *name)
{
  FhSourcePlace place;

  if (!fh_traceback_find (line, size, name, &place))
    return;
  g_assert (place.line > 0 && place.line <= G_MAXINT);
  g_assert (place.column <= G_MAXINT);
  g_assert (place.start < place.end && place.end <= size);
  g_assert (memmem (line + place.start, place.end - place.start, name, strlen (name)) != NULL);
  g_assert (g_ascii_isdigit (line[place.end - 1]));
}

int
LLVMFuzzerTestOneInput (const uint8_t *data, size_t size)
{
  try_name ((const char *) data, size, "main.py");
  try_name ((const char *) data, size, "main.sh");
  try_name ((const char *) data, size, "3");
  return 0;
}
