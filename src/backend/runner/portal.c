/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "portal.h"

#include <errno.h>
#include <fcntl.h>
#include <gio/gunixfdlist.h>
#include <glib/gi18n-lib.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include "descriptor.h"
#include "flatpak-info.h"
#include "hostile-folder.h"
#include "path-error.h"

#define NAME      "org.freedesktop.portal.Flatpak"
#define PATH      "/org/freedesktop/portal/Flatpak"
#define INTERFACE "org.freedesktop.portal.Flatpak"

/* The first call may have to start the portal. */
#define TIMEOUT_MS 10000

/* The sub-sandbox gets the app's network unless that is refused, and dies with our connection. */
#define SANDBOX    (1u << 2)
#define NO_NETWORK (1u << 3)
#define WATCH_BUS  (1u << 4)

typedef struct
{
  guint32 pid;
  guint32 wait_status;
} Exit;

/* Asks for the version, then spawns, then waits for the exit, which may be told before the reply
 * that names the process. `ended` is NULL when it is over. */
struct _FhPortalChild
{
  GObject parent_instance;

  FhPortalChildFunc ended;
  gpointer user_data;
  GCancellable *under_way;
  GUnixFDList *fds;
  GVariant *call;
  GDBusConnection *connection;
  guint exits; /* subscription */
  guint owner; /* watched name */
  gboolean has_owner;
  gboolean must_die;
  guint32 pid;   /* in the portal's eyes; 0: not yet known */
  GArray *early; /* of Exit */
};

G_DEFINE_FINAL_TYPE (FhPortalChild, fh_portal_child, G_TYPE_OBJECT)

static void
end (FhPortalChild *self, const char *step, int error, int wait_status)
{
  FhPortalChildFunc ended = g_steal_pointer (&self->ended);

  if (ended == NULL)
    return;
  if (self->exits != 0)
    g_dbus_connection_signal_unsubscribe (self->connection, self->exits);
  if (self->owner != 0)
    g_bus_unwatch_name (self->owner);
  self->exits = self->owner = 0;
  g_cancellable_cancel (self->under_way);
  ended (step, error, wait_status, self->user_data);
  g_object_unref (self);
}

static void
fail (FhPortalChild *self, const GError *error)
{
  int code = EACCES;

  g_debug ("the portal made no sub-sandbox: %s", error->message);
  if (g_error_matches (error, G_DBUS_ERROR, G_DBUS_ERROR_SERVICE_UNKNOWN) ||
      g_error_matches (error, G_DBUS_ERROR, G_DBUS_ERROR_NAME_HAS_NO_OWNER))
    code = ENOENT;
  else if (g_error_matches (error, G_IO_ERROR, G_IO_ERROR_TIMED_OUT) ||
           g_error_matches (error, G_DBUS_ERROR, G_DBUS_ERROR_NO_REPLY))
    code = ETIMEDOUT;
  else if (self->connection == NULL)
    code = ECONNREFUSED;
  end (self, "portal", code, -1);
}

static void
send_kill (FhPortalChild *self)
{
  g_dbus_connection_call (self->connection,
                          NAME,
                          PATH,
                          INTERFACE,
                          "SpawnSignal",
                          g_variant_new ("(uub)", self->pid, (guint32) SIGKILL, TRUE),
                          NULL,
                          G_DBUS_CALL_FLAGS_NO_AUTO_START,
                          TIMEOUT_MS,
                          NULL,
                          NULL,
                          NULL);
}

static void
exited_cb (GDBusConnection *connection,
           const char *sender,
           const char *path,
           const char *interface,
           const char *signal_name,
           GVariant *parameters,
           gpointer user_data)
{
  FhPortalChild *self = FH_PORTAL_CHILD (user_data);
  Exit gone;

  if (!g_variant_is_of_type (parameters, G_VARIANT_TYPE ("(uu)")))
    return;
  g_variant_get (parameters, "(uu)", &gone.pid, &gone.wait_status);
  if (self->pid == 0)
    g_array_append_val (self->early, gone);
  else if (gone.pid == self->pid)
    end (self, NULL, 0, (int) gone.wait_status);
}

static void
appeared_cb (GDBusConnection *connection, const char *name, const char *owner, gpointer user_data)
{
  FH_PORTAL_CHILD (user_data)->has_owner = TRUE;
}

/* The first call is made before the portal runs, if it has to be started. */
static void
vanished_cb (GDBusConnection *connection, const char *name, gpointer user_data)
{
  FhPortalChild *self = FH_PORTAL_CHILD (user_data);

  if (self->has_owner && self->pid != 0)
    end (self, NULL, 0, -1);
}

