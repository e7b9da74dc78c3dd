/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <adwaita.h>

#include "services.h"

#define FH_TYPE_APPLICATION (fh_application_get_type ())
G_DECLARE_FINAL_TYPE (FhApplication, fh_application, FH, APPLICATION, AdwApplication)

/* `services`: NULL for those of the user; a test brings its own. */
FhApplication *fh_application_new (FhServices *services);
