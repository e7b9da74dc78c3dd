/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <glib.h>

/* Sets the callback of a fresh source and attaches it to the thread's default context. Returns the
 * source. */
GSource *
fh_source_attach (GSource *source, GSourceFunc callback, gpointer user_data, GDestroyNotify notify);

/* Destroys a source and clears the pointer, which may be NULL already. */
void fh_source_clear (GSource **source);
