/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "request-head.h"

#include <stdio.h>
#include <string.h>
#include <strings.h>

#define HTTP_PORT 80

#define LETTERS "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ"
#define DIGITS  "0123456789"

static const char token_bytes[] = LETTERS DIGITS "!#$%&'*+-.^_`|~";
static const char name_bytes[] = LETTERS DIGITS "-._";
static const char address_bytes[] = "abcdefABCDEF" DIGITS ":.";

static bool
is_only (struct request_text text, const char *allowed)
{
  for (size_t i = 0; i < text.size; i++)
    {
      if (text.at[i] == '\0' || strchr (allowed, text.at[i]) == NULL)
        return false;
    }
  return true;
}

static bool
is_printable (struct request_text text)
{
  for (size_t i = 0; i < text.size; i++)
    {
      if (text.at[i] <= ' ' || text.at[i] > '~')
        return false;
    }
  return true;
}

static bool
is_equal (struct request_text text, const char *word)
{
  return text.size == strlen (word) && strncasecmp (text.at, word, text.size) == 0;
}

/* Takes what comes before `end` off the front, and `end` too. */
static bool
split (struct request_text *rest, const char *end, struct request_text *part)
{
  const char *at = memmem (rest->at, rest->size, end, strlen (end));

  if (at == NULL)
    return false;
  *part = (struct request_text){ rest->at, (size_t) (at - rest->at) };
  rest->size -= part->size + strlen (end);
  rest->at = at + strlen (end);
  return true;
}

static struct request_text
trim (struct request_text text)
{
  while (text.size > 0 && (text.at[0] == ' ' || text.at[0] == '\t'))
    {
      text.at++;
      text.size--;
    }
  while (text.size > 0 && (text.at[text.size - 1] == ' ' || text.at[text.size - 1] == '\t'))
    text.size--;
  return text;
}

static bool
parse_number (struct request_text text, uint64_t most, uint64_t *number)
{
  *number = 0;
  if (text.size == 0 || !is_only (text, DIGITS))
    return false;
  for (size_t i = 0; i < text.size; i++)
    {
      *number = *number * 10 + (uint64_t) (text.at[i] - '0');
      if (*number > most)
        return false;
    }
  return true;
}

static bool
parse_port (struct request_text text, struct request_host *host)
{
  uint64_t port;

  if (!parse_number (text, UINT16_MAX, &port) || port == 0)
    return false;
  host->has_port = true;
  host->port = (uint16_t) port;
  return true;
}

/* name, name:port, [address] or [address]:port */
static bool
parse_host (struct request_host *host, struct request_text text, uint16_t port)
{
  struct request_text name = text;
  const bool is_address = text.size > 0 && text.at[0] == '[';

  *host = (struct request_host){ .port = port };
  if (is_address)
    {
      text = (struct request_text){ text.at + 1, text.size - 1 };
      if (!split (&text, "]", &name))
        return false;
    }
  else if (split (&text, ":", &name))
    text = (struct request_text){ text.at - 1, text.size + 1 };
  else
    text.size = 0;
  if (name.size == 0 || name.size >= sizeof host->name ||
      !is_only (name, is_address ? address_bytes : name_bytes))
    return false;
  for (size_t i = 0; i < name.size; i++)
    host->name[i] =
        (char) (name.at[i] >= 'A' && name.at[i] <= 'Z' ? name.at[i] | 0x20 : name.at[i]);
  if (text.size == 0)
    return true;
  return text.at[0] == ':' &&
         parse_port ((struct request_text){ text.at + 1, text.size - 1 }, host);
}

static bool
parse_target (struct request_head *head)
{
  static const char scheme[] = "http://";
  const size_t scheme_size = sizeof scheme - 1;
  struct request_text authority = head->target;
  size_t size = 0;

  if (head->is_tunnel)
    return parse_host (&head->host, authority, 0) && head->host.has_port;
  if (authority.size < scheme_size || strncasecmp (authority.at, scheme, scheme_size) != 0 ||
      memchr (authority.at, '#', authority.size) != NULL)
    return false;
  authority = (struct request_text){ authority.at + scheme_size, authority.size - scheme_size };
  while (size < authority.size && authority.at[size] != '/' && authority.at[size] != '?')
    size++;
  head->path = (struct request_text){ authority.at + size, authority.size - size };
  authority.size = size;
  return parse_host (&head->host, authority, HTTP_PORT);
}

