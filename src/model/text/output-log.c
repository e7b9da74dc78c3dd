/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "output-log.h"

#include "config.h"

#include <glib/gi18n-lib.h>
#include <string.h>

#include "output-cut.h"
#include "readable-text.h"
#include "run-error.h"

/* Output that arrives within this time becomes one stretch, so that a program that writes single
 * bytes does not cost more memory. */
#define COALESCE_US   ((guint64) 20000)
#define COALESCE_SIZE ((guint32) 64 << 10)

/* Two streams that alternate byte by byte would need more memory for the order than for the bytes.
 * At this many stretches in one part, neighbors are joined up to this size: the order becomes
 * coarser, the bytes stay. Two neighbors are then always larger than COARSE_SIZE, so that at most 2
 * × FH_OUTPUT_LOG_TAIL / COARSE_SIZE stretches are left, which is well under the maximum. */
#define MAX_STRETCHES 8192u
#define COARSE_SIZE   512u

/* How often dropped stretches are removed from the array of a tail. */
#define MAX_STALE_STRETCHES 1024u

/* Bytes of one part that arrived at one time. */
typedef struct
{
  guint64 serial; /* orders the stretches of both streams */
  guint64 time_us;
  guint32 size;
} FhStretch;

/* The head or the tail of one stream. Bytes before `start` and stretches before `first` were
 * dropped; the sizes of the others add up to the bytes from `start` on. */
typedef struct
{
  GByteArray *bytes;
  gsize start;
  GArray *stretches; /* of FhStretch */
  guint first;
} FhPart;

enum
{
  FH_PART_HEAD,
  FH_PART_TAIL,
  FH_N_PARTS,
};

typedef struct
{
  FhPart parts[FH_N_PARTS];
  guint64 total;
} FhStreamLog;

struct _FhOutputLog
{
  GObject parent_instance;
  FhStreamLog streams[2];
  guint64 serial; /* of the newest stretch */
  gboolean frozen;
  gboolean cut_cleanly; /* the cut is already between characters: read from a serialized log */
};

G_DEFINE_FINAL_TYPE (FhOutputLog, fh_output_log, G_TYPE_OBJECT)

static void
fh_output_log_finalize (GObject *object)
{
  FhOutputLog *self = FH_OUTPUT_LOG (object);

  for (guint i = 0; i < G_N_ELEMENTS (self->streams); i++)
    {
      for (guint j = 0; j < FH_N_PARTS; j++)
        {
          g_byte_array_unref (self->streams[i].parts[j].bytes);
          g_array_unref (self->streams[i].parts[j].stretches);
        }
    }
  G_OBJECT_CLASS (fh_output_log_parent_class)->finalize (object);
}

static void
fh_output_log_class_init (FhOutputLogClass *klass)
{
  G_OBJECT_CLASS (klass)->finalize = fh_output_log_finalize;
}

static void
fh_output_log_init (FhOutputLog *self)
{
  for (guint i = 0; i < G_N_ELEMENTS (self->streams); i++)
    {
      for (guint j = 0; j < FH_N_PARTS; j++)
        {
          self->streams[i].parts[j].bytes = g_byte_array_new ();
          self->streams[i].parts[j].stretches = g_array_new (FALSE, FALSE, sizeof (FhStretch));
        }
    }
}

FhOutputLog *
fh_output_log_new (void)
{
  return g_object_new (FH_TYPE_OUTPUT_LOG, NULL);
}

static FhStreamLog *
stream_log (FhOutputLog *self, FhStream stream)
{
  g_assert (stream == FH_STREAM_STDOUT || stream == FH_STREAM_STDERR);

  return &self->streams[stream - FH_STREAM_STDOUT];
}

static void
coarsen (FhPart *part)
{
  FhStretch *stretches = (FhStretch *) (gpointer) part->stretches->data;
  guint last = 0;

  stretches[0] = stretches[part->first];
  for (guint i = part->first + 1; i < part->stretches->len; i++)
    {
      if (stretches[last].size + stretches[i].size <= COARSE_SIZE)
        stretches[last].size += stretches[i].size;
      else
        stretches[++last] = stretches[i];
    }
  part->first = 0;
  g_array_set_size (part->stretches, last + 1);
}

