/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "controls/run-options.h"

#include <glib/gi18n.h>
#include <string.h>

#include "run-error.h"

enum
{
  PROP_LANGUAGE = 1,
  PROP_INTERPRETER,
  PROP_ARGUMENTS,
  PROP_STANDARD_INPUT,
  PROP_TIME_LIMIT,
  PROP_MEMORY_LIMIT,
  PROP_KEEP,
  PROP_PROBLEM,
  PROP_SUMMARY,
  N_PROPS
};

static GParamSpec *properties[N_PROPS];

struct _FhRunOptions
{
  GObject parent_instance;

  const FhLanguage *language;
  char *interpreter;
  char *arguments;
  char *standard_input;
  FhRunLimits limits;
  gboolean keep;
  char *problem;
  FhGuardOptions *guards;
  FhContainerChoice *container;
};

G_DEFINE_FINAL_TYPE (FhRunOptions, fh_run_options, G_TYPE_OBJECT)

static void
notify (FhRunOptions *self, guint id)
{
  g_object_notify_by_pspec (G_OBJECT (self), properties[id]);
}

static void
set_string (FhRunOptions *self, guint id, char **member, const char *value)
{
  if (g_strcmp0 (*member, value) == 0)
    return;
  g_free (*member);
  *member = g_strdup (value);
  notify (self, id);
}

static void
set_limit (FhRunOptions *self, guint id, guint64 *member, guint64 value)
{
  if (*member == value)
    return;
  *member = value;
  notify (self, id);
  notify (self, PROP_SUMMARY);
}

static char *
dup_summary (FhRunOptions *self)
{
  g_autofree char *time = fh_run_limits_format_duration (self->limits.wall_ms);
  g_autofree char *memory = fh_run_limits_format_size (self->limits.memory_bytes);
  g_autofree char *what = NULL;

  if (fh_container_choice_is_in_container (self->container))
    /* Translators: a language and the image of a container: “Python · python:3-slim” */
    what = g_strdup_printf (_ ("%s · %s"),
                            self->language->name,
                            fh_container_choice_get_image (self->container));
  else
    what = g_strdup (self->language->name);
  if (self->limits.wall_ms == 0 && self->limits.memory_bytes == 0)
    /* Translators: a language, then "no limit" */
    return g_strdup_printf (_ ("%s · %s"), what, time);
  /* Translators: language, time limit, memory limit: “Python · 30 s · 512 MiB” */
  return g_strdup_printf (_ ("%s · %s · %s"), what, time, memory);
}

static void
container_changed_cb (FhRunOptions *self)
{
  notify (self, PROP_SUMMARY);
}

static void
fh_run_options_get_property (GObject *object, guint id, GValue *value, GParamSpec *pspec)
{
  FhRunOptions *self = FH_RUN_OPTIONS (object);

  switch (id)
    {
    case PROP_LANGUAGE:
      g_value_set_string (value, self->language->id);
      break;
    case PROP_INTERPRETER:
      g_value_set_string (value, self->interpreter);
      break;
    case PROP_ARGUMENTS:
      g_value_set_string (value, self->arguments);
      break;
    case PROP_STANDARD_INPUT:
      g_value_set_string (value, self->standard_input);
      break;
    case PROP_TIME_LIMIT:
      g_value_set_uint64 (value, self->limits.wall_ms);
      break;
    case PROP_MEMORY_LIMIT:
      g_value_set_uint64 (value, self->limits.memory_bytes);
      break;
    case PROP_KEEP:
      g_value_set_boolean (value, self->keep);
      break;
    case PROP_PROBLEM:
      g_value_set_string (value, self->problem);
      break;
    case PROP_SUMMARY:
      g_value_take_string (value, dup_summary (self));
      break;
    default:
      G_OBJECT_WARN_INVALID_PROPERTY_ID (object, id, pspec);
    }
}

static const char *
or_empty (const char *text)
{
  return text != NULL ? text : "";
}

