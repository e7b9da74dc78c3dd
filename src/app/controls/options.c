/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "controls/options.h"

#include <glib/gi18n.h>
#include <string.h>

#include "controls/option-text.h"
#include "parts/calls.h"
#include "run-error.h"

enum
{
  PROP_LANGUAGE = 1,
  PROP_LIMIT_IMPORTS,
  PROP_FIRST_STRING,
  PROP_ARGUMENTS = PROP_FIRST_STRING,
  PROP_STANDARD_INPUT,
  PROP_INTERPRETER_INSIDE,
  PROP_PROBLEM, /* from here on read-only */
  PROP_GUARDS_PROBLEM,
  PROP_CONTAINER_PROBLEM,
  PROP_NOTICE,
  PROP_CONTAINER_NOTICE,
  PROP_PLACE,
  PROP_SERIAL,
  PROP_FIRST_ROW
};

static const FhRunOption *rows;
static guint n_rows;
static GParamSpec **properties;

/* For each row, `texts` has what was typed and `problems` why it cannot be used; `run` has what
 * could be read of it last. */
struct _FhOptions
{
  GObject parent_instance;

  const FhLanguage *language;
  gboolean limit_imports;
  char *strings[PROP_PROBLEM - PROP_FIRST_STRING];
  FhRunOptions *run;
  GStrv texts;
  GStrv problems;
  guint serial;
};

G_DEFINE_FINAL_TYPE (FhOptions, fh_options, G_TYPE_OBJECT)

const char *
fh_options_property (const FhRunOption *row)
{
  g_autofree char *name = g_strdelimit (g_strdup (row->key), "._", '-');

  return g_intern_string (name);
}

static gboolean
is_typed (const FhRunOption *row)
{
  return row->kind == FH_OPTION_TEXT || row->kind == FH_OPTION_PATH ||
         row->kind == FH_OPTION_WORDS || row->kind == FH_OPTION_LINES;
}

static guint
row_index (const char *key)
{
  return (guint) (fh_run_option_find (key) - rows);
}

FhRunOptions *
fh_options_dup_values (FhOptions *self)
{
  g_autoptr (FhRunOptions) none = NULL;
  FhRunOptions *values;

  g_return_val_if_fail (FH_IS_OPTIONS (self), NULL);

  none = fh_run_options_new ();
  values = fh_run_options_copy (self->run);
  values->guards.report_lines = values->guards.watch != FH_WATCH_OFF;
  if (!self->limit_imports)
    fh_run_option_copy (fh_run_option_find ("guards.imports"), values, none);
  if (values->in_container)
    {
      g_free (values->interpreter);
      values->interpreter =
          g_strstrip (g_strdup (self->strings[PROP_INTERPRETER_INSIDE - PROP_FIRST_STRING]));
      if (*values->interpreter == '\0')
        g_clear_pointer (&values->interpreter, g_free);
    }
  return values;
}

/* "" for all groups. */
static const char *
get_row_problem (FhOptions *self, const char *group)
{
  FhOptionPlace elsewhere = self->run->in_container ? FH_OPTION_HERE : FH_OPTION_IN_CONTAINER;

  for (guint i = 0; i < n_rows; i++)
    {
      if (*self->problems[i] != '\0' && rows[i].place != elsewhere &&
          g_str_has_prefix (rows[i].key, group) &&
          (self->limit_imports || i != row_index ("guards.imports")))
        return self->problems[i];
    }
  return NULL;
}

static char *
dup_problem (FhOptions *self, guint id)
{
  const char *const groups[] = { "", "guards.", "container." };
  const char *problem = get_row_problem (self, groups[id - PROP_PROBLEM]);
  g_autoptr (FhRunOptions) values = NULL;
  g_autoptr (GError) error = NULL;

  if (problem != NULL)
    return g_strdup (problem);
  values = fh_options_dup_run_values (self);
  if (id == PROP_PROBLEM)
    fh_run_options_check (values, &error);
  else if (id == PROP_GUARDS_PROBLEM)
    fh_run_guards_check (&values->guards, &error);
  else if (values->in_container)
    fh_container_options_check (&values->container, &error);
  return error != NULL ? g_strdup (error->message) : NULL;
}