static bool
parse_request_line (struct request_head *head, struct request_text line)
{
  if (!split (&line, " ", &head->method) || !split (&line, " ", &head->target))
    return false;
  if (!is_printable (head->target))
    {
      head->target.size = 0;
      return false;
    }
  head->version = line;
  /* Methods are case-sensitive. */
  head->is_tunnel = head->method.size == 7 && memcmp (head->method.at, "CONNECT", 7) == 0;
  return head->method.size > 0 && is_only (head->method, token_bytes) &&
         (is_equal (line, "HTTP/1.0") || is_equal (line, "HTTP/1.1")) && parse_target (head);
}

/* A line that begins with a space would continue the one before. */
static bool
split_field (struct request_text line, struct request_text *name, struct request_text *value)
{
  if (!split (&line, ":", name) || name->size == 0 || !is_only (*name, token_bytes))
    return false;
  *value = trim (line);
  for (size_t i = 0; i < value->size; i++)
    {
      if ((uint8_t) value->at[i] < ' ' && value->at[i] != '\t')
        return false;
    }
  return true;
}

static bool
take_field (struct request_head *head, struct request_text name, struct request_text value)
{
  if (is_equal (name, "Host"))
    {
      if (head->has_host_field)
        return false;
      head->has_host_field = true;
      return parse_host (&head->host_field, value, head->host.port);
    }
  if (is_equal (name, "Content-Length"))
    {
      if (head->has_body)
        return false;
      head->has_body = true;
      return parse_number (value, INT64_MAX / 10, &head->body_size);
    }
  if (is_equal (name, "Transfer-Encoding"))
    head->is_chunked = true;
  return true;
}

size_t
request_head_size (const char *bytes, size_t size)
{
  const char *end = memmem (bytes, size, "\r\n\r\n", 4);

  return end != NULL ? (size_t) (end - bytes) + 4 : 0;
}

bool
request_head_parse (struct request_head *head, const char *bytes, size_t size)
{
  struct request_text rest = { bytes, size };
  struct request_text line;

  *head = (struct request_head){ .target = { "", 0 } };
  if (!split (&rest, "\r\n", &line) || !parse_request_line (head, line))
    return false;
  head->fields = (struct request_text){ rest.at, rest.size - 2 };
  while (split (&rest, "\r\n", &line) && line.size > 0)
    {
      struct request_text name;
      struct request_text value;

      if (!split_field (line, &name, &value) || !take_field (head, name, value))
        return false;
    }
  return !(head->has_body && head->is_chunked);
}

bool
request_head_agrees (const struct request_head *head)
{
  return !head->has_host_field || (strcmp (head->host.name, head->host_field.name) == 0 &&
                                   head->host.port == head->host_field.port);
}

static void
put (char **to, struct request_text text)
{
  memcpy (*to, text.at, text.size);
  *to += text.size;
}

static bool
is_for_hosts (struct request_text name)
{
  static const char *const dropped[] = {
    "Host", "Connection", "Proxy-Connection", "Proxy-Authorization", "Keep-Alive",
    "TE",   "Trailer",    "Upgrade",          "HTTP2-Settings",
  };

  for (size_t i = 0; i < sizeof dropped / sizeof dropped[0]; i++)
    {
      if (is_equal (name, dropped[i]))
        return false;
    }
  return true;
}

size_t
request_head_rewrite (const struct request_head *head, char text[REQUEST_REWRITTEN_MAX])
{
  const bool is_address = strchr (head->host.name, ':') != NULL;
  struct request_text rest = head->fields;
  struct request_text line;
  char *to = text;

  put (&to, head->method);
  *to++ = ' ';
  if (head->path.size == 0 || head->path.at[0] != '/')
    *to++ = '/';
  put (&to, head->path);
  *to++ = ' ';
  put (&to, head->version);
  to += sprintf (to,
                 "\r\nHost: %s%s%s",
                 is_address ? "[" : "",
                 head->host.name,
                 is_address ? "]" : "");
  if (head->host.port != HTTP_PORT)
    to += sprintf (to, ":%u", head->host.port);
  put (&to, (struct request_text){ "\r\n", 2 });
  while (split (&rest, "\r\n", &line))
    {
      struct request_text name;
      struct request_text value;

      if (!split_field (line, &name, &value) || !is_for_hosts (name))
        continue;
      put (&to, line);
      put (&to, (struct request_text){ "\r\n", 2 });
    }
  to += sprintf (to, "Connection: close\r\n\r\n");
  return (size_t) (to - text);
}
