/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <glib.h>

/* A folder of Fumehood's data, such as "guest": in $FH_DATA_DIR, else the installed one. It may be
 * missing. (transfer full) */
char *fh_data_folder_locate (const char *name);
