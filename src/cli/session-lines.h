/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <gio/gio.h>

/* A longer line is skipped. */
#define FH_SESSION_LINE_MAX ((gsize) 32 << 20)

/* `line`: without its newline, NULL if it was too long. Borrowed. */
typedef void (*FhSessionLineFunc) (const char *line, gsize size, gpointer user_data);
typedef void (*FhSessionLinesEndFunc) (gpointer user_data);

/* Reads lines from standard input as they come. */
typedef struct _FhSessionLines FhSessionLines;

/* `end` is called once, at end of file or when nothing can be read. */
FhSessionLines *
fh_session_lines_new (FhSessionLineFunc line, FhSessionLinesEndFunc end, gpointer user_data);
/* No function is called after that. */
void fh_session_lines_free (FhSessionLines *lines);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (FhSessionLines, fh_session_lines_free)