static void
part_append (FhOutputLog *self, FhPart *part, guint64 time_us, const guint8 *data, gsize size)
{
  FhStretch *last = NULL;
  FhStretch stretch;

  g_byte_array_append (part->bytes, data, (guint) size);
  if (part->stretches->len > part->first)
    last = &g_array_index (part->stretches, FhStretch, part->stretches->len - 1);
  if (last != NULL && last->serial == self->serial && last->size + size <= COALESCE_SIZE &&
      time_us - last->time_us <= COALESCE_US)
    {
      last->size += (guint32) size;
      return;
    }
  if (part->stretches->len - part->first >= MAX_STRETCHES)
    coarsen (part);
  stretch = (FhStretch){ .serial = ++self->serial, .time_us = time_us, .size = (guint32) size };
  g_array_append_val (part->stretches, stretch);
}

/* Drops the oldest bytes of a tail that is over its size. They stay in the array until they are as
 * many as the kept ones, so that each byte is moved at most once. */
static void
trim_tail (FhPart *tail)
{
  gsize surplus = tail->bytes->len - tail->start;

  if (surplus <= FH_OUTPUT_LOG_TAIL)
    return;
  surplus -= FH_OUTPUT_LOG_TAIL;
  tail->start += surplus;
  while (surplus > 0)
    {
      FhStretch *oldest = &g_array_index (tail->stretches, FhStretch, tail->first);
      guint32 gone = (guint32) MIN (surplus, oldest->size);

      oldest->size -= gone;
      surplus -= gone;
      if (oldest->size == 0)
        tail->first++;
    }
  if (tail->start >= FH_OUTPUT_LOG_TAIL)
    {
      g_byte_array_remove_range (tail->bytes, 0, (guint) tail->start);
      tail->start = 0;
    }
  if (tail->first >= MAX_STALE_STRETCHES)
    {
      g_array_remove_range (tail->stretches, 0, tail->first);
      tail->first = 0;
    }
}

/* Appends without counting. */
static void
append_to_part (FhOutputLog *self,
                FhStream stream,
                guint part,
                guint64 time_us,
                const void *data,
                gsize size)
{
  FhStreamLog *log = stream_log (self, stream);
  const guint8 *bytes = data;

  g_assert (part < FH_N_PARTS);

  while (size > 0)
    {
      gsize piece = MIN (size, COALESCE_SIZE);

      part_append (self, &log->parts[part], time_us, bytes, piece);
      if (part == FH_PART_TAIL)
        trim_tail (&log->parts[part]);
      bytes += piece;
      size -= piece;
    }
}

void
fh_output_log_append (FhOutputLog *self,
                      FhStream stream,
                      guint64 time_us,
                      const void *data,
                      gsize size)
{
  FhStreamLog *log;
  const guint8 *bytes = data;
  gsize head;

  g_return_if_fail (FH_IS_OUTPUT_LOG (self));
  g_return_if_fail (stream == FH_STREAM_STDOUT || stream == FH_STREAM_STDERR);
  g_return_if_fail (data != NULL || size == 0);

  if (self->frozen || size == 0)
    return;
  log = stream_log (self, stream);
  log->total += size;
  head = MIN (size, FH_OUTPUT_LOG_HEAD - log->parts[FH_PART_HEAD].bytes->len);
  append_to_part (self, stream, FH_PART_HEAD, time_us, bytes, head);
  bytes += head;
  size -= head;
  append_to_part (self, stream, FH_PART_TAIL, time_us, bytes, size);
}

void
fh_output_log_freeze (FhOutputLog *self)
{
  g_return_if_fail (FH_IS_OUTPUT_LOG (self));

  self->frozen = TRUE;
}

guint64
fh_output_log_get_total (FhOutputLog *self, FhStream stream)
{
  g_return_val_if_fail (FH_IS_OUTPUT_LOG (self), 0);
  g_return_val_if_fail (stream == FH_STREAM_STDOUT || stream == FH_STREAM_STDERR, 0);

  return stream_log (self, stream)->total;
}

const guint8 *
fh_output_log_peek (FhOutputLog *self, FhStream stream, guint64 offset, gsize *size)
{
  const FhPart *head, *tail;
  guint64 total, tail_begin;

  g_return_val_if_fail (FH_IS_OUTPUT_LOG (self) && size != NULL, NULL);

  head = &stream_log (self, stream)->parts[FH_PART_HEAD];
  tail = &stream_log (self, stream)->parts[FH_PART_TAIL];
  total = stream_log (self, stream)->total;
  tail_begin = total - (tail->bytes->len - tail->start);
  if (offset < head->bytes->len)
    {
      *size = (gsize) (head->bytes->len - offset);
      return head->bytes->data + offset;
    }
  if (offset < tail_begin || offset >= total)
    {
      *size = offset < tail_begin ? (gsize) (tail_begin - offset) : 0;
      return NULL;
    }
  *size = (gsize) (total - offset);
  return tail->bytes->data + tail->start + (offset - tail_begin);
}

