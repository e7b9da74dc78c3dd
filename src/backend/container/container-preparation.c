/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "container-preparation.h"

#include <glib/gi18n-lib.h>

#include "container-copy.h"
#include "container-ours.h"
#include "container-removals.h"
#include "image-steps.h"
#include "kept-folder.h"

/* A slow disk may have to read the whole image, and the machine may be far away. */
#define CREATE_TIMEOUT_MS 120000

/* An engine reserves a name before it shows the container. */
#define FIND_INTERVAL_MS 100
#define FINDS_MAX        30

/* The architecture of our runner, in the words of images. */
#if defined __x86_64__
#define MACHINE "amd64"
#elif defined __aarch64__
#define MACHINE "arm64"
#elif defined __i386__
#define MACHINE "386"
#elif defined __arm__
#define MACHINE "arm"
#elif defined __riscv
#define MACHINE "riscv64"
#elif defined __powerpc64__
#define MACHINE "ppc64le"
#elif defined __s390x__
#define MACHINE "s390x"
#else
#define MACHINE ""
#endif

/* The thread works on an instance of its own, which is handed over in the end. */
typedef struct
{
  FhContainerInstance *instance; /* the caller's */
  FhContainerInstance *made;     /* the thread's until it has ended */
  FhContainerPullFunc pulling;
  gpointer pulling_data;
  FhImagePull *pull;
  gboolean is_pulling;
  GCancellable *cancellable; /* nullable */
} Preparation;

static void
preparation_free (gpointer data)
{
  Preparation *self = data;

  fh_container_instance_unref (self->instance);
  fh_container_instance_unref (self->made);
  g_object_unref (self->pull);
  g_clear_object (&self->cancellable);
  g_free (self);
}

/* The image of an existing container may no longer have a name. */
static void
set_unknown_image (FhContainerInstance *made)
{
  const char *name = fh_container_options_image (made->options);
  FhImage *image = g_new0 (FhImage, 1);

  image->name = g_strdup (name);
  image->id = g_strdup (name);
  image->architecture = g_strdup ("");
  image->system = g_strdup ("");
  image->environment = g_new0 (char *, 1);
  made->image = image;
}

static gboolean
differ (const char *a, const char *b)
{
  return a != NULL && b != NULL && *a != '\0' && *b != '\0' && !g_str_equal (a, b);
}

static gboolean
check_engine (FhContainerInstance *made, GError **error)
{
  const FhEngineFacts *facts = fh_engine_get_facts (made->engine);

  if (!differ (facts->architecture, MACHINE))
    return TRUE;
  g_set_error (error,
               FH_ENGINE_ERROR,
               FH_ENGINE_ERROR_FAILED,
               /* Translators: kinds of processors, such as "arm64" and "amd64" */
               _ ("The container engine’s computer has another architecture (%s) than this one "
                  "(%s). Use an engine with the same architecture."),
               facts->architecture,
               MACHINE);
  return FALSE;
}

static gboolean
check_image (FhContainerInstance *made, GError **error)
{
  const FhImage *image = made->image;

  if (differ (image->system, "linux"))
    {
      g_set_error (error,
                   FH_ENGINE_ERROR,
                   FH_ENGINE_ERROR_FAILED,
                   /* Translators: the name of an image, and a system such as "windows" */
                   _ ("The image “%s” is for %s, not for Linux. Choose another image."),
                   image->name,
                   image->system);
      return FALSE;
    }
  if (!differ (image->architecture, MACHINE))
    return TRUE;
  g_set_error (error,
               FH_ENGINE_ERROR,
               FH_ENGINE_ERROR_FAILED,
               /* Translators: the name of an image, then kinds of processors: "arm64", "amd64" */
               _ ("The image “%s” is for another architecture (%s) than this computer’s (%s). "
                  "Choose another image, or pull it again for this computer."),
               image->name,
               image->architecture,
               MACHINE);
  return FALSE;
}

