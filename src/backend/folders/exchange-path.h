/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

/* Beginning of the names of files that are being written; what a crash leaves of them is not work.
 */
#define FH_EXCHANGE_TEMPORARY_PREFIX ".fumehood-"

/* Names of files and folders that do not travel between a work folder and a container. */
gboolean fh_exchange_name_stays (const char *name);
/* The same for any part of a path. */
gboolean fh_exchange_path_stays (const char *path);

G_END_DECLS
