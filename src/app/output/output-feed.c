/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "output/output-feed.h"

#include <glib/gi18n.h>

#include "output/output-pending.h"
#include "output/output-writer.h"
#include "parts/calls.h"

/* One step may cost so many bytes of plain text: lines, styles and other scripts take longer to lay
 * out. It is limited because painting has a lower priority than reading. */
#define COST_PER_STEP  (64 << 10)
#define LINE_COST      60
#define STYLE_COST     60
#define OTHER_COST     4 /* of a byte that is not ASCII, which may need another font */
#define SLICE          ((gsize) 2 << 10)
#define STEP_BUDGET_US 8000

/* Most output of a flood is skipped anyway. Showing less leaves time for reading, so that painting
 * does not slow the program down. */
#define COST_PER_STEP_IN_A_FLOOD (8 << 10)
#define FLOOD_LASTS_US           250000

/* Sections that wait, because the pane is hidden. More would not fit into the buffer. */
#define MAX_SECTIONS      1000
#define MAX_SECTION_BYTES ((gsize) 2 * FH_OUTPUT_WRITER_MAX_CHARS)

struct _FhOutputFeed
{
  GObject parent_instance;
  guint streams;
  FhOutputLog *log; /* nullable */
  FhRun *run;       /* NULL: the log is complete */
  gulong output_handler;
  gulong result_handler;
  GPtrArray *sources; /* nullable */
  GtkTextBuffer *buffer;
  FhOutputPending *pending;
  FhOutputWriter *writer;
  FhOutputSection *section; /* that is being shown; nullable */
  GQueue sections;          /* (element-type FhOutputSection) that wait */
  guint64 given_up;         /* bytes of earlier sections */
  guint64 skipped;          /* by the pending bytes, as of the last step */
  gint64 flood_until;       /* monotonic */
  guint awake : 1;
  guint has_sections : 1;
  guint ended : 1;    /* the program has ended */
  guint finished : 1; /* the writer has its last byte */
  guint cleared : 1;
};

G_DEFINE_FINAL_TYPE (FhOutputFeed, fh_output_feed, G_TYPE_OBJECT)

static guint waiting_signal;

static void
drop_run (FhOutputFeed *self)
{
  if (self->run == NULL)
    return;
  g_clear_signal_handler (&self->output_handler, self->run);
  g_clear_signal_handler (&self->result_handler, self->run);
  if (fh_run_get_input (self->run) != NULL)
    g_signal_handlers_disconnect_by_data (fh_run_get_input (self->run), self);
  g_clear_object (&self->run);
}

static void
drop_section (FhOutputFeed *self)
{
  if (self->section != NULL)
    g_signal_handlers_disconnect_by_data (self->section, self);
  g_clear_object (&self->section);
}

static void
drop_sections (FhOutputFeed *self)
{
  drop_section (self);
  g_queue_clear_full (&self->sections, g_object_unref);
  self->given_up = 0;
}

static void
start_over (FhOutputFeed *self)
{
  fh_output_pending_set_log (self->pending, self->log);
  fh_output_writer_reset (self->writer,
                          self->sources,
                          self->streams == (FH_STREAM_STDOUT | FH_STREAM_STDERR));
  self->finished = FALSE;
  self->flood_until = 0;
}

static void
catch_up (FhOutputFeed *self)
{
  if (self->awake && fh_output_pending_is_behind (self->pending))
    fh_output_pending_catch_up (self->pending);
}

static void
output_cb (FhOutputFeed *self, const FhOutputPiece *piece)
{
  if (!(self->streams & piece->stream) || !self->awake)
    return;
  fh_output_pending_push (self->pending, piece->stream, piece->size);
  g_signal_emit (self, waiting_signal, 0);
}

/* Ignores the end of the output, which has nothing to show, and all of it while the pane is hidden.
 */
static void
sent_cb (FhOutputFeed *self, GBytes *bytes)
{
  gsize size;
  const guint8 *text = bytes != NULL ? g_bytes_get_data (bytes, &size) : NULL;

  if (text == NULL || !self->awake)
    return;
  fh_output_writer_echo (self->writer, text, size);
  g_signal_emit (self, waiting_signal, 0);
}

