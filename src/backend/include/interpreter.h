/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <gio/gio.h>

#include "run-language.h"

/* An interpreter of this computer with everything that must be visible for it to work. */
typedef struct
{
  char *path;  /* absolute, as the user named it (a venv's own python) */
  char *name;  /* for people: "Python 3.11 (system)", "myproject (venv)" */
  GStrv shown; /* what must be visible read-only besides the system: folders and files of
                  installations, or the file of a program without one */
} FhInterpreter;

void fh_interpreter_free (FhInterpreter *interpreter);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (FhInterpreter, fh_interpreter_free)

/* The absolute path of a program that is named as in a shell, or that an extension of Flatpak's SDK
 * brings. NULL if no folder has one of that name. (transfer full) */
char *fh_interpreter_find (const char *name);

/* `path`: as for fh_interpreter_find; NULL takes the language's default, the system's own first.
 * Follows links, venv (pyvenv.cfg), pyenv shims and conda. NULL with FH_RUN_ERROR_INTERPRETER and a
 * sentence. Reads a few small files. */
FhInterpreter *
fh_interpreter_resolve (const FhLanguage *language, const char *path, GError **error);

/* The interpreters of a language here: the system's, those of pyenv and conda, a venv in
 * $VIRTUAL_ENV. Runs in GIO's thread pool. (element-type FhInterpreter) (transfer full) */
void fh_interpreter_list_async (const FhLanguage *language,
                                GCancellable *cancellable,
                                GAsyncReadyCallback callback,
                                gpointer user_data);
GPtrArray *fh_interpreter_list_finish (GAsyncResult *result, GError **error);
