/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <gtk/gtk.h>

/* The prose around the blocks of an answer: dimmed, so that the code stands out, or folded away.
 * Signal: folded: it is folded away now, or no longer. */
#define FH_TYPE_BLOCK_PROSE (fh_block_prose_get_type ())
G_DECLARE_FINAL_TYPE (FhBlockProse, fh_block_prose, FH, BLOCK_PROSE, GObject)

FhBlockProse *fh_block_prose_new (GtkTextBuffer *buffer);

/* `blocks`: (element-type FhAnswerBlock) of the text as it is now, nullable. Returns the lines of
 * their fences in the buffer, from 0. (element-type guint) (transfer full) */
GArray *fh_block_prose_show (FhBlockProse *self, GPtrArray *blocks);

gboolean fh_block_prose_get_folded (FhBlockProse *self);
/* Nothing is folded where there are no blocks. */
void fh_block_prose_set_folded (FhBlockProse *self, gboolean folded);
