/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <gio/gio.h>

G_BEGIN_DECLS

/* Pieces of work that touch the disk, done in GIO's thread pool, one at a time and in the order
 * in which they were pushed. Each is a GTask: its function runs in the thread and must return the
 * task; the callback then comes in the context where the task was made.
 *
 * A task that was cancelled before its turn is returned as cancelled without running; once its
 * turn has come it runs to its end and tells what really happened. */
typedef struct _FhWorkQueue FhWorkQueue;

typedef void (*FhWorkFunc) (GTask *task);

FhWorkQueue *fh_work_queue_new (void);
/* What is still waiting is done nevertheless. */
void fh_work_queue_free (FhWorkQueue *queue);

/* Takes over the caller's reference of `task`. */
void fh_work_queue_push (FhWorkQueue *queue, GTask *task, FhWorkFunc func);

/* Blocks until nothing is waiting or running. Not to be called from a piece of work. */
void fh_work_queue_flush (FhWorkQueue *queue);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (FhWorkQueue, fh_work_queue_free)

G_END_DECLS
