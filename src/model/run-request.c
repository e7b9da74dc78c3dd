/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "run-request.h"

#include "config.h"

#include <glib/gi18n-lib.h>
#include <string.h>

#include "run-error.h"
#include "run-title.h"
#include "valid-text.h"

/* The kernel refuses a longer single argument: MAX_ARG_STRLEN, execve(2). */
#define MAX_ARGUMENT ((gsize) 128 * 1024 - 1)
/* All of them must fit in one message to the runner, beside everything else in it. */
#define MAX_ARGUMENTS_SIZE ((gsize) 160 * 1024)
#define MAX_ARGUMENTS      2000

struct _FhRunRequest
{
  GObject parent_instance;
  const FhLanguage *language;
  GBytes *source;
  char *title;
  char *interpreter;
  GStrv arguments;
  GBytes *standard_input;
  FhRunLimits limits;
  FhRunGuards guards; /* its strings are the two below */
  GStrv allow_hosts;
  GStrv imports;
  FhContainerOptions *container; /* nullable */
};

G_DEFINE_FINAL_TYPE (FhRunRequest, fh_run_request, G_TYPE_OBJECT)

static void
fh_run_request_finalize (GObject *object)
{
  FhRunRequest *self = FH_RUN_REQUEST (object);

  g_clear_pointer (&self->source, g_bytes_unref);
  g_clear_pointer (&self->standard_input, g_bytes_unref);
  g_clear_pointer (&self->arguments, g_strfreev);
  g_clear_pointer (&self->allow_hosts, g_strfreev);
  g_clear_pointer (&self->imports, g_strfreev);
  g_clear_pointer (&self->container, fh_container_options_free);
  g_free (self->title);
  g_free (self->interpreter);
  G_OBJECT_CLASS (fh_run_request_parent_class)->finalize (object);
}

static void
fh_run_request_class_init (FhRunRequestClass *klass)
{
  G_OBJECT_CLASS (klass)->finalize = fh_run_request_finalize;
}

static void
fh_run_request_init (FhRunRequest *self)
{
}

static gboolean
check_source (GBytes *source, GError **error)
{
  g_autofree char *size = NULL;

  if (g_bytes_get_size (source) <= FH_RUN_REQUEST_MAX_SOURCE)
    return TRUE;
  size = fh_run_limits_format_size (g_bytes_get_size (source));
  g_set_error (error,
               FH_RUN_ERROR,
               FH_RUN_ERROR_TOO_LARGE,
               /* Translators: a size: "10 MiB" */
               _ ("The source is too large: it has %s, and 8 MiB is the most that can be run."),
               size);
  return FALSE;
}

static gboolean
check_arguments (const char *const *arguments, GError **error)
{
  gsize total = 0;
  guint count;

  for (count = 0; arguments != NULL && arguments[count] != NULL; count++)
    {
      gsize size = strlen (arguments[count]);

      if (size > MAX_ARGUMENT)
        {
          g_set_error (error,
                       FH_RUN_ERROR,
                       FH_RUN_ERROR_TOO_LARGE,
                       _ ("Argument %u is too long. Pass long data as standard input."),
                       count + 1);
          return FALSE;
        }
      total += size + 1;
    }
  if (count > MAX_ARGUMENTS || total > MAX_ARGUMENTS_SIZE)
    {
      g_set_error_literal (error,
                           FH_RUN_ERROR,
                           FH_RUN_ERROR_TOO_LARGE,
                           _ ("There are too many arguments. Pass long data as standard input."));
      return FALSE;
    }
  return TRUE;
}

static gboolean
check_interpreter (const char *interpreter, gboolean is_in_container, GError **error)
{
  if (interpreter == NULL || interpreter[0] == '\0' || g_path_is_absolute (interpreter))
    return TRUE;
  if (is_in_container && strchr (interpreter, '/') == NULL)
    return TRUE;
  g_set_error_literal (error,
                       FH_RUN_ERROR,
                       FH_RUN_ERROR_INTERPRETER,
                       _ ("The interpreter must be named with its whole path."));
  return FALSE;
}

/* What is chosen for a sandbox of this computer and has no meaning in a container. */
static gboolean
check_guards_of_container (const FhRunGuards *guards, GError **error)
{
  const char *sentence = NULL;

  if (guards->tier == FH_TIER_UNPROTECTED)
    sentence = _ ("A container is a protection. Run either in a container or without protection.");
  else if (guards->tier != FH_TIER_AUTO)
    sentence = _ ("A container is built in one way only: choose a container or a tier, not both.");
  else if (guards->allow_hosts != NULL && guards->allow_hosts[0] != NULL)
    sentence = _ ("In a container hosts cannot be allowed one by one. Give it a network instead.");
  else if (guards->without & 1u << FH_GUARD_NETWORK)
    sentence = _ ("A container’s network is not switched off and on: give it one by its name.");
  else if (guards->without & 1u << FH_GUARD_ENVIRONMENT)
    sentence = _ ("Your environment would make no sense in a container. Name single variables "
                  "instead.");
  if (sentence == NULL)
    return TRUE;
  g_set_error_literal (error, FH_RUN_ERROR, FH_RUN_ERROR_INVALID, sentence);
  return FALSE;
}