static void
fh_run_options_set_property (GObject *object, guint id, const GValue *value, GParamSpec *pspec)
{
  FhRunOptions *self = FH_RUN_OPTIONS (object);

  switch (id)
    {
    case PROP_LANGUAGE:
      fh_run_options_set_language (self,
                                   fh_language_lookup (or_empty (g_value_get_string (value))));
      break;
    case PROP_INTERPRETER:
      set_string (self, id, &self->interpreter, g_value_get_string (value));
      break;
    case PROP_ARGUMENTS:
      set_string (self, id, &self->arguments, or_empty (g_value_get_string (value)));
      break;
    case PROP_STANDARD_INPUT:
      set_string (self, id, &self->standard_input, or_empty (g_value_get_string (value)));
      break;
    case PROP_TIME_LIMIT:
      set_limit (self, id, &self->limits.wall_ms, g_value_get_uint64 (value));
      break;
    case PROP_MEMORY_LIMIT:
      set_limit (self, id, &self->limits.memory_bytes, g_value_get_uint64 (value));
      break;
    case PROP_KEEP:
      self->keep = g_value_get_boolean (value);
      notify (self, id);
      break;
    case PROP_PROBLEM:
      set_string (self, id, &self->problem, g_value_get_string (value));
      break;
    default:
      G_OBJECT_WARN_INVALID_PROPERTY_ID (object, id, pspec);
    }
}

static void
fh_run_options_finalize (GObject *object)
{
  FhRunOptions *self = FH_RUN_OPTIONS (object);

  g_free (self->interpreter);
  g_free (self->arguments);
  g_free (self->standard_input);
  g_free (self->problem);
  g_object_unref (self->guards);
  g_object_unref (self->container);

  G_OBJECT_CLASS (fh_run_options_parent_class)->finalize (object);
}

static void
fh_run_options_class_init (FhRunOptionsClass *klass)
{
  GObjectClass *object_class = G_OBJECT_CLASS (klass);
  GParamFlags flags = G_PARAM_READWRITE | G_PARAM_EXPLICIT_NOTIFY | G_PARAM_STATIC_STRINGS;

  object_class->finalize = fh_run_options_finalize;
  object_class->get_property = fh_run_options_get_property;
  object_class->set_property = fh_run_options_set_property;

  properties[PROP_LANGUAGE] = g_param_spec_string ("language", NULL, NULL, "python", flags);
  properties[PROP_INTERPRETER] = g_param_spec_string ("interpreter", NULL, NULL, NULL, flags);
  properties[PROP_ARGUMENTS] = g_param_spec_string ("arguments", NULL, NULL, "", flags);
  properties[PROP_STANDARD_INPUT] = g_param_spec_string ("standard-input", NULL, NULL, "", flags);
  properties[PROP_TIME_LIMIT] =
      g_param_spec_uint64 ("time-limit", NULL, NULL, 0, G_MAXUINT64, 0, flags);
  properties[PROP_MEMORY_LIMIT] =
      g_param_spec_uint64 ("memory-limit", NULL, NULL, 0, G_MAXUINT64, 0, flags);
  properties[PROP_KEEP] = g_param_spec_boolean ("keep", NULL, NULL, TRUE, flags);
  properties[PROP_PROBLEM] = g_param_spec_string ("problem", NULL, NULL, NULL, flags);
  properties[PROP_SUMMARY] =
      g_param_spec_string ("summary", NULL, NULL, NULL, G_PARAM_READABLE | G_PARAM_STATIC_STRINGS);
  g_object_class_install_properties (object_class, N_PROPS, properties);
}

