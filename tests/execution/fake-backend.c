/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "fake-backend.h"

#include <glib/gstdio.h>

#include "run-driver.h"
#include "run-error.h"

#define FAKE_TYPE_SANDBOX (fake_sandbox_get_type ())
G_DECLARE_FINAL_TYPE (FakeSandbox, fake_sandbox, FAKE, SANDBOX, GObject)

struct _FakeBackend
{
  FhBackend parent_instance;

  gboolean may_run;
  char *reason;
  char *failure;
  FhRun *run;
  guint n_runs;
  guint n_warm;
  FhSandbox *warm; /* weak */
  guint n_prepared;
  FhSandbox *prepared; /* weak */
  guint n_stops;
};

/* Letting it go ends its run, as that of a real one. */
struct _FakeSandbox
{
  GObject parent_instance;

  FakeBackend *backend;
  FhRun *run;
};

static void sandbox_iface_init (FhSandboxInterface *iface);

G_DEFINE_FINAL_TYPE (FakeBackend, fake_backend, FH_TYPE_BACKEND)
G_DEFINE_FINAL_TYPE_WITH_CODE (FakeSandbox,
                               fake_sandbox,
                               G_TYPE_OBJECT,
                               G_IMPLEMENT_INTERFACE (FH_TYPE_SANDBOX, sandbox_iface_init))

static void
finish (FhRun *run, FhRunStatus status, int exit_code)
{
  FhRunOutcome outcome = {
    .status = status,
    .exit_code = exit_code,
    .signal = -1,
    .wall_us = 20000,
  };

  fh_run_finish (run, &outcome);
}

static void
stop_requested_cb (FakeBackend *self, gboolean by_force, FhRun *run)
{
  self->n_stops++;
  if (by_force)
    finish (run, FH_RUN_STATUS_STOPPED, -1);
}

static FhRun *
fake_sandbox_run (FhSandbox *sandbox, FhRunRequest *request)
{
  FakeSandbox *self = FAKE_SANDBOX (sandbox);

  g_assert_true (self->run == NULL || fh_run_get_state (self->run) == FH_RUN_FINISHED);
  g_clear_object (&self->run);
  self->run = fh_run_new (request, "fake");
  g_signal_connect_object (self->run,
                           "stop-requested",
                           G_CALLBACK (stop_requested_cb),
                           self->backend,
                           G_CONNECT_SWAPPED);
  g_set_object (&self->backend->run, self->run);
  self->backend->n_runs++;
  fh_run_started (self->run);
  return g_object_ref (self->run);
}

static void
fake_sandbox_prepare (FhSandbox *sandbox, FhRunRequest *request)
{
  FakeBackend *backend = FAKE_SANDBOX (sandbox)->backend;

  backend->n_prepared++;
  g_set_weak_pointer (&backend->prepared, sandbox);
}

static void
fake_sandbox_keep_warm (FhSandbox *sandbox, FhRunRequest *like, const char *const *modules)
{
  FakeBackend *backend = FAKE_SANDBOX (sandbox)->backend;

  g_assert_cmpstr (modules[0], ==, "json");
  backend->n_warm++;
  g_set_weak_pointer (&backend->warm, sandbox);
}

static void
fake_sandbox_dispose (GObject *object)
{
  FakeSandbox *self = FAKE_SANDBOX (object);

  if (self->run != NULL)
    finish (self->run, FH_RUN_STATUS_STOPPED, -1);
  g_clear_object (&self->run);
  g_clear_object (&self->backend);

  G_OBJECT_CLASS (fake_sandbox_parent_class)->dispose (object);
}

static void
fake_sandbox_class_init (FakeSandboxClass *klass)
{
  G_OBJECT_CLASS (klass)->dispose = fake_sandbox_dispose;
}

static void
fake_sandbox_init (FakeSandbox *self)
{
}

static void
sandbox_iface_init (FhSandboxInterface *iface)
{
  iface->run = fake_sandbox_run;
  iface->prepare = fake_sandbox_prepare;
  iface->keep_warm = fake_sandbox_keep_warm;
}

static FhSandbox *
fake_backend_prepare (FhBackend *backend, FhRunRequest *request)
{
  FakeSandbox *sandbox = g_object_new (FAKE_TYPE_SANDBOX, NULL);

  sandbox->backend = g_object_ref (FAKE_BACKEND (backend));
  return FH_SANDBOX (sandbox);
}

