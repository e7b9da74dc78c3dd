/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <gtk/gtk.h>

#include "file-content.h"

/* Shows a table of texts; its first row is the titles. NULL empties it. Takes the table. */
void fh_table_columns_show (GtkColumnView *view, FhFileTable *table);
