/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "guest-memory.h"

#include <string.h>
#include <sys/uio.h>

/* The smallest page there is: what lies in one can be read as a whole or not at all. */
#define PAGE 4096

/* Most paths are shorter. */
#define FIRST_PIECE 256

static size_t
until_next_page (uint64_t address, size_t size)
{
  const size_t left = PAGE - (size_t) (address % PAGE);

  return left < size ? left : size;
}

size_t
guest_memory_read (pid_t thread, uint64_t address, void *buffer, size_t size)
{
  size_t done = 0;

  while (done < size)
    {
      const size_t piece = until_next_page (address + done, size - done);
      struct iovec here = { (char *) buffer + done, piece };
      struct iovec there = { (void *) (uintptr_t) (address + done), piece };

      if (process_vm_readv (thread, &here, 1, &there, 1, 0) != (ssize_t) piece)
        break;
      done += piece;
    }
  return done;
}

bool
guest_memory_string (pid_t thread, uint64_t address, char *text, size_t capacity)
{
  size_t done = 0;

  while (done < capacity)
    {
      size_t piece = until_next_page (address + done, capacity - done);

      if (done == 0 && piece > FIRST_PIECE)
        piece = FIRST_PIECE;
      if (guest_memory_read (thread, address + done, text + done, piece) != piece)
        break;
      if (memchr (text + done, '\0', piece) != NULL)
        return true;
      done += piece;
    }
  text[0] = '\0';
  return false;
}