/* Notifies a property and all that depend on it; none do on arguments and input. */
static void
changed (FhOptions *self, guint id)
{
  GObject *object = G_OBJECT (self);
  gboolean is_input = id == PROP_ARGUMENTS || id == PROP_STANDARD_INPUT;
  gboolean of_container =
      id == PROP_INTERPRETER_INSIDE || id == PROP_FIRST_ROW + row_index ("in_container") ||
      (id >= PROP_FIRST_ROW && rows[id - PROP_FIRST_ROW].place == FH_OPTION_IN_CONTAINER);

  g_object_freeze_notify (object);
  g_object_notify_by_pspec (object, properties[id]);
  for (guint i = PROP_PROBLEM; i < PROP_SERIAL && !is_input; i++)
    g_object_notify_by_pspec (object, properties[i]);
  if (of_container)
    {
      self->serial++;
      g_object_notify_by_pspec (object, properties[PROP_SERIAL]);
    }
  g_object_thaw_notify (object);
}

static void
set_string (FhOptions *self, guint id, const char *value)
{
  char **member = &self->strings[id - PROP_FIRST_STRING];

  if (value == NULL)
    value = "";
  if (!fh_set_str (member, value))
    return;
  changed (self, id);
}

static void
set_without (FhOptions *self, guint value)
{
  guint allowed = FH_RUN_GUARDS_SWITCHES;

  if (self->run->in_container)
    allowed &= ~FH_OPTIONS_NOT_IN_CONTAINER;
  if (self->run->guards.without == (value & allowed))
    return;
  self->run->guards.without = value & allowed;
  changed (self, PROP_FIRST_ROW + row_index ("guards.without"));
}

static void
set_problem (FhOptions *self, guint i, const char *problem)
{
  fh_set_str (&self->problems[i], problem != NULL ? problem : "");
}

static void
set_text (FhOptions *self, guint i, const char *text)
{
  g_autoptr (GError) error = NULL;

  if (text == NULL)
    text = "";
  if (!fh_set_str (&self->texts[i], text))
    return;
  fh_run_option_parse (&rows[i], self->run, text, &error);
  set_problem (self, i, error != NULL ? error->message : NULL);
  /* These two belong to the folder: where the engine finds it, and how its files get in. */
  if (i == row_index ("container.work_dir"))
    {
      g_autoptr (FhRunOptions) none = fh_run_options_new ();

      fh_run_option_copy (fh_run_option_find ("container.bind_dir"), self->run, none);
      fh_run_option_copy (fh_run_option_find ("container.files"), self->run, none);
    }
  changed (self, PROP_FIRST_ROW + i);
}

static void
get_row (FhOptions *self, guint i, GValue *value)
{
  guint64 number = is_typed (&rows[i]) ? 0 : fh_run_option_get_number (&rows[i], self->run);

  if (is_typed (&rows[i]))
    g_value_set_string (value, self->texts[i]);
  else if (G_VALUE_HOLDS_BOOLEAN (value))
    g_value_set_boolean (value, number != rows[i].minimum);
  else if (G_VALUE_HOLDS_UINT (value))
    g_value_set_uint (value, (guint) number);
  else
    g_value_set_uint64 (value, number);
}

static void
set_row (FhOptions *self, guint i, const GValue *value)
{
  guint64 number;

  if (is_typed (&rows[i]))
    {
      set_text (self, i, g_value_get_string (value));
      return;
    }
  if (rows[i].kind == FH_OPTION_GUARDS)
    {
      set_without (self, g_value_get_uint (value));
      return;
    }
  if (G_VALUE_HOLDS_BOOLEAN (value))
    number = g_value_get_boolean (value) ? rows[i].maximum : rows[i].minimum;
  else if (G_VALUE_HOLDS_UINT (value))
    number = g_value_get_uint (value);
  else
    number = g_value_get_uint64 (value);
  /* A limit is notified even if unchanged: its row may show an invalid text, to be replaced. */
  if (number == fh_run_option_get_number (&rows[i], self->run) && !G_VALUE_HOLDS_UINT64 (value))
    return;
  fh_run_option_set_number (&rows[i], self->run, number);
  changed (self, PROP_FIRST_ROW + i);
  set_without (self, self->run->guards.without);
}

