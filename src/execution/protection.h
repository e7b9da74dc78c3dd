/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <gio/gio.h>

#include "backend.h"
#include "run-guards.h"

typedef enum
{
  FH_PROTECTION_CHECKING,
  FH_PROTECTION_FULL,    /* every guard is active */
  FH_PROTECTION_REDUCED, /* runs are allowed, some guards are weaker */
  FH_PROTECTION_REFUSED, /* nothing may run */
  FH_PROTECTION_UNKNOWN, /* the image of the container must be pulled first */
} FhProtectionState;

/* What protects runs in one place: on this computer or in one kind of container.
 *
 * Signal "changed": a check has begun or ended. */
#define FH_TYPE_PROTECTION (fh_protection_get_type ())
G_DECLARE_FINAL_TYPE (FhProtection, fh_protection, FH, PROTECTION, GObject)

FhProtection *fh_protection_new (void);

/* Asks the backend again. */
void fh_protection_check (FhProtection *self, FhBackend *backend);

FhProtectionState fh_protection_get_state (FhProtection *self);
gboolean fh_protection_may_run (FhProtection *self);
const char *fh_protection_get_title (FhProtection *self);
/* The title for a run with these guards switched off, 1 << FhGuard. */
const char *fh_protection_get_title_without (FhProtection *self, guint without);
const char *fh_protection_get_icon_name (FhProtection *self);
const char *fh_protection_get_reason (FhProtection *self); /* nullable */
const char *fh_protection_get_advice (FhProtection *self); /* nullable */
FhTier fh_protection_get_tier (FhProtection *self);        /* AUTO while nothing is known */
GListModel *fh_protection_get_guards (FhProtection *self);
/* Plain text for a bug report: one line per guard. (transfer full) */
char *fh_protection_dup_report (FhProtection *self);
