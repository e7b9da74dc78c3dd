/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Whatever a guest says about a cell, in whatever pieces: calls and the answer are bounded, and the
 * cell comes to a result that people can read. Each message has a byte before it that chooses its
 * kind, and one for its size. */
#include "fuzz-target.h"
#include "json-guard.h"
#include "run-events.h"
#include "wire-event.h"
#include "wire-guest.h"

#include <string.h>

static const FhOrder in_namespaces = { .tier = FH_TIER_NAMESPACES };

static FhRun *
new_cell (void)
{
  g_autoptr (GBytes) source = g_bytes_new_static ("x", 1);
  g_autoptr (GBytes) cell = g_bytes_new_static ("{}", 2);
  g_autoptr (FhRunRequest) request = NULL;

  request = fh_run_request_new (
      &(FhRunRequestInit){
          .language = fh_language_lookup ("python"),
          .source = source,
          .limits = FH_RUN_LIMITS_DEFAULT,
          .cell = cell,
      },
      NULL);
  return fh_run_new (request, "native");
}

static void
call_cb (FhRun *run, GBytes *json, gpointer user_data)
{
  g_assert (g_bytes_get_size (json) <= FH_RUN_MAX_ANSWER);
}

/* In memory of its own, so that reading behind its end is found. */
static void
say (FhRunEvents *events, guint8 kind, const uint8_t *data, size_t size)
{
  g_autofree guint8 *payload = g_malloc (1 + size);
  const struct fh_frame frame = {
    .kind = FH_FRAME_GUEST,
    .size = (uint32_t) (1 + size),
    .payload = payload,
  };

  payload[0] = kind;
  memcpy (payload + 1, data, size);
  g_assert (fh_run_events_handle (events, &frame));
}

static void
check_text (const char *text, glong most)
{
  g_assert (text == NULL || g_utf8_validate (text, -1, NULL));
  g_assert (text == NULL || most == 0 || g_utf8_strlen (text, -1) <= most);
}

int
LLVMFuzzerTestOneInput (const uint8_t *data, size_t size)
{
  static const guint8 kinds[] = {
    FH_GUEST_MORE, FH_GUEST_CALL, FH_GUEST_ANSWER, FH_GUEST_ATTEMPT, FH_GUEST_OUT_OF_MEMORY,
  };
  const FhRunOutcome outcome = { .status = FH_RUN_STATUS_OK, .signal = -1 };
  g_autoptr (FhRun) run = new_cell ();
  g_autoptr (FhRunEvents) events = fh_run_events_new (run, &in_namespaces);
  const FhRunOutcome *judged;

  g_signal_connect (run, "call", G_CALLBACK (call_cb), NULL);
  fh_run_started (run);
  while (size >= 2)
    {
      const size_t piece = MIN ((size_t) data[1] * 4, size - 2);

      say (events, kinds[data[0] % G_N_ELEMENTS (kinds)], data + 2, piece);
      data += 2 + piece;
      size -= 2 + piece;
    }
  fh_run_events_end (events);
  fh_run_finish (run, &outcome);
  judged = fh_run_result_get_parts (fh_run_get_result (run))->outcome;
  g_assert (judged->status == FH_RUN_STATUS_OK || judged->status == FH_RUN_STATUS_FAILED);
  g_assert (fh_run_get_answer (run) == NULL ||
            g_bytes_get_size (fh_run_get_answer (run)) <= FH_RUN_MAX_ANSWER);
  check_text (judged->message, 0);
  check_text (judged->value, 8192);
  check_text (fh_run_result_get_parts (fh_run_get_result (run))->sentence, 0);
  return 0;
}
