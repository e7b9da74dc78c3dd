/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "container-ops.h"

/* Containers of several engines, to be shown together. */
typedef struct _FhContainerTable FhContainerTable;

FhContainerTable *fh_container_table_new (void);
void fh_container_table_free (FhContainerTable *table);

/* `containers`: (element-type FhContainer). */
void fh_container_table_add (FhContainerTable *table, FhEngine *engine, GPtrArray *containers);

/* A table, or one JSON object; FALSE as fh_print. */
gboolean fh_container_table_print (FhContainerTable *table, gboolean as_json);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (FhContainerTable, fh_container_table_free)