static void
spawned_cb (GObject *source, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (FhPortalChild) self = FH_PORTAL_CHILD (user_data);
  g_autoptr (GError) error = NULL;
  g_autoptr (GVariant) reply =
      g_dbus_connection_call_with_unix_fd_list_finish (G_DBUS_CONNECTION (source),
                                                       NULL,
                                                       result,
                                                       &error);

  if (self->ended == NULL)
    return;
  if (reply == NULL)
    {
      fail (self, error);
      return;
    }
  self->has_owner = TRUE;
  g_variant_get (reply, "(u)", &self->pid);
  for (guint i = 0; i < self->early->len; i++)
    {
      const Exit *gone = &g_array_index (self->early, Exit, i);

      if (gone->pid == self->pid)
        {
          end (self, NULL, 0, (int) gone->wait_status);
          return;
        }
    }
  if (self->must_die)
    send_kill (self);
}

static void
spawn (FhPortalChild *self)
{
  self->exits = g_dbus_connection_signal_subscribe (self->connection,
                                                    NAME,
                                                    INTERFACE,
                                                    "SpawnExited",
                                                    PATH,
                                                    NULL,
                                                    G_DBUS_SIGNAL_FLAGS_NONE,
                                                    exited_cb,
                                                    g_object_ref (self),
                                                    g_object_unref);
  self->owner = g_bus_watch_name_on_connection (self->connection,
                                                NAME,
                                                G_BUS_NAME_WATCHER_FLAGS_NONE,
                                                appeared_cb,
                                                vanished_cb,
                                                g_object_ref (self),
                                                g_object_unref);
  /* The call has no cancellable: a process that was started must be known, to be killed. */
  g_dbus_connection_call_with_unix_fd_list (self->connection,
                                            NAME,
                                            PATH,
                                            INTERFACE,
                                            "Spawn",
                                            self->call,
                                            G_VARIANT_TYPE ("(u)"),
                                            G_DBUS_CALL_FLAGS_NONE,
                                            TIMEOUT_MS,
                                            self->fds,
                                            NULL,
                                            spawned_cb,
                                            g_object_ref (self));
  /* The runner must be the only one that holds its end of the socket. */
  g_clear_object (&self->fds);
}

static void
version_cb (GObject *source, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (FhPortalChild) self = FH_PORTAL_CHILD (user_data);
  g_autoptr (GError) error = NULL;
  g_autoptr (GVariant) reply =
      g_dbus_connection_call_finish (G_DBUS_CONNECTION (source), result, &error);
  g_autoptr (GVariant) version = NULL;

  if (self->ended == NULL)
    return;
  if (reply == NULL)
    {
      fail (self, error);
      return;
    }
  g_variant_get (reply, "(v)", &version);
  if (!g_variant_is_of_type (version, G_VARIANT_TYPE_UINT32) ||
      g_variant_get_uint32 (version) < FH_PORTAL_MIN_VERSION)
    end (self, "portal-version", EPROTONOSUPPORT, -1);
  else if (self->must_die)
    end (self, "portal", ECANCELED, -1);
  else
    spawn (self);
}

static void
connected_cb (GObject *source, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (FhPortalChild) self = FH_PORTAL_CHILD (user_data);
  g_autoptr (GError) error = NULL;

  self->connection = g_bus_get_finish (result, &error);
  if (self->ended == NULL)
    return;
  if (self->connection == NULL)
    {
      fail (self, error);
      return;
    }
  g_dbus_connection_set_exit_on_close (self->connection, FALSE);
  g_dbus_connection_call (self->connection,
                          NAME,
                          PATH,
                          "org.freedesktop.DBus.Properties",
                          "Get",
                          g_variant_new ("(ss)", INTERFACE, "version"),
                          G_VARIANT_TYPE ("(v)"),
                          G_DBUS_CALL_FLAGS_NONE,
                          TIMEOUT_MS,
                          self->under_way,
                          version_cb,
                          g_object_ref (self));
}

static void
fh_portal_child_finalize (GObject *object)
{
  FhPortalChild *self = FH_PORTAL_CHILD (object);

  g_clear_object (&self->under_way);
  g_clear_object (&self->fds);
  g_clear_object (&self->connection);
  g_clear_pointer (&self->call, g_variant_unref);
  g_array_unref (self->early);

  G_OBJECT_CLASS (fh_portal_child_parent_class)->finalize (object);
}

static void
fh_portal_child_class_init (FhPortalChildClass *klass)
{
  G_OBJECT_CLASS (klass)->finalize = fh_portal_child_finalize;
}

static void
fh_portal_child_init (FhPortalChild *self)
{
  self->under_way = g_cancellable_new ();
  self->fds = g_unix_fd_list_new ();
  self->early = g_array_new (FALSE, FALSE, sizeof (Exit));
}

static gboolean
build_call (FhPortalChild *self, const FhPortalSpawn *spawn, GError **error)
{
  GVariantBuilder fds;
  GVariantBuilder options;
  gint32 handle = 0;

  g_variant_builder_init (&fds, G_VARIANT_TYPE ("a{uh}"));
  for (guint i = 0; i < spawn->n_fds && handle >= 0; i++)
    {
      handle = g_unix_fd_list_append (self->fds, spawn->fds[i], error);
      g_variant_builder_add (&fds, "{uh}", i, handle);
    }
  g_variant_builder_init (&options, G_VARIANT_TYPE ("a{sv}"));
  if (handle >= 0)
    handle = g_unix_fd_list_append (self->fds, spawn->folder, error);
  g_variant_builder_add (
      &options,
      "{sv}",
      "sandbox-expose-fd",
      g_variant_new_fixed_array (G_VARIANT_TYPE_HANDLE, &handle, 1, sizeof handle));
  self->call = g_variant_ref_sink (g_variant_new ("(^ay^aay@a{uh}@a{ss}u@a{sv})",
                                                  "/",
                                                  spawn->argv,
                                                  g_variant_builder_end (&fds),
                                                  g_variant_new ("a{ss}", NULL),
                                                  SANDBOX | NO_NETWORK | WATCH_BUS,
                                                  g_variant_builder_end (&options)));
  return handle >= 0;
}

