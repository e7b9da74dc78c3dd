/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "controls/guard-options.h"

#include <glib/gi18n.h>

#include "run-error.h"

/* The lists are what the texts say, parsed when they are asked for. */
struct _FhGuardOptions
{
  GObject parent_instance;

  guint watch;
  guint without;
  char *hosts;
  gboolean limit_functions;
  gboolean limit_imports;
  char *imports;
  char *operations;
  gboolean in_container;

  GStrv host_list;
  GStrv import_list;
};

enum
{
  PROP_0,
  PROP_WATCH,
  PROP_WITHOUT,
  PROP_HOSTS,
  PROP_LIMIT_FUNCTIONS,
  PROP_LIMIT_IMPORTS,
  PROP_IMPORTS,
  PROP_OPERATIONS,
  PROP_IN_CONTAINER,
  PROP_PROBLEM,
  PROP_NOTICE,
  N_PROPS
};

static GParamSpec *properties[N_PROPS];

G_DEFINE_FINAL_TYPE (FhGuardOptions, fh_guard_options, G_TYPE_OBJECT)

/* Words between spaces, commas or line breaks; none is empty. */
static GStrv
split_words (const char *text)
{
  g_auto (GStrv) words = g_strsplit_set (text, " ,;\t\n", -1);
  g_autoptr (GStrvBuilder) builder = g_strv_builder_new ();

  for (guint i = 0; words[i] != NULL; i++)
    {
      if (*words[i] != '\0')
        g_strv_builder_add (builder, words[i]);
    }
  return g_strv_builder_end (builder);
}

static char *
dup_notice (FhGuardOptions *self)
{
  g_autoptr (GStrvBuilder) builder = g_strv_builder_new ();
  g_auto (GStrv) titles = NULL;
  g_autofree char *list = NULL;

  if (self->without == 0)
    return NULL;
  for (guint guard = 0; guard < FH_N_GUARDS; guard++)
    {
      g_autoptr (FhGuardState) state =
          fh_guard_state_new ((FhGuard) guard, FH_GUARD_LEVEL_OFF, "", NULL);

      if (self->without & 1u << guard)
        g_strv_builder_add (builder, fh_guard_state_get_title (state));
    }
  titles = g_strv_builder_end (builder);
  list = g_strjoinv (", ", titles);
  /* Translators: %s is a list of guards: “Network, Memory” */
  return g_strdup_printf (_ ("The next run goes without: %s"), list);
}

static char *
dup_problem (FhGuardOptions *self)
{
  g_autoptr (GError) error = NULL;
  FhRunGuards guards;

  return fh_guard_options_get (self, &guards, &error) ? NULL : g_strdup (error->message);
}

static void
notify (FhGuardOptions *self, guint id)
{
  g_object_notify_by_pspec (G_OBJECT (self), properties[id]);
  g_object_notify_by_pspec (G_OBJECT (self), properties[PROP_PROBLEM]);
  if (id == PROP_WITHOUT)
    g_object_notify_by_pspec (G_OBJECT (self), properties[PROP_NOTICE]);
}

static void
set_number (FhGuardOptions *self, guint id, guint *member, guint value)
{
  if (*member == value)
    return;
  *member = value;
  notify (self, id);
}

static void
set_flag (FhGuardOptions *self, guint id, gboolean *member, gboolean value)
{
  if (*member == value)
    return;
  *member = value;
  notify (self, id);
}

static void
set_text (FhGuardOptions *self, guint id, char **member, const char *value)
{
  const char *text = value != NULL ? value : "";

  if (g_strcmp0 (*member, text) == 0)
    return;
  g_free (*member);
  *member = g_strdup (text);
  notify (self, id);
}

static void
set_without (FhGuardOptions *self, guint without)
{
  guint allowed = FH_RUN_GUARDS_SWITCHES;

  if (self->in_container)
    allowed &= ~FH_GUARD_OPTIONS_NOT_IN_CONTAINER;
  set_number (self, PROP_WITHOUT, &self->without, without & allowed);
}

