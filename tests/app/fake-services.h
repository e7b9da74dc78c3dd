/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <adwaita.h>

#include "fake-backend.h"
#include "services.h"

G_BEGIN_DECLS

/* Settings, history and drafts in `folder`, around this backend; the guards have been checked when
 * this returns. */
FhServices *fake_services_new (FakeBackend *backend, const char *folder);

G_END_DECLS
