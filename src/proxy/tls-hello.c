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
#define EXTENSION_ENCRYPTED   0xfe0d /* RFC 9849 §5 */
#define EXTENSION_ESNI        0xffce /* of its drafts */
#define NAME_OF_HOST          0

/* The rest of a part of the message. */
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

/* Takes a part with a length of `width` bytes before it. */
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

/* Including its header, which is complete. */
static size_t
size_of_message (const uint8_t *bytes)
{
  return HANDSHAKE_HEADER_SIZE + ((size_t) bytes[1] << 16 | (size_t) bytes[2] << 8 | bytes[3]);
}

/* Joins the fragments of the records. Returns the size; `is_broken`: it is not a handshake. */
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
      /* Further messages are left to tls-handshake.c. */
      if (n >= HANDSHAKE_HEADER_SIZE && n >= size_of_message (joined))
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

/* No type may occur twice, RFC 8446 §4.2: the host could use the other one. */
static enum tls_hello
read_extensions (struct part extensions, char name[TLS_NAME_SIZE])
{
  static uint8_t seen[(UINT16_MAX + 1) / 8];
  enum tls_hello hello = TLS_HELLO_COMPLETE;
  unsigned int type;
  struct part extension;

  memset (seen, 0, sizeof seen);
  while (extensions.size > 0)
    {
      if (!take_u16 (&extensions, &type) || !take (&extensions, 2, &extension) ||
          seen[type / 8] & 1u << type % 8)
        return TLS_HELLO_NONE;
      seen[type / 8] |= (uint8_t) (1u << type % 8);
      if (type == EXTENSION_ENCRYPTED || type == EXTENSION_ESNI)
        hello = TLS_HELLO_ENCRYPTED;
      if (type == EXTENSION_SERVER_NAME && !read_host_name (extension, name))
        return TLS_HELLO_NONE;
    }
  return hello;
}

/* Versions, random bytes, session, ciphers and compression come first. */
static enum tls_hello
read_body (struct part body, char name[TLS_NAME_SIZE])
{
  struct part ignored;
  struct part extensions;

  if (!skip (&body, 2 + 32) || !take (&body, 1, &ignored) || !take (&body, 2, &ignored) ||
      !take (&body, 1, &ignored))
    return TLS_HELLO_NONE;
  if (body.size == 0)
    return TLS_HELLO_COMPLETE;
  if (!take (&body, 2, &extensions) || body.size > 0)
    return TLS_HELLO_NONE;
  return read_extensions (extensions, name);
}

enum tls_hello
tls_hello_parse (const uint8_t *bytes, size_t size, char name[TLS_NAME_SIZE])
{
  struct part message = { bytes, size };
  struct part body;

  name[0] = '\0';
  if (size >= 1 && bytes[0] != HANDSHAKE_HELLO)
    return TLS_HELLO_NONE;
  if (size < HANDSHAKE_HEADER_SIZE)
    return TLS_HELLO_UNFINISHED;
  if (size_of_message (bytes) > TLS_HELLO_MAX)
    return TLS_HELLO_NONE;
  skip (&message, 1);
  if (!take (&message, 3, &body))
    return TLS_HELLO_UNFINISHED;
  return message.size > 0 ? TLS_HELLO_NONE : read_body (body, name);
}

enum tls_hello
tls_hello_read (const uint8_t *bytes, size_t size, char name[TLS_NAME_SIZE])
{
  static uint8_t joined[TLS_HELLO_MAX];
  bool is_broken;
  size_t n;

  name[0] = '\0';
  n = join_records ((struct part){ bytes, size }, joined, &is_broken);
  if (n > HANDSHAKE_HEADER_SIZE && n > size_of_message (joined))
    n = size_of_message (joined);
  return is_broken ? TLS_HELLO_NONE : tls_hello_parse (joined, n, name);
}
