/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <glib.h>

/* Whether the name is that of a notebook of Jupyter: "a.ipynb". `name`: nullable. */
gboolean fh_notebook_file_is_name (const char *name);

/* Reads a notebook of Python, in the format 3 or 4 of Jupyter: its code as the cells of a text, see
 * cell-splitter.h, and its prose as comments in cells of their own, "# %% [markdown]". Outputs and
 * the like are left out; `is_reduced` (out) tells whether a cell had any. NULL with a sentence. */
char *fh_notebook_file_read (const char *json, gsize size, gboolean *is_reduced, GError **error);

/* The cells of a text as a notebook, in the format 4.4, without outputs. */
char *fh_notebook_file_write (const char *text);
