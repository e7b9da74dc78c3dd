/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <json-glib/json-glib.h>

typedef enum
{
  FH_CELL_EXECUTE,
  FH_CELL_SET,
  FH_CELL_GET,
  FH_CELL_LIST,
  FH_CELL_DECLARE,
  FH_CELL_RESET,
  FH_CELL_END,
} FhCellKind;

/* What the interpreter of a session does in one turn: run code, or something with its variables.
 * Constructors that fail return NULL with FH_RUN_ERROR_INVALID and a sentence for people. */
#define FH_TYPE_CELL (fh_cell_get_type ())
G_DECLARE_FINAL_TYPE (FhCell, fh_cell, FH, CELL, GObject)

/* The variable into which a context is loaded. */
#define FH_CELL_CONTEXT "context"
/* Characters of a value that are told at once. */
#define FH_CELL_VALUE_MAX (1u << 16)

FhCell *fh_cell_new_execute (const char *code, GError **error);
/* `is_kept`: a new interpreter sets it too, see fh_series_new_session. */
FhCell *fh_cell_new_set (const char *name, JsonNode *value, gboolean is_kept, GError **error);
/* `limit` characters of its text, from `offset` on. */
FhCell *fh_cell_new_get (const char *name, guint offset, guint limit, GError **error);
/* `all`: also modules, functions and private names. */
FhCell *fh_cell_new_list (gboolean all);
/* A function that is answered from outside (FhSeries::call), or by its own source. FINAL and
 * FINAL_VAR without parameters need no reply. Kept. `parameters`, `doc`, `source`: nullable. */
FhCell *fh_cell_new_declare (const char *name,
                             const char *parameters,
                             const char *doc,
                             const char *source,
                             GError **error);
/* The value that is set, or arguments and reply of the function, are JSON in which other types of
 * Python have tags: see encode in data/guest/values.py. */
void fh_cell_set_tagged (FhCell *self);
/* A cell whose last statement sets a variable has the value of that variable. */
void fh_cell_set_assigned_told (FhCell *self);
/* A cell that calls the function ends, successfully, with the reply. */
void fh_cell_set_ends (FhCell *self);
/* The next one gets a new interpreter. What is kept stays. */
FhCell *fh_cell_new_reset (void);

/* The last one, also before a reset: what the program has registered with atexit runs, within a
 * second. Nothing runs if there is no interpreter. */
FhCell *fh_cell_new_end (void);

FhCellKind fh_cell_get_kind (FhCell *self);
/* Returns what people see of it: the code, or a comment. */
const char *fh_cell_get_source (FhCell *self);
/* The first line of its code in the text that it was taken from, from 0; 0 at first. */
void fh_cell_set_line (FhCell *self, guint line);
guint fh_cell_get_line (FhCell *self);
/* The limit of wall time in ms; 0, and at first: that of the session. */
void fh_cell_set_wall_ms (FhCell *self, guint64 wall_ms);
