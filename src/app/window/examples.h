/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "exhibit.h"
#include "window/snippet-page.h"

G_BEGIN_DECLS

/* A small program that comes with the app. */
typedef struct
{
  const char *file_name; /* below data/examples */
  const char *title;     /* untranslated, marked with N_ */
} FhExample;

/* The first is shown on the first start. Ends with an empty row. */
const FhExample *fh_examples_list (void);
const FhExample *fh_examples_lookup (const char *file_name); /* nullable */

/* Adds an item for each: win.example. */
void fh_examples_fill_menu (GMenu *menu);
void fh_examples_show (FhSnippetPage *page, const FhExample *example);

/* Runs it. If `compare`, it runs with its guard and then without; the exhibit must have a way to do
 * so. */
void fh_examples_run_exhibit (FhSnippetPage *page, const FhExhibit *exhibit, gboolean compare);

G_END_DECLS
