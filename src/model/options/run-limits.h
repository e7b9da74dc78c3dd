/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <glib.h>

/* The resources that a run may use. 0 means "no limit", except for open files. A plain value: copy
 * it freely. */
typedef struct
{
  guint64 wall_ms;
  guint64 cpu_ms;       /* summed over the whole process tree */
  guint64 memory_bytes; /* of the whole process tree */
  guint64 disk_bytes;   /* all that may be written at one time */
  guint64 output_bytes; /* of stdout and of stderr, each */
  guint processes;      /* threads count */
  guint open_files;     /* of each process; 0: FH_RUN_LIMITS_MAX_OPEN_FILES */
} FhRunLimits;

#define FH_RUN_LIMITS_MIN_WALL_MS 100
#define FH_RUN_LIMITS_MAX_WALL_MS ((guint64) 24 * 60 * 60 * 1000)
#define FH_RUN_LIMITS_MIN_MEMORY  ((guint64) 16 << 20)
/* The runner allows no more. */
#define FH_RUN_LIMITS_MAX_OPEN_FILES 400

/* 30 s, no CPU limit, 512 MiB, 256 MiB of disk, 64 MiB of output, 128 processes,
 * 400 open files. */
#define FH_RUN_LIMITS_DEFAULT                                                                      \
  ((FhRunLimits){                                                                                  \
      .wall_ms = 30000,                                                                            \
      .memory_bytes = (guint64) 512 << 20,                                                         \
      .disk_bytes = (guint64) 256 << 20,                                                           \
      .output_bytes = (guint64) 64 << 20,                                                          \
      .processes = 128,                                                                            \
      .open_files = FH_RUN_LIMITS_MAX_OPEN_FILES,                                                  \
  })

typedef struct
{
  const char *id;   /* "quick" */
  const char *name; /* untranslated, marked with N_ */
  FhRunLimits limits;
} FhRunPreset;

/* Quick look (5 s, 256 MiB), Standard (the default), Heavy work, No time or memory limit. */
const FhRunPreset *fh_run_presets (guint *count);

/* Short and translated: "1.5 s", "2 min", "no limit"; "256 MiB", "1.5 GiB", "no limit". */
char *fh_run_limits_format_duration (guint64 ms);
char *fh_run_limits_format_size (guint64 bytes);

gboolean fh_run_limits_equal (const FhRunLimits *a, const FhRunLimits *b);
