/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <glib.h>

/* The user's time zone, such as "Europe/Berlin"; NULL when unknown. (transfer full) */
char *fh_time_zone_of_user (void);

/* Whether it is a plain name of the zone database, which is safe to pass on. */
gboolean fh_time_zone_is_plain (const char *name);
