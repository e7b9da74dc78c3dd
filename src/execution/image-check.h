/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <gio/gio.h>

#include "container-options.h"

typedef enum
{
  FH_IMAGE_CHECK_IDLE,        /* no image was named */
  FH_IMAGE_CHECK_CHECKING,    /* not known yet */
  FH_IMAGE_CHECK_INVALID,     /* not the name of an image */
  FH_IMAGE_CHECK_PRESENT,     /* a run can start at once */
  FH_IMAGE_CHECK_MISSING,     /* a run pulls it first */
  FH_IMAGE_CHECK_TROUBLE,     /* the engine is missing, stopped or not accessible */
  FH_IMAGE_CHECK_PULLING,     /* being pulled */
  FH_IMAGE_CHECK_PULL_FAILED, /* see detail */
} FhImageCheckState;

/* Whether an engine has an image. It asks a moment after the last change, not while a name is being
 * typed, and pulls the image on request. Disposing of it cancels the question and the pull.
 *
 * Signal "changed". */
#define FH_TYPE_IMAGE_CHECK (fh_image_check_get_type ())
G_DECLARE_FINAL_TYPE (FhImageCheck, fh_image_check, FH, IMAGE_CHECK, GObject)

FhImageCheck *fh_image_check_new (void);

/* Sets the image to check; a pull of another one is cancelled. NULL: none. */
void fh_image_check_set (FhImageCheck *self, FhEngineKind engine, const char *image);
/* Asks again now, and forgets what was known of the engine. */
void fh_image_check_again (FhImageCheck *self);

/* Does nothing unless the image is known to be missing. */
void fh_image_check_pull (FhImageCheck *self);
void fh_image_check_cancel_pull (FhImageCheck *self);

FhImageCheckState fh_image_check_get_state (FhImageCheck *self);
const char *fh_image_check_get_text (FhImageCheck *self);   /* a sentence, or "" */
const char *fh_image_check_get_detail (FhImageCheck *self); /* one more line; nullable */
double fh_image_check_get_fraction (FhImageCheck *self);    /* of a pull: 0…1; -1 unknown */

/* The images that an engine has, newest first, as suggestions. */
void fh_image_names_async (FhEngineKind engine,
                           GCancellable *cancellable,
                           GAsyncReadyCallback callback,
                           gpointer user_data);
GStrv fh_image_names_finish (GAsyncResult *result, GError **error);