/* The container of another user is never touched, because anything may have been put into it. */
static gboolean
check_owner (FhContainerInstance *made, const FhContainer *found, GError **error)
{
  const gboolean is_usable = found->is_ours && made->options->is_kept && found->is_kept &&
                             fh_container_owner_is_here (found->owner);

  if (!found->is_ours)
    g_set_error (
        error,
        FH_ENGINE_ERROR,
        FH_ENGINE_ERROR_NAME_TAKEN,
        _ ("There is already a container “%s”, and it is not Fumehood’s. Choose another name."),
        found->name);
  else if (!is_usable)
    g_set_error (error,
                 FH_ENGINE_ERROR,
                 FH_ENGINE_ERROR_NAME_TAKEN,
                 _ ("There is already a container “%s”. Choose another name, or remove it."),
                 found->name);
  return is_usable;
}

static gboolean
check_digest (FhContainerInstance *made, const FhContainer *found, GError **error)
{
  FhContainerParts parts = fh_container_instance_get_parts (made);
  g_autofree char *digest = fh_container_options_digest (&parts);

  if (g_str_equal (found->options_digest, digest))
    return TRUE;
  g_set_error (error,
               FH_ENGINE_ERROR,
               FH_ENGINE_ERROR_NAME_TAKEN,
               _ ("The container “%s” was created with another image, other limits or other "
                  "options. Remove it, or choose another name."),
               found->name);
  return FALSE;
}

static gboolean
start (FhContainerInstance *made, GCancellable *cancellable, GError **error)
{
  const char *const arguments[] = { "start", made->name, NULL };
  g_autofree char *answer =
      fh_engine_call (made->engine, arguments, CREATE_TIMEOUT_MS, cancellable, error);

  return answer != NULL;
}

static gboolean
use_engine (FhContainerInstance *made, GCancellable *cancellable, GError **error)
{
  if (made->engine == NULL)
    made->engine = fh_engine_choose (made->options->engine, cancellable, error);
  if (made->engine == NULL || !check_engine (made, error))
    return FALSE;
  made->by_copy =
      fh_container_folders_must_copy (made->options, fh_engine_get_facts (made->engine));
  if (!made->is_ahead || !made->by_copy)
    return TRUE;
  g_set_error_literal (error,
                       FH_ENGINE_ERROR,
                       FH_ENGINE_ERROR_FAILED,
                       "files would have to be copied");
  return FALSE;
}

/* Looks up the image and a container of that name side by side, because each lookup costs a client.
 * A new generated name cannot be in use. FALSE with the error, but not for an image or container
 * that is not there. */
static gboolean
look_up (FhContainerInstance *made, FhContainer **found, GCancellable *cancellable, GError **error)
{
  const char *image = fh_container_options_image (made->options);
  const char *const inspect_image[] = {
    "image", "inspect", "--format", FH_IMAGE_FORMAT, "--", image, NULL,
  };
  const char *const inspect_container[] = { FH_CONTAINER_INSPECT, made->name, NULL };
  const gboolean may_be_taken = made->options->name != NULL || made->state != FH_CONTAINER_NONE;
  g_autofree char *answer = NULL;
  g_autoptr (GError) of_image = NULL;
  g_autoptr (GError) of_container = NULL;
  FhClient clients[2] = { fh_engine_client (made->engine, inspect_image),
                          fh_engine_client (made->engine, inspect_container) };
  const guint first = made->image != NULL ? 1 : 0;
  const guint end = may_be_taken ? 2 : 1;

  if (!fh_image_name_check (image, error))
    return FALSE;
  fh_clients_run (clients + first, end - first, FH_ENGINE_CALL_TIMEOUT_MS, cancellable, NULL, NULL);
  if (first == 0)
    answer = fh_engine_take_answer (made->engine, &clients[0], &of_image);
  if (answer != NULL)
    made->image = fh_image_from_json (image, answer, &of_image);
  if (may_be_taken)
    *found = fh_container_take_found (made->engine, made->name, &clients[1], &of_container);
  fh_client_clear (&clients[0]);
  fh_client_clear (&clients[1]);
  if (fh_engine_error_is_of_all (of_image))
    g_propagate_error (error, g_steal_pointer (&of_image));
  else if (of_container != NULL &&
           !g_error_matches (of_container, FH_ENGINE_ERROR, FH_ENGINE_ERROR_NO_CONTAINER))
    g_propagate_error (error, g_steal_pointer (&of_container));
  else if (of_image != NULL &&
           !g_error_matches (of_image, FH_ENGINE_ERROR, FH_ENGINE_ERROR_NO_IMAGE))
    g_propagate_error (error, g_steal_pointer (&of_image));
  else
    return TRUE;
  return FALSE;
}