/* It is told in a later turn, when the caller has the child. */
static gboolean
shortage_cb (gpointer user_data)
{
  end (FH_PORTAL_CHILD (user_data), "portal", EMFILE, -1);
  return G_SOURCE_REMOVE;
}

FhPortalChild *
fh_portal_child_new (const FhPortalSpawn *spawn, FhPortalChildFunc ended, gpointer user_data)
{
  FhPortalChild *self;
  g_autoptr (GError) error = NULL;

  self = g_object_new (FH_TYPE_PORTAL_CHILD, NULL);
  self->ended = ended;
  self->user_data = user_data;
  g_object_ref (self);
  if (build_call (self, spawn, &error))
    g_bus_get (G_BUS_TYPE_SESSION, self->under_way, connected_cb, g_object_ref (self));
  else
    g_idle_add_full (G_PRIORITY_DEFAULT, shortage_cb, g_object_ref (self), g_object_unref);
  return self;
}

void
fh_portal_child_kill (FhPortalChild *self)
{
  if (self->ended == NULL)
    return;
  self->must_die = TRUE;
  if (self->pid != 0)
    send_kill (self);
}

/* The folder */

#define PREFIX     "sandbox-"
#define NEW_PREFIX FH_LEFTOVER_NEW PREFIX

/* (transfer full) */
static char *
cache_folder (void)
{
  return g_build_filename (g_get_user_cache_dir (), "fumehood", NULL);
}

static gpointer
remove_leftovers (gpointer unused)
{
  g_autofree char *path = cache_folder ();
  fh_autofd int parent = open (path, O_RDONLY | O_DIRECTORY | O_CLOEXEC);

  if (parent >= 0)
    fh_hostile_folder_remove_leftovers (parent, PREFIX);
  return NULL;
}

/* Removes leftovers meanwhile, in a thread. */
static FhPortalFolder *
folder_new (GError **error)
{
  g_autoptr (FhPortalFolder) self = g_new0 (FhPortalFolder, 1);
  g_autofree char *cache = cache_folder ();
  g_autofree char *made = NULL;

  g_thread_unref (g_thread_new ("leftovers", remove_leftovers, NULL));
  self->handle = self->lock = -1;
  made = g_build_filename (cache, NEW_PREFIX "XXXXXX", NULL);
  if (g_mkdir_with_parents (cache, 0700) == 0 && mkdtemp (made) != NULL &&
      (self->handle = open (made, O_PATH | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC)) >= 0 &&
      (self->lock = openat (self->handle, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC)) >= 0 &&
      flock (self->lock, LOCK_EX | LOCK_NB) == 0)
    {
      self->path = g_build_filename (cache, strstr (made, PREFIX), NULL);
      if (rename (made, self->path) == 0)
        return g_steal_pointer (&self);
    }
  fh_path_error (error,
                 errno,
                 /* Translators: the path of a folder, then the system's reason. */
                 _ ("Could not make the folder “%s” for the program’s files: %s."),
                 made);
  return NULL;
}

void
fh_portal_folder_leave (FhPortalFolder *self)
{
  if (self->path != NULL)
    rmdir (self->path);
}

void
fh_portal_folder_free (FhPortalFolder *self)
{
  if (self == NULL)
    return;
  fh_portal_folder_leave (self);
  fh_clear_fd (&self->handle);
  fh_clear_fd (&self->lock);
  g_free (self->path);
  g_free (self);
}

gboolean
fh_portal_folder_prepare (struct fh_policy *policy, FhPortalFolder **folder, GError **error)
{
  g_autoptr (FhPortalFolder) self = NULL;
  struct stat info;

  *folder = NULL;
  if (policy->tier != FH_WIRE_TIER_PORTAL)
    return TRUE;
  g_return_val_if_fail (policy->n_proofs == 0, FALSE);

  self = folder_new (error);
  if (self == NULL)
    return FALSE;
  if (fstat (self->handle, &info) != 0)
    return fh_errno_error (error, errno, NULL);
  policy->proofs = g_new0 (struct fh_proof, 1);
  policy->n_proofs = 1;
  policy->proofs[0] = (struct fh_proof){ g_strdup (self->path), info.st_dev, info.st_ino };
  if (fh_flatpak_is_old ())
    policy->flags |= FH_POLICY_OLD_PORTAL;
  *folder = g_steal_pointer (&self);
  return TRUE;
}
