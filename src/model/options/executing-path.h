/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <glib.h>

/* What happens to a file of a project, going by its name alone. The order is by danger. */
typedef enum
{
  FH_EXECUTES_NOT,
  FH_EXECUTES_BY_COMMAND, /* when the user builds or tests the project */
  FH_EXECUTES_BY_ITSELF,  /* without being asked, such as by opening the folder */
  FH_EXECUTES_IN_VERSION_CONTROL,
} FhExecution;

/* Looks up a path below a project folder (file name bytes). Upper and lower case, forms of the same
 * character and invisible characters make no difference, as some file systems ignore them.
 * `reason` (nullable) is set to a translated sentence, or NULL. */
FhExecution fh_executing_path_find (const char *path, const char **reason);