/* An engine that worked before may have stopped, and another may work. An existing container
 * belongs to the old one. */
static gboolean
look_up_once_more (FhContainerInstance *made,
                   FhContainer **found,
                   GCancellable *cancellable,
                   GError **error)
{
  g_autoptr (GError) reason = NULL;

  if (look_up (made, found, cancellable, &reason))
    return TRUE;
  if (!fh_engine_error_is_of_all (reason) || made->image != NULL ||
      made->state != FH_CONTAINER_NONE)
    {
      g_propagate_error (error, g_steal_pointer (&reason));
      return FALSE;
    }
  fh_engine_forget (made->options->engine);
  g_clear_object (&made->engine);
  g_clear_pointer (found, fh_container_free);
  return use_engine (made, cancellable, error) && look_up (made, found, cancellable, error);
}

static gboolean
get_image (Preparation *self, const FhContainer *found, GCancellable *cancellable, GError **error)
{
  FhContainerInstance *made = self->made;
  const char *name = fh_container_options_image (made->options);

  if (made->image != NULL)
    return TRUE;
  if (found != NULL)
    set_unknown_image (made);
  else if (made->options->no_pull || made->is_ahead)
    g_set_error (error,
                 FH_ENGINE_ERROR,
                 FH_ENGINE_ERROR_NO_IMAGE,
                 /* Translators: the name of an image */
                 _ ("The image “%s” is not on this computer, and pulling it was not allowed."),
                 name);
  else
    made->image = fh_image_pull_run (self->pull, made->engine, name, cancellable, error);
  return made->image != NULL;
}

static gboolean
copy_programs (FhContainerInstance *made, GCancellable *cancellable, GError **error)
{
  return fh_container_copy_programs (made->engine,
                                     made->name,
                                     made->runner,
                                     made->guest_folder,
                                     cancellable,
                                     error);
}

static gboolean
open_folders (FhContainerInstance *made, GCancellable *cancellable, GError **error)
{
  return !made->by_copy || fh_container_open_folders (made->engine,
                                                      made->name,
                                                      made->folders->workspace == NULL,
                                                      cancellable,
                                                      error);
}

/* A program running as user 0 may have replaced our copies. Podman has them in a read-only volume.
 * The process that made the container may have been killed before it was complete. */
static gboolean
use_found (FhContainerInstance *made,
           const FhContainer *found,
           GCancellable *cancellable,
           GError **error)
{
  const gboolean is_known = made->state != FH_CONTAINER_NONE;
  const gboolean is_new = g_str_equal (found->state, "created");

  if (!check_digest (made, found, error))
    return FALSE;
  made->state = FH_CONTAINER_CREATED;
  g_free (made->id);
  made->id = g_strdup (found->id);
  if (made->by_copy && (is_new || fh_engine_get_facts (made->engine)->kind == FH_ENGINE_DOCKER) &&
      !copy_programs (made, cancellable, error))
    return FALSE;
  if (!g_str_equal (found->state, "running") && !start (made, cancellable, error))
    return FALSE;
  return is_known || open_folders (made, cancellable, error);
}

/* Another process took the name and may still be creating the container: another user's, or that of
 * a run that was first. Takes the error. */
