/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <glib-object.h>

/* A signal without a class handler or a result: its name, the type, the number of its parameters,
 * and their types. */
#define fh_signal_new(name, type, ...)                                                             \
  g_signal_new ((name), (type), G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL, G_TYPE_NONE, __VA_ARGS__)
