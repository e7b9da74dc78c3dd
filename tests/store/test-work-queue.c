/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "work-queue.h"

#include "fh-test.h"

/* What the tasks have done, in order. */
typedef struct
{
  GString *done; /* only used by tasks, which never run at the same time */
  int running;
} Diary;

typedef struct
{
  Diary *diary;
  char letter;
} Note;

static void
write_note (GTask *task)
{
  Note *note = g_task_get_task_data (task);

  g_assert_cmpint (g_atomic_int_add (&note->diary->running, 1), ==, 0);
  g_usleep (500);
  g_string_append_c (note->diary->done, note->letter);
  g_atomic_int_add (&note->diary->running, -1);
  g_task_return_boolean (task, TRUE);
}

static GTask *
push_note (FhWorkQueue *queue,
           Diary *diary,
           char letter,
           GCancellable *cancellable,
           GAsyncReadyCallback callback,
           gpointer data)
{
  GTask *task = g_task_new (NULL, cancellable, callback, data);
  Note *note = g_new (Note, 1);

  *note = (Note){ .diary = diary, .letter = letter };
  g_task_set_source_tag (task, push_note);
  g_task_set_task_data (task, note, g_free);
  fh_work_queue_push (queue, task, write_note);
  return task;
}

static void
test_in_order_one_at_a_time (void)
{
  g_autoptr (FhWorkQueue) queue = fh_work_queue_new ();
  Diary diary = { .done = g_string_new (NULL) };

  for (char letter = 'a'; letter <= 'z'; letter++)
    push_note (queue, &diary, letter, NULL, NULL, NULL);
  fh_work_queue_flush (queue);
  g_assert_cmpstr (diary.done->str, ==, "abcdefghijklmnopqrstuvwxyz");
  push_note (queue, &diary, '!', NULL, NULL, NULL);
  fh_work_queue_flush (queue);
  g_assert_cmpstr (diary.done->str, ==, "abcdefghijklmnopqrstuvwxyz!");
  g_string_free (diary.done, TRUE);
  while (g_main_context_iteration (NULL, FALSE))
    ;
}

static void
count_answer (GObject *source, GAsyncResult *result, gpointer data)
{
  int *answers = data;
  g_autoptr (GError) error = NULL;

  if (g_task_propagate_boolean (G_TASK (result), &error))
    answers[0]++;
  else if (g_error_matches (error, G_IO_ERROR, G_IO_ERROR_CANCELLED))
    answers[1]++;
}

static void
test_freed_with_work_left (void)
{
  FhWorkQueue *queue = fh_work_queue_new ();
  Diary diary = { .done = g_string_new (NULL) };
  int answers[2] = { 0, 0 };

  for (char letter = 'a'; letter <= 'e'; letter++)
    push_note (queue, &diary, letter, NULL, count_answer, answers);
  fh_work_queue_free (queue);
  /* The thread uses the diary until it has returned the last task. */
  while (answers[0] < 5)
    g_main_context_iteration (NULL, TRUE);
  g_assert_cmpstr (diary.done->str, ==, "abcde");
  g_string_free (diary.done, TRUE);
}

static void
test_cancelled_before_its_turn (void)
{
  g_autoptr (FhWorkQueue) queue = fh_work_queue_new ();
  g_autoptr (GCancellable) cancellable = g_cancellable_new ();
  Diary diary = { .done = g_string_new (NULL) };
  int answers[2] = { 0, 0 };

  push_note (queue, &diary, 'a', NULL, count_answer, answers);
  push_note (queue, &diary, 'b', cancellable, count_answer, answers);
  g_cancellable_cancel (cancellable);
  push_note (queue, &diary, 'c', cancellable, count_answer, answers);
  push_note (queue, &diary, 'd', NULL, count_answer, answers);
  fh_work_queue_flush (queue);
  while (answers[0] + answers[1] < 4)
    g_main_context_iteration (NULL, TRUE);
  g_assert_nonnull (g_strrstr (diary.done->str, "d"));
  g_assert_null (g_strrstr (diary.done->str, "c"));
  /* If "b" started before it was cancelled, it was done and returned as done. */
  g_assert_cmpint (answers[0], ==, (int) diary.done->len);
  g_string_free (diary.done, TRUE);
}

FH_TESTS ({ "/work-queue/in-order-one-at-a-time", test_in_order_one_at_a_time },
          { "/work-queue/freed-with-work-left", test_freed_with_work_left },
          { "/work-queue/cancelled-before-its-turn", test_cancelled_before_its_turn });
