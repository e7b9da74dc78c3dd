/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The first message of a TLS connection, RFC 8446 §4.1.2 and RFC 6066 §3, which names the host in
 * the clear. The bytes are the program's.
 */
#pragma once

#include <stddef.h>
#include <stdint.h>

/* Larger than any client's, even with keys of new algorithms. */
#define TLS_HELLO_MAX 16384

#define TLS_NAME_SIZE 256

enum tls_hello
{
  TLS_HELLO_UNFINISHED, /* valid so far */
  TLS_HELLO_COMPLETE,   /* `name` is set, "" if it names no host */
  TLS_HELLO_ENCRYPTED,  /* the same, but with an inner hello that only the host can read */
  TLS_HELLO_NONE,       /* something else, or ambiguous */
};

/* `bytes`: the received part of the message, without records. The name is in lower case. */
enum tls_hello tls_hello_parse (const uint8_t *bytes, size_t size, char name[TLS_NAME_SIZE]);
/* The same for records; ignores later records after the message. */
enum tls_hello tls_hello_read (const uint8_t *bytes, size_t size, char name[TLS_NAME_SIZE]);