static void
fh_options_get_property (GObject *object, guint id, GValue *value, GParamSpec *pspec)
{
  FhOptions *self = FH_OPTIONS (object);

  switch (id)
    {
    case PROP_LANGUAGE:
      g_value_set_string (value, self->language->id);
      break;
    case PROP_ARGUMENTS:
    case PROP_STANDARD_INPUT:
    case PROP_INTERPRETER_INSIDE:
      g_value_set_string (value, self->strings[id - PROP_FIRST_STRING]);
      break;
    case PROP_LIMIT_IMPORTS:
      g_value_set_boolean (value, self->limit_imports);
      break;
    case PROP_PROBLEM:
    case PROP_GUARDS_PROBLEM:
    case PROP_CONTAINER_PROBLEM:
      g_value_take_string (value, dup_problem (self, id));
      break;
    case PROP_NOTICE:
      g_value_take_string (value, fh_option_text_guards (self->run));
      break;
    case PROP_CONTAINER_NOTICE:
      g_value_take_string (value, fh_option_text_container (self->run));
      break;
    case PROP_PLACE:
      g_value_take_string (value, fh_option_text_place (self->run));
      break;
    case PROP_SERIAL:
      g_value_set_uint (value, self->serial);
      break;
    default:
      get_row (self, id - PROP_FIRST_ROW, value);
    }
}

static void
fh_options_set_property (GObject *object, guint id, const GValue *value, GParamSpec *pspec)
{
  FhOptions *self = FH_OPTIONS (object);
  const char *language;

  switch (id)
    {
    case PROP_LANGUAGE:
      language = g_value_get_string (value);
      fh_options_set_language (self, language != NULL ? fh_language_lookup (language) : NULL);
      break;
    case PROP_ARGUMENTS:
    case PROP_STANDARD_INPUT:
    case PROP_INTERPRETER_INSIDE:
      set_string (self, id, g_value_get_string (value));
      break;
    case PROP_LIMIT_IMPORTS:
      if (self->limit_imports == g_value_get_boolean (value))
        break;
      self->limit_imports = g_value_get_boolean (value);
      changed (self, id);
      break;
    default:
      set_row (self, id - PROP_FIRST_ROW, value);
    }
}

static void
fh_options_finalize (GObject *object)
{
  FhOptions *self = FH_OPTIONS (object);

  for (guint i = 0; i < G_N_ELEMENTS (self->strings); i++)
    g_free (self->strings[i]);
  fh_run_options_free (self->run);
  g_strfreev (self->texts);
  g_strfreev (self->problems);

  G_OBJECT_CLASS (fh_options_parent_class)->finalize (object);
}

static GParamSpec *
row_property (const FhRunOption *row)
{
  const char *name = fh_options_property (row);

  if (is_typed (row))
    return g_param_spec_string (name, NULL, NULL, "", FH_PARAM_WRITE);
  if (row->kind == FH_OPTION_SWITCH)
    return g_param_spec_boolean (name, NULL, NULL, FALSE, FH_PARAM_WRITE);
  if (row->kind == FH_OPTION_WORD)
    return g_param_spec_uint (name, NULL, NULL, 0, (guint) row->maximum, 0, FH_PARAM_WRITE);
  if (row->kind == FH_OPTION_GUARDS)
    return g_param_spec_uint (name, NULL, NULL, 0, G_MAXUINT, 0, FH_PARAM_WRITE);
  return g_param_spec_uint64 (name, NULL, NULL, 0, G_MAXUINT64, 0, FH_PARAM_WRITE);
}

