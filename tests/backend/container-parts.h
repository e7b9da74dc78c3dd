/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "container-arguments.h"

#define MIB ((guint64) 1 << 20)

/* What a container is made from, to be changed by a test before it asks. */
typedef struct
{
  FhEngineFacts engine;
  FhContainerOptions options;
  FhRunLimits limits;
  FhRunGuards guards;
  FhContainerParts made_from;
} Parts;

void parts_set_up (Parts *parts, FhEngineKind kind);

/* Among the words of `run`, which those of `create` are taken from as well: one of them, and how
 * many begin like that. */
gboolean parts_has (const Parts *parts, const char *word);
void parts_assert_word (const Parts *parts, const char *word);
guint parts_count (const Parts *parts, const char *prefix);
