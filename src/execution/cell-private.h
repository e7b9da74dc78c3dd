/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "cell.h"
#include "run-request.h"

struct _FhCell
{
  GObject parent_instance;

  FhCellKind kind;
  JsonObject *order; /* for the interpreter: see data/guest/session.py */
  char *source;
  guint64 wall_ms;
  guint line;       /* of the text that it is from, from 0 */
  gboolean is_kept; /* a new interpreter does it too */
};
