/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

/* One line on stderr: "fumehoodctl: TEXT". Control characters in it are replaced, because names of
 * files and messages of other programs may hold anything. */
void fh_message (const char *format, ...) G_GNUC_PRINTF (1, 2);

/* Writes a text to stdout; FALSE, with a message on stderr unless the reader only went away, when
 * it could not be written whole. */
gboolean fh_print (const char *text);

/* The same for any bytes and stdout or stderr. */
gboolean fh_print_bytes (int fd, const void *bytes, gsize size);

G_END_DECLS
