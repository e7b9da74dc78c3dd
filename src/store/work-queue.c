/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "work-queue.h"

/* `draining`: a thread of the pool is running the tasks; there is at most one. It has a reference
 * of the queue, because the last task often has the last reference of its owner. */
struct _FhWorkQueue
{
  GMutex mutex;
  GCond idle;
  GQueue waiting; /* (element-type Piece) */
  gboolean draining;
};

typedef struct
{
  GTask *task;
  FhWorkFunc func;
} Piece;

static void
work_queue_clear (gpointer data)
{
  FhWorkQueue *queue = data;

  g_assert (g_queue_is_empty (&queue->waiting));
  g_mutex_clear (&queue->mutex);
  g_cond_clear (&queue->idle);
}

FhWorkQueue *
fh_work_queue_new (void)
{
  FhWorkQueue *queue = g_atomic_rc_box_new0 (FhWorkQueue);

  g_mutex_init (&queue->mutex);
  g_cond_init (&queue->idle);
  g_queue_init (&queue->waiting);
  return queue;
}

static void
work_queue_unref (gpointer queue)
{
  g_atomic_rc_box_release_full (queue, work_queue_clear);
}

void
fh_work_queue_free (FhWorkQueue *queue)
{
  g_return_if_fail (queue != NULL);

  work_queue_unref (queue);
}

static void
do_piece (Piece *piece)
{
  if (!g_task_return_error_if_cancelled (piece->task))
    piece->func (piece->task);
  g_object_unref (piece->task);
  g_free (piece);
}

static void
drain_in_thread (GTask *task, gpointer source, gpointer data, GCancellable *cancellable)
{
  FhWorkQueue *queue = data;
  Piece *piece;

  g_mutex_lock (&queue->mutex);
  while ((piece = g_queue_pop_head (&queue->waiting)) != NULL)
    {
      g_mutex_unlock (&queue->mutex);
      do_piece (piece);
      g_mutex_lock (&queue->mutex);
    }
  queue->draining = FALSE;
  g_cond_broadcast (&queue->idle);
  g_mutex_unlock (&queue->mutex);
  g_task_return_boolean (task, TRUE);
}

static void
start_draining (FhWorkQueue *queue)
{
  g_autoptr (GTask) task = g_task_new (NULL, NULL, NULL, NULL);

  g_task_set_source_tag (task, start_draining);
  g_task_set_task_data (task, g_atomic_rc_box_acquire (queue), work_queue_unref);
  g_task_run_in_thread (task, drain_in_thread);
}

void
fh_work_queue_push (FhWorkQueue *queue, GTask *task, FhWorkFunc func)
{
  Piece *piece;
  gboolean start;

  g_return_if_fail (queue != NULL);
  g_return_if_fail (G_IS_TASK (task));
  g_return_if_fail (func != NULL);

  /* Results are returned even if the task was cancelled while it ran. */
  g_task_set_check_cancellable (task, FALSE);
  piece = g_new (Piece, 1);
  *piece = (Piece){ .task = task, .func = func };

  g_mutex_lock (&queue->mutex);
  g_queue_push_tail (&queue->waiting, piece);
  start = !queue->draining;
  queue->draining = TRUE;
  g_mutex_unlock (&queue->mutex);
  if (start)
    start_draining (queue);
}

void
fh_work_queue_flush (FhWorkQueue *queue)
{
  g_return_if_fail (queue != NULL);

  g_mutex_lock (&queue->mutex);
  while (queue->draining)
    g_cond_wait (&queue->idle, &queue->mutex);
  g_mutex_unlock (&queue->mutex);
}
