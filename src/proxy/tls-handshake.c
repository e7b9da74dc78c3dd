/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "tls-handshake.h"

#include <string.h>

#define RECORD_CHANGE_CIPHER 20 /* first valid type */
#define RECORD_HANDSHAKE     22
#define RECORD_DATA          23 /* last valid type */
/* The size of an encrypted record, RFC 5246 §6.2.3. */
#define RECORD_MAX (16384 + 2048)

#define ANSWER_HELLO       2
#define ANSWER_RANDOM_AT   (4 + 2)
#define ANSWER_RANDOM_SIZE 32

/* The random bytes of a HelloRetryRequest, RFC 8446 §4.1.3. */
static const uint8_t retry[ANSWER_RANDOM_SIZE] = {
  0xcf, 0x21, 0xad, 0x74, 0xe5, 0x9a, 0x61, 0x11, 0xbe, 0x1d, 0x8c, 0x02, 0x1e, 0x65, 0xb8, 0x91,
  0xc2, 0xa2, 0x11, 0x16, 0x7a, 0xbb, 0x8c, 0x5e, 0x07, 0x9e, 0x09, 0xe2, 0xc8, 0xa8, 0x33, 0x9c,
};

void
tls_handshake_init (struct tls_handshake *self, const char *name)
{
  *self = (struct tls_handshake){ .name = name };
}

/* Skips the record header. Returns how many bytes after it are there, up to the end of the record;
 * `size` bytes are there, `used` of them are done. 0: incomplete, or the record is empty. */
static size_t
next_piece (struct tls_record *record, const uint8_t *bytes, size_t size, size_t *used)
{
  size_t piece;

  *used = 0;
  if (record->left == 0 && record->header_size == sizeof record->header)
    record->header_size = 0;
  while (record->header_size < sizeof record->header && *used < size)
    record->header[record->header_size++] = bytes[(*used)++];
  if (record->header_size == sizeof record->header && record->left == 0)
    record->left = (size_t) record->header[3] << 8 | record->header[4];
  piece = record->header_size < sizeof record->header ? 0 : record->left;
  if (piece > size - *used)
    piece = size - *used;
  *used += piece;
  record->left -= piece;
  return piece;
}

static bool
is_record (const struct tls_record *record)
{
  const size_t size = (size_t) record->header[3] << 8 | record->header[4];

  return record->header_size < sizeof record->header ||
         (record->header[0] >= RECORD_CHANGE_CIPHER && record->header[0] <= RECORD_DATA &&
          record->header[1] == 3 && size <= RECORD_MAX &&
          (size > 0 || record->header[0] == RECORD_DATA));
}

/* More of a hello, which is all that its records hold: what followed it in one would pass unread,
 * were it sent later. */
static bool
handle_hello (struct tls_handshake *self, const uint8_t *bytes, size_t size)
{
  if (self->stage != TLS_STAGE_HELLO || size > sizeof self->hello - self->hello_size)
    return false;
  memcpy (self->hello + self->hello_size, bytes, size);
  self->hello_size += size;
  self->last = tls_hello_parse (self->hello, self->hello_size, self->said);
  if (self->last == TLS_HELLO_UNFINISHED)
    return true;
  if (self->last != TLS_HELLO_COMPLETE || self->program.left > 0 ||
      strcmp (self->said, self->name) != 0)
    return false;
  self->stage = self->is_second ? TLS_STAGE_SETTLED : TLS_STAGE_ANSWER;
  return true;
}

bool
tls_handshake_of_program (struct tls_handshake *self, const uint8_t *bytes, size_t size)
{
  while (size > 0 && self->stage != TLS_STAGE_SETTLED)
    {
      size_t used;
      const size_t piece = next_piece (&self->program, bytes, size, &used);

      if (!is_record (&self->program))
        return false;
      if (piece > 0 && self->program.header[0] == RECORD_HANDSHAKE &&
          !handle_hello (self, bytes + used - piece, piece))
        return false;
      bytes += used;
      size -= used;
    }
  return true;
}

/* More of an answer. Unless it asks for a second hello, the host name is settled; an answer that is
 * not TLS comes from a host that knows no names. */
static void
handle_answer (struct tls_handshake *self, const uint8_t *bytes, size_t size)
{
  if (size > sizeof self->answer - self->answer_size)
    size = sizeof self->answer - self->answer_size;
  memcpy (self->answer + self->answer_size, bytes, size);
  self->answer_size += size;
  if (self->answer[0] != ANSWER_HELLO)
    self->stage = TLS_STAGE_SETTLED;
  if (self->stage == TLS_STAGE_SETTLED || self->answer_size < sizeof self->answer)
    return;
  self->is_second = memcmp (self->answer + ANSWER_RANDOM_AT, retry, sizeof retry) == 0;
  self->stage = self->is_second ? TLS_STAGE_HELLO : TLS_STAGE_SETTLED;
  self->hello_size = 0;
}

void
tls_handshake_of_host (struct tls_handshake *self, const uint8_t *bytes, size_t size)
{
  while (size > 0 && self->stage == TLS_STAGE_ANSWER)
    {
      size_t used;
      const size_t piece = next_piece (&self->host, bytes, size, &used);

      if (!is_record (&self->host))
        self->stage = TLS_STAGE_SETTLED;
      else if (piece > 0 && self->host.header[0] == RECORD_HANDSHAKE)
        handle_answer (self, bytes + used - piece, piece);
      else if (piece > 0 && self->host.header[0] == RECORD_DATA)
        self->stage = TLS_STAGE_SETTLED;
      bytes += used;
      size -= used;
    }
}