static void
fh_run_options_init (FhRunOptions *self)
{
  self->language = fh_language_list ()[0];
  self->arguments = g_strdup ("");
  self->standard_input = g_strdup ("");
  self->limits = FH_RUN_LIMITS_DEFAULT;
  self->keep = TRUE;
  self->guards = fh_guard_options_new ();
  self->container = fh_container_choice_new ();
  g_object_bind_property (self->container,
                          "in-container",
                          self->guards,
                          "in-container",
                          G_BINDING_SYNC_CREATE);
  g_signal_connect_object (self->container,
                           "notify::serial",
                           G_CALLBACK (container_changed_cb),
                           self,
                           G_CONNECT_SWAPPED);
}

FhRunOptions *
fh_run_options_new (void)
{
  return g_object_new (FH_TYPE_RUN_OPTIONS, NULL);
}

const FhLanguage *
fh_run_options_get_language (FhRunOptions *self)
{
  g_return_val_if_fail (FH_IS_RUN_OPTIONS (self), NULL);

  return self->language;
}

void
fh_run_options_set_language (FhRunOptions *self, const FhLanguage *language)
{
  g_return_if_fail (FH_IS_RUN_OPTIONS (self));

  if (language == NULL || language == self->language)
    return;
  self->language = language;
  /* An interpreter belongs to its language. */
  set_string (self, PROP_INTERPRETER, &self->interpreter, NULL);
  notify (self, PROP_LANGUAGE);
  notify (self, PROP_SUMMARY);
}

const char *
fh_run_options_get_interpreter (FhRunOptions *self)
{
  g_return_val_if_fail (FH_IS_RUN_OPTIONS (self), NULL);

  return self->interpreter;
}

const char *
fh_run_options_get_arguments (FhRunOptions *self)
{
  g_return_val_if_fail (FH_IS_RUN_OPTIONS (self), NULL);

  return self->arguments;
}

const char *
fh_run_options_get_standard_input (FhRunOptions *self)
{
  g_return_val_if_fail (FH_IS_RUN_OPTIONS (self), NULL);

  return self->standard_input;
}

gboolean
fh_run_options_get_keep (FhRunOptions *self)
{
  g_return_val_if_fail (FH_IS_RUN_OPTIONS (self), TRUE);

  return self->keep;
}

FhGuardOptions *
fh_run_options_get_guards (FhRunOptions *self)
{
  g_return_val_if_fail (FH_IS_RUN_OPTIONS (self), NULL);

  return self->guards;
}

FhContainerChoice *
fh_run_options_get_container (FhRunOptions *self)
{
  g_return_val_if_fail (FH_IS_RUN_OPTIONS (self), NULL);

  return self->container;
}

FhRunLimits
fh_run_options_get_limits (FhRunOptions *self)
{
  FhRunLimits none = { 0 };

  g_return_val_if_fail (FH_IS_RUN_OPTIONS (self), none);

  return self->limits;
}

void
fh_run_options_set_limits (FhRunOptions *self, const FhRunLimits *limits)
{
  FhRunLimits old;

  g_return_if_fail (FH_IS_RUN_OPTIONS (self));
  g_return_if_fail (limits != NULL);

  old = self->limits;
  self->limits = *limits;
  /* The two with a control of their own tell about themselves. */
  self->limits.wall_ms = old.wall_ms;
  self->limits.memory_bytes = old.memory_bytes;
  set_limit (self, PROP_TIME_LIMIT, &self->limits.wall_ms, limits->wall_ms);
  set_limit (self, PROP_MEMORY_LIMIT, &self->limits.memory_bytes, limits->memory_bytes);
}

static char *
join_arguments (const char *const *arguments)
{
  GString *line = g_string_new (NULL);

  for (; *arguments != NULL; arguments++)
    {
      g_autofree char *shown = g_utf8_make_valid (*arguments, -1);
      gboolean plain = *shown != '\0' && strpbrk (shown, " \t\n'\"\\$`#&|;<>()*?[]~!") == NULL;
      g_autofree char *word = plain ? g_strdup (shown) : g_shell_quote (shown);

      g_string_append_printf (line, "%s%s", line->len > 0 ? " " : "", word);
    }
  return g_string_free (line, FALSE);
}