FhStreamView
fh_output_log_view (FhOutputLog *self, FhStream stream)
{
  FhStreamLog *log = stream_log (self, stream);
  FhPart *head = &log->parts[FH_PART_HEAD];
  FhPart *tail = &log->parts[FH_PART_TAIL];
  FhStreamView view = {
    .head = head->bytes->data,
    .head_size = head->bytes->len,
    .tail = tail->bytes->data != NULL ? tail->bytes->data + tail->start : NULL,
    .tail_size = tail->bytes->len - tail->start,
  };

  view.skipped = log->total - view.head_size - view.tail_size;
  if (view.skipped > 0 && !self->cut_cleanly)
    {
      gsize end = fh_output_cut_incomplete_end (view.head, view.head_size);
      gsize start = fh_output_cut_incomplete_start (view.tail, view.tail_size);

      view.head_size -= end;
      view.tail += start;
      view.tail_size -= start;
      view.skipped += end + start;
    }
  return view;
}

guint64
fh_output_log_get_kept (FhOutputLog *self, FhStream stream)
{
  FhStreamView view;

  g_return_val_if_fail (FH_IS_OUTPUT_LOG (self), 0);
  g_return_val_if_fail (stream == FH_STREAM_STDOUT || stream == FH_STREAM_STDERR, 0);

  view = fh_output_log_view (self, stream);
  return view.head_size + view.tail_size;
}

/* Iterates over the kept stretches of one stream. */
typedef struct
{
  FhStream stream;
  FhStreamLog *log;
  FhStreamView view;
  guint part;
  guint index; /* of the next stretch of the part */
  gsize at;    /* of the part's bytes as they are stored */
} Walk;

static void
walk_init (Walk *walk, FhOutputLog *self, FhStream stream)
{
  *walk = (Walk){
    .stream = stream,
    .log = stream_log (self, stream),
    .view = fh_output_log_view (self, stream),
  };
  walk->index = walk->log->parts[FH_PART_HEAD].first;
}

/* NULL at the end. */
static const FhStretch *
walk_peek (Walk *walk)
{
  const FhPart *part = &walk->log->parts[walk->part];

  if (walk->index == part->stretches->len && walk->part == FH_PART_HEAD)
    {
      walk->part = FH_PART_TAIL;
      part = &walk->log->parts[FH_PART_TAIL];
      walk->index = part->first;
      walk->at = part->start;
    }
  if (walk->index == part->stretches->len)
    return NULL;
  return &g_array_index (part->stretches, FhStretch, walk->index);
}

/* The next piece, shortened at the cut between head and tail. */
static FhOutputPiece
walk_next (Walk *walk)
{
  const FhStretch *stretch = walk_peek (walk);
  const FhPart *part = &walk->log->parts[walk->part];
  const guint8 *data = part->bytes->data + walk->at;
  const guint8 *begin = walk->part == FH_PART_HEAD ? walk->view.head : walk->view.tail;
  const guint8 *end =
      begin + (walk->part == FH_PART_HEAD ? walk->view.head_size : walk->view.tail_size);
  const guint8 *from = MAX (data, begin);
  const guint8 *to = MIN (data + stretch->size, end);
  FhOutputPiece piece = { .stream = walk->stream, .time_us = stretch->time_us };

  walk->index++;
  walk->at += stretch->size;
  if (from >= to)
    return piece;
  piece.data = from;
  piece.size = (gsize) (to - from);
  if (walk->part == FH_PART_TAIL)
    {
      piece.skipped = walk->view.skipped;
      walk->view.skipped = 0;
    }
  return piece;
}

void
fh_output_log_foreach (FhOutputLog *self, FhOutputPieceFunc func, gpointer user_data)
{
  Walk walks[2];

  g_return_if_fail (FH_IS_OUTPUT_LOG (self));
  g_return_if_fail (func != NULL);

  walk_init (&walks[0], self, FH_STREAM_STDOUT);
  walk_init (&walks[1], self, FH_STREAM_STDERR);
  for (;;)
    {
      const FhStretch *out = walk_peek (&walks[0]);
      const FhStretch *err = walk_peek (&walks[1]);
      FhOutputPiece piece;

      if (out == NULL && err == NULL)
        return;
      piece = walk_next (err == NULL || (out != NULL && out->serial < err->serial) ? &walks[0]
                                                                                   : &walks[1]);
      if (piece.size > 0)
        func (&piece, user_data);
    }
}

