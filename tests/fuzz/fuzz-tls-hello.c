/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The first bytes of a tunnel: once it is known what they are, more of them change nothing, and a
 * name is safe to print. Followed as a handshake they mean the same however they are cut. */
#include "fuzz-target.h"
#include "tls-handshake.h"

#include <assert.h>
#include <string.h>

static void
check_hello (const uint8_t *data, size_t size, enum tls_hello hello, const char *name)
{
  char name_before[TLS_NAME_SIZE];

  for (const char *at = name; hello == TLS_HELLO_COMPLETE && *at != '\0'; at++)
    assert (*at > ' ' && *at <= '~' && !(*at >= 'A' && *at <= 'Z'));
  for (size_t i = 0; i < size; i += 1 + size / 16)
    {
      enum tls_hello before = tls_hello_read (data, i, name_before);

      assert (before == TLS_HELLO_UNFINISHED || before == hello);
      if (before == TLS_HELLO_COMPLETE)
        assert (strcmp (name, name_before) == 0);
    }
}

/* All at once and byte by byte, by the program and by the host. */
static void
check_handshake (const uint8_t *data, size_t size, const char *name, enum tls_stage stage)
{
  static struct tls_handshake whole;
  static struct tls_handshake pieces;
  bool may_pass;
  bool may_pass_pieces = true;

  tls_handshake_init (&whole, name);
  whole.stage = stage;
  whole.is_second = size % 2 == 0;
  pieces = whole;
  may_pass = tls_handshake_of_program (&whole, data, size);
  for (size_t i = 0; i < size && may_pass_pieces; i++)
    may_pass_pieces = tls_handshake_of_program (&pieces, data + i, 1);
  assert (may_pass == may_pass_pieces);
  assert (!may_pass || whole.stage == pieces.stage);
  if (may_pass && whole.stage != stage)
    assert (whole.last == TLS_HELLO_COMPLETE && strcmp (whole.said, name) == 0);

  tls_handshake_init (&whole, name);
  whole.stage = TLS_STAGE_ANSWER;
  pieces = whole;
  tls_handshake_of_host (&whole, data, size);
  for (size_t i = 0; i < size; i++)
    tls_handshake_of_host (&pieces, data + i, 1);
  assert (whole.stage == pieces.stage && whole.is_second == pieces.is_second);
}

int
LLVMFuzzerTestOneInput (const uint8_t *data, size_t size)
{
  char name[TLS_NAME_SIZE];
  enum tls_hello hello = tls_hello_read (data, size, name);

  check_hello (data, size, hello, name);
  check_handshake (data, size, name, TLS_STAGE_HELLO);
  check_handshake (data, size, name, TLS_STAGE_ANSWER);
  return 0;
}
