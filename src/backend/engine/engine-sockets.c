/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "engine-sockets.h"

#include <dirent.h>
#include <fcntl.h>
#include <glib/gi18n-lib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "container-volume.h"
#include "engine-info.h"
#include "run-error.h"

#define SCHEME "unix://"

/* Of Docker's contexts. */
#define CONTEXTS_MAX     64
#define CONTEXT_MAX_SIZE ((gsize) 64 << 10)

/* How many entries of a folder are searched. */
#define SEARCH_ENTRIES_MAX 2048
#define SEARCH_FOLDERS_MAX 64
#define SEARCH_TIME_US     (100 * G_TIME_SPAN_MILLISECOND)

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
  int fd = open (path, O_RDONLY | O_NONBLOCK | O_NOCTTY | O_CLOEXEC);
  ssize_t size = -1;
  struct stat status;

  if (fd >= 0 && fstat (fd, &status) == 0 && S_ISREG (status.st_mode))
    size = read (fd, text, CONTEXT_MAX_SIZE + 1);
  if (fd >= 0)
    close (fd);
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

/* Folders to search, each as its descriptor. */
typedef struct
{
  GPtrArray *places;
  GQueue folders;
  guint n_folders;
  guint n_entries;
  gint64 deadline_us;
} Search;

static gboolean
meets_socket (Search *search, int folder, const char *name)
{
  struct stat status;
  int fd;

  if (fstatat (folder, name, &status, AT_SYMLINK_NOFOLLOW) != 0)
    return FALSE;
  if (S_ISSOCK (status.st_mode))
    return is_engine_socket (&status, name, search->places);
  if (!S_ISDIR (status.st_mode) || search->n_folders >= SEARCH_FOLDERS_MAX)
    return FALSE;
  fd = openat (folder, name, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
  if (fd < 0)
    return FALSE;
  search->n_folders++;
  g_queue_push_tail (&search->folders, GINT_TO_POINTER (fd));
  return FALSE;
}

/* Consumes the descriptor. */
static gboolean
folder_has_socket (Search *search, int folder)
{
  DIR *entries = fdopendir (folder);
  struct dirent *entry;
  gboolean is_found = FALSE;

  if (entries == NULL)
    {
      close (folder);
      return FALSE;
    }
  while (!is_found && search->n_entries < SEARCH_ENTRIES_MAX &&
         g_get_monotonic_time () < search->deadline_us && (entry = readdir (entries)) != NULL)
    {
      if (g_str_equal (entry->d_name, ".") || g_str_equal (entry->d_name, ".."))
        continue;
      search->n_entries++;
      is_found = meets_socket (search, dirfd (entries), entry->d_name);
    }
  closedir (entries);
  return is_found;
}

static gboolean
has_socket (FhOpenedPath *shown, GPtrArray *places)
{
  Search search = { .places = places, .deadline_us = g_get_monotonic_time () + SEARCH_TIME_US };
  g_autofree char *name = g_path_get_basename (shown->path);
  const struct stat status = { .st_dev = shown->device, .st_ino = shown->inode };
  int fd = S_ISDIR (shown->mode) ? fh_opened_path_read_folder (shown) : -1;
  gboolean is_found = FALSE;

  if (S_ISSOCK (shown->mode))
    return is_engine_socket (&status, name, places);
  g_queue_init (&search.folders);
  if (fd >= 0)
    g_queue_push_tail (&search.folders, GINT_TO_POINTER (fd));
  while (!g_queue_is_empty (&search.folders))
    {
      fd = GPOINTER_TO_INT (g_queue_pop_head (&search.folders));
      if (is_found)
        close (fd);
      else
        is_found = folder_has_socket (&search, fd);
    }
  return is_found;
}

gboolean
fh_engine_sockets_check (FhOpenedPath *shown, const FhEngineFacts *facts, GError **error)
{
  g_autoptr (GPtrArray) places = NULL;
  g_autofree char *name = NULL;
  gboolean is_found;

  g_return_val_if_fail (shown != NULL && facts != NULL, FALSE);

  places = find_places (facts);
  is_found = has_socket (shown, places);
  for (guint i = 0; !is_found && i < places->len; i++)
    is_found = fh_opened_path_holds (shown, g_ptr_array_index (places, i)) ||
               fh_opened_path_lies_in (shown, g_ptr_array_index (places, i));
  if (!is_found)
    return TRUE;
  name = g_filename_display_name (shown->path);
  g_set_error (error,
               FH_RUN_ERROR,
               FH_RUN_ERROR_INVALID,
               /* Translators: the path of a folder */
               _ ("“%s” contains the socket of a container engine, and a program that can use it "
                  "controls this computer. Choose another folder."),
               name);
  return FALSE;
}
