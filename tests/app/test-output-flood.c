/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The window stays responsive whatever a program prints. A run that nothing stands behind writes as
 * fast as the main loop can be fed; what is printed are the figures of a real window: frames, the
 * longest time without one, the longest time the loop did not turn, memory. Time is that of the
 * processor, which other programs do not take. $FH_FLOOD_TIMES makes each flood longer. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "output/output-view.h"
#include "widget-test.h"

#define RATE         (110.0 * 1000 * 1000) /* bytes per second that are offered */
#define PIECE        ((gsize) 64 << 10)
#define MAX_PER_TURN ((gsize) 1 << 20)
/* Backends read after painting; one that reads first starves every frame. */
#define READ_PRIORITY (G_PRIORITY_HIGH_IDLE + 30)
#define BEAT_MS       10
#define MAX_GAP_MS    500
#define MIN_FPS       8
#define MAX_GROWTH_MB 80

typedef struct
{
  const char *name;
  gsize (*fill) (char *bytes, gsize size, guint64 *serial); /* returns how much makes one write */
  gint64 lasts_ms;
  gboolean wrap;
} Flood;

typedef struct
{
  const Flood *flood;
  FhRun *run;
  char *bytes;
  guint64 serial;
  guint64 offered;
  gint64 started_at;
  gint64 last_frame, longest_frame;
  gint64 last_beat, longest_beat;
  guint frames;
  double most_memory;
} Measure;

static double base_memory;

/* How long this thread has worked, in µs. */
static gint64
now_us (void)
{
  struct timespec time;

  g_assert_cmpint (clock_gettime (CLOCK_THREAD_CPUTIME_ID, &time), ==, 0);
  return (gint64) time.tv_sec * G_USEC_PER_SEC + time.tv_nsec / 1000;
}

static double
memory_mb (void)
{
  g_autofree char *text = NULL;
  long total, resident = 0;

  g_assert_true (g_file_get_contents ("/proc/self/statm", &text, NULL, NULL));
  g_assert_cmpint (sscanf (text, "%ld %ld", &total, &resident), ==, 2);
  return (double) resident * (double) sysconf (_SC_PAGESIZE) / 1e6;
}

static gsize
repeat (char *bytes, gsize size, const char *pattern)
{
  gsize length = strlen (pattern);

  for (gsize i = 0; i < size; i++)
    bytes[i] = pattern[i % length];
  return size;
}

static gsize
fill_lines (char *bytes, gsize size, guint64 *serial)
{
  return repeat (bytes,
                 size,
                 "The quick brown fox jumps over the lazy dog, again and again and on.\n");
}

static gsize
fill_wide_lines (char *bytes, gsize size, guint64 *serial)
{
  memset (bytes, 'x', size);
  for (gsize i = 1000; i < size; i += 1001)
    bytes[i] = '\n';
  return size;
}

static gsize
fill_endless (char *bytes, gsize size, guint64 *serial)
{
  return repeat (bytes, size, "endless line without a single newline ");
}

static gsize
fill_short_lines (char *bytes, gsize size, guint64 *serial)
{
  return repeat (bytes, size, "1\n");
}

static gsize
fill_progress (char *bytes, gsize size, guint64 *serial)
{
  return repeat (bytes, size, "\r 42% |####      | 42/100 [00:01<00:02, 30.11it/s]");
}

static gsize
fill_colors (char *bytes, gsize size, guint64 *serial)
{
  gsize at = 0;

  /* Made once: the maker of the flood must not be what is slow. */
  if (*serial > 0)
    return size;

  while (at + 16 < size)
    {
      at += (gsize) sprintf (bytes + at,
                             "\033[%u;%um%c",
                             30 + (guint) (*serial % 8),
                             40 + (guint) (*serial / 8 % 8),
                             'a' + (int) (*serial % 26));
      if (++*serial % 90 == 0)
        bytes[at++] = '\n';
    }
  memset (bytes + at, ' ', size - at);
  return size;
}

static gsize
fill_random (char *bytes, gsize size, guint64 *serial)
{
  guint64 state = G_GUINT64_CONSTANT (0x9e3779b97f4a7c15);

  if ((*serial)++ > 0)
    return size;
  for (gsize i = 0; i < size; i++)
    {
      state ^= state << 13;
      state ^= state >> 7;
      state ^= state << 17;
      bytes[i] = (char) (state >> 32);
    }
  return size;
}

/* Many small writes of both streams. */
static gsize
fill_mixed (char *bytes, gsize size, guint64 *serial)
{
  repeat (bytes, size, "step done\nstep gone\n");
  return 500;
}

static gsize
fill_tracebacks (char *bytes, gsize size, guint64 *serial)
{
  return repeat (bytes,
                 size,
                 "  File \"/workspace/main.py\", line 12, in step\n    step (n - 1)\n");
}

