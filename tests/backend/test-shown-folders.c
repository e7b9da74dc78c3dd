/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Folders with the socket of an engine in them are shown to no container, whatever they are called.
 */
#include "container-folders.h"

#include <fcntl.h>
#include <glib/gstdio.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <unistd.h>

#include "hostile-folder.h"
#include "own-folder.h"
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
remove_folder (const char *path)
{
  g_autofree char *parent = g_path_get_dirname (path);
  g_autofree char *name = g_path_get_basename (path);
  int fd = open (parent, O_RDONLY | O_DIRECTORY | O_CLOEXEC);

  g_assert_true (fh_hostile_folder_remove (fd, name, 10000));
  close (fd);
}

static void
tear_down (Room *room, gconstpointer data)
{
  g_unsetenv ("DOCKER_HOST");
  remove_folder (room->folder);
  g_free (room->folder);
  g_free (room->holder);
  g_free (room->socket);
  g_free (room->link);
  g_free (room->other);
  g_free (room->endpoint);
}

static gboolean
is_refused (GError *error)
{
  if (error == NULL)
    return FALSE;
  g_assert_error (error, FH_RUN_ERROR, FH_RUN_ERROR_INVALID);
  return TRUE;
}

static gboolean
opens_volume (const char *host, const char *more, FhContainerOptions options, FhEngineFacts engine)
{
  g_autofree char *volume = g_strconcat (host, ":/data", more, NULL);
  const char *const volumes[] = { volume, NULL };
  g_autoptr (GError) error = NULL;
  g_autoptr (FhContainerFolders) opened = NULL;

  options.volumes = volumes;
  opened = fh_container_folders_new (&options, &engine, NULL, TRUE, &error);
  if (error != NULL)
    g_test_message ("%s", error->message);
  g_assert_cmpint (opened == NULL, ==, is_refused (error));
  return opened != NULL;
}

static gboolean
may_show (const char *folder, const char *endpoint, gboolean is_remote)
{
  const FhEngineFacts engine = { .endpoint = endpoint, .is_remote = is_remote };
  const FhContainerOptions options = { .bind_dir = folder };
  g_autoptr (FhContainerFolders) bound = NULL;
  g_autoptr (GError) error = NULL;
  gboolean may = opens_volume (folder, "", (FhContainerOptions){ 0 }, engine);

  /* A socket or a file is no work folder anyway, and what is not there would be made. */
  if (g_file_test (folder, G_FILE_TEST_IS_DIR))
    {
      bound = fh_container_folders_new (&options, &engine, "fh-test", TRUE, &error);
      g_assert_cmpint (bound != NULL, ==, may);
      g_assert_cmpint (is_refused (error), !=, may);
    }
  return may;
}

static void
test_socket (Room *room, gconstpointer data)
{
  g_autofree char *missing = g_build_filename (room->folder, "missing", NULL);

  g_assert_false (may_show (room->socket, room->endpoint, FALSE));
  g_assert_false (may_show (room->holder, room->endpoint, FALSE));
  g_assert_false (may_show (room->folder, room->endpoint, FALSE));
  g_assert_true (may_show (room->other, room->endpoint, FALSE));
  g_assert_false (may_show (missing, room->endpoint, FALSE));
  g_assert_true (may_show (missing, room->endpoint, TRUE));
  g_assert_true (may_show (room->holder, NULL, FALSE));
  g_assert_true (may_show (room->holder, "ssh://host", FALSE));
}

