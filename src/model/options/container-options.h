/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <glib-object.h>

/* The default image. */
#define FH_CONTAINER_DEFAULT_IMAGE "python:3-slim"

/* The default name of a container is this and a UUID. */
#define FH_CONTAINER_NAME_PREFIX "fumehood-"

typedef enum
{
  FH_ENGINE_AUTO, /* the one that protects best here, see fh_engine_choose_async */
  FH_ENGINE_DOCKER,
  FH_ENGINE_PODMAN,
} FhEngineKind;

/* What happens to the container when its sandbox is disposed of. */
typedef enum
{
  FH_CONTAINER_REMOVE, /* one run or one window; the default */
  FH_CONTAINER_STOP,   /* its files stay; the next run with the same name starts it again */
  FH_CONTAINER_LEAVE,  /* it goes on running */
} FhContainerAfter;

/* How the user's files get into the container and out again. */
typedef enum
{
  FH_CONTAINER_FILES_AUTO, /* bound where the engine is on this computer, else copied */
  FH_CONTAINER_FILES_BIND,
  FH_CONTAINER_FILES_COPY,
} FhContainerFiles;

/* The options of a run in a container. A plain value like FhRunGuards: a copy borrows the strings
 * of the FhRunRequest. All zero is the default: everything that weakens the container is off. Lists
 * may be NULL, which means empty. */
typedef struct
{
  FhEngineKind engine;
  const char *image; /* NULL: FH_CONTAINER_DEFAULT_IMAGE */
  gboolean no_pull;  /* a missing image is an error instead of being pulled */

  /* The container has this name; NULL: a generated one. With `is_kept` the same container serves
   * many runs, one after the other, and what a run installs is available to the next. */
  const char *name;
  gboolean is_kept;
  FhContainerAfter after;
  const char *init; /* NULL: none; a shell command that sets up a kept one before its first run */

  /* A folder of the user's that is /workspace; NULL: an empty one of its own. `bind_dir` is the
   * same folder as the engine's machine knows it, for an app that runs in a container itself. */
  const char *work_dir;
  const char *bind_dir;
  FhContainerFiles files;

  const char *network;            /* NULL: none; else the name of a network, such as "bridge" */
  guint milli_cpus;               /* 1500: one and a half; 0: all */
  const char *gpus;               /* NULL: none; else "all", a number or device names */
  const char *const *volumes;     /* "/host/path:/inside" or "/host/path:/inside:rw" */
  const char *const *hosts;       /* "NAME:ADDRESS" for /etc/hosts */
  const char *const *environment; /* "NAME=VALUE", in addition to the image's */
  gboolean is_writable;           /* the image's own folders are writable, in a layer on top */
  gboolean is_root;               /* user 0 inside; still without capabilities */
} FhContainerOptions;

/* FALSE with FH_RUN_ERROR_INVALID, a sentence: a name, image, network, volume or variable that is
 * invalid or looks like an option, a relative path, a volume over /workspace, /opt/fumehood, / or
 * an engine's socket, a container that is not kept but shall be left running, … Looks nothing up.
 */
gboolean fh_container_options_check (const FhContainerOptions *options, GError **error);

/* FALSE with FH_RUN_ERROR_INVALID, a sentence, when this is not an image reference: NAME,
 * HOST/NAME, HOST:PORT/NAME, each with :TAG, @DIGEST or both, or an id. */
gboolean fh_image_reference_check (const char *image, GError **error);

/* A deep copy, to be freed with fh_container_options_free. NULL for NULL. */
FhContainerOptions *fh_container_options_copy (const FhContainerOptions *options);
void fh_container_options_free (FhContainerOptions *options);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (FhContainerOptions, fh_container_options_free)

/* Never NULL. */
const char *fh_container_options_image (const FhContainerOptions *options);

/* Translated, one line of valid UTF-8: the image and what differs from the defaults, such as
 * "python:3-slim, kept as “lab”, network bridge". Values of variables are left out. Owned by the
 * caller. */
char *fh_container_options_describe (const FhContainerOptions *options);

/* "auto", "docker", "podman"; "remove", "stop", "leave"; "auto", "bind", "copy". NULL-terminated,
 * by value. */
extern const char *const fh_engine_kind_words[];
extern const char *const fh_container_after_words[];
extern const char *const fh_container_files_words[];
const char *fh_engine_kind_to_string (FhEngineKind kind);
gboolean fh_engine_kind_from_string (const char *text, FhEngineKind *kind);
