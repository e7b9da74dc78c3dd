/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <gtk/gtk.h>

#include "protection.h"

/* Shows what this is, and what a bug report needs: versions, and what protects runs `here`.
 * `parent` is nullable. */
void fh_about_show (GtkWindow *parent, FhProtection *here);
