/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <gtk/gtk.h>

/* For a view of code or of what it prints, in a scrolled window, once it has its buffer. It is read
 * from left to right, also where people read from right to left: else indentation, line numbers and
 * the scrollbar would begin at the wrong side. And where a long word is wrapped there is no hyphen,
 * which would look as if it were a part of an address or a path. */
void fh_show_program_text (GtkTextView *view);
