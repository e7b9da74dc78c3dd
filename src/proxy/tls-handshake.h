/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Follows the beginning of a TLS connection on both sides until it is settled which host it is for.
 * A host may answer the first hello by asking for another (RFC 8446 §4.1.4), and that could name
 * another host. So until the host has answered, the program may send nothing else; and a second
 * hello must name the same host.
 *
 * What comes later is encrypted, including a name in a renegotiation of TLS 1.2.
 */
#pragma once

#include "tls-hello.h"

#include <stdbool.h>

enum tls_stage
{
  TLS_STAGE_HELLO,  /* the program has to send a hello */
  TLS_STAGE_ANSWER, /* the host has to answer it */
  TLS_STAGE_SETTLED,
};

/* A partial record, RFC 8446 §5.1. */
struct tls_record
{
  uint8_t header[5];
  size_t header_size; /* received bytes of its header */
  size_t left;        /* missing bytes of its body */
};

#define TLS_ANSWER_SIZE (4 + 2 + 32)

struct tls_handshake
{
  const char *name; /* the host, in lower case; borrowed */
  enum tls_stage stage;
  bool is_second; /* a second hello was asked for */
  struct tls_record program;
  struct tls_record host;
  size_t hello_size;
  size_t answer_size;
  uint8_t hello[TLS_HELLO_MAX];
  uint8_t answer[TLS_ANSWER_SIZE]; /* its beginning, up to the random bytes */
  enum tls_hello last;             /* what the last hello was */
  char said[TLS_NAME_SIZE];        /* and the name in it */
};

void tls_handshake_init (struct tls_handshake *self, const char *name);
/* The next bytes of the program. False if they must not reach the host. */
bool tls_handshake_of_program (struct tls_handshake *self, const uint8_t *bytes, size_t size);
/* The next bytes of the host, before they are forwarded. */
void tls_handshake_of_host (struct tls_handshake *self, const uint8_t *bytes, size_t size);