static FhBackendProbe *
new_probe (FakeBackend *self)
{
  FhBackendProbe *probe = g_new0 (FhBackendProbe, 1);

  probe->may_run = self->may_run;
  probe->tier = g_strdup (self->may_run ? "A" : "");
  probe->reason = g_strdup (self->reason);
  probe->guards = g_ptr_array_new_with_free_func (g_object_unref);
  for (guint i = 0; i < FH_N_GUARDS; i++)
    g_ptr_array_add (
        probe->guards,
        fh_guard_state_new ((FhGuard) i,
                            self->reason != NULL && i == FH_GUARD_MEMORY ? FH_GUARD_LEVEL_DEGRADED
                                                                         : FH_GUARD_LEVEL_ACTIVE,
                            "nothing at all",
                            self->reason != NULL && i == FH_GUARD_MEMORY ? "no-cgroup" : NULL));
  return probe;
}

static void
fake_backend_probe (FhBackend *backend, GTask *task)
{
  FakeBackend *self = FAKE_BACKEND (backend);

  if (self->failure != NULL)
    g_task_return_new_error (task, FH_RUN_ERROR, FH_RUN_ERROR_UNAVAILABLE, "%s", self->failure);
  else
    g_task_return_pointer (task, new_probe (self), (GDestroyNotify) fh_backend_probe_free);
}

static void
fake_backend_finalize (GObject *object)
{
  FakeBackend *self = FAKE_BACKEND (object);

  g_clear_object (&self->run);
  g_free (self->reason);
  g_free (self->failure);

  G_OBJECT_CLASS (fake_backend_parent_class)->finalize (object);
}

static void
fake_backend_class_init (FakeBackendClass *klass)
{
  FhBackendClass *backend_class = FH_BACKEND_CLASS (klass);

  G_OBJECT_CLASS (klass)->finalize = fake_backend_finalize;
  backend_class->prepare = fake_backend_prepare;
  backend_class->probe = fake_backend_probe;
}

static void
fake_backend_init (FakeBackend *self)
{
  self->may_run = TRUE;
}

FakeBackend *
fake_backend_new (void)
{
  return g_object_new (FAKE_TYPE_BACKEND, NULL);
}

void
fake_backend_set_probe (FakeBackend *self, gboolean may_run, const char *reason)
{
  self->may_run = may_run;
  g_free (self->reason);
  self->reason = g_strdup (reason);
  g_clear_pointer (&self->failure, g_free);
}

void
fake_backend_fail_probe (FakeBackend *self, const char *message)
{
  g_free (self->failure);
  self->failure = g_strdup (message);
}

FhRun *
fake_backend_get_run (FakeBackend *self)
{
  return self->run;
}

guint
fake_backend_get_n_runs (FakeBackend *self)
{
  return self->n_runs;
}

guint
fake_backend_get_n_prepared (FakeBackend *self)
{
  return self->n_prepared;
}

guint
fake_backend_get_n_warm (FakeBackend *self)
{
  return self->n_warm;
}

FhSandbox *
fake_backend_get_warm (FakeBackend *self)
{
  return self->warm;
}

FhSandbox *
fake_backend_get_prepared (FakeBackend *self)
{
  return self->prepared;
}

guint
fake_backend_get_n_stops (FakeBackend *self)
{
  return self->n_stops;
}

void
fake_backend_write (FakeBackend *self, FhStream stream, const char *text)
{
  fh_run_add_output (self->run, stream, 0, text, strlen (text));
}

void
fake_backend_finish (FakeBackend *self, int exit_code)
{
  finish (self->run, exit_code == 0 ? FH_RUN_STATUS_OK : FH_RUN_STATUS_FAILED, exit_code);
}

void
fake_backend_stay (FakeBackend *self, guint n_left)
{
  const FhRunOutcome outcome = { .signal = -1, .stays = TRUE, .quiet_processes = n_left };

  fh_run_finish (self->run, &outcome);
}

char *
fake_folder_new (void)
{
  g_autoptr (GError) error = NULL;
  char *folder = g_dir_make_tmp ("fumehood-test-XXXXXX", &error);

  g_assert_no_error (error);
  return folder;
}

/* Whatever the test has put there goes, too. */
void
fake_folder_free (char *folder)
{
  g_autoptr (GDir) directory = g_dir_open (folder, 0, NULL);
  const char *name;

  while (directory != NULL && (name = g_dir_read_name (directory)) != NULL)
    {
      char *path = g_build_filename (folder, name, NULL);

      if (g_file_test (path, G_FILE_TEST_IS_DIR))
        {
          fake_folder_free (path);
        }
      else
        {
          g_assert_cmpint (g_unlink (path), ==, 0);
          g_free (path);
        }
    }
  g_assert_cmpint (g_rmdir (folder), ==, 0);
  g_free (folder);
}
