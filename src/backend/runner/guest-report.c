/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "guest-report.h"

#include <string.h>

#include "policy-parts.h"
#include "wire-attempt.h"
#include "wire-guest.h"

#define LAYER "audit hook"

/* Home paths are written as the user would write them: the program looks them up in its own home,
 * but they exist only in the user's. */
#define HOME_INSIDE FH_INSIDE_WORKSPACE "/"

/* The verdict, and the line. */
#define FIXED_SIZE (1 + 4)

/* The text behind the fixed part: one NUL, and that in the middle. */
static gboolean
split (const guint8 *bytes, gsize size, char **operation, char **object)
{
  const guint8 *nul = memchr (bytes, '\0', size);
  gsize rest;

  if (nul == NULL)
    return FALSE;
  rest = size - (gsize) (nul + 1 - bytes);
  if ((gsize) (nul - bytes) > FH_ATTEMPT_OPERATION_MAX || rest > FH_ATTEMPT_OBJECT_MAX ||
      memchr (nul + 1, '\0', rest) != NULL)
    return FALSE;
  *operation = g_strndup ((const char *) bytes, (gsize) (nul - bytes));
  *object = g_strndup ((const char *) nul + 1, rest);
  return TRUE;
}

static gboolean
is_operation_limit (FhRun *run, const FhAttemptFacts *facts)
{
  return fh_run_request_get_guards (fh_run_get_request (run))->max_operations > 0 &&
         facts->verdict == FH_VERDICT_LIMITED && g_str_equal (facts->operation, "operations");
}

gboolean
fh_guest_report_handle (FhRun *run, const guint8 *message, gsize size)
{
  FhAttemptFacts facts = { .guard = FH_GUARD_INTERPRETER, .layer = LAYER, .command = "" };
  g_autofree char *operation = NULL;
  g_autofree char *object = NULL;
  gint64 started_at;
  guint32 line;

  if (size < 1 + FIXED_SIZE || message[0] != FH_GUEST_ATTEMPT || message[1] > FH_WIRE_OBSERVED ||
      !split (message + 1 + FIXED_SIZE, size - 1 - FIXED_SIZE, &operation, &object))
    return FALSE;
  memcpy (&line, message + 2, sizeof line);
  facts.verdict = (FhVerdict) message[1];
  facts.line = GUINT32_FROM_LE (line);
  facts.operation = operation;
  facts.object = object;
  facts.count = 1;
  started_at = fh_run_get_started_at (run);
  if (started_at != 0)
    facts.time_us = (guint64) (g_get_monotonic_time () - started_at);
  facts.ended_run = is_operation_limit (run, &facts);
  fh_run_add_reported_attempt (run, &facts);
  if (*operation == '\0' && g_str_has_prefix (object, HOME_INSIDE))
    {
      g_autofree char *at_home = g_strconcat ("~/", object + strlen (HOME_INSIDE), NULL);

      facts.object = at_home;
      fh_run_add_reported_attempt (run, &facts);
    }
  return facts.ended_run;
}

FhGuardState *
fh_guest_report_guard_state (FhRunRequest *request)
{
  const FhRunGuards *guards = fh_run_request_get_guards (request);
  const FhContainerOptions *container = fh_run_request_get_container (request);
  const gboolean is_kept = container != NULL && container->is_kept;
  g_autoptr (GString) layers = g_string_new (NULL);

  if (!g_str_equal (fh_run_request_get_language (request)->id, "python"))
    return NULL;
  if (guards->limit_functions)
    g_string_append (layers, ", audit hook on functions");
  if (guards->imports != NULL)
    g_string_append_printf (layers,
                            ", %u modules to import",
                            g_strv_length ((GStrv) (gpointer) guards->imports));
  if (guards->max_operations > 0)
    g_string_append_printf (layers, ", %" G_GUINT64_FORMAT " operations", guards->max_operations);
  if (layers->len == 0)
    return fh_guard_state_new (FH_GUARD_INTERPRETER, FH_GUARD_LEVEL_OFF, "", NULL);
  /* Packages that pip installs for a user may run when Python starts, before our code. */
  return fh_guard_state_new (FH_GUARD_INTERPRETER,
                             is_kept ? FH_GUARD_LEVEL_DEGRADED : FH_GUARD_LEVEL_ACTIVE,
                             layers->str + 2,
                             is_kept ? "kept-home" : NULL);
}
