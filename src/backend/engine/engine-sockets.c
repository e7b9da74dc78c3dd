/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "engine-sockets.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <glib/gi18n-lib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "container-volume.h"
#include "descriptor.h"
#include "engine-info.h"
#include "open-below.h"
#include "path-error.h"

#define SCHEME "unix://"

/* Bounds for reading Docker's contexts. */
#define CONTEXTS_MAX     64
#define CONTEXT_MAX_SIZE ((gsize) 64 << 10)

/* Bounds of the search: about as much as a project with all of its packages has. */
#define SEARCH_FOLDERS_MAX 65536
#define SEARCH_TIME_US     (30 * G_TIME_SPAN_SECOND)

/* Where engines usually listen, and where rootless ones do: in the user's home and in
 * $XDG_RUNTIME_DIR. */
static const char *const usual_sockets[] = {
  "/run/docker.sock",
  "/run/podman/podman.sock",
  "/run/containerd/containerd.sock",
};
static const char *const homes[] = {
  ".docker/desktop",
  ".docker/run",
  ".colima",
  ".lima",
  ".rd",
  ".orbstack",
  ".local/share/containers/podman/machine",
};
static const char *const runtime_places[] = { "docker.sock", "docker", "podman", "containerd" };

static void
add_endpoint (GPtrArray *places, const char *address)
{
  if (address != NULL && g_str_has_prefix (address, SCHEME "/"))
    g_ptr_array_add (places, g_strdup (address + strlen (SCHEME)));
}

/* A small file of the user's, or NULL. */
static char *
read_small_file (const char *path)
{
  g_autofree char *text = g_malloc (CONTEXT_MAX_SIZE + 1);
  fh_autofd int fd = open (path, O_RDONLY | O_NONBLOCK | O_NOCTTY | O_CLOEXEC);
  ssize_t size = -1;
  struct stat status;

  if (fd >= 0 && fstat (fd, &status) == 0 && S_ISREG (status.st_mode))
    size = read (fd, text, CONTEXT_MAX_SIZE + 1);
  if (size < 0 || (gsize) size > CONTEXT_MAX_SIZE)
    return NULL;
  text[size] = '\0';
  return g_steal_pointer (&text);
}

/* An address of Docker's client: {"Endpoints": {"docker": {"Host": "unix://…"}}} */
static void
add_context (GPtrArray *places, const char *path)
{
  g_autofree char *text = read_small_file (path);
  g_autoptr (JsonObject) context = text != NULL ? fh_engine_json_parse (text, NULL) : NULL;
  JsonObject *endpoints = fh_engine_json_object (context, "Endpoints");

  add_endpoint (places, fh_engine_json_text (fh_engine_json_object (endpoints, "docker"), "Host"));
}

static void
add_contexts (GPtrArray *places)
{
  const char *named = g_getenv ("DOCKER_CONFIG");
  g_autofree char *folder =
      named != NULL && g_path_is_absolute (named)
          ? g_build_filename (named, "contexts", "meta", NULL)
          : g_build_filename (g_get_home_dir (), ".docker", "contexts", "meta", NULL);
  g_autoptr (GDir) contexts = g_dir_open (folder, 0, NULL);
  const char *name;

  for (guint i = 0; contexts != NULL && i < CONTEXTS_MAX; i++)
    {
      g_autofree char *path = NULL;

      name = g_dir_read_name (contexts);
      if (name == NULL)
        return;
      path = g_build_filename (folder, name, "meta.json", NULL);
      add_context (places, path);
    }
}

/* The folder of this path, if it exists: the socket may be created later. */
static void
add_if_there (GPtrArray *places, char *path)
{
  if (g_file_test (path, G_FILE_TEST_EXISTS))
    g_ptr_array_add (places, path);
  else
    g_free (path);
}

/* Sockets and socket folders of engines: the one in use, the user's others, and the usual ones.
 * (element-type filename) */
static GPtrArray *
find_places (const FhEngineFacts *facts)
{
  GPtrArray *places = g_ptr_array_new_with_free_func (g_free);
  const char *runtime = g_getenv ("XDG_RUNTIME_DIR");

  add_endpoint (places, facts->endpoint);
  add_endpoint (places, g_getenv ("DOCKER_HOST"));
  add_endpoint (places, g_getenv ("CONTAINER_HOST"));
  add_contexts (places);
  for (guint i = 0; i < G_N_ELEMENTS (usual_sockets); i++)
    g_ptr_array_add (places, g_strdup (usual_sockets[i]));
  for (guint i = 0; i < G_N_ELEMENTS (homes); i++)
    add_if_there (places, g_build_filename (g_get_home_dir (), homes[i], NULL));
  for (guint i = 0; runtime != NULL && runtime[0] == '/' && i < G_N_ELEMENTS (runtime_places); i++)
    add_if_there (places, g_build_filename (runtime, runtime_places[i], NULL));
  return places;
}

static gboolean
is_engine_socket (const struct stat *status, const char *name, GPtrArray *places)
{
  if (fh_container_volume_is_socket_name (name))
    return TRUE;
  for (guint i = 0; i < places->len; i++)
    {
      struct stat place;

      if (stat (g_ptr_array_index (places, i), &place) == 0 && place.st_dev == status->st_dev &&
          place.st_ino == status->st_ino)
        return TRUE;
    }
  return FALSE;
}

