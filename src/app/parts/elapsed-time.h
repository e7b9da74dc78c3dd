/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

/* How long something took, translated: "8 ms", "1.25 s", "2:05 min". Free the result. */
char *fh_elapsed_time_format (guint64 us);

G_END_DECLS
