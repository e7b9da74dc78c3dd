/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "cell-outcome.h"

#include "json-guard.h"
#include "json-member.h"
#include "run-driver.h"

FhRunOutcome
fh_cell_judge (GBytes *answer, const FhRunOutcome *outcome, JsonObject **parsed)
{
  FhRunOutcome judged = *outcome;
  gboolean is_success = FALSE;
  const char *line = NULL;

  *parsed = fh_json_guard_parse (g_bytes_get_data (answer, NULL),
                                 g_bytes_get_size (answer),
                                 FH_RUN_MAX_ANSWER,
                                 NULL);
  if (*parsed != NULL)
    fh_json_get_bool (*parsed, "success", &is_success, NULL);
  if (*parsed != NULL && fh_json_get_string (*parsed, "value", &line, NULL))
    judged.value = line;
  if (outcome->status != FH_RUN_STATUS_OK || is_success)
    return judged;
  judged.status = FH_RUN_STATUS_FAILED;
  judged.exit_code = -1;
  if (*parsed != NULL && fh_json_get_string (*parsed, "error", &line, NULL))
    judged.message = line;
  return judged;
}

static GQuark
earlier_end_quark (void)
{
  return g_quark_from_static_string ("fh-run-earlier-end");
}

void
fh_run_set_earlier_end (FhRun *self, const char *sentence)
{
  g_return_if_fail (FH_IS_RUN (self));

  g_object_set_qdata (G_OBJECT (self), earlier_end_quark (), (gpointer) sentence);
}

const char *
fh_run_get_earlier_end (FhRun *self)
{
  g_return_val_if_fail (FH_IS_RUN (self), NULL);

  return g_object_get_qdata (G_OBJECT (self), earlier_end_quark ());
}
