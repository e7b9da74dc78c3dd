/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <gio/gio.h>

#include "wire-frame.h"

G_BEGIN_DECLS

/* Frames over a socket, both ways and without ever blocking. Reading has a lower priority than
 * GTK's painting and takes at most FH_FRAME_STREAM_TURN bytes at a time, so that a window stays
 * alive whatever a program prints; what is not read yet waits in the socket and slows the sender.
 */
#define FH_TYPE_FRAME_STREAM (fh_frame_stream_get_type ())
G_DECLARE_FINAL_TYPE (FhFrameStream, fh_frame_stream, FH, FRAME_STREAM, GObject)

/* Below GDK_PRIORITY_REDRAW (G_PRIORITY_HIGH_IDLE + 20) and the validation of text views. */
#define FH_FRAME_STREAM_PRIORITY (G_PRIORITY_HIGH_IDLE + 30)
#define FH_FRAME_STREAM_TURN     ((gsize) 256 << 10)

typedef enum
{
  FH_FRAME_STREAM_ENDED,  /* the other side closed, or is gone */
  FH_FRAME_STREAM_BROKEN, /* what it sent is not our protocol */
} FhFrameStreamEnd;

typedef struct
{
  /* FALSE when the frame makes no sense: that breaks the stream. */
  gboolean (*frame) (const struct fh_frame *frame, gpointer user_data);
  /* Once, and nothing after it. Not called after fh_frame_stream_close. */
  void (*end) (FhFrameStreamEnd how, gpointer user_data);
} FhFrameListener;

/* Takes the descriptor, which must be a non-blocking stream socket. `listener` must outlive the
 * stream's fh_frame_stream_close. */
FhFrameStream *fh_frame_stream_new (int fd, const FhFrameListener *listener, gpointer user_data);

/* Sends complete frames after everything that was given before. */
void fh_frame_stream_send (FhFrameStream *self, GBytes *frames);

/* Sends a file in as many FH_FRAME_FILE frames as it needs, cut only when there is room. */
void fh_frame_stream_send_file (FhFrameStream *self, const char *name, GBytes *content);

/* The same with FH_FRAME_INPUT frames; nothing for an empty input. */
void fh_frame_stream_send_input (FhFrameStream *self, GBytes *standard_input);

/* The other side is known to be dead: what is still in the socket is read, then the stream ends
 * even when a descriptor of the other end lives on somewhere. */
void fh_frame_stream_set_peer_gone (FhFrameStream *self);

/* Closes the socket; the listener hears nothing more. */
void fh_frame_stream_close (FhFrameStream *self);

G_END_DECLS
