/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <adwaita.h>

#include "image-check.h"

/* The state of an image: present, missing, an error or the progress of a pull, with a button for
 * the next step. */
#define FH_TYPE_IMAGE_CHECK_ROW (fh_image_check_row_get_type ())
G_DECLARE_FINAL_TYPE (FhImageCheckRow, fh_image_check_row, FH, IMAGE_CHECK_ROW, AdwPreferencesRow)

/* Called once. */
void fh_image_check_row_set_check (FhImageCheckRow *self, FhImageCheck *check);