/* "1234567" as "1 234 567". */
static char *
group_digits (guint64 number)
{
  g_autofree char *digits = g_strdup_printf ("%" G_GUINT64_FORMAT, number);
  gsize count = strlen (digits);
  GString *grouped = g_string_new (NULL);

  for (gsize i = 0; i < count; i++)
    {
      if (i > 0 && (count - i) % 3 == 0)
        g_string_append_c (grouped, ' ');
      g_string_append_c (grouped, digits[i]);
    }
  return g_string_free (grouped, FALSE);
}

GBytes *
fh_output_log_dup_bytes (FhOutputLog *self, FhStream stream)
{
  FhStreamView view;
  GByteArray *bytes;

  g_return_val_if_fail (FH_IS_OUTPUT_LOG (self), NULL);
  g_return_val_if_fail (stream == FH_STREAM_STDOUT || stream == FH_STREAM_STDERR, NULL);

  view = fh_output_log_view (self, stream);
  bytes = g_byte_array_new ();
  g_byte_array_append (bytes, view.head, (guint) view.head_size);
  if (view.skipped > 0)
    {
      g_autofree char *count = group_digits (view.skipped);
      /* The line is not translated: scripts read it from JSON, which must not depend on the user's
       * language. */
      g_autofree char *line = g_strdup_printf ("[… %s bytes left out …]", count);

      if (view.head_size > 0 && view.head[view.head_size - 1] != '\n')
        g_byte_array_append (bytes, (const guint8 *) "\n", 1);
      g_byte_array_append (bytes, (const guint8 *) line, (guint) strlen (line));
      g_byte_array_append (bytes, (const guint8 *) "\n", 1);
    }
  g_byte_array_append (bytes, view.tail, (guint) view.tail_size);
  return g_byte_array_free_to_bytes (bytes);
}

char *
fh_output_log_dup_text (FhOutputLog *self, FhStream stream)
{
  g_autoptr (GBytes) bytes = fh_output_log_dup_bytes (self, stream);
  gconstpointer data;
  gsize size;

  g_return_val_if_fail (bytes != NULL, NULL);

  data = g_bytes_get_data (bytes, &size);
  return fh_valid_text_new (data, size);
}

/*
 * An output log as one byte string, all integers little-endian:
 *
 *   "FHOL" · u32 version · u64 total of stdout · u64 total of stderr · pieces
 *   piece: u8 stream · u64 time · u64 skipped · u32 size · bytes
 *
 * The database may be damaged, so every size is checked before it is used, and the parts must add
 * up to the totals.
 */
#define MAGIC       "FHOL"
#define VERSION     1
#define HEADER_SIZE 24
#define PIECE_SIZE  21

static void
put_u32 (GByteArray *bytes, guint32 value)
{
  value = GUINT32_TO_LE (value);
  g_byte_array_append (bytes, (const guint8 *) &value, sizeof value);
}

static void
put_u64 (GByteArray *bytes, guint64 value)
{
  value = GUINT64_TO_LE (value);
  g_byte_array_append (bytes, (const guint8 *) &value, sizeof value);
}

static void
put_piece (const FhOutputPiece *piece, gpointer user_data)
{
  GByteArray *bytes = user_data;
  guint8 stream = (guint8) piece->stream;

  g_byte_array_append (bytes, &stream, 1);
  put_u64 (bytes, piece->time_us);
  put_u64 (bytes, piece->skipped);
  put_u32 (bytes, (guint32) piece->size);
  g_byte_array_append (bytes, piece->data, (guint) piece->size);
}

GBytes *
fh_output_log_serialize (FhOutputLog *self)
{
  GByteArray *bytes;

  g_return_val_if_fail (FH_IS_OUTPUT_LOG (self), NULL);

  bytes = g_byte_array_new ();
  g_byte_array_append (bytes, (const guint8 *) MAGIC, 4);
  put_u32 (bytes, VERSION);
  put_u64 (bytes, self->streams[0].total);
  put_u64 (bytes, self->streams[1].total);
  fh_output_log_foreach (self, put_piece, bytes);
  return g_byte_array_free_to_bytes (bytes);
}

static guint32
get_u32 (const guint8 *data)
{
  guint32 value;

  memcpy (&value, data, sizeof value);
  return GUINT32_FROM_LE (value);
}

static guint64
get_u64 (const guint8 *data)
{
  guint64 value;

  memcpy (&value, data, sizeof value);
  return GUINT64_FROM_LE (value);
}

static gsize
part_size (FhOutputLog *self, FhStream stream, guint part)
{
  return stream_log (self, stream)->parts[part].bytes->len;
}

/* Adds the bytes of a piece to the head until it is full or something was left out, then to the
 * tail. FALSE if that is more than a log keeps. */