static gboolean
use_other (FhContainerInstance *made, GError *taken, GCancellable *cancellable, GError **error)
{
  g_autoptr (GError) of_name = taken;

  made->state = FH_CONTAINER_NONE;
  made->was_recreated = FALSE;
  fh_container_leftovers_forget (made->name);
  for (guint n = 0; made->options->is_kept && n < FINDS_MAX; n++)
    {
      g_autoptr (GError) reason = NULL;
      g_autoptr (FhContainer) found =
          fh_container_find (made->engine, made->name, cancellable, &reason);

      if (found != NULL)
        return check_owner (made, found, error) && use_found (made, found, cancellable, error);
      if (!g_error_matches (reason, FH_ENGINE_ERROR, FH_ENGINE_ERROR_NO_CONTAINER))
        {
          g_propagate_error (error, g_steal_pointer (&reason));
          return FALSE;
        }
      if (!fh_engine_pause (FIND_INTERVAL_MS, cancellable, error))
        return FALSE;
    }
  g_propagate_error (error, g_steal_pointer (&of_name));
  return FALSE;
}

/* One-shot containers are started by the client that connects to the runner. */
static gboolean
create (FhContainerInstance *made, GCancellable *cancellable, GError **error)
{
  FhContainerParts parts = fh_container_instance_get_parts (made);
  g_auto (GStrv) arguments = fh_container_arguments_create (&parts);
  g_autofree char *answer = NULL;
  GError *reason = NULL;

  if (!made->options->is_kept)
    fh_container_leftovers_note (made->engine, made->name);
  made->state = made->options->is_kept ? FH_CONTAINER_CREATING : FH_CONTAINER_CREATED;
  answer = fh_engine_call (made->engine,
                           (const char *const *) arguments,
                           CREATE_TIMEOUT_MS,
                           cancellable,
                           &reason);
  if (answer == NULL)
    {
      if (g_error_matches (reason, FH_ENGINE_ERROR, FH_ENGINE_ERROR_NAME_TAKEN))
        return use_other (made, reason, cancellable, error);
      g_propagate_error (error, reason);
      return FALSE;
    }
  g_free (made->id);
  made->id = g_strstrip (g_steal_pointer (&answer));
  if (made->by_copy && !copy_programs (made, cancellable, error))
    return FALSE;
  if (!made->options->is_kept)
    return TRUE;
  if (!start (made, cancellable, error) || !open_folders (made, cancellable, error))
    return FALSE;
  made->state = FH_CONTAINER_CREATED;
  return TRUE;
}

/* The order of it all. */
static gboolean
prepare (Preparation *self, GCancellable *cancellable, GError **error)
{
  FhContainerInstance *made = self->made;
  g_autoptr (FhContainer) found = NULL;
  gboolean was_there;

  /* The engine, and what it has. */
  if (!use_engine (made, cancellable, error) ||
      !look_up_once_more (made, &found, cancellable, error) ||
      !get_image (self, found, cancellable, error) || !check_image (made, error) ||
      (found != NULL && !check_owner (made, found, error)))
    return FALSE;

  /* The folders of this computer, which are locked. */
  was_there = made->state != FH_CONTAINER_NONE || fh_kept_folder_exists (made->name);
  made->folders = fh_container_folders_new (made->options,
                                            fh_engine_get_facts (made->engine),
                                            made->name,
                                            made->by_copy,
                                            error);
  if (made->folders == NULL || g_cancellable_set_error_if_cancelled (cancellable, error))
    return FALSE;

  /* The container, unless the run makes it. */
  if (found != NULL)
    return use_found (made, found, cancellable, error);
  made->was_recreated = made->options->is_kept && was_there;
  if (!made->options->is_kept && !made->by_copy)
    return TRUE;
  return create (made, cancellable, error);
}

/* Someone else may have taken the name while the client that was to make it was ended. */
static gboolean
has_made_it (FhContainerInstance *made)
{
  g_autoptr (FhContainer) found = fh_container_find (made->engine, made->name, NULL, NULL);

  return found != NULL && g_str_equal (found->owner, made->owner);
}

