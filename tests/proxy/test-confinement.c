/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Each check is made by a child that has confined itself, and is only worth something because the
 * same works before. */
#include "confinement.h"

#include <arpa/inet.h>
#include <errno.h>
#include <fcntl.h>
#include <glib.h>
#include <glib/gstdio.h>
#include <ifaddrs.h>
#include <netdb.h>
#include <netinet/in.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/ptrace.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/un.h>
#include <sys/wait.h>
#include <unistd.h>

#define COULD_NOT 255

static char *folder;
static char *file;

static int
landlock_abi (void)
{
  return (int) syscall (444, NULL, 0, 1);
}

/* The errno of `act`, 0 when it worked. */
static int
try_confined (int (*act) (void))
{
  int status;
  pid_t pid = fork ();

  g_assert_cmpint (pid, >=, 0);
  if (pid == 0)
    {
      if (confinement_apply () < 0)
        _exit (COULD_NOT);
      _exit (act () < 0 ? errno : 0);
    }
  g_assert_cmpint (waitpid (pid, &status, 0), ==, pid);
  g_assert_true (WIFEXITED (status));
  g_assert_cmpint (WEXITSTATUS (status), !=, COULD_NOT);
  return WEXITSTATUS (status);
}

static int
read_settings (void)
{
  return open ("/etc/passwd", O_RDONLY);
}

static int
read_file (void)
{
  return open (file, O_RDONLY);
}

static int
list_folder (void)
{
  return open (folder, O_RDONLY | O_DIRECTORY);
}

static int
write_file (void)
{
  return open (file, O_WRONLY);
}

static int
make_file (void)
{
  g_autofree char *path = g_build_filename (folder, "new", NULL);

  return open (path, O_WRONLY | O_CREAT, 0600);
}

static int
remove_file (void)
{
  return unlink (file);
}

static void
test_files (void)
{
  g_assert_cmpint (read_file (), >=, 0);
  g_assert_cmpint (write_file (), >=, 0);
  g_assert_cmpint (try_confined (read_settings), ==, 0);
  g_assert_cmpint (try_confined (write_file), ==, EACCES);
  g_assert_cmpint (try_confined (make_file), ==, EACCES);
  g_assert_cmpint (try_confined (remove_file), ==, ENOSYS);
  if (landlock_abi () < 1)
    {
      g_test_skip ("the kernel has no Landlock");
      return;
    }
  g_assert_cmpint (try_confined (read_file), ==, EACCES);
  g_assert_cmpint (try_confined (list_folder), ==, EACCES);
}

static int
execute (void)
{
  return execl ("/bin/true", "true", NULL);
}

static int
trace (void)
{
  return (int) ptrace (PTRACE_TRACEME, 0, NULL, NULL);
}

static int
make_namespace (void)
{
  return (int) syscall (SYS_unshare, 0);
}

static int
make_ring (void)
{
  return (int) syscall (425, 1, NULL);
}

static int
clone_into_namespace (void)
{
  return (int) syscall (SYS_clone, 0x10000000 /* CLONE_NEWUSER */ | SIGCHLD, 0, 0, 0, 0);
}

static int
send_descriptor (void)
{
  return (int) sendmsg (0, &(struct msghdr){ 0 }, 0);
}

static int
be_dumpable (void)
{
  return prctl (PR_SET_DUMPABLE, 1);
}

/* As one for each connection. */
static int
have_child (void)
{
  int status = 1;
  const pid_t child = fork ();

  if (child == 0)
    _exit (0);
  return child > 0 && waitpid (child, &status, 0) == child && status == 0 ? 0 : -1;
}

static void
test_calls (void)
{
  g_assert_cmpint (make_namespace (), ==, 0);
  g_assert_cmpint (try_confined (execute), ==, ENOSYS);
  g_assert_cmpint (try_confined (trace), ==, ENOSYS);
  g_assert_cmpint (try_confined (make_namespace), ==, ENOSYS);
  g_assert_cmpint (try_confined (make_ring), ==, ENOSYS);
  g_assert_cmpint (try_confined (clone_into_namespace), ==, EPERM);
  g_assert_cmpint (try_confined (send_descriptor), ==, ENOSYS);
  g_assert_cmpint (try_confined (be_dumpable), ==, EPERM);
  g_assert_cmpint (try_confined (have_child), ==, 0);
}

