/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What the runner makes of an address or of paths that a guest names. The first byte tells which it
 * is; two paths are separated by NUL. */
#include "attempt-address.h"
#include "attempt-path.h"
#include "fuzz-target.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

static void
try_address (const uint8_t *data, size_t size)
{
  struct sockaddr_storage storage;
  struct address address;
  const size_t taken = size < sizeof storage ? size : sizeof storage;

  memset (&storage, 0xaa, sizeof storage);
  memcpy (&storage, data, taken);
  if (!address_read (&address, &storage, taken))
    return;
  assert (memchr (address.text, '\0', sizeof address.text) != NULL);
  assert (address.text[0] != '\0');
  assert (address.family == storage.ss_family);
}

static void
check_joined (const char *joined)
{
  const size_t size = strlen (joined);

  assert (joined[0] == '/' && size < PATH_MAX);
  assert (size == 1 || joined[size - 1] != '/');
  for (const char *part = joined; size > 1 && *part != '\0'; part = strchrnul (part + 1, '/'))
    {
      const size_t length = strcspn (part + 1, "/");

      assert (length > 0);
      assert (length > 2 || strncmp (part + 1, "..", length) != 0);
    }
}

static void
try_paths (const char *base, const char *path)
{
  char *const none[] = { NULL };
  const struct fh_policy policy = { .home = (char *) "/home/me", .argv = (char **) none };
  char absolute[PATH_MAX];
  char joined[PATH_MAX];
  char again[PATH_MAX];

  if (!path_join ("/", base, absolute) || !path_join (absolute, path, joined))
    return;
  check_joined (absolute);
  check_joined (joined);
  assert (path_join ("/elsewhere", joined, again) || strlen (joined) > PATH_MAX / 2);
  assert (path_place_of (joined, &policy) <= PATH_ELSEWHERE);
  path_is_plainly_system (path);
  path_in_home (joined, again);
  assert (again[0] == '/' || again[0] == '~');
}

int
LLVMFuzzerTestOneInput (const uint8_t *data, size_t size)
{
  char *text;
  size_t length;

  if (size == 0)
    return 0;
  if (data[0] & 1)
    {
      try_address (data + 1, size - 1);
      return 0;
    }
  text = calloc (1, size + 1);
  assert (text != NULL);
  memcpy (text, data + 1, size - 1);
  length = strlen (text);
  try_paths (text, length + 1 < size ? text + length + 1 : "");
  free (text);
  return 0;
}
