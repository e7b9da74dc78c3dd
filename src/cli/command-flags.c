/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "command-flags.h"

#include <glib/gi18n-lib.h>
#include <string.h>

#include "input-file.h"
#include "interpreter.h"
#include "presets.h"
#include "run-error.h"

FhCommandFlags *
fh_command_flags_new (void)
{
  FhCommandFlags *flags = g_new0 (FhCommandFlags, 1);
  guint n;

  fh_run_option_list (&n);
  flags->options = fh_run_options_new ();
  flags->typed = g_new0 (GStrv, n);
  return flags;
}

void
fh_command_flags_free (FhCommandFlags *flags)
{
  guint n;

  fh_run_option_list (&n);
  for (guint i = 0; i < n; i++)
    g_strfreev (flags->typed[i]);
  g_free (flags->typed);
  g_free (flags->container);
  g_free (flags->preset);
  g_free (flags->save_preset);
  fh_run_options_free (flags->options);
  g_free (flags);
}

#define refuse fh_run_error_refuse

/* `name`: "--timeout" or "-t", as GOption passes it. */
static guint
find_row (const char *name)
{
  guint n;
  const FhRunOption *rows = fh_run_option_list (&n);
  guint i = 0;

  while (i < n && g_strcmp0 (name + 2, rows[i].flag) != 0 &&
         (rows[i].short_flag == 0 || name[1] != rows[i].short_flag || name[2] != '\0'))
    i++;
  g_assert (i < n);
  return i;
}

/* "HOST:INSIDE": the part on this computer may be relative to the current folder. */
static char *
complete_volume (const char *volume)
{
  const char *colon = strchr (volume, ':');
  g_autofree char *host = colon != NULL ? g_strndup (volume, (gsize) (colon - volume)) : NULL;
  g_autofree char *whole = host != NULL ? fh_whole_path (host) : NULL;

  return whole != NULL ? g_strconcat (whole, colon, NULL) : g_strdup (volume);
}

/* "NAME" takes the value from our own environment. */
static char *
complete_variable (const char *variable, GError **error)
{
  const char *value = g_getenv (variable);

  if (strchr (variable, '=') != NULL)
    return g_strdup (variable);
  if (value != NULL)
    return g_strconcat (variable, "=", value, NULL);
  refuse (error,
          _ ("There is no variable “%s” in your environment. Use NAME=VALUE to set one."),
          variable);
  return NULL;
}

static char *
find_interpreter (const char *name, GError **error)
{
  char *path = fh_interpreter_find (name);

  if (path == NULL)
    g_set_error (error,
                 FH_RUN_ERROR,
                 FH_RUN_ERROR_INTERPRETER,
                 _ ("There is no interpreter “%s” in your PATH. Use its full path."),
                 name);
  return path;
}

/* The value as the table wants it, without what only a command line may leave out. NULL with a
 * sentence. (transfer full) */
static char *
complete (const FhRunOption *row, const char *value, gboolean in_container, GError **error)
{
  /* Empty texts are the same as no option to the table, and the default would be used. */
  if ((row->kind == FH_OPTION_TEXT || row->kind == FH_OPTION_PATH) &&
      value[strspn (value, " \t\r\n\f\v")] == '\0')
    {
      refuse (error, "%s", _ ("The value is empty."));
      return NULL;
    }
  if (g_str_equal (row->key, "interpreter") && !in_container)
    return find_interpreter (value, error);
  if (g_str_equal (row->key, "work_dir") || g_str_equal (row->key, "project"))
    return fh_whole_path (value);
  if (g_str_equal (row->key, "container.volumes"))
    return complete_volume (value);
  if (g_str_equal (row->key, "container.environment"))
    return complete_variable (value, error);
  if (g_str_equal (row->key, "guards.tier") && g_str_equal (value, "none"))
    refuse (error, "%s", _ ("For no sandbox, use “fumehoodctl run --without-protection”."));
  else if (g_str_equal (row->key, "guards.tier") && g_str_equal (value, "D"))
    refuse (error, "%s", _ ("To run in a container, use --container."));
  else
    return g_strdup (value);
  return NULL;
}

