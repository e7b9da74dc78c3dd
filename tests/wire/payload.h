/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <glib.h>

#include "wire-frame.h"

/* What a decoder makes of one payload: TRUE when it took it. Whatever it allocated it must have
 * given back. */
typedef gboolean (*TryPayload) (const void *payload, gsize size);

/* The payload of the only frame in `buffer`, which is cleared; its kind must be `kind`. It ends
 * where its memory ends, so that a decoder that reads too far is found. */
GBytes *payload_take (struct fh_buffer *buffer, enum fh_frame_kind kind);

/* A valid payload is taken, every beginning of it and everything longer is refused. */
void assert_exact (GBytes *payload, TryPayload try_payload);

/* Some thousand payloads with a few bytes changed, cut or added; returns how many were taken. */
guint try_mutations (GBytes *payload, TryPayload try_payload);
