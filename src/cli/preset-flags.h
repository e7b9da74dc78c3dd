/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "command-flags.h"

G_BEGIN_DECLS

/* Adds --preset and --save-preset. `flags` must outlive the group. */
void fh_preset_flags_add (FhCommandFlags *flags, GOptionGroup *group);

/* Sets the options of --preset, before those that were typed. FALSE with a sentence. */
gboolean fh_preset_flags_load (FhCommandFlags *flags, GError **error);

/* Saves the complete options under the name of --save-preset. FALSE with a sentence. */
gboolean fh_preset_flags_save (const FhCommandFlags *flags, GError **error);

G_END_DECLS
