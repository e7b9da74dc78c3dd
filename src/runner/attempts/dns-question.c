/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "dns-question.h"

#include <string.h>

#define HEADER_SIZE 12
#define LABEL_MAX   63
#define WIRE_MAX    255 /* including the length bytes and the root's */

/* Offsets in the header. */
#define AT_FLAGS     2
#define AT_QUESTIONS 4

#define FLAG_RESPONSE  0x80 /* in the first byte of flags */
#define OPCODE         0x78
#define FLAG_RECURSION 0x01 /* recursion desired */
#define FLAG_AVAILABLE 0x80 /* recursion available, in the second byte */

enum code
{
  CODE_NOT_UNDERSTOOD = 1,
  CODE_NO_SUCH_NAME = 3,
  CODE_NOT_IMPLEMENTED = 4,
};

static uint16_t
get_u16 (const uint8_t *bytes)
{
  return (uint16_t) (bytes[0] << 8 | bytes[1]);
}

static char *
put_byte (char *text, uint8_t byte)
{
  if (byte <= 0x20 || byte >= 0x7f)
    {
      *text++ = '\\';
      *text++ = (char) ('0' + byte / 100);
      *text++ = (char) ('0' + byte / 10 % 10);
      *text++ = (char) ('0' + byte % 10);
      return text;
    }
  if (byte == '.' || byte == '\\')
    *text++ = '\\';
  *text++ = (char) byte;
  return text;
}

/* Returns where the name ends, or 0. The first name of a message cannot use pointers. */
static size_t
parse_name (char name[DNS_NAME_TEXT_SIZE], const uint8_t *message, size_t size)
{
  char *text = name;
  size_t at = HEADER_SIZE;

  while (at < size && message[at] != 0)
    {
      const size_t length = message[at++];

      if (length > LABEL_MAX || length > size - at || at + length - HEADER_SIZE >= WIRE_MAX)
        return 0;
      if (text != name)
        *text++ = '.';
      for (size_t i = 0; i < length; i++)
        text = put_byte (text, message[at + i]);
      at += length;
    }
  if (text == name)
    *text++ = '.';
  *text = '\0';
  return at < size ? at + 1 : 0;
}

bool
dns_question_parse (struct dns_question *question, const uint8_t *message, size_t size)
{
  size_t at;

  if (size < HEADER_SIZE || size > DNS_MESSAGE_MAX ||
      message[AT_FLAGS] & (FLAG_RESPONSE | OPCODE) || get_u16 (message + AT_QUESTIONS) != 1)
    return false;
  at = parse_name (question->name, message, size);
  if (at == 0 || size - at < 4)
    return false;
  question->type = get_u16 (message + at);
  question->end = at + 4;
  return true;
}

size_t
dns_answer_write (uint8_t answer[DNS_MESSAGE_MAX],
                  const uint8_t *message,
                  size_t size,
                  const struct dns_question *question)
{
  enum code code = CODE_NO_SUCH_NAME;

  /* Answering an answer could make us talk to ourselves forever. */
  if (size < HEADER_SIZE || message[AT_FLAGS] & FLAG_RESPONSE)
    return 0;
  if (question == NULL)
    code = message[AT_FLAGS] & OPCODE ? CODE_NOT_IMPLEMENTED : CODE_NOT_UNDERSTOOD;
  size = question != NULL ? question->end : HEADER_SIZE;
  memset (answer, 0, HEADER_SIZE);
  memcpy (answer, message, AT_FLAGS);
  memcpy (answer + HEADER_SIZE, message + HEADER_SIZE, size - HEADER_SIZE);
  answer[AT_FLAGS] = (uint8_t) (FLAG_RESPONSE | (message[AT_FLAGS] & (OPCODE | FLAG_RECURSION)));
  answer[AT_FLAGS + 1] = (uint8_t) (FLAG_AVAILABLE | code);
  answer[AT_QUESTIONS + 1] = question != NULL;
  return size;
}
