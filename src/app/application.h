/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <adwaita.h>

G_BEGIN_DECLS

#define FH_TYPE_APPLICATION (fh_application_get_type ())
G_DECLARE_FINAL_TYPE (FhApplication, fh_application, FH, APPLICATION, AdwApplication)

FhApplication *fh_application_new (void);

G_END_DECLS
