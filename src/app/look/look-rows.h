/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <adwaita.h>

#include "code-look.h"

/* Adds the groups of one look to a box. `with_title`: it is a block of an answer. */
void fh_look_rows_add (GtkBox *box, const FhCodeLook *look, guint index, gboolean with_title);
