/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <adwaita.h>

#include "fake-backend.h"
#include "services.h"

/* Settings, history and drafts in `folder`, around this backend; the guards have been checked when
 * this returns. */
FhServices *fake_services_new (FakeBackend *backend, const char *folder);

/* Drops the last reference that the test has, and returns when nothing writes into the folder any
 * more: runs are recorded, drafts are written and the history is closed. */
void fake_services_free (FhServices *services);
