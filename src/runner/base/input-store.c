/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "input-store.h"

#include "wire-frame.h"

#include <string.h>
#include <sys/mman.h>

/* Freed at a time. */
#define PIECE ((size_t) 1 << 20)

/* Reserves all addresses at once; only what is written takes memory. */
static bool
make (struct input_store *store)
{
  void *data = mmap (NULL,
                     FH_INPUT_MAX,
                     PROT_READ | PROT_WRITE,
                     MAP_SHARED | MAP_ANONYMOUS | MAP_NORESERVE,
                     -1,
                     0);

  if (data == MAP_FAILED)
    return false;
  store->data = data;
  return true;
}

bool
input_store_add (struct input_store *store, const void *bytes, size_t size)
{
  if (size > FH_INPUT_MAX - store->size || (store->data == NULL && !make (store)))
    return false;
  if (size > 0)
    memcpy (store->data + store->size, bytes, size);
  store->size += size;
  return true;
}

void
input_store_skip (struct input_store *store, size_t size)
{
  const size_t from = store->taken / PIECE * PIECE;
  const size_t to = (store->taken + size) / PIECE * PIECE;

  store->taken += size;
  if (to > from)
    madvise (store->data + from, to - from, MADV_REMOVE);
}

void
input_store_clear (struct input_store *store)
{
  if (store->data != NULL)
    munmap (store->data, FH_INPUT_MAX);
  *store = (struct input_store){ 0 };
}
