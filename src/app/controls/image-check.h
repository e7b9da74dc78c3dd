/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "engine-image.h"

G_BEGIN_DECLS

typedef enum
{
  FH_IMAGE_CHECK_IDLE,        /* nobody has asked */
  FH_IMAGE_CHECK_CHECKING,    /* not known yet */
  FH_IMAGE_CHECK_INVALID,     /* no image has such a name */
  FH_IMAGE_CHECK_PRESENT,     /* a run can start at once */
  FH_IMAGE_CHECK_MISSING,     /* a run pulls it first */
  FH_IMAGE_CHECK_TROUBLE,     /* the engine is not there, does not run or does not let us in */
  FH_IMAGE_CHECK_PULLING,     /* on its way here */
  FH_IMAGE_CHECK_PULL_FAILED, /* could not be had */
} FhImageCheckState;

/* Whether an engine has an image: asked a moment after the last change, so that nothing is asked
 * while a name is being typed, and pulled when the user wishes it. It goes on by itself as long as
 * it lives; letting go of it ends what it waits for, and a pull.
 *
 * Properties (read-only, notified together): state (int), text (a sentence, never NULL), detail
 * (one more line, or NULL), fraction (of a pull, 0…1, or -1 while it is not known). */
#define FH_TYPE_IMAGE_CHECK (fh_image_check_get_type ())
G_DECLARE_FINAL_TYPE (FhImageCheck, fh_image_check, FH, IMAGE_CHECK, GObject)

FhImageCheck *fh_image_check_new (void);

/* What is asked about from now on; a pull of something else ends. NULL: nothing. */
void fh_image_check_set (FhImageCheck *self, FhEngineKind engine, const char *image);
/* Asks at once and anew, forgetting what was known of the engine. */
void fh_image_check_again (FhImageCheck *self);

/* Does nothing unless the image is known to be missing. */
void fh_image_check_pull (FhImageCheck *self);
void fh_image_check_cancel_pull (FhImageCheck *self);

FhImageCheckState fh_image_check_get_state (FhImageCheck *self);
const char *fh_image_check_get_text (FhImageCheck *self);
const char *fh_image_check_get_detail (FhImageCheck *self); /* nullable */
double fh_image_check_get_fraction (FhImageCheck *self);

G_END_DECLS