/* Lists grow with each use of their flag; what may be imported is replaced, like single values. */
static gboolean
row_cb (const char *name, const char *value, gpointer user_data, GError **error)
{
  FhCommandFlags *flags = user_data;
  guint n, i = find_row (name);
  const FhRunOption *row = &fh_run_option_list (&n)[i];
  gboolean grows = row->kind == FH_OPTION_LINES || row->kind == FH_OPTION_GUARDS ||
                   (row->kind == FH_OPTION_WORDS && !(row->flags & FH_OPTION_NULLABLE));
  guint length = grows && flags->typed[i] != NULL ? g_strv_length (flags->typed[i]) : 0;

  if (grows && row->kind == FH_OPTION_WORDS && strpbrk (value, " ,;\t\n") != NULL)
    return refuse (error, _ ("“%s” is not one word: use --%s once for each."), value, row->flag);
  if (!grows)
    g_clear_pointer (&flags->typed[i], g_strfreev);
  flags->typed[i] = g_renew (char *, flags->typed[i], length + 2);
  flags->typed[i][length] = g_strdup (value != NULL ? value : "");
  flags->typed[i][length + 1] = NULL;
  return TRUE;
}

static gboolean
container_cb (const char *name, const char *word, gpointer user_data, GError **error)
{
  FhCommandFlags *flags = user_data;

  g_free (flags->container);
  flags->container = g_strdup (word != NULL ? word : "");
  return TRUE;
}

/* "off|attempts|files": what may be typed. Interned, as GOption keeps it. */
static const char *
join_words (const FhRunOption *row)
{
  g_autoptr (GString) text = g_string_new (row->words[0]);

  for (guint i = 1; i <= row->maximum; i++)
    g_string_append_printf (text, "|%s", row->words[i]);
  return g_intern_string (text->str);
}

/* Adds the rows whose keys begin like that. */
static void
add_rows (GOptionGroup *group, const char *keys)
{
  guint n;
  const FhRunOption *rows = fh_run_option_list (&n);

  for (guint i = 0; i < n; i++)
    {
      gboolean is_raw = rows[i].kind == FH_OPTION_PATH || rows[i].kind == FH_OPTION_LINES;
      const GOptionEntry entries[] = {
        { rows[i].flag,
          rows[i].short_flag,
          rows[i].argument == NULL ? G_OPTION_FLAG_NO_ARG
          : is_raw                 ? G_OPTION_FLAG_FILENAME
                                   : 0,
          G_OPTION_ARG_CALLBACK,
          (gpointer) row_cb,
          rows[i].help,
          rows[i].kind == FH_OPTION_WORD ? join_words (&rows[i]) : rows[i].argument },
        { NULL },
      };

      if (rows[i].flag != NULL && g_str_has_prefix (rows[i].key, keys))
        g_option_group_add_entries (group, entries);
    }
}

static GOptionGroup *
create_group (FhCommandFlags *flags, const char *name, const char *title, const char *help)
{
  GOptionGroup *group = g_option_group_new (name, title, help, flags, NULL);

  g_option_group_set_translation_domain (group, GETTEXT_PACKAGE);
  return group;
}

static GOptionGroup *
create_main_group (FhCommandFlags *flags, gboolean for_run)
{
  const FhRunOption *row = fh_run_option_find ("in_container");
  const GOptionEntry place[] = {
    { row->flag,
      0,
      G_OPTION_FLAG_OPTIONAL_ARG,
      G_OPTION_ARG_CALLBACK,
      (gpointer) container_cb,
      row->help,
      row->argument },
    { FH_SWITCH ("no-container", 0, &flags->no_container),
      N_ ("Run it on this computer (the default)") },
    { NULL },
  };
  const GOptionEntry presets[] = {
    { FH_TEXT ("preset", 0, &flags->preset),
      N_ ("Options that were saved; other flags change them"),
      N_ ("NAME") },
    { FH_TEXT ("save-preset", 0, &flags->save_preset),
      N_ ("Save the options of this run for --preset"),
      N_ ("NAME") },
    { NULL },
  };
  const char *const for_runs[] = { "work_dir",   "project",     "limits.",
                                   "show_bytes", "interpreter", "cwd",
                                   "notebook",   "no_history",  NULL };
  GOptionGroup *group = create_group (flags, NULL, NULL, NULL);

  g_option_group_add_entries (group, place);
  for (guint i = 0; for_run && for_runs[i] != NULL; i++)
    add_rows (group, for_runs[i]);
  if (for_run)
    g_option_group_add_entries (group, presets);
  else
    add_rows (group, "guards.tier");
  return group;
}

