/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

/* What a run may use. 0 means "no limit" for every member. A plain value: copy it freely. */
typedef struct
{
  guint64 wall_ms;
  guint64 cpu_ms;       /* summed over the whole process tree */
  guint64 memory_bytes; /* of the whole process tree */
  guint64 disk_bytes;   /* all that may be written at one time */
  guint64 output_bytes; /* of stdout and of stderr, each */
  guint processes;      /* threads count */
} FhRunLimits;

#define FH_RUN_LIMITS_MIN_WALL_MS 100
#define FH_RUN_LIMITS_MIN_MEMORY  ((guint64) 16 << 20)

/* 30 s, no CPU limit, 512 MiB, 256 MiB of disk, 64 MiB of output, 128 processes. */
#define FH_RUN_LIMITS_DEFAULT                                                                      \
  ((FhRunLimits){                                                                                  \
      .wall_ms = 30000,                                                                            \
      .memory_bytes = (guint64) 512 << 20,                                                         \
      .disk_bytes = (guint64) 256 << 20,                                                           \
      .output_bytes = (guint64) 64 << 20,                                                          \
      .processes = 128,                                                                            \
  })

typedef struct
{
  const char *id;   /* "quick" */
  const char *name; /* untranslated, marked with N_ */
  FhRunLimits limits;
} FhRunPreset;

/* Quick look (5 s, 256 MiB), Standard (the default), Heavy work, No time or memory limit. */
const FhRunPreset *fh_run_presets (guint *count);

/* "1.5", "1.5s", "500ms", "2m", "1h", "none". Refused: 0, under 0.1 s, over 24 h, anything else. */
gboolean fh_run_limits_parse_duration (const char *text, guint64 *ms, GError **error);

/* "256", "256M", "256MiB", "1.5G", "512k", "none"; a plain number is MiB. Units are powers of
 * 1024. Refused: under 16 MiB, over 1 TiB, anything else. */
gboolean fh_run_limits_parse_memory (const char *text, guint64 *bytes, GError **error);

/* The same without the lower bound of 16 MiB, for output and disk; a plain number is MiB. */
gboolean fh_run_limits_parse_size (const char *text, guint64 *bytes, GError **error);

/* Short and translated: "1.5 s", "2 min", "no limit"; "256 MiB", "1.5 GiB", "no limit". */
char *fh_run_limits_format_duration (guint64 ms);
char *fh_run_limits_format_size (guint64 bytes);

/* Refuses a wall or CPU time or a memory size under its minimum, and what the parsers refuse as too
 * large: a time over 24 h, a size over 1 TiB. */
gboolean fh_run_limits_check (const FhRunLimits *limits, GError **error);

gboolean fh_run_limits_equal (const FhRunLimits *a, const FhRunLimits *b);

G_END_DECLS