static void
fh_options_class_init (FhOptionsClass *klass)
{
  static const char *const strings[] = { "arguments", "standard-input", "interpreter-inside" };
  static const char *const readable[] = { "problem", "guards-problem",   "container-problem",
                                          "notice",  "container-notice", "place" };
  GObjectClass *object_class = G_OBJECT_CLASS (klass);

  object_class->finalize = fh_options_finalize;
  object_class->get_property = fh_options_get_property;
  object_class->set_property = fh_options_set_property;

  rows = fh_run_option_list (&n_rows);
  properties = g_new0 (GParamSpec *, PROP_FIRST_ROW + n_rows);
  properties[PROP_LANGUAGE] =
      g_param_spec_string ("language", NULL, NULL, "python", FH_PARAM_WRITE);
  properties[PROP_LIMIT_IMPORTS] =
      g_param_spec_boolean ("limit-imports", NULL, NULL, FALSE, FH_PARAM_WRITE);
  for (guint i = 0; i < G_N_ELEMENTS (strings); i++)
    properties[PROP_FIRST_STRING + i] =
        g_param_spec_string (strings[i], NULL, NULL, "", FH_PARAM_WRITE);
  for (guint i = 0; i < G_N_ELEMENTS (readable); i++)
    properties[PROP_PROBLEM + i] =
        g_param_spec_string (readable[i], NULL, NULL, NULL, FH_PARAM_READ);
  properties[PROP_SERIAL] =
      g_param_spec_uint ("serial", NULL, NULL, 0, G_MAXUINT, 0, FH_PARAM_READ);
  for (guint i = 0; i < n_rows; i++)
    properties[PROP_FIRST_ROW + i] = row_property (&rows[i]);
  g_object_class_install_properties (object_class, PROP_FIRST_ROW + n_rows, properties);
}

/* The modules default to the default list, even if imports are not limited. */
static void
show_row (FhOptions *self, guint i)
{
  set_problem (self, i, NULL);
  g_free (self->texts[i]);
  if (i == row_index ("guards.imports") && self->run->guards.imports == NULL)
    {
      self->texts[i] = g_strjoinv (" ", (GStrv) fh_run_guards_default_imports ());
      fh_run_option_parse (&rows[i], self->run, self->texts[i], NULL);
    }
  else
    {
      self->texts[i] = fh_run_option_format (&rows[i], self->run);
    }
}

static void
fh_options_init (FhOptions *self)
{
  self->language = fh_language_list ();
  for (guint i = 0; i < G_N_ELEMENTS (self->strings); i++)
    self->strings[i] = g_strdup ("");
  self->run = fh_run_options_new ();
  self->texts = g_new0 (char *, n_rows + 1);
  self->problems = g_new0 (char *, n_rows + 1);
  for (guint i = 0; i < n_rows; i++)
    show_row (self, i);
}

FhOptions *
fh_options_new (void)
{
  return g_object_new (FH_TYPE_OPTIONS, NULL);
}

const FhLanguage *
fh_options_get_language (FhOptions *self)
{
  g_return_val_if_fail (FH_IS_OPTIONS (self), NULL);

  return self->language;
}

void
fh_options_set_language (FhOptions *self, const FhLanguage *language)
{
  g_return_if_fail (FH_IS_OPTIONS (self));

  if (language == NULL || language == self->language)
    return;
  self->language = language;
  /* The interpreter of another language is of no use. */
  set_text (self, row_index ("interpreter"), NULL);
  set_string (self, PROP_INTERPRETER_INSIDE, NULL);
  changed (self, PROP_LANGUAGE);
}

gboolean
fh_options_is_in_container (FhOptions *self)
{
  g_return_val_if_fail (FH_IS_OPTIONS (self), FALSE);

  return self->run->in_container;
}

gboolean
fh_options_is_kept (GParamSpec *property)
{
  for (guint i = 0; i < n_rows; i++)
    {
      if (properties[PROP_FIRST_ROW + i] == property)
        return !(rows[i].flags & FH_OPTION_NOT_IN_DRAFTS);
    }
  return property->flags & G_PARAM_WRITABLE;
}

static void
copy_row (FhOptions *self, guint i, const FhRunOptions *from)
{
  fh_run_option_copy (&rows[i], self->run, from);
  show_row (self, i);
  changed (self, PROP_FIRST_ROW + i);
}

void
fh_options_set_values (FhOptions *self, const FhRunOptions *values)
{
  g_autoptr (FhRunOptions) none = NULL;
  guint interpreter = row_index ("interpreter");

  g_return_if_fail (FH_IS_OPTIONS (self));
  g_return_if_fail (values != NULL);

  none = fh_run_options_new ();
  g_object_freeze_notify (G_OBJECT (self));
  g_object_set (self, "limit-imports", values->guards.imports != NULL, NULL);
  for (guint i = 0; i < n_rows; i++)
    copy_row (self, i, rows[i].flags & FH_OPTION_NOT_IN_DRAFTS ? none : values);
  if (values->in_container)
    {
      copy_row (self, interpreter, none);
      set_string (self, PROP_INTERPRETER_INSIDE, values->interpreter);
    }
  g_object_thaw_notify (G_OBJECT (self));
}

