/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <gtk/gtk.h>

#include "output-log.h"

/* Asks for a file, and saves output in it: see output-export.h. A toast in the window of `widget`
 * says how it went. */
void fh_output_saving_ask (GtkWidget *widget, FhOutputLog *log, guint streams);
