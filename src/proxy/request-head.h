/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The head of one request to the proxy, RFC 9112: "CONNECT host:port" or "GET http://host/path".
 * The bytes are those of the program under guard. What could be read in two ways is not understood
 * at all: a lone CR or LF, a folded line, a second Host or Content-Length, a name before "@".
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define REQUEST_HEAD_MAX 8192

/* What rewriting may add: a Host and a Connection field. */
#define REQUEST_REWRITTEN_MAX (REQUEST_HEAD_MAX + 512)

#define REQUEST_HOST_SIZE 256

struct request_text
{
  const char *at;
  size_t size;
};

struct request_host
{
  char name[REQUEST_HOST_SIZE]; /* lower case, without brackets; never empty */
  bool has_port;
  uint16_t port; /* the scheme's when none is written */
};

struct request_head
{
  bool is_tunnel; /* CONNECT */
  struct request_host host;
  bool has_host_field;
  struct request_host host_field;
  bool has_body;      /* Content-Length is there */
  bool is_chunked;    /* or any other Transfer-Encoding */
  uint64_t body_size; /* 0 without one */

  /* Borrowed from the bytes that were parsed. */
  struct request_text method;
  struct request_text target;
  struct request_text path; /* may be empty, or begin with "?"; not of a tunnel */
  struct request_text version;
  struct request_text fields; /* all lines after the first, each with its end */
};

/* How many of these bytes are the head, with the empty line that ends it; 0: it goes on. */
size_t request_head_size (const char *bytes, size_t size);

/* `size` is that of request_head_size. False when it is not understood; `target` is then set, as
 * far as there is one, to something printable. */
bool request_head_parse (struct request_head *head, const char *bytes, size_t size);

/* True when the Host field, if there is one, names the same host as the request itself. */
bool request_head_agrees (const struct request_head *head);

/* What the host is to be sent instead, which is not for tunnels: the path alone, the host's name as
 * it was checked, nothing that is meant for proxies, and the wish to close afterwards. Returns its
 * size. */
size_t request_head_rewrite (const struct request_head *head, char text[REQUEST_REWRITTEN_MAX]);