static void
fh_guard_options_get_property (GObject *object, guint id, GValue *value, GParamSpec *pspec)
{
  FhGuardOptions *self = FH_GUARD_OPTIONS (object);

  switch (id)
    {
    case PROP_WATCH:
      g_value_set_uint (value, self->watch);
      break;
    case PROP_WITHOUT:
      g_value_set_uint (value, self->without);
      break;
    case PROP_HOSTS:
      g_value_set_string (value, self->hosts);
      break;
    case PROP_LIMIT_FUNCTIONS:
      g_value_set_boolean (value, self->limit_functions);
      break;
    case PROP_LIMIT_IMPORTS:
      g_value_set_boolean (value, self->limit_imports);
      break;
    case PROP_IMPORTS:
      g_value_set_string (value, self->imports);
      break;
    case PROP_OPERATIONS:
      g_value_set_string (value, self->operations);
      break;
    case PROP_IN_CONTAINER:
      g_value_set_boolean (value, self->in_container);
      break;
    case PROP_PROBLEM:
      g_value_take_string (value, dup_problem (self));
      break;
    case PROP_NOTICE:
      g_value_take_string (value, dup_notice (self));
      break;
    default:
      G_OBJECT_WARN_INVALID_PROPERTY_ID (object, id, pspec);
    }
}

static void
fh_guard_options_set_property (GObject *object, guint id, const GValue *value, GParamSpec *pspec)
{
  FhGuardOptions *self = FH_GUARD_OPTIONS (object);

  switch (id)
    {
    case PROP_WATCH:
      set_number (self, id, &self->watch, g_value_get_uint (value));
      break;
    case PROP_WITHOUT:
      set_without (self, g_value_get_uint (value));
      break;
    case PROP_HOSTS:
      set_text (self, id, &self->hosts, g_value_get_string (value));
      break;
    case PROP_LIMIT_FUNCTIONS:
      set_flag (self, id, &self->limit_functions, g_value_get_boolean (value));
      break;
    case PROP_LIMIT_IMPORTS:
      set_flag (self, id, &self->limit_imports, g_value_get_boolean (value));
      break;
    case PROP_IMPORTS:
      set_text (self, id, &self->imports, g_value_get_string (value));
      break;
    case PROP_OPERATIONS:
      set_text (self, id, &self->operations, g_value_get_string (value));
      break;
    case PROP_IN_CONTAINER:
      set_flag (self, id, &self->in_container, g_value_get_boolean (value));
      set_without (self, self->without);
      break;
    default:
      G_OBJECT_WARN_INVALID_PROPERTY_ID (object, id, pspec);
    }
}

static void
fh_guard_options_finalize (GObject *object)
{
  FhGuardOptions *self = FH_GUARD_OPTIONS (object);

  g_free (self->hosts);
  g_free (self->imports);
  g_free (self->operations);
  g_strfreev (self->host_list);
  g_strfreev (self->import_list);
  G_OBJECT_CLASS (fh_guard_options_parent_class)->finalize (object);
}

static void
fh_guard_options_class_init (FhGuardOptionsClass *klass)
{
  GObjectClass *object_class = G_OBJECT_CLASS (klass);
  const GParamFlags readable = G_PARAM_READABLE | G_PARAM_STATIC_STRINGS;
  const GParamFlags flags = G_PARAM_READWRITE | G_PARAM_EXPLICIT_NOTIFY | G_PARAM_STATIC_STRINGS;

  object_class->finalize = fh_guard_options_finalize;
  object_class->get_property = fh_guard_options_get_property;
  object_class->set_property = fh_guard_options_set_property;

  properties[PROP_WATCH] = g_param_spec_uint ("watch",
                                              NULL,
                                              NULL,
                                              FH_WATCH_OFF,
                                              FH_WATCH_FILES,
                                              FH_WATCH_ATTEMPTS,
                                              flags);
  properties[PROP_WITHOUT] = g_param_spec_uint ("without", NULL, NULL, 0, G_MAXUINT, 0, flags);
  properties[PROP_HOSTS] = g_param_spec_string ("hosts", NULL, NULL, "", flags);
  properties[PROP_LIMIT_FUNCTIONS] =
      g_param_spec_boolean ("limit-functions", NULL, NULL, FALSE, flags);
  properties[PROP_LIMIT_IMPORTS] = g_param_spec_boolean ("limit-imports", NULL, NULL, FALSE, flags);
  properties[PROP_IMPORTS] = g_param_spec_string ("imports", NULL, NULL, "", flags);
  properties[PROP_OPERATIONS] = g_param_spec_string ("operations", NULL, NULL, "", flags);
  properties[PROP_IN_CONTAINER] = g_param_spec_boolean ("in-container", NULL, NULL, FALSE, flags);
  properties[PROP_PROBLEM] = g_param_spec_string ("problem", NULL, NULL, NULL, readable);
  properties[PROP_NOTICE] = g_param_spec_string ("notice", NULL, NULL, NULL, readable);
  g_object_class_install_properties (object_class, N_PROPS, properties);
}

