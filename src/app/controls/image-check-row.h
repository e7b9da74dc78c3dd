/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <adwaita.h>

#include "controls/image-check.h"

G_BEGIN_DECLS

/* One line about an image: whether it is there, what is wrong, how far a pull is; with the button
 * that fits. */
#define FH_TYPE_IMAGE_CHECK_ROW (fh_image_check_row_get_type ())
G_DECLARE_FINAL_TYPE (FhImageCheckRow, fh_image_check_row, FH, IMAGE_CHECK_ROW, AdwPreferencesRow)

/* Once. */
void fh_image_check_row_set_check (FhImageCheckRow *self, FhImageCheck *check);

G_END_DECLS
