/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "run-request.h"

#include "config.h"

#include <glib/gi18n-lib.h>
#include <string.h>

#include "json-member.h"
#include "json-record.h"
#include "json-text.h"
#include "readable-text.h"
#include "run-error.h"
#include "run-title.h"

#define VERSION 1 /* of the JSON format */

/* The kernel refuses a longer single argument: MAX_ARG_STRLEN, execve(2). */
#define MAX_ARGUMENT ((gsize) 128 * 1024 - 1)
/* All of them must fit in one message to the runner, together with the rest. */
#define MAX_ARGUMENTS_SIZE ((gsize) 160 * 1024)
#define MAX_ARGUMENTS      2000

struct _FhRunRequest
{
  GObject parent_instance;
  FhRunRequestInit parts; /* what can be owned is; the last four are in `options` */
  FhRunOptions *options;
  GBytes *text; /* the JSON; NULL until needed */
};

G_DEFINE_FINAL_TYPE (FhRunRequest, fh_run_request, G_TYPE_OBJECT)

static void
fh_run_request_finalize (GObject *object)
{
  FhRunRequest *self = FH_RUN_REQUEST (object);
  FhRunRequestInit *parts = &self->parts;

  g_clear_pointer (&parts->source, g_bytes_unref);
  g_clear_pointer (&parts->standard_input, g_bytes_unref);
  g_clear_pointer (&parts->cell, g_bytes_unref);
  g_clear_pointer (&parts->setup, g_bytes_unref);
  g_clear_pointer (&parts->files, g_ptr_array_unref);
  g_strfreev ((GStrv) parts->arguments);
  g_strfreev ((GStrv) parts->removed);
  g_strfreev ((GStrv) parts->shares);
  g_free ((char *) parts->shared_python);
  g_free ((char *) parts->title);
  g_clear_pointer (&self->options, fh_run_options_free);
  g_clear_pointer (&self->text, g_bytes_unref);
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

static GBytes *
ref_bytes (GBytes *bytes)
{
  return bytes != NULL ? g_bytes_ref (bytes) : NULL;
}

/* NULL for NULL, unless there is always a list. */
static const char *const *
dup_list (const char *const *list, gboolean is_always)
{
  if (list == NULL && is_always)
    return (const char *const *) g_new0 (char *, 1);
  return (const char *const *) g_strdupv ((GStrv) list);
}

/* Everything was checked. */
static FhRunRequest *
request_new (const FhRunRequestInit *init, const FhRunOptions *options)
{
  FhRunRequest *self = g_object_new (FH_TYPE_RUN_REQUEST, NULL);
  FhRunRequestInit *parts = &self->parts;
  const gboolean is_cell = init->cell != NULL;

  *parts = *init;
  g_bytes_ref (parts->source);
  parts->title = fh_run_title_choose (init->title, init->source);
  parts->arguments = dup_list (init->arguments, TRUE);
  parts->standard_input = ref_bytes (init->standard_input);
  parts->is_called = init->is_called && !is_cell;
  parts->is_typed = init->is_typed && !is_cell;
  parts->input_stays = parts->is_called || (init->input_stays && !is_cell);
  parts->files = init->files != NULL && init->files->len > 0 ? g_ptr_array_ref (init->files) : NULL;
  parts->removed = dup_list (init->removed, TRUE);
  parts->shares = dup_list (init->shares, FALSE);
  parts->shared_python = g_strdup (init->shared_python);
  parts->cell = ref_bytes (init->cell);
  parts->setup = is_cell ? ref_bytes (init->setup) : NULL;
  self->options = fh_run_options_copy (options);
  parts->options = self->options;
  parts->limits = self->options->limits;
  parts->guards = &self->options->guards;
  parts->container = self->options->in_container ? &self->options->container : NULL;
  parts->interpreter = self->options->interpreter;
  return self;
}

FhRunRequest *
fh_run_request_new (const FhRunRequestInit *init, GError **error)
{
  FhRunOptions options;

  g_return_val_if_fail (init != NULL, NULL);
  g_return_val_if_fail (init->language != NULL, NULL);
  g_return_val_if_fail (init->source != NULL, NULL);

  options = wanted_options (init);
  if (!check_source (init->source, error) || !check_arguments (init->arguments, error) ||
      !fh_run_options_check (&options, error) || !check_files (init, &options, error) ||
      !check_cell (init, &options, error))
    return NULL;
  return request_new (init, &options);
}

const FhRunRequestInit *
fh_run_request_get_parts (FhRunRequest *self)
{
  g_return_val_if_fail (FH_IS_RUN_REQUEST (self), NULL);

  return &self->parts;
}

char *
fh_run_request_dup_source_text (FhRunRequest *self)
{
  gconstpointer data;
  gsize size;

  g_return_val_if_fail (FH_IS_RUN_REQUEST (self), NULL);

  data = g_bytes_get_data (self->parts.source, &size);
  return fh_valid_text_new (data, size);
}

gboolean
fh_run_request_takes_live_input (FhRunRequest *self)
{
  g_return_val_if_fail (FH_IS_RUN_REQUEST (self), FALSE);

  return self->parts.input_stays &&
         (self->parts.standard_input == NULL || g_bytes_get_size (self->parts.standard_input) == 0);
}

/* The copy needs no second check. */
FhRunRequest *
fh_run_request_with_input (FhRunRequest *self, GBytes *standard_input)
{
  g_return_val_if_fail (FH_IS_RUN_REQUEST (self), NULL);
  g_return_val_if_fail (standard_input != NULL, NULL);

  return request_new (&(FhRunRequestInit){ .language = self->parts.language,
                                           .source = self->parts.source,
                                           .title = self->parts.title,
                                           .arguments = self->parts.arguments,
                                           .standard_input = standard_input,
                                           .files = self->parts.files,
                                           .removed = self->parts.removed,
                                           .hands_on = self->parts.hands_on },
                      self->options);
}

/* The members of the JSON besides the language, files and options. */
static const FhJsonMember members[] = {
  { FH_JSON_MEMBER (FhRunRequestInit, "title", TEXT, title) },
  { FH_JSON_MEMBER (FhRunRequestInit, "source", BYTES, source) },
  { FH_JSON_MEMBER (FhRunRequestInit, "arguments", STRINGS, arguments),
    .flags = FH_JSON_NEW,
    .maximum = G_MAXUINT },
  { FH_JSON_MEMBER (FhRunRequestInit, "stdin", BYTES, standard_input),
    .flags = FH_JSON_NEW | FH_JSON_NULLABLE },
  { NULL },
};

JsonNode *
fh_run_request_to_json (FhRunRequest *request)
{
  g_autoptr (JsonObject) object = NULL;

  g_return_val_if_fail (FH_IS_RUN_REQUEST (request), NULL);

  object = json_object_new ();
  json_object_set_int_member (object, "version", VERSION);
  json_object_set_string_member (object, "language", request->parts.language->id);
  fh_json_write_record (object, members, &request->parts);
  if (request->parts.files != NULL)
    json_object_set_member (object, "files", fh_run_files_to_json (request->parts.files));
  fh_run_options_to_json (request->options, object);
  return json_node_init_object (json_node_alloc (), object);
}

static GBytes *
make_text (FhRunRequest *self)
{
  g_autoptr (JsonNode) node = fh_run_request_to_json (self);
  char *text = fh_json_to_text (node, FALSE);

  return g_bytes_new_take (text, strlen (text));
}

GBytes *
fh_run_request_get_text (FhRunRequest *self)
{
  g_return_val_if_fail (FH_IS_RUN_REQUEST (self), NULL);

  if (g_once_init_enter (&self->text))
    g_once_init_leave (&self->text, make_text (self));
  return self->text;
}

/* `language`: its id. */
static FhRunRequest *
from_record (JsonObject *object, const char *language, FhRunRequestInit *record, GError **error)
{
  g_autoptr (GPtrArray) files = NULL;
  g_autoptr (FhRunOptions) options = fh_run_options_from_json (object, error);

  if (options == NULL ||
      (json_object_has_member (object, "files") &&
       !fh_run_files_from_json (json_object_get_member (object, "files"), &files, error)))
    return NULL;
  record->language = fh_language_lookup (language);
  if (record->language == NULL)
    {
      g_set_error (error,
                   FH_RUN_ERROR,
                   FH_RUN_ERROR_LANGUAGE,
                   _ ("There is no language “%s” here."),
                   language);
      return NULL;
    }
  record->files = files;
  record->options = options;
  return fh_run_request_new (record, error);
}

FhRunRequest *
fh_run_request_from_json (JsonObject *object, GError **error)
{
  FhRunRequest *request = NULL;
  FhRunRequestInit record = { 0 };
  const char *language;

  g_return_val_if_fail (object != NULL, NULL);

  if (fh_json_check_version (object, VERSION, error) &&
      fh_json_get_string (object, "language", &language, error) &&
      fh_json_read_record (object, members, &record, error))
    request = from_record (object, language, &record, error);
  fh_json_clear_record (members, &record);
  return request;
}
