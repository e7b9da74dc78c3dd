/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <adwaita.h>

G_BEGIN_DECLS

typedef enum
{
  FH_LIMIT_KIND_TIME,   /* the value is in milliseconds */
  FH_LIMIT_KIND_MEMORY, /* the value is in bytes */
} FhLimitKind;

#define FH_TYPE_LIMIT_KIND (fh_limit_kind_get_type ())
GType fh_limit_kind_get_type (void);

/* A row for one limit: typed as people write it ("1.5 s", "2 min", "256 MiB", "none"), or chosen
 * from the usual ones. While what was typed makes no sense the value stays as it was, and the row
 * says what is wrong.
 *
 * Properties: kind (construct only), value (guint64, 0: no limit), problem (read-only, a sentence
 * or NULL). */
#define FH_TYPE_LIMIT_ROW (fh_limit_row_get_type ())
G_DECLARE_FINAL_TYPE (FhLimitRow, fh_limit_row, FH, LIMIT_ROW, AdwActionRow)

GtkWidget *fh_limit_row_new (FhLimitKind kind);
guint64 fh_limit_row_get_value (FhLimitRow *self);
void fh_limit_row_set_value (FhLimitRow *self, guint64 value);
const char *fh_limit_row_get_problem (FhLimitRow *self);

G_END_DECLS