gboolean
fh_command_flags_parse (FhCommandFlags *flags,
                        gboolean for_run,
                        const FhOptionHelp *help,
                        const GOptionEntry *entries,
                        char **argv,
                        GError **error)
{
  GOptionGroup *groups[] = {
    create_main_group (flags, for_run),
    create_group (flags, "container", _ ("Containers:"), _ ("Show options of containers")),
    for_run ? create_group (flags, "guards", _ ("Guards:"), _ ("Show options of guards")) : NULL,
    NULL,
  };

  add_rows (groups[1], "container.");
  if (for_run)
    add_rows (groups[2], "guards.");
  else
    add_rows (groups[1], "work_dir");
  return fh_option_parse (help, entries, groups, argv, error);
}

char *
fh_command_flags_take_word (FhCommandFlags *flags)
{
  char *word = flags->container;

  if (word == NULL || *word == '\0')
    return NULL;
  flags->container = g_strdup ("");
  return word;
}

static gboolean
was_typed (const FhCommandFlags *flags, const char *key)
{
  guint n;

  return flags->typed[fh_run_option_find (key) - fh_run_option_list (&n)] != NULL;
}

static gboolean
take_image (FhCommandFlags *flags, GError **error)
{
  g_autofree char *word = fh_command_flags_take_word (flags);
  gboolean is_named = was_typed (flags, "container.image");

  if ((flags->container != NULL || is_named) && flags->no_container)
    return refuse (error, "%s", _ ("Use --container or --no-container, not both."));
  if (flags->no_container || flags->container != NULL || is_named)
    flags->options->in_container = !flags->no_container;
  if (word != NULL && is_named)
    return refuse (error, "%s", _ ("Name the image once: with --container or with --image."));
  return word == NULL ||
         fh_run_option_parse (fh_run_option_find ("container.image"), flags->options, word, error);
}

/* The guard that is off and that the option needs, or FH_N_GUARDS. */
static FhGuard
find_missing (const FhRunOption *row, guint without)
{
  guint missing = row->guards & without;

  return missing != 0 ? (FhGuard) g_bit_nth_lsf (missing, -1) : FH_N_GUARDS;
}

static gboolean
check_row (const FhCommandFlags *flags, const FhRunOption *row, GError **error)
{
  const FhRunOptions *options = flags->options;
  FhGuard missing = find_missing (row, options->guards.without);

  if (row->place == FH_OPTION_IN_CONTAINER && !options->in_container)
    return refuse (error, _ ("--%s is for containers only: add --container."), row->flag);
  return missing == FH_N_GUARDS ||
         refuse (error,
                 /* Translators: the options "memory" and "--without memory" */
                 _ ("--%s has no effect with --without %s. Use one of them."),
                 row->flag,
                 fh_guard_to_string (missing));
}

/* Whether both flags set the same member, as --keep and --container-name do. */
static gboolean
are_rivals (const FhRunOption *a, const FhRunOption *b)
{
  return a->offset == b->offset || g_strcmp0 (a->argument_key, b->key) == 0 ||
         g_strcmp0 (b->argument_key, a->key) == 0;
}

static gboolean
check_rows (const FhCommandFlags *flags, GError **error)
{
  guint n;
  const FhRunOption *rows = fh_run_option_list (&n);

  for (guint i = 0; i < n; i++)
    {
      if (flags->typed[i] == NULL)
        continue;
      if (!check_row (flags, &rows[i], error))
        return FALSE;
      for (guint j = 0; j < i; j++)
        {
          if (flags->typed[j] != NULL && are_rivals (&rows[i], &rows[j]))
            return refuse (error, _ ("Use --%s or --%s, not both."), rows[j].flag, rows[i].flag);
        }
    }
  return TRUE;
}

static gboolean
set_value (FhRunOptions *options, const FhRunOption *row, GStrv values, GError **error)
{
  g_autofree char *value = g_strjoinv (",", values);

  if (row->kind == FH_OPTION_LINES)
    return fh_run_option_parse_list (row, options, (const char *const *) values, error);
  if (row->kind != FH_OPTION_SWITCH)
    return fh_run_option_parse (row, options, value, error);
  return fh_run_option_parse (row, options, "yes", error) &&
         (row->argument_key == NULL ||
          fh_run_option_parse (fh_run_option_find (row->argument_key), options, value, error));
}

