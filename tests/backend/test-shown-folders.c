/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Folders with the socket of an engine in them are shown to no container, whatever they are called.
 */
#include "shown-folders.h"

#include <glib/gstdio.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

#include "run-error.h"

typedef struct
{
  char *folder;
  char *holder; /* in it: where the socket is */
  char *socket;
  char *link; /* to the holder */
  char *other;
  char *endpoint;
} Room;

static void
set_up (Room *room, gconstpointer data)
{
  struct sockaddr_un address = { .sun_family = AF_UNIX };
  int fd = socket (AF_UNIX, SOCK_STREAM, 0);

  room->folder = g_dir_make_tmp ("fh-shown-XXXXXX", NULL);
  room->holder = g_build_filename (room->folder, "holder", NULL);
  room->socket = g_build_filename (room->holder, "socket", NULL);
  room->link = g_build_filename (room->folder, "link", NULL);
  room->other = g_build_filename (room->folder, "other", NULL);
  room->endpoint = g_strconcat ("unix://", room->socket, NULL);
  g_assert_cmpint (g_mkdir (room->holder, 0700), ==, 0);
  g_assert_cmpint (g_mkdir (room->other, 0700), ==, 0);
  g_assert_cmpint (symlink ("holder", room->link), ==, 0);
  g_strlcpy (address.sun_path, room->socket, sizeof address.sun_path);
  g_assert_cmpint (bind (fd, (struct sockaddr *) &address, sizeof address), ==, 0);
  close (fd);
  g_unsetenv ("DOCKER_HOST");
  g_unsetenv ("CONTAINER_HOST");
}

static void
tear_down (Room *room, gconstpointer data)
{
  g_unsetenv ("DOCKER_HOST");
  g_unlink (room->socket);
  g_unlink (room->link);
  g_rmdir (room->holder);
  g_rmdir (room->other);
  g_rmdir (room->folder);
  g_free (room->folder);
  g_free (room->holder);
  g_free (room->socket);
  g_free (room->link);
  g_free (room->other);
  g_free (room->endpoint);
}

static gboolean
may_show (const char *folder, const char *endpoint, gboolean is_remote)
{
  g_autofree char *volume = g_strconcat (folder, ":/data", NULL);
  const char *const volumes[] = { volume, NULL };
  const FhContainerOptions shown = { .volumes = volumes };
  const FhContainerOptions worked = { .work_dir = folder };
  const FhContainerOptions bound = { .bind_dir = folder };
  const FhEngineFacts engine = { .endpoint = endpoint, .is_remote = is_remote };
  g_autoptr (GError) error = NULL;
  gboolean may = fh_shown_folders_check (&shown, &engine, &error);

  if (!may)
    g_assert_error (error, FH_RUN_ERROR, FH_RUN_ERROR_INVALID);
  g_assert_cmpint (fh_shown_folders_check (&worked, &engine, NULL), ==, may);
  g_assert_cmpint (fh_shown_folders_check (&bound, &engine, NULL), ==, may);
  return may;
}

static void
test_socket (Room *room, gconstpointer data)
{
  g_autofree char *missing = g_build_filename (room->folder, "missing", NULL);

  g_assert_false (may_show (room->socket, room->endpoint, FALSE));
  g_assert_false (may_show (room->holder, room->endpoint, FALSE));
  g_assert_false (may_show (room->folder, room->endpoint, FALSE));
  g_assert_false (may_show (room->link, room->endpoint, FALSE));
  g_assert_true (may_show (room->other, room->endpoint, FALSE));
  g_assert_true (may_show (missing, room->endpoint, FALSE));
  g_assert_true (may_show (room->holder, NULL, FALSE));
  g_assert_true (may_show (room->holder, "ssh://host", FALSE));
}

static void
test_remote (Room *room, gconstpointer data)
{
  g_assert_true (may_show (room->holder, room->endpoint, TRUE));
}

/* The user's engine, though it is another one that is used. */
static void
test_other_engine (Room *room, gconstpointer data)
{
  g_setenv ("DOCKER_HOST", room->endpoint, TRUE);
  g_assert_false (may_show (room->holder, "unix:///none.sock", FALSE));
  g_assert_true (may_show (room->other, "unix:///none.sock", FALSE));
}

static void
test_link_to_the_system (Room *room, gconstpointer data)
{
  g_autofree char *volume = g_strconcat (room->link, ":/data", NULL);
  const char *const volumes[] = { volume, NULL };
  const FhContainerOptions shown = { .volumes = volumes };
  const FhEngineFacts engine = { .endpoint = NULL };

  g_assert_cmpint (g_unlink (room->link), ==, 0);
  g_assert_cmpint (symlink ("/proc", room->link), ==, 0);
  g_assert_false (fh_shown_folders_check (&shown, &engine, NULL));
}

int
main (int argc, char *argv[])
{
  g_test_init (&argc, &argv, NULL);
  g_test_add ("/shown-folders/socket", Room, NULL, set_up, test_socket, tear_down);
  g_test_add ("/shown-folders/remote", Room, NULL, set_up, test_remote, tear_down);
  g_test_add ("/shown-folders/other-engine", Room, NULL, set_up, test_other_engine, tear_down);
  g_test_add ("/shown-folders/link-to-the-system",
              Room,
              NULL,
              set_up,
              test_link_to_the_system,
              tear_down);
  return g_test_run ();
}
