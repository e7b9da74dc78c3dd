/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <adwaita.h>

#include "programs.h"

/* One who does not know what the window is for. What it does depends on its numbers, and on what it
 * finds. */
typedef struct
{
  GtkApplication *app;
  GRand *rand;
  Programs *programs;
  char *folder;   /* of files to open, to write to and to lose */
  GString *note;  /* what it does now */
  guint n_events; /* so far: keys, clicks and so on */
} Monkey;

/* Does one thing, or the same some times in a row. */
void monkey_act (Monkey *self);

/* The windows there are, the one that asks something last. */
GList *monkey_list_windows (Monkey *self);