static gboolean
restore_piece (FhOutputLog *self, const FhOutputPiece *piece, gboolean after_gap)
{
  gsize tail = part_size (self, piece->stream, FH_PART_TAIL);
  gsize room = 0;
  gsize head;

  if (piece->size == 0)
    return TRUE;
  if (!after_gap && tail == 0)
    room = FH_OUTPUT_LOG_HEAD - part_size (self, piece->stream, FH_PART_HEAD);
  head = MIN (piece->size, room);
  if (piece->size - head > FH_OUTPUT_LOG_TAIL - tail)
    return FALSE;
  /* Keeps the pieces apart: without this gap in the order the log would join neighbors. */
  self->serial++;
  append_to_part (self, piece->stream, FH_PART_HEAD, piece->time_us, piece->data, head);
  append_to_part (self,
                  piece->stream,
                  FH_PART_TAIL,
                  piece->time_us,
                  piece->data + head,
                  piece->size - head);
  return TRUE;
}

/* Returns the size of the encoded piece; 0 when it is damaged. */
static gsize
get_piece (const guint8 *data, gsize size, FhOutputPiece *piece)
{
  if (size < PIECE_SIZE)
    return 0;
  piece->stream = (FhStream) data[0];
  piece->time_us = get_u64 (data + 1);
  piece->skipped = get_u64 (data + 9);
  piece->size = get_u32 (data + 17);
  piece->data = data + PIECE_SIZE;
  if ((piece->stream != FH_STREAM_STDOUT && piece->stream != FH_STREAM_STDERR) ||
      piece->size == 0 || piece->size > size - PIECE_SIZE)
    return 0;
  return PIECE_SIZE + piece->size;
}

static gboolean
restore (FhOutputLog *self, const guint8 *data, gsize size)
{
  guint64 skipped[2] = { 0, 0 };

  if (size < HEADER_SIZE || memcmp (data, MAGIC, 4) != 0 || get_u32 (data + 4) != VERSION)
    return FALSE;
  for (gsize at = HEADER_SIZE; at < size;)
    {
      FhOutputPiece piece;
      gsize step = get_piece (data + at, size - at, &piece);
      guint index;

      if (step == 0)
        return FALSE;
      index = (guint) piece.stream - FH_STREAM_STDOUT;
      if (piece.skipped > 0)
        {
          if (skipped[index] > 0 || part_size (self, piece.stream, FH_PART_TAIL) > 0)
            return FALSE;
          skipped[index] = piece.skipped;
        }
      if (!restore_piece (self, &piece, skipped[index] > 0))
        return FALSE;
      at += step;
    }
  for (guint i = 0; i < 2; i++)
    {
      FhStream stream = (FhStream) (FH_STREAM_STDOUT + i);
      guint64 kept =
          part_size (self, stream, FH_PART_HEAD) + part_size (self, stream, FH_PART_TAIL);

      self->streams[i].total = get_u64 (data + 8 + 8 * i);
      if (self->streams[i].total < kept || self->streams[i].total - kept != skipped[i])
        return FALSE;
    }
  return TRUE;
}

FhOutputLog *
fh_output_log_deserialize (GBytes *bytes, GError **error)
{
  g_autoptr (FhOutputLog) self = NULL;
  gconstpointer data;
  gsize size;

  g_return_val_if_fail (bytes != NULL, NULL);

  self = fh_output_log_new ();
  data = g_bytes_get_data (bytes, &size);
  if (!restore (self, data, size))
    {
      fh_run_error_refuse (error, "%s", _ ("The output that was kept of this run is damaged."));
      return NULL;
    }
  self->frozen = TRUE;
  self->cut_cleanly = TRUE;
  return g_steal_pointer (&self);
}

gboolean
fh_output_log_restore_stream (FhOutputLog *self,
                              FhStream stream,
                              GBytes *head,
                              GBytes *tail,
                              guint64 total)
{
  FhOutputPiece first = { .stream = stream };
  FhOutputPiece second = { .stream = stream };
  guint64 kept;

  first.data = g_bytes_get_data (head, &first.size);
  second.data = g_bytes_get_data (tail, &second.size);
  kept = (guint64) first.size + second.size;
  if (total < kept || (total > kept && (first.size > FH_OUTPUT_LOG_HEAD || second.size == 0)))
    return FALSE;
  stream_log (self, stream)->total = total;
  self->frozen = TRUE;
  self->cut_cleanly = TRUE;
  return restore_piece (self, &first, FALSE) && restore_piece (self, &second, total > kept);
}

FhOutputLog *
fh_output_log_copy (FhOutputLog *self)
{
  g_autoptr (GBytes) bytes = fh_output_log_serialize (self);

  return fh_output_log_deserialize (bytes, NULL);
}