static void
result_cb (FhOutputFeed *self)
{
  self->ended = TRUE;
  g_signal_emit (self, waiting_signal, 0);
}

static int
cost (const guint8 *data, gsize size)
{
  int sum = (int) size;

  for (gsize i = 0; i < size; i++)
    if (data[i] == '\n')
      sum += LINE_COST;
    else if (data[i] == '\033')
      sum += STYLE_COST;
    else if (data[i] >= 0x80)
      sum += OTHER_COST;
  return sum;
}

/* Returns what it costs. */
static int
write_chunk (FhOutputFeed *self, const FhOutputPiece *chunk, gboolean from_log)
{
  if (chunk->skipped > 0 && from_log)
    {
      g_autofree char *left_out = g_format_size_full (chunk->skipped, G_FORMAT_SIZE_IEC_UNITS);
      /* Translators: replaces a part of the output that was not kept; %s is a size. */
      g_autofree char *note = g_strdup_printf (_ ("[… %s left out …]"), left_out);

      fh_output_writer_note (self->writer, note);
    }
  fh_output_writer_feed (self->writer, chunk->stream, chunk->data, chunk->size, chunk->skipped > 0);
  return cost (chunk->data, chunk->size);
}

/* Shows what was skipped in a flood from the log, which keeps the beginning and the end. Not while
 * the user reads. */
static void
show_skipped (FhOutputFeed *self, gboolean is_read)
{
  if (self->has_sections || fh_output_feed_get_left_out (self) == 0 || self->cleared ||
      self->run == NULL || is_read)
    return;
  drop_run (self);
  start_over (self);
  catch_up (self);
  self->skipped = fh_output_pending_get_skipped (self->pending);
}

static void
fh_output_feed_dispose (GObject *object)
{
  FhOutputFeed *self = FH_OUTPUT_FEED (object);

  drop_run (self);
  drop_sections (self);
  g_clear_object (&self->log);
  g_clear_pointer (&self->writer, fh_output_writer_free);
  g_clear_pointer (&self->pending, fh_output_pending_free);
  g_clear_object (&self->buffer);
  g_clear_pointer (&self->sources, g_ptr_array_unref);
  G_OBJECT_CLASS (fh_output_feed_parent_class)->dispose (object);
}

static void
fh_output_feed_class_init (FhOutputFeedClass *klass)
{
  G_OBJECT_CLASS (klass)->dispose = fh_output_feed_dispose;

  waiting_signal = fh_signal_new ("waiting", G_TYPE_FROM_CLASS (klass), 0);
}

static void
fh_output_feed_init (FhOutputFeed *self)
{
}

FhOutputFeed *
fh_output_feed_new (FhOutputStyles *styles, guint streams)
{
  FhOutputFeed *self;

  g_return_val_if_fail (FH_IS_OUTPUT_STYLES (styles), NULL);
  g_return_val_if_fail (streams != 0, NULL);

  self = g_object_new (FH_TYPE_OUTPUT_FEED, NULL);
  self->streams = streams;
  self->buffer = gtk_text_buffer_new (fh_output_styles_get_table (styles));
  gtk_text_buffer_set_enable_undo (self->buffer, FALSE);
  self->pending = fh_output_pending_new (streams);
  self->writer = fh_output_writer_new (self->buffer, styles);
  return self;
}

GtkTextBuffer *
fh_output_feed_get_buffer (FhOutputFeed *self)
{
  g_return_val_if_fail (FH_IS_OUTPUT_FEED (self), NULL);

  return self->buffer;
}

guint
fh_output_feed_get_streams (FhOutputFeed *self)
{
  g_return_val_if_fail (FH_IS_OUTPUT_FEED (self), 0);

  return self->streams;
}

