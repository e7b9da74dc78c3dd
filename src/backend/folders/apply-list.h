/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "apply-backup.h"

/* The list of a backup as JSON: all but the contents of its files. (transfer full) */
char *fh_apply_list_to_text (const FhApplyBackup *backup);

/* NULL if it is damaged. (transfer full) */
FhApplyBackup *fh_apply_list_parse (const char *name, const char *text, gsize size);
