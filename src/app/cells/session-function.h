/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <gio/gio.h>

G_BEGIN_DECLS

/* A function that programs of a session can call, and that is answered here: by the person, or by a
 * command that the person typed for it. */
#define FH_TYPE_SESSION_FUNCTION (fh_session_function_get_type ())
G_DECLARE_FINAL_TYPE (FhSessionFunction, fh_session_function, FH, SESSION_FUNCTION, GObject)

/* `parameters` as Python writes them; `command`: "" or NULL for the person. NULL if the command
 * cannot be read. */
FhSessionFunction *fh_session_function_new (const char *name,
                                            const char *parameters,
                                            const char *doc,
                                            const char *command,
                                            GError **error);

const char *fh_session_function_get_name (FhSessionFunction *self);
const char *fh_session_function_get_parameters (FhSessionFunction *self);
const char *fh_session_function_get_doc (FhSessionFunction *self);
const char *fh_session_function_get_command (FhSessionFunction *self);     /* as typed; nullable */
const char *const *fh_session_function_get_argv (FhSessionFunction *self); /* nullable */

G_END_DECLS
