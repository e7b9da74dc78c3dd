/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

/* Returns the exit status if it fails. */
int stage_main (void);
