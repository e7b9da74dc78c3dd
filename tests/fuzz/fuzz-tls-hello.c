/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The first bytes of a tunnel: once it is known what they are, more of them change nothing, and a
 * name is safe to print. */
#include "fuzz-target.h"
#include "tls-hello.h"

#include <assert.h>
#include <string.h>

int
LLVMFuzzerTestOneInput (const uint8_t *data, size_t size)
{
  char name[TLS_NAME_SIZE];
  char name_before[TLS_NAME_SIZE];
  enum tls_hello hello = tls_hello_read (data, size, name);

  for (const char *at = name; hello == TLS_HELLO_COMPLETE && *at != '\0'; at++)
    assert (*at > ' ' && *at <= '~' && !(*at >= 'A' && *at <= 'Z'));
  for (size_t i = 0; i < size; i += 1 + size / 16)
    {
      enum tls_hello before = tls_hello_read (data, i, name_before);

      assert (before == TLS_HELLO_UNFINISHED || before == hello);
      if (before == TLS_HELLO_COMPLETE)
        assert (strcmp (name, name_before) == 0);
    }
  return 0;
}
