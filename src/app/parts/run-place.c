/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "parts/run-place.h"

#include <glib/gi18n.h>

char *
fh_run_place_format (const FhContainerOptions *container, FhEngineKind engine)
{
  const char *image;

  if (container == NULL)
    return NULL;
  image = fh_container_options_image (container);
  if (engine == FH_ENGINE_AUTO)
    engine = container->engine;
  if (engine == FH_ENGINE_AUTO)
    /* Translators: %s is an image: “In a container: python:3-slim” */
    return g_strdup_printf (_ ("In a container: %s"), image);
  /* Translators: an image and an engine: “In a container: python:3-slim (Docker)” */
  return g_strdup_printf (_ ("In a container: %s (%s)"),
                          image,
                          engine == FH_ENGINE_PODMAN ? "Podman" : "Docker");
}
