/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What a process has open is counted once, and what it has sent away is found by trying. */
#include "open-objects.h"

#include "descriptor-numbers.h"
#include "socket-meter.h"
#include "syscalls.h"

#include <errno.h>
#include <fcntl.h>
#include <glib.h>
#include <glib/gstdio.h>
#include <signal.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <sys/wait.h>
#include <unistd.h>

#define N_LOCKS 700

static struct process self;
static struct process_table table = { .processes = &self, .n = 1 };

static struct open_objects
count (int diag)
{
  struct open_objects objects = { 0 };

  g_assert_true (process_read (table.proc, (uint32_t) getpid (), &self));
  open_objects_count (&objects, &table, diag, false);
  return objects;
}

static bool
send_many (int socket, int fd, int n)
{
  char space[CMSG_SPACE (253 * sizeof (int))] = "";
  struct cmsghdr *header = (struct cmsghdr *) (void *) space;
  char byte = 0;
  struct iovec data = { &byte, 1 };
  struct msghdr message = {
    .msg_iov = &data,
    .msg_iovlen = 1,
    .msg_control = space,
    .msg_controllen = CMSG_SPACE ((size_t) n * sizeof (int)),
  };

  header->cmsg_level = SOL_SOCKET;
  header->cmsg_type = SCM_RIGHTS;
  header->cmsg_len = CMSG_LEN ((size_t) n * sizeof (int));
  for (int i = 0; i < n; i++)
    memcpy (CMSG_DATA (header) + (size_t) i * sizeof fd, &fd, sizeof fd);
  return sendmsg (socket, &message, 0) == 1;
}

static void
test_lines (void)
{
  g_assert_cmpuint (open_objects_lines ("", "lock:"), ==, 0);
  g_assert_cmpuint (open_objects_lines ("pos:\t0\nflags:\t02\nino:\t4\n", "lock:"), ==, 0);
  g_assert_cmpuint (open_objects_lines ("ino:\t4\nlock:\t1: POSIX\nlock:\t2: FLOCK\n", "lock:"),
                    ==,
                    2);
  g_assert_cmpuint (open_objects_lines ("\nlock:\nlock:\nlock:", "lock:"), ==, 3);
  g_assert_cmpuint (open_objects_lines ("ino:\t4\ntfd: 5 events: 1\ntfd: 6\n", "tfd:"), ==, 2);
}

static void
test_pipes (void)
{
  const size_t before = count (-1).pipes;
  int ends[2];
  int twin;

  g_assert_cmpint (pipe2 (ends, O_CLOEXEC), ==, 0);
  twin = dup (ends[1]);
  g_assert_cmpuint (count (-1).pipes, ==, before + 1);
  close (ends[0]);
  close (ends[1]);
  close (twin);
  g_assert_cmpuint (count (-1).pipes, ==, before);
}

