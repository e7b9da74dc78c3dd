/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "run-error.h"

G_DEFINE_QUARK (fh - run - error - quark, fh_run_error)
