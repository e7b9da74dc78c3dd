/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <gtk/gtk.h>

/* An action and its keys, as in the help overlay. */
typedef struct
{
  const char *action;
  const char *keys[4]; /* NULL-terminated */
} FhShortcut;

/* Ends with an empty row. */
const FhShortcut *fh_shortcuts_list (void);
void fh_shortcuts_install (GtkApplication *application);