static void
fh_guard_options_init (FhGuardOptions *self)
{
  self->watch = FH_WATCH_ATTEMPTS;
  self->hosts = g_strdup ("");
  self->imports = g_strjoinv (" ", (GStrv) fh_run_guards_default_imports ());
  self->operations = g_strdup ("");
}

FhGuardOptions *
fh_guard_options_new (void)
{
  return g_object_new (FH_TYPE_GUARD_OPTIONS, NULL);
}

guint
fh_guard_options_get_without (FhGuardOptions *self)
{
  g_return_val_if_fail (FH_IS_GUARD_OPTIONS (self), 0);

  return self->without;
}

gboolean
fh_guard_options_has_guard (FhGuardOptions *self, FhGuard guard)
{
  g_return_val_if_fail (FH_IS_GUARD_OPTIONS (self), TRUE);

  return (self->without & 1u << guard) == 0;
}

void
fh_guard_options_set_guard (FhGuardOptions *self, FhGuard guard, gboolean is_on)
{
  guint without;

  g_return_if_fail (FH_IS_GUARD_OPTIONS (self));

  without = is_on ? self->without & ~(1u << guard) : self->without | 1u << guard;
  g_object_set (self, "without", without, NULL);
}

void
fh_guard_options_restore (FhGuardOptions *self)
{
  g_return_if_fail (FH_IS_GUARD_OPTIONS (self));

  g_object_set (self, "without", 0, NULL);
}

static char *
join (const char *const *words)
{
  return words != NULL ? g_strjoinv (" ", (GStrv) words) : g_strdup ("");
}

void
fh_guard_options_set_from (FhGuardOptions *self, const FhRunGuards *guards)
{
  g_autofree char *hosts = NULL;
  g_autofree char *imports = NULL;
  g_autofree char *operations = NULL;

  g_return_if_fail (FH_IS_GUARD_OPTIONS (self));
  g_return_if_fail (guards != NULL);

  hosts = join (guards->allow_hosts);
  imports = join (guards->imports != NULL ? guards->imports : fh_run_guards_default_imports ());
  operations = guards->max_operations > 0
                   ? g_strdup_printf ("%" G_GUINT64_FORMAT, guards->max_operations)
                   : g_strdup ("");
  g_object_set (self,
                "watch",
                (guint) guards->watch,
                "without",
                0,
                "hosts",
                hosts,
                "limit-functions",
                guards->limit_functions,
                "limit-imports",
                guards->imports != NULL,
                "imports",
                imports,
                "operations",
                operations,
                NULL);
}

/* Digits, which may stand in groups: "1 000 000". */
static gboolean
parse_operations (const char *text, guint64 *operations, GError **error)
{
  g_auto (GStrv) groups = split_words (text);
  g_autofree char *digits = g_strjoinv ("", groups);

  *operations = 0;
  if (*digits == '\0' || g_ascii_string_to_unsigned (digits, 10, 1, G_MAXUINT32, operations, NULL))
    return TRUE;
  g_set_error (error,
               FH_RUN_ERROR,
               FH_RUN_ERROR_INVALID,
               _ ("“%s” is not a number of operations."),
               text);
  return FALSE;
}

gboolean
fh_guard_options_get (FhGuardOptions *self, FhRunGuards *guards, GError **error)
{
  g_autofree char *hosts = NULL;

  g_return_val_if_fail (FH_IS_GUARD_OPTIONS (self), FALSE);
  g_return_val_if_fail (guards != NULL, FALSE);

  hosts = g_ascii_strdown (self->hosts, -1);
  g_strfreev (self->host_list);
  self->host_list = split_words (self->in_container ? "" : hosts);
  g_strfreev (self->import_list);
  self->import_list = split_words (self->imports);
  *guards = (FhRunGuards){
    .watch = (FhWatchLevel) self->watch,
    .without = self->without,
    .allow_hosts = (const char *const *) self->host_list,
    .report_lines = self->watch != FH_WATCH_OFF,
    .limit_functions = self->limit_functions,
    .imports = self->limit_imports ? (const char *const *) self->import_list : NULL,
  };
  return parse_operations (self->operations, &guards->max_operations, error) &&
         fh_run_guards_check (guards, error);
}
