/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

/* The user's zone when it is simply known, such as "Europe/Berlin"; else NULL. A program then shows
 * the user's times. (transfer full) */
char *fh_time_zone_of_user (void);

G_END_DECLS
