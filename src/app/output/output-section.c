/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "output/output-section.h"

#include <string.h>

#include "parts/calls.h"

typedef struct
{
  guint streams;
  FhOutputTag tag;
  char *text;
} Line;

struct _FhOutputSection
{
  GObject parent_instance;
  char *heading;
  FhRun *run;       /* nullable */
  FhOutputLog *log; /* nullable */
  GArray *lines;    /* (element-type Line) */
  gsize size;       /* of the lines */
  gboolean has_ended;
};

G_DEFINE_FINAL_TYPE (FhOutputSection, fh_output_section, G_TYPE_OBJECT)

static guint ended_signal;

static void
clear_line (gpointer line)
{
  g_free (((Line *) line)->text);
}

static void
fh_output_section_finalize (GObject *object)
{
  FhOutputSection *self = FH_OUTPUT_SECTION (object);

  g_free (self->heading);
  g_clear_object (&self->run);
  g_clear_object (&self->log);
  g_array_unref (self->lines);
  G_OBJECT_CLASS (fh_output_section_parent_class)->finalize (object);
}

static void
fh_output_section_class_init (FhOutputSectionClass *klass)
{
  G_OBJECT_CLASS (klass)->finalize = fh_output_section_finalize;

  ended_signal = fh_signal_new ("ended", G_TYPE_FROM_CLASS (klass), 0);
}

static void
fh_output_section_init (FhOutputSection *self)
{
  self->lines = g_array_new (FALSE, FALSE, sizeof (Line));
  g_array_set_clear_func (self->lines, clear_line);
}

FhOutputSection *
fh_output_section_new (const char *heading, FhRun *run, FhOutputLog *log)
{
  FhOutputSection *self;

  g_return_val_if_fail (heading != NULL, NULL);
  g_return_val_if_fail (run == NULL || FH_IS_RUN (run), NULL);

  self = g_object_new (FH_TYPE_OUTPUT_SECTION, NULL);
  self->heading = g_strdup (heading);
  g_set_object (&self->run, run);
  if (run != NULL)
    log = fh_run_get_output (run);
  g_set_object (&self->log, log);
  return self;
}

void
fh_output_section_say (FhOutputSection *self, guint streams, FhOutputTag tag, const char *text)
{
  Line line = { .streams = streams, .tag = tag };

  g_return_if_fail (FH_IS_OUTPUT_SECTION (self));
  g_return_if_fail (text != NULL);

  line.text = g_strdup (text);
  self->size += strlen (text);
  g_array_append_val (self->lines, line);
}

void
fh_output_section_end (FhOutputSection *self)
{
  g_return_if_fail (FH_IS_OUTPUT_SECTION (self));

  if (self->has_ended)
    return;
  self->has_ended = TRUE;
  g_signal_emit (self, ended_signal, 0);
  g_clear_object (&self->run);
}

const char *
fh_output_section_get_heading (FhOutputSection *self)
{
  g_return_val_if_fail (FH_IS_OUTPUT_SECTION (self), NULL);

  return self->heading;
}

FhRun *
fh_output_section_get_run (FhOutputSection *self)
{
  g_return_val_if_fail (FH_IS_OUTPUT_SECTION (self), NULL);

  return self->run;
}

FhOutputLog *
fh_output_section_get_log (FhOutputSection *self)
{
  g_return_val_if_fail (FH_IS_OUTPUT_SECTION (self), NULL);

  return self->log;
}

gboolean
fh_output_section_has_ended (FhOutputSection *self)
{
  g_return_val_if_fail (FH_IS_OUTPUT_SECTION (self), TRUE);

  return self->has_ended;
}

const char *
fh_output_section_get_line (FhOutputSection *self, guint number, guint *streams, FhOutputTag *tag)
{
  const Line *line;

  g_return_val_if_fail (FH_IS_OUTPUT_SECTION (self), NULL);
  g_return_val_if_fail (streams != NULL && tag != NULL, NULL);

  if (number >= self->lines->len)
    return NULL;
  line = &g_array_index (self->lines, Line, number);
  *streams = line->streams;
  *tag = line->tag;
  return line->text;
}

gsize
fh_output_section_get_size (FhOutputSection *self)
{
  g_return_val_if_fail (FH_IS_OUTPUT_SECTION (self), 0);

  if (self->log == NULL)
    return self->size;
  return self->size + fh_output_log_get_kept (self->log, FH_STREAM_STDOUT) +
         fh_output_log_get_kept (self->log, FH_STREAM_STDERR);
}