void
fh_output_feed_set_log (FhOutputFeed *self, FhOutputLog *log, FhRun *run, GPtrArray *sources)
{
  g_return_if_fail (FH_IS_OUTPUT_FEED (self));
  g_return_if_fail (log == NULL || FH_IS_OUTPUT_LOG (log));
  g_return_if_fail (run == NULL || FH_IS_RUN (run));

  drop_run (self);
  drop_sections (self);
  self->has_sections = FALSE;
  g_set_object (&self->log, log);
  g_set_object (&self->run, run);
  g_clear_pointer (&self->sources, g_ptr_array_unref);
  self->sources = sources != NULL ? g_ptr_array_ref (sources) : NULL;
  self->ended = run == NULL || fh_run_get_result (run) != NULL;
  self->cleared = FALSE;
  start_over (self);
  if (run != NULL)
    {
      self->output_handler = fh_connect (run, "output", output_cb, self);
      self->result_handler = fh_connect (run, "notify::result", result_cb, self);
      if (fh_run_get_input (run) != NULL)
        fh_connect (fh_run_get_input (run), "sent", sent_cb, self);
    }
  catch_up (self);
  g_signal_emit (self, waiting_signal, 0);
}

/* Its output is in the log. */
static void
section_ended_cb (FhOutputFeed *self)
{
  drop_run (self);
  result_cb (self);
}

static void
next_section (FhOutputFeed *self)
{
  FhRun *run;

  self->section = g_queue_pop_head (&self->sections);
  self->ended = fh_output_section_has_ended (self->section);
  self->finished = FALSE;
  if (!self->ended)
    fh_connect (self->section, "ended", section_ended_cb, self);
  fh_output_writer_say (self->writer,
                        FH_OUTPUT_TAG_HEADING,
                        fh_output_section_get_heading (self->section));
  run = fh_output_section_get_run (self->section);
  g_set_object (&self->log, fh_output_section_get_log (self->section));
  fh_output_pending_set_log (self->pending, self->log);
  if (!self->ended && run != NULL)
    {
      self->run = g_object_ref (run);
      self->output_handler = fh_connect (run, "output", output_cb, self);
    }
  catch_up (self);
}

/* Writes how it ended. */
static void
end_section (FhOutputFeed *self)
{
  const guint64 skipped = fh_output_pending_get_skipped (self->pending);
  const char *text;
  FhOutputTag tag;
  guint streams;

  if (skipped > 0)
    {
      g_autofree char *size = g_format_size_full (skipped, G_FORMAT_SIZE_IEC_UNITS);
      /* Translators: %s is a size. The program was faster than the window. */
      g_autofree char *note = g_strdup_printf (_ ("[… %s of this cell not shown …]"), size);

      fh_output_writer_note (self->writer, note);
    }
  for (guint i = 0; (text = fh_output_section_get_line (self->section, i, &streams, &tag)) != NULL;
       i++)
    {
      if (streams & self->streams)
        fh_output_writer_say (self->writer, tag, text);
    }
  self->given_up += skipped;
  fh_output_pending_set_log (self->pending, NULL);
  self->skipped = 0;
  drop_run (self);
  drop_section (self);
}

void
fh_output_feed_begin_sections (FhOutputFeed *self, GPtrArray *sources)
{
  g_return_if_fail (FH_IS_OUTPUT_FEED (self));

  fh_output_feed_set_log (self, NULL, NULL, sources);
  self->has_sections = TRUE;
}

/* The oldest of too many. They have grown since they were added. */
static void
give_up_sections (FhOutputFeed *self)
{
  gsize sum = 0;

  for (GList *at = self->sections.head; at != NULL; at = at->next)
    sum += fh_output_section_get_size (at->data);
  while (g_queue_get_length (&self->sections) >= MAX_SECTIONS ||
         (sum > MAX_SECTION_BYTES && g_queue_get_length (&self->sections) > 1))
    {
      g_autoptr (FhOutputSection) oldest = g_queue_pop_head (&self->sections);
      const gsize size = fh_output_section_get_size (oldest);

      sum -= size;
      self->given_up += size;
    }
}

