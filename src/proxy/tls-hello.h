/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The first words of a TLS connection, RFC 8446 §4.1.2 and RFC 6066 §3: they say in the clear which
 * host they are for. The bytes are those of the program under guard.
 */
#pragma once

#include <stddef.h>
#include <stdint.h>

/* More than any client sends, with all the keys of new algorithms in it. */
#define TLS_HELLO_MAX 16384

#define TLS_NAME_SIZE 256

enum tls_hello
{
  TLS_HELLO_UNFINISHED, /* so far it is one */
  TLS_HELLO_COMPLETE,   /* `name` is set, "" when it names no host */
  TLS_HELLO_NONE,       /* something else, or one that could be read in two ways */
};

/* The name is in lower case. */
enum tls_hello tls_hello_read (const uint8_t *bytes, size_t size, char name[TLS_NAME_SIZE]);
