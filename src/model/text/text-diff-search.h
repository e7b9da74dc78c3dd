/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <glib.h>

/* Finds what two lists of numbers have in common: clears `changed` of the items that stand for each
 * other, in order; all of them are set before. FALSE if it gave up before it was sure that no more
 * can be found. */
gboolean fh_text_diff_search (const guint *old_items,
                              guint n_old,
                              const guint *new_items,
                              guint n_new,
                              guint8 *old_changed,
                              guint8 *new_changed);
