/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "run-request.h"

#include "config.h"

#include <glib/gi18n-lib.h>
#include <string.h>

#include "json-member.h"
#include "json-record.h"
#include "run-error.h"
#include "run-title.h"
#include "valid-text.h"

#define VERSION 1 /* of the JSON format */

/* The kernel refuses a longer single argument: MAX_ARG_STRLEN, execve(2). */
#define MAX_ARGUMENT ((gsize) 128 * 1024 - 1)
/* All of them must fit in one message to the runner, together with the rest. */
#define MAX_ARGUMENTS_SIZE ((gsize) 160 * 1024)
#define MAX_ARGUMENTS      2000

struct _FhRunRequest
{
  GObject parent_instance;
  const FhLanguage *language;
  GBytes *source;
  char *title;
  GStrv arguments;
  GBytes *standard_input;
  gboolean input_stays;
  gboolean is_called;
  gboolean is_typed;
  gboolean hands_on;
  GStrv shares;        /* nullable */
  char *shared_python; /* nullable */
  gboolean stays;
  GPtrArray *files; /* nullable */
  GStrv removed;
  GBytes *cell;  /* nullable */
  GBytes *setup; /* nullable */
  FhRunOptions *options;
};

G_DEFINE_FINAL_TYPE (FhRunRequest, fh_run_request, G_TYPE_OBJECT)

