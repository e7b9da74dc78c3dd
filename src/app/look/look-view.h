/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <adwaita.h>

#include "parts/result-page.h"

/* The findings in a text that was inspected before it is run: groups of rows, each of which
 * activates page.go-to-line (uu). It informs and decides nothing. An FhResultPage, with a button
 * that activates page.look. */
#define FH_TYPE_LOOK_VIEW (fh_look_view_get_type ())
G_DECLARE_FINAL_TYPE (FhLookView, fh_look_view, FH, LOOK_VIEW, AdwBin)

/* (element-type FhCodeLook): one for a program, one for each block of an answer. */
void fh_look_view_show (FhLookView *self, GPtrArray *looks);
/* Whether there is something that people should see, until they turn to it. */
void fh_look_view_set_notable (FhLookView *self, gboolean notable);
/* Shows, in place of findings, a title and a sentence, which is plain text. */
void fh_look_view_show_message (FhLookView *self, const char *title, const char *sentence);
