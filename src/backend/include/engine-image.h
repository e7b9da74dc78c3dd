/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "engine.h"

/* What an engine reports about a local image. */
typedef struct
{
  char *name;         /* as requested */
  char *id;           /* "sha256:…", used to run it, so that it is the image that was inspected */
  char *architecture; /* "amd64" */
  char *system;       /* "linux" */
  guint64 size;       /* bytes */
  GStrv environment;  /* "NAME=VALUE", never NULL */
  GStrv volumes;      /* volumes that the image declares; NULL: none */
} FhImage;

#define FH_TYPE_IMAGE (fh_image_get_type ())
GType fh_image_get_type (void); /* boxed */
FhImage *fh_image_copy (const FhImage *image);
void fh_image_free (FhImage *image);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (FhImage, fh_image_free)

/* Only checks that a client will not take it for an option; names are validated elsewhere. FALSE
 * with FH_ENGINE_ERROR_FAILED. */
gboolean fh_image_name_check (const char *name, GError **error);

/* FH_ENGINE_ERROR_NO_IMAGE when it must be pulled first. Blocks, in any thread. */
FhImage *
fh_image_find (FhEngine *engine, const char *name, GCancellable *cancellable, GError **error);
/* The same in a thread. */
void fh_image_find_async (FhEngine *engine,
                          const char *name,
                          GCancellable *cancellable,
                          GAsyncReadyCallback callback,
                          gpointer user_data);
FhImage *fh_image_find_finish (GAsyncResult *result, GError **error);

/* Names of local images, newest first, at most 200: suggestions. */
void fh_image_list_async (FhEngine *engine,
                          GCancellable *cancellable,
                          GAsyncReadyCallback callback,
                          gpointer user_data);
GStrv fh_image_list_finish (GAsyncResult *result, GError **error);

/* A pull of an image. Signal `changed`: the fraction or the text have changed. Signal `finished
 * (FhImage *image, GError *error)`, one of them NULL: exactly once, and never before the main loop
 * ran; both belong to the pull, which keeps itself alive until then. Cancelling kills the client
 * (G_IO_ERROR_CANCELLED); the engine keeps finished layers for the next time. */
#define FH_TYPE_IMAGE_PULL (fh_image_pull_get_type ())
G_DECLARE_FINAL_TYPE (FhImagePull, fh_image_pull, FH, IMAGE_PULL, GObject)

FhImagePull *fh_image_pull_start (FhEngine *engine, const char *name);
/* 0…1 of the bytes or, without sizes, of the layers; -1 while unknown. */
double fh_image_pull_get_fraction (FhImagePull *self);
/* "3 of 5 layers, 12 of 28 MiB". */
const char *fh_image_pull_get_text (FhImagePull *self);
void fh_image_pull_cancel (FhImagePull *self);

/* The largest text that is taken. */
#define FH_IMAGE_BUILD_MAX ((gsize) 1 << 20)

/* A line of what the engine tells while it builds: any text without control characters. */
typedef void (*FhImageBuildFunc) (const char *line, gpointer user_data);

/* Builds an image from the text of a Containerfile, with an empty context: no file of this computer
 * can get into it. Its RUN lines are executed by the engine, behind its guards alone, and with its
 * network. Docker's older builder is used, and Podman only in versions whose RUN --mount is sound.
 * `tag`: nullable, checked. Cancelling ends the client, and with it the build. */
void fh_image_build_async (FhEngine *engine,
                           GBytes *text,
                           const char *tag,
                           FhImageBuildFunc func,
                           gpointer func_data,
                           GCancellable *cancellable,
                           GAsyncReadyCallback callback,
                           gpointer user_data);
/* The id of the image. (transfer full) */
char *fh_image_build_finish (GAsyncResult *result, GError **error);
