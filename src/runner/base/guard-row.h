/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * One row of the guard report.
 */
#pragma once

#include "wire-event.h"

static inline struct fh_guard_report
guard_row (enum fh_wire_guard guard, const char *layers)
{
  return (struct fh_guard_report){ guard, FH_WIRE_LEVEL_ACTIVE, layers, "" };
}

static inline void
guard_row_degrade (struct fh_guard_report *row, const char *reason)
{
  row->level = FH_WIRE_LEVEL_DEGRADED;
  row->reason = reason;
}

static inline void
guard_row_switch_off (struct fh_guard_report *row, const char *reason)
{
  *row = (struct fh_guard_report){ row->guard, FH_WIRE_LEVEL_OFF, "", reason };
}
