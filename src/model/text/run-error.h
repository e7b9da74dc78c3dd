/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <glib.h>

#define FH_RUN_ERROR (fh_run_error_quark ())

/* Why a value was refused before anything was started. Messages are sentences for people. */
typedef enum
{
  FH_RUN_ERROR_INVALID,     /* a timeout of 0, a memory size of "5 potatoes", a damaged JSON text */
  FH_RUN_ERROR_TOO_LARGE,   /* the source is over FH_RUN_REQUEST_MAX_SOURCE */
  FH_RUN_ERROR_LANGUAGE,    /* no such language */
  FH_RUN_ERROR_INTERPRETER, /* the interpreter is missing or cannot be used */
  FH_RUN_ERROR_UNAVAILABLE, /* nothing here can run code safely */
  FH_RUN_ERROR_BUSY,        /* the sandbox is already running something */
} FhRunError;

GQuark fh_run_error_quark (void);

/* Sets FH_RUN_ERROR_INVALID with this message, made valid UTF-8. Returns FALSE. */
gboolean fh_run_error_refuse (GError **error, const char *format, ...) G_GNUC_PRINTF (2, 3);