static gboolean
check_container (const FhRunRequestInit *init, GError **error)
{
  return init->container == NULL ||
         (fh_container_options_check (init->container, error) &&
          (init->guards == NULL || check_guards_of_container (init->guards, error)));
}

static void
take_guards (FhRunRequest *self, const FhRunGuards *guards)
{
  self->guards = guards != NULL ? *guards : FH_RUN_GUARDS_DEFAULT;
  self->allow_hosts = g_strdupv ((GStrv) (gpointer) self->guards.allow_hosts);
  self->imports = g_strdupv ((GStrv) (gpointer) self->guards.imports);
  self->guards.allow_hosts = (const char *const *) self->allow_hosts;
  self->guards.imports = (const char *const *) self->imports;
}

FhRunRequest *
fh_run_request_new (const FhRunRequestInit *init, GError **error)
{
  static const char *const no_arguments[] = { NULL };
  FhRunRequest *self;

  g_return_val_if_fail (init != NULL, NULL);
  g_return_val_if_fail (init->language != NULL, NULL);
  g_return_val_if_fail (init->source != NULL, NULL);

  if (!check_source (init->source, error) || !check_arguments (init->arguments, error) ||
      !check_interpreter (init->interpreter, init->container != NULL, error) ||
      !fh_run_limits_check (&init->limits, error) ||
      (init->guards != NULL && !fh_run_guards_check (init->guards, error)) ||
      !check_container (init, error))
    return NULL;

  self = g_object_new (FH_TYPE_RUN_REQUEST, NULL);
  self->language = init->language;
  self->source = g_bytes_ref (init->source);
  self->title = fh_run_title_choose (init->title, init->source);
  if (init->interpreter != NULL && init->interpreter[0] != '\0')
    self->interpreter = g_strdup (init->interpreter);
  self->arguments =
      g_strdupv ((GStrv) (gpointer) (init->arguments != NULL ? init->arguments : no_arguments));
  if (init->standard_input != NULL)
    self->standard_input = g_bytes_ref (init->standard_input);
  self->limits = init->limits;
  take_guards (self, init->guards);
  self->container = fh_container_options_copy (init->container);
  return self;
}

const FhLanguage *
fh_run_request_get_language (FhRunRequest *self)
{
  g_return_val_if_fail (FH_IS_RUN_REQUEST (self), NULL);

  return self->language;
}

GBytes *
fh_run_request_get_source (FhRunRequest *self)
{
  g_return_val_if_fail (FH_IS_RUN_REQUEST (self), NULL);

  return self->source;
}

char *
fh_run_request_dup_source_text (FhRunRequest *self)
{
  gconstpointer data;
  gsize size;

  g_return_val_if_fail (FH_IS_RUN_REQUEST (self), NULL);

  data = g_bytes_get_data (self->source, &size);
  return fh_valid_text_new (data, size);
}

const char *
fh_run_request_get_title (FhRunRequest *self)
{
  g_return_val_if_fail (FH_IS_RUN_REQUEST (self), NULL);

  return self->title;
}

const char *
fh_run_request_get_interpreter (FhRunRequest *self)
{
  g_return_val_if_fail (FH_IS_RUN_REQUEST (self), NULL);

  return self->interpreter;
}

const char *const *
fh_run_request_get_arguments (FhRunRequest *self)
{
  g_return_val_if_fail (FH_IS_RUN_REQUEST (self), NULL);

  return (const char *const *) self->arguments;
}

GBytes *
fh_run_request_get_standard_input (FhRunRequest *self)
{
  g_return_val_if_fail (FH_IS_RUN_REQUEST (self), NULL);

  return self->standard_input;
}

const FhRunLimits *
fh_run_request_get_limits (FhRunRequest *self)
{
  g_return_val_if_fail (FH_IS_RUN_REQUEST (self), NULL);

  return &self->limits;
}

const FhRunGuards *
fh_run_request_get_guards (FhRunRequest *self)
{
  g_return_val_if_fail (FH_IS_RUN_REQUEST (self), NULL);

  return &self->guards;
}

const FhContainerOptions *
fh_run_request_get_container (FhRunRequest *self)
{
  g_return_val_if_fail (FH_IS_RUN_REQUEST (self), NULL);

  return self->container;
}
