/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Parses a question to a name server, RFC 1035 §4.1, and writes the only answer: no such name. The
 * bytes are the guest's. Nothing is looked up, and only the question is copied.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* The longest message that RFC 1035 allows over UDP. */
#define DNS_MESSAGE_MAX 512

/* A name has at most 255 bytes on the wire; each may become four characters of text. */
#define DNS_NAME_TEXT_SIZE 1024

#define DNS_TYPE_A    1
#define DNS_TYPE_AAAA 28

struct dns_question
{
  uint16_t type;
  size_t end; /* size of the header and question */
  /* As in a zone file: dots and backslashes within a label are escaped with a backslash, bytes that
   * are not printable ASCII are \DDD. The root is ".". */
  char name[DNS_NAME_TEXT_SIZE];
};

/* False unless the message is a query with exactly one well-formed question. */
bool dns_question_parse (struct dns_question *question, const uint8_t *message, size_t size);

/* Writes the answer to `message`: that the name of `question` does not exist or, without a
 * question, that the message was not understood. Returns its size, or 0 if no answer is due. */
size_t dns_answer_write (uint8_t answer[DNS_MESSAGE_MAX],
                         const uint8_t *message,
                         size_t size,
                         const struct dns_question *question);