void
fh_output_feed_add_section (FhOutputFeed *self, FhOutputSection *section)
{
  g_return_if_fail (FH_IS_OUTPUT_FEED (self));
  g_return_if_fail (FH_IS_OUTPUT_SECTION (section));

  give_up_sections (self);
  self->cleared = FALSE;
  g_queue_push_tail (&self->sections, g_object_ref (section));
  if (self->section == NULL)
    next_section (self);
  g_signal_emit (self, waiting_signal, 0);
}

void
fh_output_feed_set_awake (FhOutputFeed *self, gboolean awake)
{
  g_return_if_fail (FH_IS_OUTPUT_FEED (self));

  self->awake = awake != FALSE;
  catch_up (self);
  if (awake)
    g_signal_emit (self, waiting_signal, 0);
}

/* Returns what one step may cost. */
static int
step_budget (FhOutputFeed *self)
{
  guint64 skipped = fh_output_pending_get_skipped (self->pending);
  gint64 now = g_get_monotonic_time ();
  gboolean flood;

  if (skipped > self->skipped)
    self->flood_until = now + FLOOD_LASTS_US;
  self->skipped = skipped;
  flood = now < self->flood_until;
  fh_output_writer_set_hurried (self->writer, flood);
  return flood ? COST_PER_STEP_IN_A_FLOOD : COST_PER_STEP;
}

/* Goes on to the next section, if this one is complete. */
static gboolean
advance_section (FhOutputFeed *self)
{
  if (self->section == NULL || !self->ended)
    return FALSE;
  fh_output_writer_finish (self->writer);
  end_section (self);
  if (g_queue_is_empty (&self->sections))
    return FALSE;
  next_section (self);
  return TRUE;
}

gboolean
fh_output_feed_advance (FhOutputFeed *self, gboolean is_read)
{
  gint64 deadline = g_get_monotonic_time () + STEP_BUDGET_US;
  int budget;

  g_return_val_if_fail (FH_IS_OUTPUT_FEED (self), FALSE);

  if (is_read && fh_output_writer_is_full (self->writer))
    return FALSE;
  budget = step_budget (self);
  while (budget > 0 && g_get_monotonic_time () < deadline)
    {
      FhOutputPiece chunk;
      gboolean from_log;

      if (fh_output_pending_take (self->pending, SLICE, &chunk, &from_log))
        budget -= write_chunk (self, &chunk, from_log);
      else if (!advance_section (self))
        break;
    }
  if (self->ended && !self->finished && !self->has_sections &&
      fh_output_pending_is_empty (self->pending))
    {
      self->finished = TRUE;
      fh_output_writer_finish (self->writer);
      show_skipped (self, is_read);
    }
  fh_output_writer_flush (self->writer);
  return !fh_output_pending_is_empty (self->pending) || !g_queue_is_empty (&self->sections);
}

void
fh_output_feed_clear (FhOutputFeed *self)
{
  g_return_if_fail (FH_IS_OUTPUT_FEED (self));

  self->cleared = TRUE;
  g_queue_clear_full (&self->sections, g_object_unref);
  self->given_up = 0;
  start_over (self);
  if (self->log != NULL)
    fh_output_pending_forget (self->pending);
}

const char *
fh_output_feed_get_hint (FhOutputFeed *self, gboolean nothing_ran)
{
  g_return_val_if_fail (FH_IS_OUTPUT_FEED (self), NULL);

  if (gtk_text_buffer_get_char_count (self->buffer) > 0 ||
      !fh_output_pending_is_empty (self->pending))
    return NULL;
  if (self->log == NULL && !self->has_sections)
    return _ ("Run the code to see its output here");
  if (!self->ended || self->cleared)
    return "";
  if (nothing_ran)
    return _ ("The program was not started");
  if (self->streams == FH_STREAM_STDOUT)
    return _ ("Nothing was written to standard output");
  if (self->streams == FH_STREAM_STDERR)
    return _ ("Nothing was written to standard error");
  return _ ("The program printed nothing");
}

guint64
fh_output_feed_get_left_out (FhOutputFeed *self)
{
  g_return_val_if_fail (FH_IS_OUTPUT_FEED (self), 0);

  return fh_output_pending_get_skipped (self->pending) + self->given_up +
         fh_output_writer_get_trimmed (self->writer);
}
