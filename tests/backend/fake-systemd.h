/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <gio/gio.h>

/* A systemd that knows one method, StartTransientUnit, and can be told what to make of it. It lives
 * in the process of the test and answers from its main loop. */
typedef enum
{
  FAKE_SYSTEMD_DOES,           /* what a real one does */
  FAKE_SYSTEMD_IS_QUICK,       /* the job is done before the answer is sent */
  FAKE_SYSTEMD_FAILS,          /* the job fails */
  FAKE_SYSTEMD_REFUSES,        /* there is not even a job */
  FAKE_SYSTEMD_DOES_ANOTHER,   /* only other people's jobs get done, and an older one of ours */
  FAKE_SYSTEMD_NEVER_FINISHES, /* there is a job, and nothing more is heard of it */
  FAKE_SYSTEMD_NEVER_ANSWERS,
  FAKE_SYSTEMD_DISAPPEARS, /* from the bus, when it is asked */
} FakeSystemdAct;

/* Answers on this connection, and on a bus under systemd's name. */
void fake_systemd_begin (GDBusConnection *connection, FakeSystemdAct act);
void fake_systemd_end (void);

/* How often it was asked since it began, and for what at last. */
guint fake_systemd_get_calls (void);
const char *fake_systemd_get_unit (void);
GVariant *fake_systemd_get_properties (void);
