/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "input-store.h"
#include "wire-frame.h"

#include <fcntl.h>
#include <glib.h>
#include <string.h>
#include <unistd.h>

static size_t
take (struct input_store *store, void *bytes, size_t size)
{
  const size_t n = MIN (size, store->size - store->taken);

  if (n > 0)
    memcpy (bytes, store->data + store->taken, n);
  input_store_skip (store, n);
  return n;
}

static void
test_in_order (void)
{
  struct input_store store = { 0 };
  char buffer[8];

  g_assert_cmpuint (take (&store, buffer, sizeof buffer), ==, 0);
  g_assert_true (input_store_add (&store, "", 0));
  g_assert_true (input_store_add (&store, "one ", 4));
  g_assert_true (input_store_add (&store, "two", 3));
  g_assert_cmpuint (take (&store, buffer, 5), ==, 5);
  g_assert_cmpmem (buffer, 5, "one t", 5);
  g_assert_cmpuint (take (&store, buffer, sizeof buffer), ==, 2);
  g_assert_cmpmem (buffer, 2, "wo", 2);
  g_assert_cmpuint (take (&store, buffer, sizeof buffer), ==, 0);
  input_store_clear (&store);
}

/* What was given back while it was read must not have been needed. */
static void
test_much (void)
{
  const gsize size = (5 << 20) + 12345;
  struct input_store store = { 0 };
  g_autofree guint8 *data = g_malloc (size);
  g_autofree guint8 *taken = g_malloc (size);
  gsize done = 0;

  for (gsize i = 0; i < size; i++)
    data[i] = (guint8) (i * 31 + i / 4096);
  for (gsize at = 0; at < size; at += MIN (200000, size - at))
    g_assert_true (input_store_add (&store, data + at, MIN (200000, size - at)));
  while (done < size)
    done += take (&store, taken + done, 65536);
  g_assert_cmpmem (taken, done, data, size);
  input_store_clear (&store);
}

static void
test_bound (void)
{
  struct input_store store = { 0 };
  g_autofree guint8 *data = g_malloc0 (1 << 20);

  store.size = FH_INPUT_MAX - (1 << 20);
  g_assert_false (input_store_add (&store, data, (1 << 20) + 1));
  g_assert_true (input_store_add (&store, data, 1 << 20));
  g_assert_false (input_store_add (&store, data, 1));
  g_assert_true (input_store_add (&store, data, 0));
  input_store_clear (&store);
}

int
main (int argc, char *argv[])
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/input-store/in-order", test_in_order);
  g_test_add_func ("/input-store/much", test_much);
  g_test_add_func ("/input-store/bound", test_bound);
  return g_test_run ();
}
