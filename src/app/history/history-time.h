/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

/* When something was, as short as it can be told: "14:03" today, "Yesterday", "Monday" within a
 * week, "12 Nov", "12 Nov 2024". Both in local time. Free the result. */
char *fh_history_time_format (GDateTime *when, GDateTime *now);

G_END_DECLS
