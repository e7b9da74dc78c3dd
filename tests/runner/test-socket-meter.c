/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What lies in sockets is measured, and what cannot be measured is taken for full. */
#include "socket-meter.h"
#include "syscalls.h"

#include <fcntl.h>
#include <glib.h>
#include <glib/gstdio.h>
#include <netinet/in.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <unistd.h>

#define STAT                                                                                       \
  "sockets: used %d\nTCP: inuse 1 orphan 0 tw 7 alloc 9 mem %d\nUDP: inuse 2 mem %d\n"             \
  "UDPLITE: inuse 0\nRAW: inuse 0\nFRAG: inuse 0 memory 0\n"

static char *folder;

/* A folder like /proc, in which the first process has a network with so much in it. */
static int
make_proc (int used, int tcp_pages, int udp_pages)
{
  g_autofree char *path = g_build_filename (folder, "1/net/sockstat", NULL);
  g_autofree char *text = g_strdup_printf (STAT, used, tcp_pages, udp_pages);

  g_assert_true (g_file_set_contents (path, text, -1, NULL));
  return open (folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
}

static void
test_counts (void)
{
  g_autofree char *text = g_strdup_printf (STAT, 12, 34, 56);
  struct socket_counts counts;

  g_assert_true (socket_counts_parse (text, &counts));
  g_assert_cmpuint (counts.used, ==, 12);
  g_assert_cmpuint (counts.waiting, ==, 7);
  g_assert_cmpuint (counts.tcp_pages, ==, 34);
  g_assert_cmpuint (counts.udp_pages, ==, 56);
  g_assert_false (socket_counts_parse ("", &counts));
  g_assert_false (socket_counts_parse ("sockets: used 1\n", &counts));
  g_assert_false (socket_counts_parse ("sockets: used x\nTCP: \nUDP: \n", &counts));
}

static void
test_protocols (void)
{
  static const char text[] =
      "protocol  size sockets  memory press maxhdr  slab module     cl co di\n"
      "PACKET    1600      1      -1   NI       0   no   kernel      n  n  n\n"
      "UNIX-STREAM 1152     20      -1   NI       0   yes  kernel      y  n\n"
      "UNIX      1152      3      -1   NI       0   yes  kernel      y  n  n\n"
      "UDP-Lite  1344     50       0   NI       0   yes  kernel      y  y  y\n"
      "UDPv6     1472     60       0   NI       0   yes  kernel      y  y  y\n"
      "TCP       2368     70     323   no     320   yes  kernel      y  y  y\n";
  uint64_t others;

  g_assert_true (socket_protocols_parse (text, &others));
  g_assert_cmpuint (others, ==, 24);
  g_assert_false (socket_protocols_parse ("", &others));
  g_assert_false (socket_protocols_parse ("protocol \nUNIX", &others));
}

static void
assert_look (int used, int tcp_pages, bool is_too_much, uint64_t least, uint64_t most)
{
  struct socket_meter meter = { .diag = -1 };
  const int proc = make_proc (used, tcp_pages, 0);

  g_assert_cmpint (socket_meter_measure (&meter, proc), ==, is_too_much);
  g_assert_cmpuint (meter.bytes, >=, least);
  g_assert_cmpuint (meter.bytes, <=, most);
  close (proc);
}

static void
test_without_lists (void)
{
  /* Nothing but those by which a sandbox is served. */
  assert_look (2, 100000, false, 0, 0);
  assert_look (10, 0, false, 10, 10 << 20);
  /* What all connections of the machine hold may be its own. */
  assert_look (10, 20000, true, (uint64_t) 20000 * 4096, UINT64_MAX);
  assert_look (SOCKET_METER_MOST_SOCKETS + 1, 0, true, SOCKET_METER_MOST_SOCKETS, UINT64_MAX);
}

static void
test_nothing_told (void)
{
  struct socket_meter meter = { .diag = -1, .bytes = 5 };

  g_assert_false (socket_meter_measure (&meter, -1));
  g_assert_cmpuint (meter.bytes, ==, 5);
}

static void
test_lists (void)
{
  struct socket_meter meter = { .diag = sys_open_socket_list () };
  const struct sockaddr_in address = {
    .sin_family = AF_INET,
    .sin_addr.s_addr = htonl (INADDR_LOOPBACK),
  };
  struct sockaddr_in bound;
  socklen_t size = sizeof bound;
  static char data[50000];
  const int receiver = socket (AF_INET, SOCK_DGRAM | SOCK_CLOEXEC, 0);
  const int sender = socket (AF_INET, SOCK_DGRAM | SOCK_CLOEXEC, 0);
  /* Fewer than there are, so that none is taken to be in no list. */
  const int proc = make_proc (6, 0, 0);

  if (meter.diag < 0 || bind (receiver, (const struct sockaddr *) &address, sizeof address) < 0)
    {
      g_test_skip ("this kernel does not tell of sockets");
      return;
    }
  getsockname (receiver, (struct sockaddr *) &bound, &size);
  g_assert_cmpint (sendto (sender, data, sizeof data, 0, (const struct sockaddr *) &bound, size),
                   ==,
                   sizeof data);
  socket_meter_measure (&meter, proc);
  g_assert_cmpuint (meter.bytes, >=, sizeof data);
  /* Not again at once. */
  meter.bytes = 0;
  socket_meter_measure (&meter, proc);
  g_assert_cmpuint (meter.bytes, ==, 0);
  close (receiver);
  close (sender);
  close (proc);
  close (meter.diag);
}

static void
test_unix (void)
{
  const int diag = sys_open_socket_list ();
  static char data[50000];
  struct stat status;
  int pair[2];

  g_assert_cmpint (socketpair (AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, pair), ==, 0);
  g_assert_cmpint (write (pair[0], data, sizeof data), ==, sizeof data);
  g_assert_cmpint (fstat (pair[0], &status), ==, 0);
  if (diag < 0 || socket_meter_unix (diag, (uint32_t) status.st_ino) == 0)
    g_test_skip ("this kernel does not tell of sockets");
  else
    g_assert_cmpuint (socket_meter_unix (diag, (uint32_t) status.st_ino), >=, sizeof data);
  g_assert_cmpuint (socket_meter_unix (diag, 1), ==, 0);
  g_assert_cmpuint (socket_meter_unix (pair[0], 1), ==, 0);
  close (pair[0]);
  close (pair[1]);
  close (diag);
}

int
main (int argc, char **argv)
{
  g_autofree char *net = NULL;
  int result;

  g_test_init (&argc, &argv, NULL);
  folder = g_dir_make_tmp ("fumehood-sockets-XXXXXX", NULL);
  net = g_build_filename (folder, "1", "net", NULL);
  g_assert_cmpint (g_mkdir_with_parents (net, 0700), ==, 0);
  g_test_add_func ("/socket-meter/counts", test_counts);
  g_test_add_func ("/socket-meter/protocols", test_protocols);
  g_test_add_func ("/socket-meter/without-lists", test_without_lists);
  g_test_add_func ("/socket-meter/nothing-told", test_nothing_told);
  g_test_add_func ("/socket-meter/lists", test_lists);
  g_test_add_func ("/socket-meter/unix", test_unix);
  result = g_test_run ();
  {
    g_autofree char *stat = g_build_filename (net, "sockstat", NULL);
    g_autofree char *one = g_path_get_dirname (net);

    g_unlink (stat);
    g_rmdir (net);
    g_rmdir (one);
    g_rmdir (folder);
  }
  g_free (folder);
  return result;
}