/* Of a process whose list of descriptors is not open to us. */
static void
test_pipes_by_their_mount (void)
{
  char name[64];
  g_autofree char *folder = g_dir_make_tmp ("fh-open-XXXXXX", NULL);
  g_autofree char *command = g_strconcat ("rm -r ", folder, NULL);
  g_autofree char *info = NULL;
  g_autofree char *text = NULL;
  struct process_table other = { .processes = &self, .n = 1 };
  struct open_objects objects = { 0 };
  int ends[2];

  g_assert_cmpint (pipe2 (ends, O_CLOEXEC), ==, 0);
  g_snprintf (name, sizeof name, "/proc/self/fdinfo/%d", ends[0]);
  g_assert_true (g_file_get_contents (name, &text, NULL, NULL));
  close (ends[0]);
  close (ends[1]);
  self = (struct process){ .pid = 7, .thread = 7 };
  info = g_build_filename (folder, "7", "fdinfo", NULL);
  g_assert_cmpint (g_mkdir_with_parents (info, 0700), ==, 0);
  for (int i = 0; i < 2; i++)
    {
      g_autofree char *file = g_strdup_printf ("%s/%d", info, i);

      g_assert_true (g_file_set_contents (file, text, -1, NULL));
    }
  other.proc = open (folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  open_objects_count (&objects, &other, -1, false);
  g_assert_cmpuint (objects.pipes, ==, strstr (text, "\nino:") != NULL);
  close (other.proc);
  g_assert_true (g_spawn_command_line_sync (command, NULL, NULL, NULL, NULL));
}

/* Each has a buffer of its own, as long as the longest that can be read. */
static void
test_files_of_proc (void)
{
  const guint64 before = count (-1).proc_bytes;
  int files[3];

  for (guint i = 0; i < G_N_ELEMENTS (files); i++)
    {
      files[i] = open ("/proc/self/status", O_RDONLY | O_CLOEXEC);
      g_assert_cmpint (files[i], >=, 0);
    }
  g_assert_cmpuint (count (-1).proc_bytes, >=, before + 3 * 4096);
  for (guint i = 0; i < G_N_ELEMENTS (files); i++)
    close (files[i]);
  g_assert_cmpuint (count (-1).proc_bytes, ==, before);
}

static void
test_sockets (void)
{
  const int diag = sys_open_socket_list ();
  static char data[10000];
  struct open_objects before, after;
  int pair[2];

  before = count (diag);
  g_assert_cmpint (socketpair (AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, pair), ==, 0);
  g_assert_cmpint (write (pair[0], data, sizeof data), ==, sizeof data);
  after = count (diag);
  g_assert_cmpuint (after.sockets, ==, before.sockets + 2);
  if (diag >= 0 && after.socket_bytes == 0)
    g_test_skip ("this kernel does not tell what lies in sockets");
  else if (diag >= 0)
    g_assert_cmpuint (after.socket_bytes, >=, before.socket_bytes + sizeof data);
  g_assert_cmpuint (count (-1).socket_bytes, ==, 0);
  close (pair[0]);
  close (pair[1]);
  close (diag);
}

/* The size is unknown, so the largest possible one counts. */
static void
test_closed_sockets (void)
{
  const int diag = sys_open_socket_list ();
  struct open_objects before;
  int pair[2];

  before = count (diag);
  g_assert_cmpint (socketpair (AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, pair), ==, 0);
  close (pair[0]);
  g_assert_cmpuint (count (diag).socket_bytes, ==, before.socket_bytes);
  close (pair[1]);
  g_assert_cmpint (socketpair (AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, pair), ==, 0);
  g_assert_cmpint (write (pair[0], "x", 1), ==, 1);
  close (pair[0]);
  if (diag >= 0)
    g_assert_cmpuint (count (diag).socket_bytes, ==, before.socket_bytes + socket_meter_full ());
  close (pair[1]);
  close (diag);
}

/* Each connection that waits to be accepted. */
static void
test_waiting_connections (void)
{
  const int diag = sys_open_socket_list ();
  const struct sockaddr_un address = { .sun_family = AF_UNIX };
  struct sockaddr_un made;
  socklen_t size = sizeof made;
  const int server = socket (AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
  int clients[2];
  uint64_t before;

  /* The kernel finds a name. */
  g_assert_cmpint (bind (server, (const struct sockaddr *) &address, sizeof (sa_family_t)), ==, 0);
  g_assert_cmpint (listen (server, 4), ==, 0);
  g_assert_cmpint (getsockname (server, (struct sockaddr *) &made, &size), ==, 0);
  before = count (diag).socket_bytes;
  for (int i = 0; i < 2; i++)
    {
      clients[i] = socket (AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
      g_assert_cmpint (connect (clients[i], (const struct sockaddr *) &made, size), ==, 0);
    }
  if (diag >= 0)
    g_assert_cmpuint (count (diag).socket_bytes, >=, before + 2 * socket_meter_full ());
  for (int i = 0; i < 2; i++)
    close (clients[i]);
  close (server);
  close (diag);
}

/* All that are too many to be told apart. */
static void
test_too_many_sockets (void)
{
  const size_t before = count (-1).sockets;
  static int children[30];
  int done[2];
  char byte;

  g_assert_cmpint (pipe2 (done, O_CLOEXEC), ==, 0);
  for (size_t i = 0; i < G_N_ELEMENTS (children); i++)
    {
      int pair[2];

      children[i] = fork ();
      for (int j = 0; j < 150 && children[i] == 0; j++)
        g_assert_cmpint (socketpair (AF_UNIX, SOCK_STREAM, 0, pair), ==, 0);
      if (children[i] != 0)
        continue;
      g_assert_cmpint (write (done[1], "x", 1), ==, 1);
      pause ();
    }
  table.processes = g_new0 (struct process, G_N_ELEMENTS (children));
  table.n = G_N_ELEMENTS (children);
  for (size_t i = 0; i < table.n; i++)
    {
      struct open_objects objects = { 0 };

      g_assert_cmpint (read (done[0], &byte, 1), ==, 1);
      g_assert_true (process_read (table.proc, (uint32_t) children[i], &table.processes[i]));
      if (i + 1 < table.n)
        continue;
      open_objects_count (&objects, &table, -1, false);
      g_assert_cmpuint (objects.sockets, >=, before + 300 * table.n);
    }
  for (size_t i = 0; i < table.n; i++)
    {
      kill (children[i], SIGKILL);
      waitpid (children[i], NULL, 0);
    }
  g_free (table.processes);
  table.processes = &self;
  table.n = 1;
  close (done[0]);
  close (done[1]);
}

/* A file of another file system that has the same number. */
static void
test_locks_on_twins (void)
{
  struct open_objects objects = { 0 };
  g_autofree char *folder = g_dir_make_tmp ("fh-proc-XXXXXX", NULL);
  g_autofree char *fdinfo = g_build_filename (folder, "7", "fdinfo", NULL);
  g_autofree char *command = g_strconcat ("rm -r ", folder, NULL);
  struct process process = { .pid = 7, .thread = 7 };
  struct process_table fake = { .processes = &process, .n = 1 };
  static const char *const texts[] = {
    "pos:\t0\nflags:\t02\nmnt_id:\t20\nino:\t7\n",
    "pos:\t0\nflags:\t02\nmnt_id:\t30\nino:\t7\nlock:\t1: POSIX\nlock:\t2: POSIX\n",
    "pos:\t0\nflags:\t02\nmnt_id:\t30\nino:\t7\nlock:\t1: POSIX\nlock:\t2: POSIX\n",
  };

  g_assert_cmpint (g_mkdir_with_parents (fdinfo, 0700), ==, 0);
  for (size_t i = 0; i < G_N_ELEMENTS (texts); i++)
    {
      g_autofree char *name = g_strdup_printf ("%s/%zu", fdinfo, i);

      g_assert_true (g_file_set_contents (name, texts[i], -1, NULL));
    }
  fake.proc = open (folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  open_objects_count (&objects, &fake, -1, false);
  g_assert_cmpuint (objects.locks, ==, 2);
  close (fake.proc);
  g_assert_true (g_spawn_command_line_sync (command, NULL, NULL, NULL, NULL));
}

/* A process that has forbidden it, as a program that may not be read does. */
static void
test_closed_process (void)
{
  struct open_objects objects = { 0 };
  int ready[2];
  pid_t child;
  char byte;

  if (geteuid () == 0)
    {
      g_test_skip ("root may look into any process");
      return;
    }
  g_assert_false (count (-1).is_blind);
  g_assert_cmpint (pipe2 (ready, O_CLOEXEC), ==, 0);
  child = fork ();
  if (child == 0)
    {
      prctl (PR_SET_DUMPABLE, 0);
      g_assert_cmpint (write (ready[1], "x", 1), ==, 1);
      pause ();
    }
  g_assert_cmpint (read (ready[0], &byte, 1), ==, 1);
  g_assert_true (process_read (table.proc, (uint32_t) child, &self));
  open_objects_count (&objects, &table, -1, false);
  g_assert_true (objects.is_blind);
  kill (child, SIGKILL);
  waitpid (child, NULL, 0);
  open_objects_count (&objects, &table, -1, false);
  g_assert_false (objects.is_blind);
  close (ready[0]);
  close (ready[1]);
}

static void
test_locks (void)
{
  const char *name = "fumehood-locks";
  const int file = g_open (name, O_RDWR | O_CREAT | O_CLOEXEC, 0600);
  const int twin = g_open (name, O_RDWR | O_CLOEXEC, 0600);
  const size_t before = count (-1).locks;

  for (int i = 0; i < N_LOCKS; i++)
    {
      struct flock lock = { .l_type = F_WRLCK, .l_start = 2 * i, .l_len = 1 };

      g_assert_cmpint (fcntl (file, F_SETLK, &lock), ==, 0);
    }
  /* Both files tell of all of them, and the list is longer than what is read at a time. */
  g_assert_cmpuint (count (-1).locks, ==, before + N_LOCKS);
  close (twin);
  g_assert_cmpuint (count (-1).locks, ==, before);
  close (file);
  g_unlink (name);
}

static void
test_under_way (void)
{
  const uint64_t before = count (-1).under_way;
  int pair[2];

  g_assert_cmpint (socketpair (AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, pair), ==, 0);
  g_assert_true (send_many (pair[0], 0, 3));
  g_assert_cmpuint (count (-1).under_way, ==, before + 3);
  close (pair[0]);
  close (pair[1]);
}

static void
test_short_of_passing (void)
{
  struct rlimit limit, after;
  int trial[2] = { -1, -1 };
  int pair[2];

  if (geteuid () == 0)
    {
      g_test_skip ("root may send any number");
      return;
    }
  g_assert_cmpint (getrlimit (RLIMIT_NOFILE, &limit), ==, 0);
  g_assert_false (user_is_short_of_passing (trial));
  g_assert_cmpint (socketpair (AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, pair), ==, 0);
  g_assert_true (send_many (pair[0], 0, 250));
  g_assert_true (send_many (pair[0], 0, 100));
  g_assert_true (user_is_short_of_passing (trial));
  close (pair[0]);
  close (pair[1]);
  g_assert_false (user_is_short_of_passing (trial));
  /* Its own limit is as it was. */
  g_assert_cmpint (getrlimit (RLIMIT_NOFILE, &after), ==, 0);
  g_assert_cmpuint (after.rlim_cur, ==, limit.rlim_cur);
  close (trial[0]);
  close (trial[1]);
}

/* Those that were inherited have a chain. */
static void
test_mappings (void)
{
  g_autofree char *folder = g_dir_make_tmp ("fh-open-XXXXXX", NULL);
  g_autofree char *command = g_strconcat ("rm -r ", folder, NULL);
  struct process processes[] = {
    { .pid = 1, .thread = 1 },
    { .pid = 5, .thread = 5, .parent = 1, .started = 1, .image = { 8, 9 } },
    { .pid = 6, .thread = 6, .parent = 5, .started = 2, .image = { 8, 9 } },
    { .pid = 7, .thread = 7, .parent = 6, .started = 3, .image = { 8, 9 } },
    { .pid = 8, .thread = 8, .parent = 7, .started = 4, .image = { 3, 4 } },
    { .pid = 9, .thread = 9, .parent = 1, .started = 5, .image = { 8, 9 } },
  };
  static const uint64_t chains[] = { 0, 0, 1, 2, 0, 3 };
  struct process_table other = { .processes = processes, .n = G_N_ELEMENTS (processes) };
  struct open_objects objects = { 0 };
  uint64_t expected = 0;

  for (gsize i = 0; i < G_N_ELEMENTS (processes); i++)
    {
      g_autofree char *parent = g_strdup_printf ("%s/%u", folder, processes[i].pid);
      g_autofree char *file = g_build_filename (parent, "maps", NULL);

      g_assert_cmpint (g_mkdir_with_parents (parent, 0700), ==, 0);
      g_assert_true (g_file_set_contents (file, "one\ntwo\n", -1, NULL));
      if (processes[i].pid > 1)
        expected += 2 * (256 + 64 * chains[i]);
    }
  other.proc = open (folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  open_objects_count (&objects, &other, -1, false);
  g_assert_cmpuint (objects.mapping_bytes, ==, expected);
  close (other.proc);
  g_assert_true (g_spawn_command_line_sync (command, NULL, NULL, NULL, NULL));
}

static gpointer
write_slowly (gpointer data)
{
  const int fd = open (data, O_WRONLY | O_CLOEXEC);

  g_usleep (100000);
  g_assert_cmpint (write (fd, "one\ntwo\n", 8), ==, 8);
  close (fd);
  return NULL;
}

/* One process whose mappings take long to be read does not keep others from being counted: they
 * count as it does, and are read in the next looks. */
static void
test_hurried (void)
{
  g_autofree char *folder = g_dir_make_tmp ("fh-proc-XXXXXX", NULL);
  g_autofree char *command = g_strconcat ("rm -r ", folder, NULL);
  g_autofree char *slow = g_build_filename (folder, "5", "maps", NULL);
  struct process processes[] = {
    { .pid = 5, .thread = 5, .started = 1 },
    { .pid = 6, .thread = 6, .started = 2 },
    { .pid = 7, .thread = 7, .started = 3 },
  };
  struct process_table other = { .processes = processes, .n = G_N_ELEMENTS (processes) };
  struct open_objects objects = { 0 };
  GThread *writer;

  for (gsize i = 0; i < G_N_ELEMENTS (processes); i++)
    {
      g_autofree char *parent = g_strdup_printf ("%s/%u", folder, processes[i].pid);
      g_autofree char *file = g_build_filename (parent, "maps", NULL);

      g_assert_cmpint (g_mkdir_with_parents (parent, 0700), ==, 0);
      g_assert_true (i == 0 || g_file_set_contents (file, "1\n2\n3\n4\n", -1, NULL));
    }
  g_assert_cmpint (mkfifo (slow, 0600), ==, 0);
  writer = g_thread_new ("slow", write_slowly, slow);
  other.proc = open (folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  open_objects_count (&objects, &other, -1, true);
  g_thread_join (writer);
  g_assert_cmpuint (objects.mapping_bytes, ==, 6 * 256);
  g_assert_cmpint (unlink (slow), ==, 0);
  g_assert_true (g_file_set_contents (slow, "1\n2\n", -1, NULL));
  /* Not all are read in time when the computer is busy. */
  for (guint i = 0; i < 1000 && objects.mapping_bytes != 10 * 256; i++)
    open_objects_count (&objects, &other, -1, true);
  g_assert_cmpuint (objects.mapping_bytes, ==, 10 * 256);
  close (other.proc);
  g_assert_true (g_spawn_command_line_sync (command, NULL, NULL, NULL, NULL));
}

static void
test_gone (void)
{
  struct open_objects objects = { 0 };

  self = (struct process){ .pid = 1u << 30, .thread = 1u << 30 };
  open_objects_count (&objects, &table, -1, false);
  g_assert_cmpuint (objects.pipes + objects.sockets + objects.locks, ==, 0);
}

/* All instances of epoll have the same inode. */
static void
test_watches (void)
{
  struct epoll_event event = { .events = EPOLLIN };
  const size_t before = count (-1).watches;
  int ends[2];
  int fds[3];

  g_assert_cmpint (pipe (ends), ==, 0);
  for (gsize i = 0; i < G_N_ELEMENTS (fds); i++)
    {
      fds[i] = epoll_create1 (0);
      g_assert_cmpint (epoll_ctl (fds[i], EPOLL_CTL_ADD, ends[0], &event), ==, 0);
      g_assert_cmpint (epoll_ctl (fds[i], EPOLL_CTL_ADD, ends[1], &event), ==, 0);
    }
  g_assert_cmpuint (count (-1).watches, ==, before + 6);
  for (gsize i = 0; i < G_N_ELEMENTS (fds); i++)
    close (fds[i]);
  g_assert_cmpuint (count (-1).watches, ==, before);
  close (ends[0]);
  close (ends[1]);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  table.proc = open ("/proc", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  g_assert_cmpint (g_chdir (g_get_tmp_dir ()), ==, 0);
  g_test_add_func ("/open-objects/locks-in-text", test_lines);
  g_test_add_func ("/open-objects/watches", test_watches);
  g_test_add_func ("/open-objects/pipes", test_pipes);
  g_test_add_func ("/open-objects/pipes-by-their-mount", test_pipes_by_their_mount);
  g_test_add_func ("/open-objects/mappings", test_mappings);
  g_test_add_func ("/open-objects/files-of-proc", test_files_of_proc);
  g_test_add_func ("/open-objects/sockets", test_sockets);
  g_test_add_func ("/open-objects/closed-sockets", test_closed_sockets);
  g_test_add_func ("/open-objects/waiting-connections", test_waiting_connections);
  g_test_add_func ("/open-objects/too-many-sockets", test_too_many_sockets);
  g_test_add_func ("/open-objects/locks", test_locks);
  g_test_add_func ("/open-objects/locks-on-twins", test_locks_on_twins);
  g_test_add_func ("/open-objects/closed-process", test_closed_process);
  g_test_add_func ("/open-objects/under-way", test_under_way);
  g_test_add_func ("/open-objects/short-of-passing", test_short_of_passing);
  g_test_add_func ("/open-objects/hurried", test_hurried);
  g_test_add_func ("/open-objects/gone", test_gone);
  return g_test_run ();
}
