/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Whatever a runner says, a run keeps within its bounds and comes to a result. The input is what
 * follows the start: frames. */
#include "fuzz-target.h"
#include "run-events.h"
#include "wire-attempt.h"
#include "wire-result-file.h"

#include <string.h>

static const FhOrder in_namespaces = { .tier = FH_TIER_NAMESPACES };

static FhRun *
new_run (void)
{
  g_autoptr (GBytes) source = g_bytes_new_static ("x", 1);
  g_autoptr (FhRunRequest) request = NULL;

  request = fh_run_request_new (
      &(FhRunRequestInit){
          .language = fh_language_lookup ("python"),
          .source = source,
          .limits = FH_RUN_LIMITS_DEFAULT,
      },
      NULL);
  return fh_run_new (request, "native");
}

static void
check_attempts (FhAttemptLog *log)
{
  const guint n = g_list_model_get_n_items (G_LIST_MODEL (log));

  for (guint i = 0; i < n; i++)
    g_assert (fh_attempt_get_facts (fh_attempt_log_get (log, i))->count > 0);
}

static void
check_files (FhResultFiles *files)
{
  const guint n = g_list_model_get_n_items (G_LIST_MODEL (files));
  guint64 total = 0;
  const char *before = "";

  g_assert (n <= FH_RESULT_FILES_MAX);
  for (guint i = 0; i < n; i++)
    {
      const FhResultFileFacts *facts = fh_result_file_get_facts (fh_result_files_get (files, i));

      g_assert (fh_result_path_is_safe (facts->path));
      g_assert (strcmp (before, facts->path) < 0);
      before = facts->path;
      if (facts->content == NULL)
        continue;
      g_assert (facts->kind == FH_RESULT_FILE_REGULAR);
      g_assert (g_bytes_get_size (facts->content) == facts->size);
      total += facts->size;
    }
  g_assert (total <= FH_RESULT_CONTENT_MAX);
}

/* Each frame gets memory of its own, so that reading behind its end is found. */
static void
hear_all (FhRunEvents *feed, const uint8_t *data, size_t size)
{
  while (size >= FH_FRAME_HEADER_SIZE)
    {
      const uint32_t room = (uint32_t) (size - FH_FRAME_HEADER_SIZE);
      const uint32_t wished = (uint32_t) (data[0] | data[1] << 8 | data[2] << 16);
      struct fh_frame frame = {
        .kind = (uint16_t) (data[4] | data[5] << 8),
        .size = MIN (wished, room),
      };
      g_autofree guint8 *payload = g_memdup2 (data + FH_FRAME_HEADER_SIZE, frame.size);

      frame.payload = payload;
      if (!fh_run_events_handle (feed, &frame))
        return;
      data += FH_FRAME_HEADER_SIZE + frame.size;
      size -= FH_FRAME_HEADER_SIZE + frame.size;
    }
}

int
LLVMFuzzerTestOneInput (const uint8_t *data, size_t size)
{
  const FhRunOutcome outcome = { .status = FH_RUN_STATUS_OK, .signal = -1 };
  g_autoptr (FhRun) run = new_run ();
  g_autoptr (FhRunEvents) feed = fh_run_events_new (run, &in_namespaces);

  fh_run_started (run);
  hear_all (feed, data, size);
  fh_run_events_end (feed);
  fh_run_finish (run, &outcome);
  check_attempts (fh_run_result_get_parts (fh_run_get_result (run))->attempts);
  check_files (fh_run_result_get_parts (fh_run_get_result (run))->files);
  return 0;
}