typedef enum
{
  FOUND_NONE,
  FOUND_PERHAPS, /* not everything could be looked at */
  FOUND_SOCKET,
} Found;

typedef struct
{
  GPtrArray *places;
  int root;
  GQueue folders; /* paths below the root that are still to be searched, each owned */
  guint n_folders;
  gint64 deadline_us;
  Found found;
} Search;

static void
add_folder (Search *search, const char *path, const char *name)
{
  if (search->n_folders >= SEARCH_FOLDERS_MAX)
    {
      search->found = FOUND_PERHAPS;
      return;
    }
  search->n_folders++;
  g_queue_push_tail (&search->folders,
                     g_str_equal (path, ".") ? g_strdup (name)
                                             : g_strconcat (path, "/", name, NULL));
}

static void
look_at (Search *search, int folder, const char *path, const struct dirent *entry)
{
  struct stat status;

  if (g_str_equal (entry->d_name, ".") || g_str_equal (entry->d_name, ".."))
    return;
  /* Most entries are files, and their type is in the list already. */
  if ((entry->d_type != DT_UNKNOWN && entry->d_type != DT_SOCK && entry->d_type != DT_DIR) ||
      fstatat (folder, entry->d_name, &status, AT_SYMLINK_NOFOLLOW) != 0)
    return;
  if (S_ISDIR (status.st_mode))
    add_folder (search, path, entry->d_name);
  else if (S_ISSOCK (status.st_mode) && is_engine_socket (&status, entry->d_name, search->places))
    search->found = FOUND_SOCKET;
}

/* What the user may not open, a program with the user's rights cannot open either; and what has
 * gone meanwhile is not there. */
static gboolean
is_harmless (int code)
{
  return code == EACCES || code == EPERM || code == ENOENT || code == ENOTDIR || code == ELOOP;
}

static void
search_folder (Search *search, const char *path)
{
  /* A name may be replaced meanwhile: no link is followed. */
  fh_autofd int fd = fh_openat2 (search->root,
                                 path,
                                 O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_NONBLOCK,
                                 RESOLVE_BENEATH | RESOLVE_NO_SYMLINKS | RESOLVE_NO_MAGICLINKS);
  DIR *entries = fd >= 0 ? fdopendir (fd) : NULL;
  struct dirent *entry;

  if (entries == NULL)
    {
      if (!is_harmless (errno))
        search->found = FOUND_PERHAPS;
      return;
    }
  fh_steal_fd (&fd);
  while (search->found != FOUND_SOCKET && (entry = readdir (entries)) != NULL)
    {
      if (g_get_monotonic_time () >= search->deadline_us)
        {
          search->found = FOUND_PERHAPS;
          break;
        }
      look_at (search, dirfd (entries), path, entry);
    }
  closedir (entries);
}

static Found
find_socket (FhOpenedPath *shown, GPtrArray *places)
{
  Search search = { .places = places, .deadline_us = g_get_monotonic_time () + SEARCH_TIME_US };
  g_autofree char *name = g_path_get_basename (shown->path);
  const struct stat status = { .st_dev = shown->device, .st_ino = shown->inode };

  if (S_ISSOCK (shown->mode))
    return is_engine_socket (&status, name, places) ? FOUND_SOCKET : FOUND_NONE;
  if (!S_ISDIR (shown->mode))
    return FOUND_NONE;
  search.root = shown->fd;
  g_queue_init (&search.folders);
  g_queue_push_tail (&search.folders, g_strdup ("."));
  while (!g_queue_is_empty (&search.folders))
    {
      g_autofree char *path = g_queue_pop_head (&search.folders);

      if (search.found != FOUND_SOCKET && g_get_monotonic_time () < search.deadline_us)
        search_folder (&search, path);
      else if (search.found == FOUND_NONE)
        search.found = FOUND_PERHAPS;
    }
  return search.found;
}

static const char *const refusals[] = {
  [FOUND_NONE] = NULL,
  /* Translators: the path of a folder */
  [FOUND_PERHAPS] = N_ ("“%s” has so many files that they could not be searched for sockets of "
                        "container engines. A program that can use one controls this computer. "
                        "Choose a smaller folder."),
  /* Translators: the path of a folder */
  [FOUND_SOCKET] = N_ ("“%s” contains the socket of a container engine, and a program that can use "
                       "it controls this computer. Choose another folder."),
};

gboolean
fh_engine_sockets_check (FhOpenedPath *shown, const FhEngineFacts *facts, GError **error)
{
  g_autoptr (GPtrArray) places = NULL;
  Found found;

  g_return_val_if_fail (shown != NULL && facts != NULL, FALSE);

  places = find_places (facts);
  found = find_socket (shown, places);
  for (guint i = 0; found != FOUND_SOCKET && i < places->len; i++)
    {
      if (fh_opened_path_holds (shown, g_ptr_array_index (places, i)) ||
          fh_opened_path_lies_in (shown, g_ptr_array_index (places, i)))
        found = FOUND_SOCKET;
    }
  return found == FOUND_NONE || fh_path_refuse (error, _ (refusals[found]), shown->path);
}
