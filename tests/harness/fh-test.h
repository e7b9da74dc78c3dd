/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <gio/gio.h>

/* The tests of a program in a table, and its main function: FH_TESTS ({ "/x/y", test_y }, …). Each
 * function takes nothing. */
#define FH_TESTS(...) FH_TESTS_WITH (fh_test_init, __VA_ARGS__)

/* The same for functions of a fixture, which may have data as the third member of a row:
 * FH_FIXTURE_TESTS (Fixture, set_up, tear_down, { "/x/y", test_y, "data" }, …). */
#define FH_FIXTURE_TESTS(Fixture, set_up, tear_down, ...)                                          \
  FH_FIXTURE_TESTS_WITH (fh_test_init, Fixture, set_up, tear_down, __VA_ARGS__)

/* `init` is given the arguments of main; where it returns FALSE, nothing is tested. */
#define FH_TESTS_WITH(init, ...)                                                                   \
  int main (int argc, char *argv[])                                                                \
  {                                                                                                \
    static const struct                                                                            \
    {                                                                                              \
      const char *path;                                                                            \
      void (*test) (void);                                                                         \
    } tests_[] = { __VA_ARGS__ };                                                                  \
                                                                                                   \
    if (!init (&argc, &argv))                                                                      \
      return 77;                                                                                   \
    for (gsize i_ = 0; i_ < G_N_ELEMENTS (tests_); i_++)                                           \
      g_test_add_func (tests_[i_].path, tests_[i_].test);                                          \
    return g_test_run ();                                                                          \
  }                                                                                                \
  _Static_assert(1, "this takes the semicolon")

#define FH_FIXTURE_TESTS_WITH(init, Fixture, set_up, tear_down, ...)                               \
  int main (int argc, char *argv[])                                                                \
  {                                                                                                \
    static const struct                                                                            \
    {                                                                                              \
      const char *path;                                                                            \
      void (*test) (Fixture *, gconstpointer);                                                     \
      gconstpointer data;                                                                          \
    } tests_[] = { __VA_ARGS__ };                                                                  \
                                                                                                   \
    if (!init (&argc, &argv))                                                                      \
      return 77;                                                                                   \
    for (gsize i_ = 0; i_ < G_N_ELEMENTS (tests_); i_++)                                           \
      g_test_add (tests_[i_].path, Fixture, tests_[i_].data, set_up, tests_[i_].test, tear_down);  \
    return g_test_run ();                                                                          \
  }                                                                                                \
  _Static_assert(1, "this takes the semicolon")

static inline gboolean
fh_test_init (int *argc, char ***argv)
{
  g_test_init (argc, argv, NULL);
  return TRUE;
}

/* Keeps the result of an asynchronous call in the GAsyncResult pointer at `place`. */
static inline void
fh_test_keep_cb (GObject *source, GAsyncResult *result, gpointer place)
{
  g_set_object ((GAsyncResult **) place, result);
}

/* Waits for an asynchronous call, whose last two arguments are FH_RESULT, and gives its result,
 * which is the caller's: g_autoptr (GAsyncResult) result = FH_AWAIT (load_async (file, NULL,
 * FH_RESULT)). */
#define FH_AWAIT(...)                                                                              \
  ({                                                                                               \
    GAsyncResult *kept_ = NULL;                                                                    \
                                                                                                   \
    __VA_ARGS__;                                                                                   \
    while (kept_ == NULL)                                                                          \
      g_main_context_iteration (g_main_context_get_thread_default (), TRUE);                       \
    kept_;                                                                                         \
  })
#define FH_RESULT fh_test_keep_cb, &kept_

/* Runs the main loop until the condition is true; only a test that fails waits for a minute and a
 * half. */
#define FH_AWAIT_TRUE(condition)                                                                   \
  G_STMT_START                                                                                     \
  {                                                                                                \
    const gint64 deadline_ = g_get_monotonic_time () + 90 * G_USEC_PER_SEC;                        \
                                                                                                   \
    while (!(condition))                                                                           \
      fh_test_turn (deadline_, #condition);                                                        \
  }                                                                                                \
  G_STMT_END

static inline gboolean
fh_test_set_flag_cb (gpointer data)
{
  *(gboolean *) data = TRUE;
  return G_SOURCE_REMOVE;
}

/* One turn of the main loop, of at most 5 ms without an event: what is waited for may be seen by no
 * event. */
static inline void
fh_test_turn (gint64 deadline, const char *condition)
{
  gboolean over = FALSE;

  if (g_get_monotonic_time () > deadline)
    g_error ("Waited in vain for: %s", condition);
  g_timeout_add (5, fh_test_set_flag_cb, &over);
  while (!over)
    g_main_context_iteration (NULL, TRUE);
}
