/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "guest-memory.h"

#include "descriptor.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/uio.h>
#include <unistd.h>

/* The smallest page size: what is within one can be read completely or not at all. */
#define PAGE 4096

/* Most paths are shorter. */
#define FIRST_PIECE 256

static size_t
until_next_page (uint64_t address, size_t size)
{
  const size_t left = PAGE - (size_t) (address % PAGE);

  return left < size ? left : size;
}

/* The system call is refused for all processes. */
static bool is_call_refused;

static bool
read_file (pid_t thread, uint64_t address, void *buffer, size_t size)
{
  char path[32];
  fh_autofd int fd = -1;
  ssize_t n;

  snprintf (path, sizeof path, "/proc/%d/mem", (int) thread);
  fd = open (path, O_RDONLY | O_CLOEXEC);
  if (fd < 0)
    return false;
  n = pread (fd, buffer, size, (off_t) address);
  errno = EFAULT;
  return n == (ssize_t) size;
}

/* Reads `size` bytes of one page. Both ways fail with EPERM or EACCES for a process that may not be
 * inspected. The call also fails for a page that may only be written or executed, which system
 * calls of the process read all the same. The file has such pages too, proc(5), but may not be
 * opened if the guest has a user id of its own: then it is not known what the page has. */
static bool
read_piece (pid_t thread, uint64_t address, void *buffer, size_t size)
{
  struct iovec here = { buffer, size };
  struct iovec there = { (void *) (uintptr_t) address, size };

  if (!is_call_refused)
    {
      if (process_vm_readv (thread, &here, 1, &there, 1, 0) == (ssize_t) size)
        return true;
      if (errno == EFAULT)
        return read_file (thread, address, buffer, size);
      if (errno != EPERM && errno != ENOSYS)
        return false;
    }
  if (!read_file (thread, address, buffer, size))
    return false;
  is_call_refused = true;
  return true;
}

size_t
guest_memory_read (pid_t thread, uint64_t address, void *buffer, size_t size)
{
  size_t done = 0;

  while (done < size)
    {
      const size_t piece = until_next_page (address + done, size - done);

      if (!read_piece (thread, address + done, (char *) buffer + done, piece))
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
        {
          text[0] = '\0';
          return false;
        }
      if (memchr (text + done, '\0', piece) != NULL)
        return true;
      done += piece;
    }
  text[0] = '\0';
  errno = ENAMETOOLONG;
  return false;
}

bool
guest_memory_is_closed (int error)
{
  return error == EPERM || error == EACCES;
}
