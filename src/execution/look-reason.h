/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "code-look.h"

/* What data/guest/look.py may say of code: a static table. */
typedef struct
{
  FhLookKind kind;
  const char *id;
  const char *sentence; /* untranslated, marked with N_ */
} FhLookReason;

/* NULL if that is not in the table. */
const FhLookReason *fh_look_reason_find (FhLookKind kind, const char *id);

/* "fault", "sign", …; "network", "processes", …: NULL-terminated, by value. */
extern const char *const fh_look_kind_words[];
extern const char *const fh_look_reach_words[];
/* Translated: "the network". */
const char *fh_look_reach_title (FhLookReach reach);
/* Translated: a heading for findings of this kind. */
const char *fh_look_kind_title (FhLookKind kind);
