/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The progress of a pull: never backwards, and within its bounds, whatever the lines say. The words
 * of a failure are text in at most so many lines. */
#include "fuzz-target.h"
#include "pull-progress.h"

#include <string.h>

int
LLVMFuzzerTestOneInput (const uint8_t *data, size_t size)
{
  g_autoptr (FhPullProgress) progress = fh_pull_progress_new ();
  g_autofree char *text = NULL;
  g_autofree char *words = NULL;
  double before = -1;

  for (size_t at = 0; at < size; at++)
    {
      const uint8_t *end = memchr (data + at, '\n', size - at);
      const size_t length = end != NULL ? (size_t) (end - data) - at : size - at;
      double now;

      fh_pull_progress_add (progress, (const char *) data + at, length);
      now = fh_pull_progress_get_fraction (progress);
      g_assert (now >= before && now <= 1 && (now == -1 || now >= 0));
      before = now;
      at += length;
    }
  text = fh_pull_progress_get_text (progress);
  words = fh_pull_progress_get_words (progress);
  /* An invalid byte becomes three. */
  g_assert (g_utf8_validate (text, -1, NULL) && g_utf8_strlen (text, -1) < 200);
  g_assert (g_utf8_validate (words, -1, NULL) && strlen (words) < 17 * 1025 * 3);
  return 0;
}