static int
make_unix_socket (void)
{
  return socket (AF_UNIX, SOCK_STREAM, 0);
}

static int
make_crypto_socket (void)
{
  return socket (38 /* AF_ALG */, SOCK_SEQPACKET, 0);
}

static int
make_datagram_socket (void)
{
  return socket (AF_INET6, SOCK_DGRAM, 0);
}

static void
test_families (void)
{
  g_assert_cmpint (make_unix_socket (), >=, 0);
  g_assert_cmpint (try_confined (make_unix_socket), ==, EAFNOSUPPORT);
  g_assert_cmpint (try_confined (make_crypto_socket), ==, EAFNOSUPPORT);
  g_assert_cmpint (try_confined (make_datagram_socket), ==, 0);
}

static in_port_t port;

static int
connect_to_port (void)
{
  const struct sockaddr_in address = { .sin_family = AF_INET,
                                       .sin_port = port,
                                       .sin_addr.s_addr = htonl (INADDR_LOOPBACK) };
  int fd = socket (AF_INET, SOCK_STREAM, 0);

  return connect (fd, (const struct sockaddr *) &address, sizeof address);
}

static int
listen_somewhere (void)
{
  const struct sockaddr_in address = { .sin_family = AF_INET, .sin_port = htons (28931) };
  int fd = socket (AF_INET, SOCK_STREAM, 0);

  return bind (fd, (const struct sockaddr *) &address, sizeof address);
}

static void
test_ports (void)
{
  struct sockaddr_in address = { .sin_family = AF_INET,
                                 .sin_addr.s_addr = htonl (INADDR_LOOPBACK) };
  socklen_t size = sizeof address;
  int server = socket (AF_INET, SOCK_STREAM, 0);

  if (landlock_abi () < 4)
    {
      g_test_skip ("the kernel's Landlock knows no ports");
      return;
    }
  g_assert_cmpint (bind (server, (const struct sockaddr *) &address, sizeof address), ==, 0);
  g_assert_cmpint (listen (server, 1), ==, 0);
  getsockname (server, (struct sockaddr *) &address, &size);
  port = address.sin_port;
  g_assert_cmpint (connect_to_port (), ==, 0);
  g_assert_cmpint (try_confined (connect_to_port), ==, EACCES);
  g_assert_cmpint (try_confined (listen_somewhere), ==, EACCES);
  /* No answer comes, but it may ask. */
  port = htons (443);
  g_assert_cmpint (try_confined (connect_to_port), !=, EACCES);
  close (server);
}

static int
look_up (void)
{
  struct addrinfo *found;

  errno = EINVAL;
  return getaddrinfo ("localhost", "443", NULL, &found) == 0 ? 0 : -1;
}

static void
test_names_can_be_looked_up (void)
{
  g_assert_cmpint (try_confined (look_up), ==, 0);
}

static int
list_interfaces (void)
{
  struct ifaddrs *interfaces = NULL;

  return getifaddrs (&interfaces) == 0 && interfaces != NULL ? 0 : -1;
}

static void
test_interfaces_can_be_listed (void)
{
  g_assert_cmpint (try_confined (list_interfaces), ==, 0);
}

int
main (int argc, char *argv[])
{
  int status;

  g_test_init (&argc, &argv, NULL);
  folder = g_dir_make_tmp ("fumehood-confinement-XXXXXX", NULL);
  file = g_build_filename (folder, "file", NULL);
  g_file_set_contents (file, "text", -1, NULL);
  g_test_add_func ("/confinement/files", test_files);
  g_test_add_func ("/confinement/calls", test_calls);
  g_test_add_func ("/confinement/families", test_families);
  g_test_add_func ("/confinement/ports", test_ports);
  g_test_add_func ("/confinement/names-can-be-looked-up", test_names_can_be_looked_up);
  g_test_add_func ("/confinement/interfaces-can-be-listed", test_interfaces_can_be_listed);
  status = g_test_run ();
  g_unlink (file);
  g_rmdir (folder);
  g_free (file);
  g_free (folder);
  return status;
}
