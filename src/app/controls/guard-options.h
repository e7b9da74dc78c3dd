/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "run-guards.h"

G_BEGIN_DECLS

/* Which guards the runs of one tab have, as the user set it.
 *
 * Properties (read-write, notified): watch (uint, an FhWatchLevel), without (uint, a set of guards
 * that the next run goes without: 1 << FhGuard), hosts (as typed), limit-functions, limit-imports,
 * imports (as typed), operations (as typed; empty: no limit), in-container (what has no meaning in
 * a container is neither asked for nor switched off there). Read-only: problem (a sentence, or
 * NULL), notice (which guards the next run goes without, or NULL).
 *
 * What is switched off is off for one run: whoever starts it calls fh_guard_options_restore. */
#define FH_TYPE_GUARD_OPTIONS (fh_guard_options_get_type ())
G_DECLARE_FINAL_TYPE (FhGuardOptions, fh_guard_options, FH, GUARD_OPTIONS, GObject)

/* Guards that a container has a choice of its own for: its network and its variables. */
#define FH_GUARD_OPTIONS_NOT_IN_CONTAINER (1u << FH_GUARD_NETWORK | 1u << FH_GUARD_ENVIRONMENT)

FhGuardOptions *fh_guard_options_new (void);

guint fh_guard_options_get_without (FhGuardOptions *self);
gboolean fh_guard_options_has_guard (FhGuardOptions *self, FhGuard guard);
void fh_guard_options_set_guard (FhGuardOptions *self, FhGuard guard, gboolean is_on);
/* Switches all guards on again. */
void fh_guard_options_restore (FhGuardOptions *self);

/* Takes over what is kept from one run to the next: all but the switched off guards and the tier.
 */
void fh_guard_options_set_from (FhGuardOptions *self, const FhRunGuards *guards);

/* FALSE with a sentence when something cannot be used. The strings are borrowed until the next
 * change. */
gboolean fh_guard_options_get (FhGuardOptions *self, FhRunGuards *guards, GError **error);

G_END_DECLS
