/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A request to the proxy: what is understood has a name without surprises, and what is sent on is a
 * request of the same host that ends where it seems to. */
#include "fuzz-target.h"
#include "request-head.h"

#include <assert.h>
#include <string.h>

static const char absolute[] = "http://h";

/* As the host would read it; a path alone is no target for a proxy. */
static void
check_rewritten (const struct request_head *head, const char *text, size_t size)
{
  char again[REQUEST_REWRITTEN_MAX + sizeof absolute];
  const size_t path = head->method.size + 1;
  struct request_head echo;

  assert (size <= REQUEST_REWRITTEN_MAX && request_head_size (text, size) == size);
  assert (memchr (text, '\0', size) == NULL && text[path] == '/');
  memcpy (again, text, path);
  memcpy (again + path, absolute, sizeof absolute - 1);
  memcpy (again + path + sizeof absolute - 1, text + path, size - path);
  assert (request_head_parse (&echo, again, size + sizeof absolute - 1));
  assert (echo.has_host_field && strcmp (echo.host_field.name, head->host.name) == 0);
  assert (echo.body_size == head->body_size && echo.is_chunked == head->is_chunked);
}

int
LLVMFuzzerTestOneInput (const uint8_t *data, size_t size)
{
  char text[REQUEST_REWRITTEN_MAX];
  const char *bytes = (const char *) data;
  struct request_head head;
  size_t head_size;

  size = size < REQUEST_HEAD_MAX ? size : REQUEST_HEAD_MAX;
  head_size = request_head_size (bytes, size);
  if (head_size == 0)
    return 0;
  if (!request_head_parse (&head, bytes, head_size))
    {
      for (size_t i = 0; i < head.target.size; i++)
        assert (head.target.at[i] > ' ' && head.target.at[i] <= '~');
      return 0;
    }
  assert (strlen (head.host.name) > 0 && head.host.port > 0);
  assert (strspn (head.host.name, "abcdefghijklmnopqrstuvwxyz0123456789-._:") ==
          strlen (head.host.name));
  if (!head.is_tunnel)
    check_rewritten (&head, text, request_head_rewrite (&head, text));
  return 0;
}
