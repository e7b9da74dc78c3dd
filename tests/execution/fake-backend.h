/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "backend.h"

/* A backend without any sandbox: its runs do what the test says. */
#define FAKE_TYPE_BACKEND (fake_backend_get_type ())
G_DECLARE_FINAL_TYPE (FakeBackend, fake_backend, FAKE, BACKEND, FhBackend)

FakeBackend *fake_backend_new (void);

/* What the next probe says. `reason` NULL: everything is fine. */
void fake_backend_set_probe (FakeBackend *self, gboolean may_run, const char *reason);
/* The next probe fails altogether. */
void fake_backend_fail_probe (FakeBackend *self, const char *message);

/* The run that was started last; NULL before the first. Borrowed. */
FhRun *fake_backend_get_run (FakeBackend *self);
guint fake_backend_get_n_runs (FakeBackend *self);
/* How many sandboxes were prepared ahead, and the last of them while it is there. Borrowed. */
guint fake_backend_get_n_prepared (FakeBackend *self);
FhSandbox *fake_backend_get_prepared (FakeBackend *self);
/* The same of those that keep an interpreter warm; it imports "json" ahead. */
guint fake_backend_get_n_warm (FakeBackend *self);
FhSandbox *fake_backend_get_warm (FakeBackend *self);
/* How often the run was asked to stop. */
guint fake_backend_get_n_stops (FakeBackend *self);
void fake_backend_write (FakeBackend *self, FhStream stream, const char *text);
void fake_backend_finish (FakeBackend *self, int exit_code);
/* The program ends with 0, and leaves so many processes in a sandbox that stays. */
void fake_backend_stay (FakeBackend *self, guint n_left);

/* A new temporary folder, and its removal with all that is in it. */
char *fake_folder_new (void);
void fake_folder_free (char *folder);
