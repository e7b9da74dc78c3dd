/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <glib.h>

/* Text for a terminal, and how wide it is. */

typedef enum
{
  FH_COLOR_GOOD,
  FH_COLOR_WARNING,
  FH_COLOR_BAD,
  FH_COLOR_HEADING,
} FhColor;

/* Whether the terminal understands SGR, by its type. */
gboolean fh_terminal_has_colors (void);

/* "auto", "always" or "never", for the whole process. FALSE for another word. */
gboolean fh_color_choose (const char *when);

/* Whether what is written to that descriptor may have colors: as chosen; by default if it is a
 * terminal that has them and NO_COLOR is not set (https://no-color.org). */
gboolean fh_color_is_on (int fd);

/* The sequence that switches a color on; "" when there are none. fh_color_end switches it off. */
const char *fh_color_begin (FhColor color, int fd);
const char *fh_color_end (int fd);

/* The number of columns of the terminal behind that descriptor, at least 40; 80 if there is none.
 */
glong fh_terminal_width (int fd);
