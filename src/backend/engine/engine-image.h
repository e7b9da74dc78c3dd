/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "engine.h"

G_BEGIN_DECLS

/* What an engine knows of an image that it has. */
typedef struct
{
  char *name;         /* as it was asked for */
  char *id;           /* "sha256:…", what is run, so that it is what was looked at */
  char *architecture; /* "amd64" */
  char *system;       /* "linux" */
  guint64 size;       /* bytes */
  GStrv environment;  /* "NAME=VALUE", never NULL */
  GStrv volumes;      /* paths that it wants to be volumes; NULL: none */
} FhImage;

#define FH_TYPE_IMAGE (fh_image_get_type ())
GType fh_image_get_type (void); /* boxed */
FhImage *fh_image_copy (const FhImage *image);
void fh_image_free (FhImage *image);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (FhImage, fh_image_free)

/* What may be given to a client as an image. It is checked elsewhere what makes a good name; here,
 * that it cannot be taken for an option. FALSE: FH_ENGINE_ERROR_FAILED. */
gboolean fh_image_name_check (const char *name, GError **error);

/* FH_ENGINE_ERROR_NO_IMAGE when it has to be pulled first. */
void fh_image_find_async (FhEngine *engine,
                          const char *name,
                          GCancellable *cancellable,
                          GAsyncReadyCallback callback,
                          gpointer user_data);
FhImage *fh_image_find_finish (GAsyncResult *result, GError **error);

/* Names of the images that are there, newest first, at most 200: suggestions. */
void fh_image_list_async (FhEngine *engine,
                          GCancellable *cancellable,
                          GAsyncReadyCallback callback,
                          gpointer user_data);
GStrv fh_image_list_finish (GAsyncResult *result, GError **error);

/* An image on its way here. Properties, notified: `fraction` (0…1 of the bytes or, where those are
 * not told, of the layers; -1 while nothing is known) and `text` ("3 of 5 layers, 12 of 28 MiB").
 * Signal `finished (FhImage *image, GError *error)`, one of them NULL, exactly once and never
 * before the main loop ran; both belong to the pull, so copy what you keep. It lives until then by
 * itself. Cancelling ends the client (G_IO_ERROR_CANCELLED); what came so far is kept by the engine
 * for the next time. */
#define FH_TYPE_IMAGE_PULL (fh_image_pull_get_type ())
G_DECLARE_FINAL_TYPE (FhImagePull, fh_image_pull, FH, IMAGE_PULL, GObject)

FhImagePull *fh_image_pull_start (FhEngine *engine, const char *name);
double fh_image_pull_get_fraction (FhImagePull *self);
const char *fh_image_pull_get_text (FhImagePull *self);
void fh_image_pull_cancel (FhImagePull *self);

G_END_DECLS
