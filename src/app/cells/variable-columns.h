/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <gtk/gtk.h>

#include "cells/variable.h"

typedef enum
{
  FH_VARIABLE_COLUMN_NAME,
  FH_VARIABLE_COLUMN_TYPE,
  FH_VARIABLE_COLUMN_SIZE,
  FH_VARIABLE_COLUMN_VALUE,
  FH_N_VARIABLE_COLUMNS,
} FhVariableColumn;

/* Adds the columns to a view of FhVariable. What is new or has changed is marked, by an icon with a
 * text. */
void fh_variable_columns_add (GtkColumnView *view);

const char *fh_variable_column_get (FhVariable *variable, FhVariableColumn column);