static gboolean
produce_cb (gpointer data)
{
  Measure *measure = data;
  double elapsed = (double) (now_us () - measure->started_at) / 1e6;
  gsize turn = 0;

  while ((double) measure->offered < elapsed * RATE && turn < MAX_PER_TURN)
    {
      gsize part = measure->flood->fill (measure->bytes, PIECE, &measure->serial);

      for (gsize at = 0; at < PIECE && at + part <= PIECE; at += part)
        {
          fh_run_add_output (measure->run,
                             part < PIECE / 2 && at / part % 2 == 1 ? FH_STREAM_STDERR
                                                                    : FH_STREAM_STDOUT,
                             0,
                             measure->bytes + at,
                             part);
          measure->offered += part;
          turn += part;
        }
    }
  return G_SOURCE_CONTINUE;
}

static gboolean
beat_cb (gpointer data)
{
  Measure *measure = data;
  gint64 now = now_us ();

  if (measure->last_beat != 0)
    measure->longest_beat = MAX (measure->longest_beat, now - measure->last_beat);
  measure->last_beat = now;
  measure->most_memory = MAX (measure->most_memory, memory_mb ());
  return G_SOURCE_CONTINUE;
}

static void
after_paint_cb (Measure *measure)
{
  gint64 now = now_us ();

  measure->frames++;
  if (measure->last_frame != 0)
    measure->longest_frame = MAX (measure->longest_frame, now - measure->last_frame);
  measure->last_frame = now;
}

static gboolean
is_idle (gpointer data)
{
  g_autofree char *text = NULL;
  GtkWidget *view = widget_test_find (data, GTK_TYPE_TEXT_VIEW);

  text = widget_test_text (GTK_TEXT_VIEW (view));
  return *text != '\0';
}

static void
report (Measure *measure, double seconds)
{
  double fps = measure->frames / seconds;
  double growth = measure->most_memory - base_memory;

  g_test_message ("%-14s %5.0f MB/s offered, %4.1f frames/s, longest gap between frames %3.0f ms, "
                  "longest stall of the main loop %3.0f ms, memory +%.0f MB",
                  measure->flood->name,
                  (double) measure->offered / seconds / 1e6,
                  fps,
                  (double) measure->longest_frame / 1e3,
                  (double) measure->longest_beat / 1e3,
                  growth);
  g_assert_cmpfloat (fps, >, MIN_FPS);
  g_assert_cmpint (measure->longest_frame, <, MAX_GAP_MS * 1000);
  g_assert_cmpint (measure->longest_beat, <, MAX_GAP_MS * 1000);
  g_assert_cmpfloat (growth, <, MAX_GROWTH_MB);
}

static void
test_flood (gconstpointer data)
{
  const Flood *flood = data;
  FhOutputView *view = g_object_new (FH_TYPE_OUTPUT_VIEW, NULL);
  g_autoptr (FhRun) run = widget_test_run_new ("while True: print ('x')");
  g_autofree char *bytes = g_malloc (PIECE);
  Measure measure = { .flood = flood, .run = run, .bytes = bytes };
  const char *times = g_getenv ("FH_FLOOD_TIMES");
  const gint64 lasts = flood->lasts_ms * 1000 * (times != NULL ? atoi (times) : 1);
  GtkWindow *window;
  gint64 ended_at;
  guint producer, beat;

  g_object_set (view, "wrap", flood->wrap, NULL);
  fh_output_view_set_run (view, run);
  window = widget_test_window (GTK_WIDGET (view), 900, 600);
  if (base_memory == 0)
    base_memory = memory_mb ();
  g_signal_connect_swapped (gtk_widget_get_frame_clock (GTK_WIDGET (window)),
                            "after-paint",
                            G_CALLBACK (after_paint_cb),
                            &measure);
  measure.started_at = now_us ();
  producer = g_timeout_add_full (READ_PRIORITY, 1, produce_cb, &measure, NULL);
  beat = g_timeout_add_full (G_PRIORITY_DEFAULT, BEAT_MS, beat_cb, &measure, NULL);
  FH_AWAIT_TRUE (now_us () - measure.started_at >= lasts);
  ended_at = now_us ();
  g_source_remove (producer);
  g_source_remove (beat);
  g_signal_handlers_disconnect_by_data (gtk_widget_get_frame_clock (GTK_WIDGET (window)), &measure);
  report (&measure, (double) (ended_at - measure.started_at) / 1e6);
  widget_test_finish (run, 0);
  FH_AWAIT_TRUE (is_idle (view));
  gtk_window_destroy (window);
}

int
main (int argc, char **argv)
{
  static const Flood floods[] = {
    { "flood-lines", fill_lines, 1000, FALSE },
    { "flood-wrapped", fill_wide_lines, 400, TRUE },
    { "flood-endless", fill_endless, 400, FALSE },
    { "flood-short", fill_short_lines, 400, FALSE },
    { "flood-progress", fill_progress, 400, FALSE },
    { "flood-colors", fill_colors, 400, FALSE },
    { "flood-random", fill_random, 400, FALSE },
    { "flood-mixed", fill_mixed, 400, FALSE },
    { "flood-places", fill_tracebacks, 400, FALSE },
  };

  if (!widget_test_init (&argc, &argv))
    return 77;
  for (guint i = 0; i < G_N_ELEMENTS (floods); i++)
    {
      g_autofree char *path = g_strdup_printf ("/output/%s", floods[i].name);

      g_test_add_data_func (path, &floods[i], test_flood);
    }
  return g_test_run ();
}
