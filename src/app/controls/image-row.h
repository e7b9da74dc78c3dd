/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <adwaita.h>

#include "container-options.h"

/* The name of an image, typed or chosen from the engine's images. The list is loaded each time it
 * is opened. */
#define FH_TYPE_IMAGE_ROW (fh_image_row_get_type ())
G_DECLARE_FINAL_TYPE (FhImageRow, fh_image_row, FH, IMAGE_ROW, AdwEntryRow)

/* The engine whose images are listed. */
void fh_image_row_set_engine (FhImageRow *self, FhEngineKind engine);
