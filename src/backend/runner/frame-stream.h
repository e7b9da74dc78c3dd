/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <gio/gio.h>

#include "run-files.h"
#include "wire-frame.h"

/* Frames over a socket in both directions, never blocking. To keep a window responsive, reading
 * takes at most FH_FRAME_STREAM_TURN bytes at a time and has a lower priority than GTK's painting.
 * But painting a flood can take all the time there is, and the end of the run arrives after its
 * last output: so FH_FRAME_STREAM_SHARE bytes of each period are read before painting. Unread bytes
 * wait in the socket and slow the sender down. */
typedef struct _FhFrameStream FhFrameStream;

/* Frames come after GDK_PRIORITY_REDRAW (G_PRIORITY_HIGH_IDLE + 20) and the validation of text
 * views. */
#define FH_FRAME_STREAM_PRIORITY (G_PRIORITY_HIGH_IDLE + 30)
#define FH_FRAME_STREAM_TURN     ((gsize) 256 << 10)

/* With user input and before the frame that GTK paints right after it. The share is about what can
 * be in transit when a program dies: see control-channel.h. */
#define FH_FRAME_STREAM_SHARE_PRIORITY G_PRIORITY_DEFAULT
#define FH_FRAME_STREAM_SHARE          ((gsize) 512 << 10)
#define FH_FRAME_STREAM_SHARE_MS       16

/* FALSE for an invalid frame, which breaks the stream. The frame is borrowed from the read buffer
 * until the call returns. */
typedef gboolean (*FhFrameFunc) (const struct fh_frame *frame, gpointer user_data);
/* Called once and last, unless fh_frame_stream_close() was called before. The peer has closed it or
 * is gone, or has violated the protocol. */
typedef void (*FhFrameStreamEndFunc) (gboolean is_broken, gpointer user_data);

/* Takes ownership of `fd`, a non-blocking stream socket. */
FhFrameStream *fh_frame_stream_new (int fd,
                                    FhFrameFunc frame,
                                    gpointer frame_data,
                                    FhFrameStreamEndFunc end,
                                    gpointer end_data);

/* Closes it as well. Within its functions it stays until they return. */
void fh_frame_stream_free (FhFrameStream *self);

/* Queues complete frames. */
void fh_frame_stream_send (FhFrameStream *self, GBytes *frames);

/* Makes a single frame of a payload (nullable) and sends it. */
void fh_frame_stream_send_frame (FhFrameStream *self, enum fh_frame_kind kind, GBytes *payload);

/* Queues a file, which is cut into FH_FRAME_FILE frames as there is room. */
void fh_frame_stream_send_file (FhFrameStream *self, const FhRunFile *file);

/* The same with FH_FRAME_INPUT frames; an empty input sends nothing. */
void fh_frame_stream_send_input (FhFrameStream *self, GBytes *standard_input);

/* While it is held, frames are kept; they go out together at its end, and wake the peer up once. */
void fh_frame_stream_hold (FhFrameStream *self, gboolean is_held);

/* The peer is dead: the stream ends after what is in the socket was read, even if another process
 * still holds the peer's end. That is read before anything is painted. */
void fh_frame_stream_set_peer_gone (FhFrameStream *self);

/* The next turn of reading comes after GTK has painted, if it is to: for what is to be seen before
 * what follows it. */
void fh_frame_stream_let_paint (FhFrameStream *self);

/* Closes the socket; no function is called any more. */
void fh_frame_stream_close (FhFrameStream *self);
