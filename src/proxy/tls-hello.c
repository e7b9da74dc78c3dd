/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "tls-hello.h"

#include <stdbool.h>
#include <string.h>

#define RECORD_HEADER_SIZE    5
#define RECORD_MAX            16384
#define HANDSHAKE_HEADER_SIZE 4

#define RECORD_HANDSHAKE      22
#define HANDSHAKE_HELLO       1
#define EXTENSION_SERVER_NAME 0
#define NAME_OF_HOST          0

/* What is left of a part of the message. */
struct part
{
  const uint8_t *at;
  size_t size;
};

static bool
skip (struct part *part, size_t size)
{
  if (size > part->size)
    return false;
  part->at += size;
  part->size -= size;
  return true;
}

/* Takes what a length of `width` bytes stands before. */
static bool
take (struct part *part, unsigned int width, struct part *taken)
{
  size_t size = 0;

  if (width > part->size)
    return false;
  for (unsigned int i = 0; i < width; i++)
    size = size << 8 | part->at[i];
  skip (part, width);
  *taken = (struct part){ part->at, size };
  return skip (part, size);
}

static bool
take_u16 (struct part *part, unsigned int *number)
{
  if (part->size < 2)
    return false;
  *number = (unsigned int) part->at[0] << 8 | part->at[1];
  return skip (part, 2);
}

/* The fragments of the records, one after the other. Returns how much, with `is_broken` when what
 * comes is no handshake. */
static size_t
join_records (struct part bytes, uint8_t joined[TLS_HELLO_MAX], bool *is_broken)
{
  size_t n = 0;

  *is_broken = false;
  while (bytes.size >= 1 && !*is_broken)
    {
      size_t length;

      *is_broken = bytes.at[0] != RECORD_HANDSHAKE || (bytes.size >= 2 && bytes.at[1] != 3);
      if (bytes.size < RECORD_HEADER_SIZE || *is_broken)
        break;
      length = (size_t) bytes.at[3] << 8 | bytes.at[4];
      *is_broken = length == 0 || length > RECORD_MAX;
      skip (&bytes, RECORD_HEADER_SIZE);
      if (length > bytes.size)
        length = bytes.size;
      if (length > TLS_HELLO_MAX - n)
        length = TLS_HELLO_MAX - n;
      memcpy (joined + n, bytes.at, length);
      n += length;
      skip (&bytes, length);
      /* What comes after the message is none of our business. */
      if (n >= HANDSHAKE_HEADER_SIZE &&
          n - HANDSHAKE_HEADER_SIZE >=
              ((size_t) joined[1] << 16 | (size_t) joined[2] << 8 | joined[3]))
        break;
    }
  return n;
}

static bool
read_host_name (struct part extension, char name[TLS_NAME_SIZE])
{
  struct part list;
  struct part host;

  if (!take (&extension, 2, &list) || extension.size > 0 || list.size < 1 ||
      list.at[0] != NAME_OF_HOST || !skip (&list, 1) || !take (&list, 2, &host) || list.size > 0 ||
      host.size == 0 || host.size >= TLS_NAME_SIZE)
    return false;
  for (size_t i = 0; i < host.size; i++)
    {
      const uint8_t byte = host.at[i];

      if (byte <= ' ' || byte > '~')
        return false;
      name[i] = (char) (byte >= 'A' && byte <= 'Z' ? byte | 0x20 : byte);
    }
  name[host.size] = '\0';
  return true;
}

static bool
read_extensions (struct part extensions, char name[TLS_NAME_SIZE])
{
  unsigned int type;
  struct part extension;

  while (extensions.size > 0)
    {
      if (!take_u16 (&extensions, &type) || !take (&extensions, 2, &extension))
        return false;
      if (type != EXTENSION_SERVER_NAME)
        continue;
      if (name[0] != '\0' || !read_host_name (extension, name))
        return false;
    }
  return true;
}

/* The versions, random bytes, session, ciphers and compressions come before. */
static bool
read_body (struct part body, char name[TLS_NAME_SIZE])
{
  struct part ignored;
  struct part extensions;

  if (!skip (&body, 2 + 32) || !take (&body, 1, &ignored) || !take (&body, 2, &ignored) ||
      !take (&body, 1, &ignored))
    return false;
  if (body.size == 0)
    return true;
  return take (&body, 2, &extensions) && body.size == 0 && read_extensions (extensions, name);
}

enum tls_hello
tls_hello_read (const uint8_t *bytes, size_t size, char name[TLS_NAME_SIZE])
{
  static uint8_t joined[TLS_HELLO_MAX];
  struct part message = { joined, 0 };
  struct part body;
  bool is_broken;
  size_t length;

  name[0] = '\0';
  message.size = join_records ((struct part){ bytes, size }, joined, &is_broken);
  if (is_broken || (message.size >= 1 && joined[0] != HANDSHAKE_HELLO))
    return TLS_HELLO_NONE;
  if (message.size < HANDSHAKE_HEADER_SIZE)
    return TLS_HELLO_UNFINISHED;
  length = (size_t) joined[1] << 16 | (size_t) joined[2] << 8 | joined[3];
  if (length > TLS_HELLO_MAX - HANDSHAKE_HEADER_SIZE)
    return TLS_HELLO_NONE;
  skip (&message, 1);
  if (!take (&message, 3, &body))
    return TLS_HELLO_UNFINISHED;
  return read_body (body, name) ? TLS_HELLO_COMPLETE : TLS_HELLO_NONE;
}
