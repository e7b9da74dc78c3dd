/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "engine-image.h"

/* The answer of `image inspect` with FH_IMAGE_FORMAT. */
#define FH_IMAGE_FORMAT "{{json .}}"
FhImage *fh_image_from_json (const char *name, const char *text, GError **error);

/* A pull whose signals come in the context in which it was made. fh_image_pull_run is called in any
 * thread, and fh_image_pull_finish in that context, which emits `finished`. */
FhImagePull *fh_image_pull_new (void);
FhImage *fh_image_pull_run (FhImagePull *self,
                            FhEngine *engine,
                            const char *name,
                            GCancellable *cancellable,
                            GError **error);
void fh_image_pull_finish (FhImagePull *self, FhImage *image, const GError *error);
