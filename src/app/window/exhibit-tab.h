/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "exhibit.h"
#include "tab/tab.h"

/* Shows the exhibit's program in `page`, and runs nothing. Until the text is changed, other text
 * may take its place. */
void fh_exhibit_tab_show (FhTab *page, const FhExhibit *exhibit);

/* The same, with the options that it is to be run with. */
void fh_exhibit_tab_open (FhTab *page, const FhExhibit *exhibit);

/* The same, and runs it. If `compare`, it runs with its guard and then without; the exhibit must
 * have a way to do so. */
void fh_exhibit_tab_run (FhTab *page, const FhExhibit *exhibit, gboolean compare);
