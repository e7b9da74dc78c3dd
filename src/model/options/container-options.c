/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "container-options.h"

#include "word-list.h"

const char *const fh_engine_kind_words[] = { "auto", "docker", "podman", NULL };
const char *const fh_container_after_words[] = { "remove", "stop", "leave", NULL };
const char *const fh_container_files_words[] = { "auto", "bind", "copy", NULL };

const char *
fh_container_options_image (const FhContainerOptions *options)
{
  g_return_val_if_fail (options != NULL, NULL);

  return options->image != NULL ? options->image : FH_CONTAINER_DEFAULT_IMAGE;
}

FH_DEFINE_WORDS (FhEngineKind, fh_engine_kind, fh_engine_kind_words)