static void
fh_run_request_finalize (GObject *object)
{
  FhRunRequest *self = FH_RUN_REQUEST (object);

  g_clear_pointer (&self->source, g_bytes_unref);
  g_clear_pointer (&self->standard_input, g_bytes_unref);
  g_clear_pointer (&self->cell, g_bytes_unref);
  g_clear_pointer (&self->setup, g_bytes_unref);
  g_clear_pointer (&self->arguments, g_strfreev);
  g_clear_pointer (&self->files, g_ptr_array_unref);
  g_strfreev (self->removed);
  g_strfreev (self->shares);
  g_free (self->shared_python);
  g_clear_pointer (&self->options, fh_run_options_free);
  g_free (self->title);
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

/* A program does not get into a folder that holds other files: one of the same name would be
 * replaced. */
static gboolean
check_files (const FhRunRequestInit *init, const FhRunOptions *options, GError **error)
{
  const FhContainerOptions *container = options->in_container ? &options->container : NULL;

  if (init->files == NULL || init->files->len == 0)
    return TRUE;
  if (fh_run_options_get_work_dir (options) != NULL ||
      (container != NULL && (container->is_kept || container->bind_dir != NULL)))
    return fh_run_error_refuse (error,
                                "%s",
                                _ ("Files cannot be sent into a container that is kept, or into a "
                                   "folder of yours. Use another container, or put them there."));
  /* The program has a name of its own in a project. */
  return fh_run_files_check (
      init->files,
      fh_run_options_get_project (options) != NULL ? NULL : init->language->file_name,
      init->hands_on ? FH_RUN_FILES_MAX_HANDED_ON : FH_RUN_FILES_MAX_BYTES,
      error);
}

/* Its files are copied back when the program has ended, which that of a session does not. */
static gboolean
check_cell (const FhRunRequestInit *init, const FhRunOptions *options, GError **error)
{
  return init->cell == NULL || options->in_container ||
         (options->work_dir == NULL && options->project == NULL) ||
         fh_run_error_refuse (error,
                              "%s",
                              _ ("A session on this computer keeps its files itself and cannot "
                                 "have a work folder. Run the session in a container."));
}

/* The strings are those of `init`. */
static FhRunOptions
wanted_options (const FhRunRequestInit *init)
{
  FhRunOptions options = { 0 };

  if (init->options != NULL)
    return *init->options;
  options.limits = init->limits;
  options.guards = init->guards != NULL ? *init->guards : FH_RUN_GUARDS_DEFAULT;
  options.in_container = init->container != NULL;
  if (init->container != NULL)
    options.container = *init->container;
  if (init->interpreter != NULL && init->interpreter[0] != '\0')
    options.interpreter = (char *) init->interpreter;
  return options;
}

FhRunRequest *
fh_run_request_new (const FhRunRequestInit *init, GError **error)
{
  static const char *const no_arguments[] = { NULL };
  FhRunRequest *self;
  FhRunOptions options;

  g_return_val_if_fail (init != NULL, NULL);
  g_return_val_if_fail (init->language != NULL, NULL);
  g_return_val_if_fail (init->source != NULL, NULL);

  options = wanted_options (init);
  if (!check_source (init->source, error) || !check_arguments (init->arguments, error) ||
      !fh_run_options_check (&options, error) || !check_files (init, &options, error) ||
      !check_cell (init, &options, error))
    return NULL;

  self = g_object_new (FH_TYPE_RUN_REQUEST, NULL);
  self->language = init->language;
  self->source = g_bytes_ref (init->source);
  self->title = fh_run_title_choose (init->title, init->source);
  self->arguments =
      g_strdupv ((GStrv) (gpointer) (init->arguments != NULL ? init->arguments : no_arguments));
  if (init->standard_input != NULL)
    self->standard_input = g_bytes_ref (init->standard_input);
  self->is_called = init->is_called && init->cell == NULL;
  self->is_typed = init->is_typed && init->cell == NULL;
  self->input_stays = self->is_called || (init->input_stays && init->cell == NULL);
  if (init->cell != NULL)
    self->cell = g_bytes_ref (init->cell);
  if (init->cell != NULL && init->setup != NULL)
    self->setup = g_bytes_ref (init->setup);
  if (init->files != NULL && init->files->len > 0)
    self->files = g_ptr_array_ref (init->files);
  self->removed =
      g_strdupv ((GStrv) (gpointer) (init->removed != NULL ? init->removed : no_arguments));
  self->hands_on = init->hands_on;
  self->shares = g_strdupv ((GStrv) (gpointer) init->shares);
  self->shared_python = g_strdup (init->shared_python);
  self->stays = init->stays;
  self->options = fh_run_options_copy (&options);
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

  return self->options->interpreter;
}

const char *const *
fh_run_request_get_arguments (FhRunRequest *self)
{
  g_return_val_if_fail (FH_IS_RUN_REQUEST (self), NULL);

  return (const char *const *) self->arguments;
}

GBytes *
fh_run_request_get_cell (FhRunRequest *self)
{
  g_return_val_if_fail (FH_IS_RUN_REQUEST (self), NULL);

  return self->cell;
}

GBytes *
fh_run_request_get_setup (FhRunRequest *self)
{
  g_return_val_if_fail (FH_IS_RUN_REQUEST (self), NULL);

  return self->setup;
}

GBytes *
fh_run_request_get_standard_input (FhRunRequest *self)
{
  g_return_val_if_fail (FH_IS_RUN_REQUEST (self), NULL);

  return self->standard_input;
}

const char *const *
fh_run_request_get_removed (FhRunRequest *self)
{
  g_return_val_if_fail (FH_IS_RUN_REQUEST (self), NULL);

  return (const char *const *) self->removed;
}

GPtrArray *
fh_run_request_get_files (FhRunRequest *self)
{
  g_return_val_if_fail (FH_IS_RUN_REQUEST (self), NULL);

  return self->files;
}

const FhRunLimits *
fh_run_request_get_limits (FhRunRequest *self)
{
  g_return_val_if_fail (FH_IS_RUN_REQUEST (self), NULL);

  return &self->options->limits;
}

const FhRunGuards *
fh_run_request_get_guards (FhRunRequest *self)
{
  g_return_val_if_fail (FH_IS_RUN_REQUEST (self), NULL);

  return &self->options->guards;
}

const FhContainerOptions *
fh_run_request_get_container (FhRunRequest *self)
{
  g_return_val_if_fail (FH_IS_RUN_REQUEST (self), NULL);

  return self->options->in_container ? &self->options->container : NULL;
}

const FhRunOptions *
fh_run_request_get_options (FhRunRequest *self)
{
  g_return_val_if_fail (FH_IS_RUN_REQUEST (self), NULL);

  return self->options;
}

gboolean
fh_run_request_get_input_stays (FhRunRequest *self)
{
  g_return_val_if_fail (FH_IS_RUN_REQUEST (self), FALSE);

  return self->input_stays;
}

gboolean
fh_run_request_takes_live_input (FhRunRequest *self)
{
  g_return_val_if_fail (FH_IS_RUN_REQUEST (self), FALSE);

  return self->input_stays &&
         (self->standard_input == NULL || g_bytes_get_size (self->standard_input) == 0);
}

gboolean
fh_run_request_is_typed (FhRunRequest *self)
{
  g_return_val_if_fail (FH_IS_RUN_REQUEST (self), FALSE);

  return self->is_typed;
}

gboolean
fh_run_request_is_called (FhRunRequest *self)
{
  g_return_val_if_fail (FH_IS_RUN_REQUEST (self), FALSE);

  return self->is_called;
}

gboolean
fh_run_request_hands_on (FhRunRequest *self)
{
  g_return_val_if_fail (FH_IS_RUN_REQUEST (self), FALSE);

  return self->hands_on;
}

const char *const *
fh_run_request_get_shares (FhRunRequest *self)
{
  g_return_val_if_fail (FH_IS_RUN_REQUEST (self), NULL);

  return (const char *const *) self->shares;
}

const char *
fh_run_request_get_shared_python (FhRunRequest *self)
{
  g_return_val_if_fail (FH_IS_RUN_REQUEST (self), NULL);

  return self->shared_python;
}

gboolean
fh_run_request_stays (FhRunRequest *self)
{
  g_return_val_if_fail (FH_IS_RUN_REQUEST (self), FALSE);

  return self->stays;
}

/* The copy needs no second check. */
FhRunRequest *
fh_run_request_with_input (FhRunRequest *self, GBytes *standard_input)
{
  FhRunRequest *copy;

  g_return_val_if_fail (FH_IS_RUN_REQUEST (self), NULL);
  g_return_val_if_fail (standard_input != NULL, NULL);

  copy = g_object_new (FH_TYPE_RUN_REQUEST, NULL);
  copy->language = self->language;
  copy->source = g_bytes_ref (self->source);
  copy->title = g_strdup (self->title);
  copy->arguments = g_strdupv (self->arguments);
  copy->standard_input = g_bytes_ref (standard_input);
  copy->files = self->files != NULL ? g_ptr_array_ref (self->files) : NULL;
  copy->removed = g_strdupv (self->removed);
  copy->hands_on = self->hands_on;
  copy->options = fh_run_options_copy (self->options);
  return copy;
}

/* The members of the JSON besides files and options. */
typedef struct
{
  const char *language;
  const char *title;
  GBytes *source;
  GStrv arguments;
  GBytes *standard_input;
} Record;

static const FhJsonMember members[] = {
  { FH_JSON_MEMBER (Record, "language", TEXT, language) },
  { FH_JSON_MEMBER (Record, "title", TEXT, title) },
  { FH_JSON_MEMBER (Record, "source", BYTES, source) },
  { FH_JSON_MEMBER (Record, "arguments", STRINGS, arguments),
    .flags = FH_JSON_NEW,
    .maximum = G_MAXUINT },
  { FH_JSON_MEMBER (Record, "stdin", BYTES, standard_input),
    .flags = FH_JSON_NEW | FH_JSON_NULLABLE },
  { NULL },
};

JsonNode *
fh_run_request_to_json (FhRunRequest *request)
{
  g_autoptr (JsonObject) object = NULL;
  Record record;

  g_return_val_if_fail (FH_IS_RUN_REQUEST (request), NULL);

  object = json_object_new ();
  record.language = fh_run_request_get_language (request)->id;
  record.title = fh_run_request_get_title (request);
  record.source = fh_run_request_get_source (request);
  record.arguments = (GStrv) fh_run_request_get_arguments (request);
  record.standard_input = fh_run_request_get_standard_input (request);
  json_object_set_int_member (object, "version", VERSION);
  fh_json_write_record (object, members, &record);
  if (request->files != NULL)
    json_object_set_member (object, "files", fh_run_files_to_json (request->files));
  fh_run_options_to_json (fh_run_request_get_options (request), object);
  return json_node_init_object (json_node_alloc (), object);
}

static FhRunRequest *
from_record (JsonObject *object, const Record *record, GError **error)
{
  g_autoptr (GPtrArray) files = NULL;
  g_autoptr (FhRunOptions) options = fh_run_options_from_json (object, error);
  const FhLanguage *language = fh_language_lookup (record->language);

  if (options == NULL ||
      (json_object_has_member (object, "files") &&
       !fh_run_files_from_json (json_object_get_member (object, "files"), &files, error)))
    return NULL;
  if (language == NULL)
    {
      g_set_error (error,
                   FH_RUN_ERROR,
                   FH_RUN_ERROR_LANGUAGE,
                   _ ("There is no language “%s” here."),
                   record->language);
      return NULL;
    }
  return fh_run_request_new (
      &(FhRunRequestInit){ .language = language,
                           .title = record->title,
                           .source = record->source,
                           .arguments = (const char *const *) record->arguments,
                           .standard_input = record->standard_input,
                           .files = files,
                           .options = options },
      error);
}

FhRunRequest *
fh_run_request_from_json (JsonObject *object, GError **error)
{
  FhRunRequest *request = NULL;
  Record record = { 0 };

  g_return_val_if_fail (object != NULL, NULL);

  if (fh_json_check_version (object, VERSION, error) &&
      fh_json_read_record (object, members, &record, error))
    request = from_record (object, &record, error);
  fh_json_clear_record (members, &record);
  return request;
}
