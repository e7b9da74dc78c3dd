/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <adwaita.h>

#include "run-language.h"

/* The interpreter for one language: the default, one found on this computer, or "Other…", which
 * opens a file dialog.
 *
 * Property: path (NULL, or empty when set: the default), notified when the user chooses. */
#define FH_TYPE_INTERPRETER_ROW (fh_interpreter_row_get_type ())
G_DECLARE_FINAL_TYPE (FhInterpreterRow, fh_interpreter_row, FH, INTERPRETER_ROW, AdwComboRow)

/* Starts a search for the interpreters of this language. */
void fh_interpreter_row_set_language (FhInterpreterRow *self, const FhLanguage *language);
