/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <glib.h>

/* FALSE with FH_RUN_ERROR_INVALID, a sentence, when this is not an image reference: NAME,
 * HOST/NAME, HOST:PORT/NAME, each with :TAG, @DIGEST or both, or an id. */
gboolean fh_image_reference_check (const char *image, GError **error);
