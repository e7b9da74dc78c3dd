/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <gtk/gtk.h>

#include "attempt.h"

G_BEGIN_DECLS

/* The sign of what became of an attempt: a symbolic icon, and the style class of its color. It
 * stands beside the word or has it as its name; the color says nothing that they do not. */
const char *fh_verdict_icon_name (FhVerdict verdict);
const char *fh_verdict_style_class (FhVerdict verdict);

G_END_DECLS
