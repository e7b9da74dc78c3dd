/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "engine-image.h"

G_BEGIN_DECLS

/* Shows on standard error that an image is on its way: one line of a terminal that changes, or a
 * line at the beginning and one at the end. Why it did not come is for others to tell. */
typedef struct _FhPullLine FhPullLine;

FhPullLine *fh_pull_line_new (FhImagePull *pull, const char *image);
void fh_pull_line_free (FhPullLine *progress);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (FhPullLine, fh_pull_line_free)

G_END_DECLS
