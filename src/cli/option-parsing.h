/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

/* As g_option_context_parse and g_option_context_parse_strv, with what all commands have in common:
 * --color, and for an unknown option the one that was probably meant. */
gboolean fh_option_parse (GOptionContext *context, int *argc, char ***argv, GError **error);
gboolean fh_option_parse_strv (GOptionContext *context, char ***words, GError **error);

G_END_DECLS