/* The port of an engine may be this computer's own. */
static void
test_remote (Room *room, gconstpointer data)
{
  g_assert_false (may_show (room->holder, room->endpoint, TRUE));
  g_assert_false (may_show (room->link, "tcp://127.0.0.1:2375", TRUE));
  g_assert_true (may_show (room->other, "tcp://127.0.0.1:2375", TRUE));
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
put_context (Room *room, const char *content)
{
  g_autofree char *folder = g_build_filename (room->other, "contexts", "meta", "0123", NULL);
  g_autofree char *path = g_build_filename (folder, "meta.json", NULL);

  g_assert_cmpint (g_mkdir_with_parents (folder, 0700), ==, 0);
  g_assert_true (g_file_set_contents (path, content, -1, NULL));
}

/* One that Docker's client can be told to use. */
static void
test_context (Room *room, gconstpointer data)
{
  g_autofree char *content =
      g_strdup_printf ("{\"Endpoints\": {\"docker\": {\"Host\": \"%s\"}}}", room->endpoint);

  g_setenv ("DOCKER_CONFIG", room->other, TRUE);
  g_assert_true (may_show (room->holder, NULL, FALSE));
  put_context (room, content);
  g_assert_false (may_show (room->holder, NULL, FALSE));
  g_assert_cmpint (g_unlink (room->socket), ==, 0);
  g_assert_false (may_show (room->holder, NULL, FALSE));
  put_context (room, "{\"Endpoints\": [");
  g_assert_true (may_show (room->holder, NULL, FALSE));
  /* What the client knows of engines, such as how to log in. */
  g_assert_false (opens_volume (room->other, "", (FhContainerOptions){ 0 }, (FhEngineFacts){ 0 }));
  g_unsetenv ("DOCKER_CONFIG");
}

/* Another name of the same socket, and one that is called as they are. */
static void
test_other_names (Room *room, gconstpointer data)
{
  g_autofree char *deep = g_build_filename (room->other, "a", "b", NULL);
  g_autofree char *same = g_build_filename (deep, "same", NULL);
  g_autofree char *named = g_build_filename (deep, "docker.sock", NULL);

  g_assert_cmpint (g_mkdir_with_parents (deep, 0700), ==, 0);
  g_assert_cmpint (link (room->socket, same), ==, 0);
  g_assert_true (may_show (room->other, NULL, FALSE));
  g_assert_false (may_show (room->other, room->endpoint, FALSE));
  g_assert_cmpint (rename (same, named), ==, 0);
  g_assert_false (may_show (room->other, NULL, FALSE));
}

/* As many files and folders as a large project has. */
static void
test_large (Room *room, gconstpointer data)
{
  for (guint i = 0; i < 100; i++)
    {
      g_autofree char *folder = g_strdup_printf ("%s/%03u", room->other, i);

      g_assert_cmpint (g_mkdir (folder, 0700), ==, 0);
    }
  for (guint i = 0; i < 3000; i++)
    {
      g_autofree char *file = g_strdup_printf ("%s/099/%u", room->other, i);
      int fd = g_creat (file, 0600);

      g_assert_cmpint (fd, >=, 0);
      close (fd);
    }
  g_assert_true (may_show (room->other, room->endpoint, FALSE));
  for (guint i = 0; i < 100; i++)
    {
      g_autofree char *same = g_strdup_printf ("%s/%03u/docker.sock", room->other, i);

      g_assert_cmpint (link (room->socket, same), ==, 0);
      g_assert_false (may_show (room->other, NULL, FALSE));
      g_assert_cmpint (g_unlink (same), ==, 0);
    }
}

/* The longest path that the kernel takes is exceeded. */
static void
test_too_deep (Room *room, gconstpointer data)
{
  g_autofree char *name = g_strnfill (200, 'x');
  int fd = open (room->other, O_RDONLY | O_DIRECTORY | O_CLOEXEC);

  for (guint i = 0; i < 22; i++)
    {
      int next;

      g_assert_cmpint (mkdirat (fd, name, 0700), ==, 0);
      next = openat (fd, name, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
      g_assert_cmpint (next, >=, 0);
      close (fd);
      fd = next;
    }
  close (fd);
  g_assert_false (may_show (room->other, room->endpoint, FALSE));
}

static void
test_links (Room *room, gconstpointer data)
{
  g_autofree char *volume = g_build_filename (room->link, "x", NULL);

  g_assert_true (may_show (room->holder, NULL, FALSE));
  g_assert_false (may_show (room->link, NULL, FALSE));
  g_assert_cmpint (g_unlink (room->link), ==, 0);
  g_assert_cmpint (symlink ("/proc", room->link), ==, 0);
  g_assert_false (may_show (room->link, NULL, FALSE));
  g_assert_false (may_show (volume, NULL, TRUE));
  /* Of the system, and not to be changed by others. */
  if (g_file_test ("/bin", G_FILE_TEST_IS_SYMLINK) && geteuid () != 0)
    g_assert_true (opens_volume ("/bin", "", (FhContainerOptions){ 0 }, (FhEngineFacts){ 0 }));
}

/* What can be changed must be a folder of work. */
static void
test_writable (Room *room, gconstpointer data)
{
  const FhContainerOptions none = { 0 };
  const FhEngineFacts here = { 0 };
  g_autofree char *keys = g_build_filename (g_get_home_dir (), ".ssh", NULL);
  g_autofree char *own = g_build_filename (g_get_user_state_dir (), "fumehood", NULL);

  g_assert_cmpint (g_mkdir_with_parents (keys, 0700), ==, 0);
  g_assert_cmpint (g_mkdir_with_parents (own, 0700), ==, 0);
  g_assert_true (opens_volume (room->other, ":rw", none, here));
  g_assert_true (opens_volume ("/usr/share", "", none, here));
  g_assert_false (opens_volume ("/usr/share", ":rw", none, here));
  g_assert_false (opens_volume (g_get_home_dir (), ":rw", none, here));
  g_assert_false (opens_volume (g_get_user_config_dir (), ":rw", none, here));
  g_assert_false (opens_volume (keys, "", none, here));
  g_assert_false (opens_volume (own, "", none, here));
  g_assert_false (opens_volume (own, ":rw", none, here));
}

/* User 0 of an engine that is the system's could read and change what the user cannot. */
static void
test_root (Room *room, gconstpointer data)
{
  const FhContainerOptions root = { .is_root = TRUE };
  const FhEngineFacts system = { .kind = FH_ENGINE_DOCKER };
  const FhEngineFacts rootless = { .kind = FH_ENGINE_DOCKER, .is_rootless = TRUE };
  const FhEngineFacts elsewhere = { .kind = FH_ENGINE_DOCKER, .is_remote = TRUE };
  g_autofree char *file = g_build_filename (room->other, "file", NULL);

  g_assert_true (g_file_set_contents (file, "x", -1, NULL));
  g_assert_true (opens_volume (room->other, ":rw", root, rootless));
  if (geteuid () == 0)
    return;
  g_assert_false (opens_volume (room->other, ":rw", root, system));
  g_assert_false (opens_volume (room->other, "", root, system));
  g_assert_false (opens_volume (file, ":rw", root, system));
  g_assert_true (opens_volume (file, "", root, system));
  g_assert_false (opens_volume ("/nonexistent/x", "", root, elsewhere));
  g_assert_cmpint (chmod (file, 0), ==, 0);
  g_assert_false (opens_volume (file, "", root, system));
}

#define ADD(name, function)                                                                        \
  g_test_add ("/shown-folders/" name, Room, NULL, set_up, function, tear_down)

int
main (int argc, char *argv[])
{
  int status;

  own_folder_be_home ();
  g_test_init (&argc, &argv, NULL);
  ADD ("socket", test_socket);
  ADD ("remote", test_remote);
  ADD ("other-engine", test_other_engine);
  ADD ("context", test_context);
  ADD ("other-names", test_other_names);
  ADD ("large", test_large);
  ADD ("too-deep", test_too_deep);
  ADD ("links", test_links);
  ADD ("writable", test_writable);
  ADD ("root", test_root);
  status = g_test_run ();
  own_folder_end ();
  return status;
}
