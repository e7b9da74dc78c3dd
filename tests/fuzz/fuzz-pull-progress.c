/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The progress of a pull: never backwards, within its bounds, and the same however the bytes
 * arrive. The words of a failure are text in at most so many lines. */
#include "fuzz-target.h"
#include "pull-progress.h"

#include <string.h>

/* The fraction, the line and the words, as one text. */
static char *
read_in_pieces (const uint8_t *data, size_t size, size_t piece)
{
  g_autoptr (FhPullProgress) progress = fh_pull_progress_new ();
  g_autofree char *text = NULL;
  g_autofree char *words = NULL;
  double before = -1;

  for (size_t at = 0; at < size; at += piece)
    {
      double now;

      fh_pull_progress_feed (progress, data + at, MIN (piece, size - at));
      now = fh_pull_progress_get_fraction (progress);
      g_assert (now >= before && now <= 1 && (now == -1 || now >= 0));
      before = now;
    }
  text = fh_pull_progress_get_text (progress);
  words = fh_pull_progress_get_words (progress);
  g_assert (g_utf8_validate (text, -1, NULL) && strlen (text) < 200);
  /* An invalid byte becomes three. */
  g_assert (g_utf8_validate (words, -1, NULL) && strlen (words) < 17 * 1025 * 3);
  return g_strdup_printf ("%.9f\n%s\n%s", before, text, words);
}

int
LLVMFuzzerTestOneInput (const uint8_t *data, size_t size)
{
  g_autofree char *whole = read_in_pieces (data, size, MAX (size, 1));
  g_autofree char *pieces = read_in_pieces (data, size, size > 0 ? 1 + data[size / 2] % 7 : 1);

  g_assert (g_str_equal (whole, pieces));
  return 0;
}
