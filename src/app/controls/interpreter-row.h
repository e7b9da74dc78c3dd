/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <adwaita.h>

#include "run-language.h"

G_BEGIN_DECLS

/* The choice of an interpreter for one language: the default, what this computer has, and "Other…",
 * which asks for a file.
 *
 * Property: path (NULL: the default), notified when the user chooses. */
#define FH_TYPE_INTERPRETER_ROW (fh_interpreter_row_get_type ())
G_DECLARE_FINAL_TYPE (FhInterpreterRow, fh_interpreter_row, FH, INTERPRETER_ROW, AdwComboRow)

/* Looks for the interpreters of this language anew. */
void fh_interpreter_row_set_language (FhInterpreterRow *self, const FhLanguage *language);
const char *fh_interpreter_row_get_path (FhInterpreterRow *self);
void fh_interpreter_row_set_path (FhInterpreterRow *self, const char *path);

G_END_DECLS
