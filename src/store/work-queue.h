/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <gio/gio.h>

/* Runs tasks that use the disk in a thread of GIO's pool, one at a time and in order. The function
 * of a task runs in that thread and must return the task; its callback is called in the context
 * that the task was created in.
 *
 * A task that is cancelled before it starts is returned as cancelled and not run. Once started, it
 * runs to its end and returns its real result. */
typedef struct _FhWorkQueue FhWorkQueue;

typedef void (*FhWorkFunc) (GTask *task);

FhWorkQueue *fh_work_queue_new (void);
/* Tasks in the queue are still run. */
void fh_work_queue_free (FhWorkQueue *queue);

/* `task`: (transfer full) */
void fh_work_queue_push (FhWorkQueue *queue, GTask *task, FhWorkFunc func);

/* Blocks until the queue is empty. Must not be called from a task. */
void fh_work_queue_flush (FhWorkQueue *queue);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (FhWorkQueue, fh_work_queue_free)
