/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "engine-image.h"

/* Reads a Containerfile, or stdin if `file` is "-", and builds an image from it. What the engine
 * tells goes to stderr; SIGINT and SIGTERM end it (G_IO_ERROR_CANCELLED). NULL with a sentence.
 * (transfer full) */
FhImage *fh_image_build (FhEngine *engine, const char *file, const char *tag, GError **error);
