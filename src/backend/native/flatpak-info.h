/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <glib.h>

/* Where extensions of Flatpak's SDK are, each with a bin folder. */
#define FH_SDK_EXTENSIONS "/usr/lib/sdk"

/* Whether this process is in the sandbox of a Flatpak app, where no namespaces can be made. */
gboolean fh_flatpak_is_inside (void);

/* Whether the Flatpak that started it is older than 1.16.4, the first without known holes in the
 * portal (CVE-2026-34078). Distributions also repair older ones, so this is only a warning. */
gboolean fh_flatpak_is_old (void);

/* The same for the text of a /.flatpak-info. A text without a version is old. */
gboolean fh_flatpak_info_is_old (const char *text);
