/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <json-glib/json-glib.h>

typedef enum
{
  FH_VARIABLE_SAME,
  FH_VARIABLE_CHANGED,
  FH_VARIABLE_NEW,
} FhVariableState;

/* A variable of a session, as the interpreter tells it: all of it is chosen by the program. */
#define FH_TYPE_VARIABLE (fh_variable_get_type ())
G_DECLARE_FINAL_TYPE (FhVariable, fh_variable, FH, VARIABLE, GObject)

struct _FhVariable
{
  GObject parent_instance;
  char *name;
  char *type;
  char *size; /* "3 × 4"; "" if it has none */
  char *text; /* one line */
  FhVariableState state;
};

/* A row of an answer, see data/guest/session.py. NULL if it is none. */
FhVariable *fh_variable_new (JsonNode *row);

/* "new", "changed" or "", translated. */
const char *fh_variable_get_state_title (FhVariable *self);