void
fh_run_options_set_from_request (FhRunOptions *self, FhRunRequest *request)
{
  const FhContainerOptions *container;
  g_autofree char *arguments = NULL;
  g_autofree char *input = NULL;
  GBytes *bytes;

  g_return_if_fail (FH_IS_RUN_OPTIONS (self));
  g_return_if_fail (FH_IS_RUN_REQUEST (request));

  fh_run_options_set_language (self, fh_run_request_get_language (request));
  container = fh_run_request_get_container (request);
  fh_container_choice_set_from (self->container,
                                container,
                                fh_run_request_get_interpreter (request));
  set_string (self,
              PROP_INTERPRETER,
              &self->interpreter,
              container == NULL ? fh_run_request_get_interpreter (request) : NULL);
  arguments = join_arguments (fh_run_request_get_arguments (request));
  set_string (self, PROP_ARGUMENTS, &self->arguments, arguments);
  bytes = fh_run_request_get_standard_input (request);
  if (bytes != NULL)
    {
      gsize size;
      const char *data = g_bytes_get_data (bytes, &size);

      input = g_utf8_make_valid (data != NULL ? data : "", (gssize) size);
    }
  set_string (self, PROP_STANDARD_INPUT, &self->standard_input, or_empty (input));
  fh_run_options_set_limits (self, fh_run_request_get_limits (request));
  fh_guard_options_set_from (self->guards, fh_run_request_get_guards (request));
}

static gboolean
parse_arguments (FhRunOptions *self, GStrv *argv, GError **error)
{
  g_autoptr (GError) parse_error = NULL;

  if (g_shell_parse_argv (self->arguments, NULL, argv, &parse_error) ||
      g_error_matches (parse_error, G_SHELL_ERROR, G_SHELL_ERROR_EMPTY_STRING))
    return TRUE;
  g_set_error (error,
               FH_RUN_ERROR,
               FH_RUN_ERROR_INVALID,
               _ ("The arguments cannot be used: %s"),
               parse_error->message);
  return FALSE;
}

static gboolean
take_container (FhRunOptions *self,
                FhRunRequestInit *init,
                FhContainerOptions *container,
                GError **error)
{
  init->interpreter = self->interpreter;
  if (!fh_container_choice_is_in_container (self->container))
    return TRUE;
  if (!fh_container_choice_get (self->container, container, error))
    return FALSE;
  init->container = container;
  init->interpreter = fh_container_choice_get_interpreter (self->container);
  return TRUE;
}

FhRunRequest *
fh_run_options_build_request (FhRunOptions *self,
                              const char *source,
                              const char *title,
                              FhTier tier,
                              GError **error)
{
  FhRunGuards guards;
  g_autoptr (GBytes) code = NULL;
  g_autoptr (GBytes) input = NULL;
  g_auto (GStrv) argv = NULL;
  FhRunRequestInit init = { 0 };
  FhContainerOptions container;

  g_return_val_if_fail (FH_IS_RUN_OPTIONS (self), NULL);
  g_return_val_if_fail (source != NULL, NULL);

  if (self->problem != NULL)
    {
      g_set_error_literal (error, FH_RUN_ERROR, FH_RUN_ERROR_INVALID, self->problem);
      return NULL;
    }
  if (!parse_arguments (self, &argv, error) ||
      !fh_guard_options_get (self->guards, &guards, error) ||
      !take_container (self, &init, &container, error))
    return NULL;
  guards.tier = tier;

  code = g_bytes_new (source, strlen (source));
  if (*self->standard_input != '\0')
    input = g_bytes_new (self->standard_input, strlen (self->standard_input));
  init.language = self->language;
  init.source = code;
  init.title = title;
  init.arguments = (const char *const *) argv;
  init.standard_input = input;
  init.limits = self->limits;
  init.guards = &guards;
  return fh_run_request_new (&init, error);
}