static gboolean
set_row (FhCommandFlags *flags, guint i, GError **error)
{
  guint n;
  const FhRunOption *row = &fh_run_option_list (&n)[i];

  for (char **value = flags->typed[i]; *value != NULL; value++)
    {
      char *whole = complete (row, *value, flags->options->in_container, error);

      if (whole == NULL)
        return FALSE;
      g_free (*value);
      *value = whole;
    }
  return set_value (flags->options, row, flags->typed[i], error);
}

static gboolean
set_rows (FhCommandFlags *flags, GError **error)
{
  guint n;
  const FhRunOption *rows = fh_run_option_list (&n);

  for (guint i = 0; i < n; i++)
    {
      if (flags->typed[i] != NULL && !set_row (flags, i, error))
        {
          g_prefix_error (error, "--%s: ", rows[i].flag);
          return FALSE;
        }
    }
  return TRUE;
}

/* Sets the options of --preset, before those that were typed. */
static gboolean
load_preset (FhCommandFlags *flags, GError **error)
{
  FhRunOptions *loaded;

  if (flags->preset == NULL)
    return TRUE;
  loaded = fh_preset_load (flags->preset, error);
  if (loaded == NULL)
    {
      g_prefix_error_literal (error, "--preset: ");
      return FALSE;
    }
  /* This is no part of a preset, and commands have defaults of their own. */
  loaded->show_bytes = flags->options->show_bytes;
  fh_run_options_free (flags->options);
  flags->options = loaded;
  return TRUE;
}

/* Saves the complete options under the name of --save-preset. */
static gboolean
save_preset (const FhCommandFlags *flags, GError **error)
{
  if (flags->save_preset == NULL || fh_preset_save (flags->save_preset, flags->options, error))
    return TRUE;
  g_prefix_error_literal (error, "--save-preset: ");
  return FALSE;
}

gboolean
fh_command_flags_finish (FhCommandFlags *flags, GError **error)
{
  FhContainerOptions *container;

  if (!load_preset (flags, error) || !take_image (flags, error) || !set_rows (flags, error) ||
      !check_rows (flags, error))
    return FALSE;
  /* A preset has replaced the options. */
  container = &flags->options->container;
  /* The flag is the same for both places. */
  if (flags->options->in_container && was_typed (flags, "work_dir"))
    fh_run_options_take_work_dir (flags->options);
  if (container->is_kept && container->name == NULL)
    return refuse (error, "%s", _ ("--keep: Name the container."));
  if (was_typed (flags, "container.after") && !container->is_kept)
    return refuse (error, "%s", _ ("--after is for containers that are kept: add --keep."));
  if (was_typed (flags, "container.kept") && !was_typed (flags, "container.after"))
    container->after = FH_CONTAINER_LEAVE;
  if (flags->options->guards.tier == FH_TIER_UNPROTECTED && was_typed (flags, "guards.allow_hosts"))
    return refuse (error,
                   "%s",
                   _ ("Without protection every host can be reached: remove --allow-host."));
  if (flags->options->guards.tier == FH_TIER_UNPROTECTED && flags->options->guards.no_sockets)
    return refuse (error,
                   "%s",
                   _ ("Without protection sockets cannot be blocked: remove --without sockets."));
  return fh_run_options_check (flags->options, error) && save_preset (flags, error);
}

const FhContainerOptions *
fh_command_flags_get_container (const FhCommandFlags *flags)
{
  return flags->options->in_container ? &flags->options->container : NULL;
}

const char *
fh_command_flags_find_python (const FhCommandFlags *flags)
{
  guint n;
  const FhRunOption *rows = fh_run_option_list (&n);

  for (guint i = 0; i < n; i++)
    {
      if (flags->typed[i] != NULL && (rows[i].flags & FH_OPTION_PYTHON))
        return rows[i].flag;
    }
  return NULL;
}

gboolean
fh_command_flags_parse_engine (const char *text, FhEngineKind *kind, GError **error)
{
  const FhRunOption *row = fh_run_option_find ("container.engine");
  g_autoptr (FhRunOptions) options = fh_run_options_new ();

  if (text != NULL && !fh_run_option_parse (row, options, text, error))
    {
      g_prefix_error_literal (error, "--engine: ");
      return FALSE;
    }
  *kind = options->container.engine;
  return TRUE;
}
