/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "controls/options-request.h"

#include <glib/gi18n.h>
#include <string.h>

#include "run-error.h"

FhRunOptions *
fh_options_dup_run_values (FhOptions *self)
{
  g_autoptr (FhRunOptions) none = NULL;
  FhRunOptions *values;
  const FhRunOption *row;
  guint n;

  g_return_val_if_fail (FH_IS_OPTIONS (self), NULL);

  none = fh_run_options_new ();
  values = fh_options_dup_values (self);
  for (row = fh_run_option_list (&n); n > 0; n--, row++)
    {
      if (values->in_container && row->place == FH_OPTION_HERE)
        fh_run_option_copy (row, values, none);
    }
  if (values->in_container)
    values->guards.without &= ~FH_OPTIONS_NOT_IN_CONTAINER;
  /* Only a container that is kept has a name, a set-up command and a time after the tab. */
  if (!values->container.is_kept)
    {
      fh_run_option_copy (fh_run_option_find ("container.name"), values, none);
      fh_run_option_copy (fh_run_option_find ("container.after"), values, none);
      fh_run_option_copy (fh_run_option_find ("container.init"), values, none);
    }
  return values;
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

/* Text for the panel: bytes that are not UTF-8 are replaced. */
static char *
dup_input (FhRunRequest *request)
{
  GBytes *bytes = fh_run_request_get_standard_input (request);
  gsize size = 0;
  const char *data = bytes != NULL ? g_bytes_get_data (bytes, &size) : NULL;

  return g_utf8_make_valid (data != NULL ? data : "", (gssize) size);
}

void
fh_options_set_from_request (FhOptions *self, FhRunRequest *request)
{
  g_autoptr (FhRunOptions) before = NULL;
  g_autoptr (FhRunOptions) values = NULL;
  g_autofree char *arguments = NULL;
  g_autofree char *input = NULL;
  const FhRunOption *row;
  guint n;

  g_return_if_fail (FH_IS_OPTIONS (self));
  g_return_if_fail (FH_IS_RUN_REQUEST (request));

  arguments = join_arguments (fh_run_request_get_arguments (request));
  input = dup_input (request);
  fh_options_set_language (self, fh_run_request_get_language (request));
  g_object_set (self, "arguments", arguments, "standard-input", input, NULL);
  before = fh_options_dup_values (self);
  values = fh_run_options_copy (fh_run_request_get_options (request));
  values->no_history = before->no_history;
  for (row = fh_run_option_list (&n); n > 0; n--, row++)
    {
      if (!values->in_container && row->place == FH_OPTION_IN_CONTAINER)
        fh_run_option_copy (row, values, before);
    }
  fh_options_set_values (self, values);
}

static gboolean
parse_arguments (const char *arguments, GStrv *argv, GError **error)
{
  g_autoptr (GError) parse_error = NULL;

  if (g_shell_parse_argv (arguments, NULL, argv, &parse_error) ||
      g_error_matches (parse_error, G_SHELL_ERROR, G_SHELL_ERROR_EMPTY_STRING))
    return TRUE;
  g_set_error (error,
               FH_RUN_ERROR,
               FH_RUN_ERROR_INVALID,
               _ ("The arguments cannot be used: %s"),
               parse_error->message);
  return FALSE;
}

FhRunRequest *
fh_options_build_request (FhOptions *self,
                          GBytes *source,
                          const char *title,
                          GPtrArray *files,
                          FhTier tier,
                          GError **error)
{
  g_autoptr (FhRunOptions) values = NULL;
  g_autofree char *problem = NULL;
  g_autofree char *arguments = NULL;
  g_autofree char *text = NULL;
  g_autoptr (GBytes) input = NULL;
  g_auto (GStrv) argv = NULL;
  FhRunRequestInit init = { 0 };

  g_return_val_if_fail (FH_IS_OPTIONS (self), NULL);
  g_return_val_if_fail (source != NULL, NULL);

  g_object_get (self, "problem", &problem, "arguments", &arguments, "standard-input", &text, NULL);
  if (problem != NULL)
    {
      g_set_error_literal (error, FH_RUN_ERROR, FH_RUN_ERROR_INVALID, problem);
      return NULL;
    }
  if (!parse_arguments (arguments, &argv, error))
    return NULL;
  values = fh_options_dup_run_values (self);
  values->guards.tier = tier;
  /* Nothing would block them, and the history must not claim it. */
  if (tier == FH_TIER_UNPROTECTED)
    values->guards.no_sockets = FALSE;
  if (*text != '\0')
    input = g_bytes_new (text, strlen (text));
  init.language = fh_options_get_language (self);
  init.source = source;
  init.title = title;
  init.arguments = (const char *const *) argv;
  init.standard_input = input;
  init.input_stays = TRUE;
  init.files = files;
  init.options = values;
  return fh_run_request_new (&init, error);
}

void
fh_options_set_limits (FhOptions *self, const FhRunLimits *limits)
{
  FhRunOptions values = { 0 };
  const FhRunOption *row;
  guint n;

  g_return_if_fail (FH_IS_OPTIONS (self));
  g_return_if_fail (limits != NULL);

  values.limits = *limits;
  g_object_freeze_notify (G_OBJECT (self));
  for (row = fh_run_option_list (&n); n > 0; n--, row++)
    {
      if (g_str_has_prefix (row->key, "limits."))
        g_object_set (self,
                      fh_options_property (row),
                      fh_run_option_get_number (row, &values),
                      NULL);
    }
  g_object_thaw_notify (G_OBJECT (self));
}

void
fh_options_end_run (FhOptions *self)
{
  g_autoptr (FhRunOptions) values = NULL;
  const FhRunOption *row;
  guint n;

  g_return_if_fail (FH_IS_OPTIONS (self));

  values = fh_options_dup_run_values (self);
  for (row = fh_run_option_list (&n); n > 0; n--, row++)
    {
      /* A size notifies even if it is the same, and much depends on it. */
      if (row->flags & FH_OPTION_NOT_IN_DRAFTS && fh_run_option_get_number (row, values) != 0)
        g_object_set (self, fh_options_property (row), 0, NULL);
    }
}

static gboolean
is_typed (FhOptions *self, const FhRunOption *row)
{
  GParamSpec *property =
      g_object_class_find_property (G_OBJECT_GET_CLASS (self), fh_options_property (row));

  return G_IS_PARAM_SPEC_STRING (property);
}

GHashTable *
fh_options_dup_typed (FhOptions *self)
{
  g_autoptr (FhRunOptions) parsed = NULL;
  g_autoptr (GHashTable) typed = NULL;
  const FhRunOption *row;
  guint n;

  g_return_val_if_fail (FH_IS_OPTIONS (self), NULL);

  parsed = fh_run_options_new ();
  typed = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, g_free);
  for (row = fh_run_option_list (&n); n > 0; n--, row++)
    {
      g_autofree char *text = NULL;

      if (!is_typed (self, row))
        continue;
      g_object_get (self, fh_options_property (row), &text, NULL);
      if (!fh_run_option_parse (row, parsed, text, NULL))
        g_hash_table_insert (typed, g_strdup (row->key), g_steal_pointer (&text));
    }
  return g_hash_table_size (typed) > 0 ? g_steal_pointer (&typed) : NULL;
}

void
fh_options_set_typed (FhOptions *self, GHashTable *typed)
{
  GHashTableIter iter;
  gpointer key;
  gpointer text;

  g_return_if_fail (FH_IS_OPTIONS (self));

  if (typed == NULL)
    return;
  g_hash_table_iter_init (&iter, typed);
  while (g_hash_table_iter_next (&iter, &key, &text))
    {
      const FhRunOption *row = fh_run_option_find (key);

      if (row != NULL && is_typed (self, row))
        g_object_set (self, fh_options_property (row), text, NULL);
    }
}
