/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The head of a request to the proxy, RFC 9112: "CONNECT host:port" or "GET http://host/path". The
 * bytes are the program's. Anything ambiguous is rejected: a lone CR or LF, a folded line, a second
 * Host or Content-Length, user information before "@".
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define REQUEST_HEAD_MAX 8192

/* Rewriting may add a Host and a Connection field. */
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
  uint16_t port; /* the scheme's default if none is given */
};

struct request_head
{
  bool is_tunnel; /* CONNECT */
  struct request_host host;
  bool has_host_field;
  struct request_host host_field;
  bool has_body;      /* there is a Content-Length */
  bool is_chunked;    /* chunked or any other Transfer-Encoding */
  uint64_t body_size; /* 0 without one */

  /* Borrowed from the parsed bytes. */
  struct request_text method;
  struct request_text target;
  struct request_text path; /* may be empty, or begin with "?"; not for tunnels */
  struct request_text version;
  struct request_text fields; /* all lines after the first, each with its line end */
};

/* Size of the head with the empty line that ends it; 0: incomplete. */
size_t request_head_size (const char *bytes, size_t size);

/* `size` is that of request_head_size. False if it is rejected; `target` is then set to something
 * printable, if there is one. */
bool request_head_parse (struct request_head *head, const char *bytes, size_t size);

/* True if there is no Host field, or if it names the same host as the request. */
bool request_head_agrees (const struct request_head *head);

/* Writes what to send to the host, not for tunnels: only the path, the host name as it was checked,
 * no proxy fields, and a request to close afterwards. Returns its size. */
size_t request_head_rewrite (const struct request_head *head, char text[REQUEST_REWRITTEN_MAX]);