void
fh_options_set_problem (FhOptions *self, const FhRunOption *row, const char *problem)
{
  guint i = (guint) (row - rows);

  g_return_if_fail (FH_IS_OPTIONS (self));
  g_return_if_fail (i < n_rows);

  set_problem (self, i, problem);
  changed (self, PROP_PROBLEM);
}

FhRunOptions *
fh_options_dup_run_values (FhOptions *self)
{
  g_autoptr (FhRunOptions) none = NULL;
  FhRunOptions *values;
  g_return_val_if_fail (FH_IS_OPTIONS (self), NULL);

  none = fh_run_options_new ();
  values = fh_options_dup_values (self);
  for (guint i = 0; i < n_rows; i++)
    {
      if (values->in_container && rows[i].place == FH_OPTION_HERE)
        fh_run_option_copy (&rows[i], values, none);
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
  GBytes *bytes = fh_run_request_get_parts (request)->standard_input;
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
  g_return_if_fail (FH_IS_OPTIONS (self));
  g_return_if_fail (FH_IS_RUN_REQUEST (request));

  arguments = join_arguments (fh_run_request_get_parts (request)->arguments);
  input = dup_input (request);
  fh_options_set_language (self, fh_run_request_get_parts (request)->language);
  g_object_set (self, "arguments", arguments, "standard-input", input, NULL);
  before = fh_options_dup_values (self);
  values = fh_run_options_copy (fh_run_request_get_parts (request)->options);
  values->no_history = before->no_history;
  for (guint i = 0; i < n_rows; i++)
    {
      if (!values->in_container && rows[i].place == FH_OPTION_IN_CONTAINER)
        fh_run_option_copy (&rows[i], values, before);
    }
  fh_options_set_values (self, values);
}

gboolean
fh_options_parse_arguments (const char *arguments, GStrv *argv, GError **error)
{
  g_autoptr (GError) parse_error = NULL;

  g_return_val_if_fail (arguments != NULL && argv != NULL, FALSE);

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
  if (!fh_options_parse_arguments (arguments, &argv, error))
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

  g_return_if_fail (FH_IS_OPTIONS (self));
  g_return_if_fail (limits != NULL);

  values.limits = *limits;
  g_object_freeze_notify (G_OBJECT (self));
  for (guint i = 0; i < n_rows; i++)
    {
      if (g_str_has_prefix (rows[i].key, "limits."))
        g_object_set (self,
                      fh_options_property (&rows[i]),
                      fh_run_option_get_number (&rows[i], &values),
                      NULL);
    }
  g_object_thaw_notify (G_OBJECT (self));
}

void
fh_options_end_run (FhOptions *self)
{
  g_autoptr (FhRunOptions) values = NULL;

  g_return_if_fail (FH_IS_OPTIONS (self));

  values = fh_options_dup_run_values (self);
  for (guint i = 0; i < n_rows; i++)
    {
      /* A size notifies even if it is the same, and much depends on it. */
      if (rows[i].flags & FH_OPTION_NOT_IN_DRAFTS &&
          fh_run_option_get_number (&rows[i], values) != 0)
        g_object_set (self, fh_options_property (&rows[i]), 0, NULL);
    }
}

GHashTable *
fh_options_dup_typed (FhOptions *self)
{
  g_autoptr (FhRunOptions) parsed = NULL;
  g_autoptr (GHashTable) typed = NULL;

  g_return_val_if_fail (FH_IS_OPTIONS (self), NULL);

  parsed = fh_run_options_new ();
  typed = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, g_free);
  for (guint i = 0; i < n_rows; i++)
    {
      if (is_typed (&rows[i]) && !fh_run_option_parse (&rows[i], parsed, self->texts[i], NULL))
        g_hash_table_insert (typed, g_strdup (rows[i].key), g_strdup (self->texts[i]));
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

      if (row != NULL && is_typed (row))
        g_object_set (self, fh_options_property (row), text, NULL);
    }
}