/* Removes what is half made; the folders of a kept one stay, as they may have files of an earlier
 * container of that name. */
static void
undo (FhContainerInstance *made)
{
  const gboolean is_kept = made->options->is_kept;

  if (!is_kept && made->state != FH_CONTAINER_NONE)
    fh_container_leftovers_remove (made->engine, made->name, made->options->name == NULL, NULL);
  else if (made->state == FH_CONTAINER_CREATING && has_made_it (made))
    fh_container_remove_once (made->engine, made->name, NULL, NULL);
  if (!is_kept || made->state == FH_CONTAINER_CREATING)
    made->state = FH_CONTAINER_NONE;
  g_clear_pointer (&made->folders, fh_container_folders_free);
}

static gpointer
prepare_in_thread (const FhEngineOrder *order, GCancellable *cancellable, GError **error)
{
  Preparation *self = order->data;
  FhContainerInstance *made = self->made;

  g_mutex_lock (&made->removals->turn);
  if (!prepare (self, cancellable, error) ||
      (made->is_restart && !fh_container_restart (made->engine, made->name, cancellable, error)) ||
      g_cancellable_set_error_if_cancelled (cancellable, error))
    undo (made);
  g_mutex_unlock (&made->removals->turn);
  return NULL;
}

static void
pull_cb (FhImagePull *pull, Preparation *self)
{
  /* After cancelling, the listener may be gone. */
  if (g_cancellable_is_cancelled (self->cancellable))
    return;
  self->is_pulling = TRUE;
  g_set_object (&self->instance->engine, self->made->engine);
  self->pulling (pull, self->pulling_data);
}

void
fh_container_prepare_async (FhContainerInstance *instance,
                            FhContainerPullFunc pulling,
                            gpointer pulling_data,
                            GCancellable *cancellable,
                            GAsyncReadyCallback callback,
                            gpointer user_data)
{
  Preparation *self = g_new0 (Preparation, 1);

  if (instance->name == NULL)
    instance->name = instance->options->name != NULL ? g_strdup (instance->options->name)
                                                     : fh_container_new_name ();
  self->instance = fh_container_instance_ref (instance);
  self->made = fh_container_instance_copy (instance);
  self->pulling = pulling;
  self->pulling_data = pulling_data;
  self->pull = fh_image_pull_new ();
  g_set_object (&self->cancellable, cancellable);
  g_signal_connect (self->pull, "changed", G_CALLBACK (pull_cb), self);
  fh_container_removals_begin (instance->removals);
  fh_engine_start (&(FhEngineOrder){ .data = self, .free_data = preparation_free },
                   prepare_in_thread,
                   cancellable,
                   callback,
                   user_data);
}

/* It may have been cancelled since the thread ended. */
gboolean
fh_container_prepare_finish (GAsyncResult *result, GError **error)
{
  const FhEngineOrder *order = g_task_get_task_data (G_TASK (result));
  Preparation *self = order->data;
  FhContainerInstance *made = self->made;
  g_autoptr (GError) reason = NULL;
  gboolean is_ready = g_task_propagate_boolean (G_TASK (result), &reason);

  g_signal_handlers_disconnect_by_data (self->pull, self);
  if (is_ready && g_cancellable_set_error_if_cancelled (self->cancellable, &reason))
    {
      is_ready = FALSE;
      g_clear_pointer (&made->folders, fh_container_folders_free);
      if (!made->options->is_kept && made->state != FH_CONTAINER_NONE)
        fh_container_instance_remove (made);
    }
  if (self->is_pulling && !g_cancellable_is_cancelled (self->cancellable))
    {
      fh_image_pull_finish (self->pull, made->image, made->image != NULL ? NULL : reason);
      self->pulling (NULL, self->pulling_data);
    }
  fh_container_instance_take (self->instance, made);
  if (self->instance->is_released)
    fh_container_instance_release (self->instance);
  fh_container_removals_end (made->removals);
  if (reason != NULL)
    g_propagate_error (error, g_steal_pointer (&reason));
  return is_ready;
}
