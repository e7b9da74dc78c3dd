/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "container-options.h"

/* The facts about a container engine. */
typedef struct
{
  FhEngineKind kind;        /* DOCKER or PODMAN; a `docker` command that is Podman is PODMAN */
  const char *program;      /* absolute path of the client */
  const char *version;      /* of the engine behind it: "20.10.24" */
  const char *architecture; /* of the engine's machine, as in images: "amd64" */
  const char *storage;      /* "overlay2" */
  const char *endpoint;     /* its address: "unix:///run/docker.sock", "ssh://…" */
  gboolean is_rootless;     /* user 0 inside is the user here */
  gboolean is_remote;       /* another machine or a virtual one, without this computer's folders */
  gboolean limits_memory;   /* as the engine reports; the runner checks what was granted */
  gboolean limits_processes;
  gboolean limits_cpus;
} FhEngineFacts;
