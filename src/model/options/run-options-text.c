/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Options as people read them. */
#include "config.h"

#include <glib/gi18n-lib.h>

#include "container-volume.h"
#include "run-options-private.h"

/* Writes the value in the largest unit that divides it, as run-options-parse.c reads it. */
static char *
format_in_units (guint64 value, const char *const *units, const guint *sizes, guint n)
{
  guint i = 0;

  while (i + 1 < n && value % sizes[i + 1] == 0)
    value /= sizes[++i];
  return g_strdup_printf ("%" G_GUINT64_FORMAT " %s", value, units[i]);
}

static char *
format_limit (const FhRunOption *option, guint64 value)
{
  static const char *const times[] = { "ms", "s", "min", "h" };
  static const guint time_sizes[] = { 1, 1000, 60, 60 };
  static const char *const bytes[] = { "B", "KiB", "MiB", "GiB", "TiB" };
  static const guint byte_sizes[] = { 1, 1024, 1024, 1024, 1024 };
  char number[G_ASCII_DTOSTR_BUF_SIZE];

  if (value == 0)
    return g_strdup ("none");
  if (option->kind == FH_OPTION_TIME)
    return format_in_units (value, times, time_sizes, G_N_ELEMENTS (times));
  if (option->kind == FH_OPTION_SIZE)
    return format_in_units (value, bytes, byte_sizes, G_N_ELEMENTS (bytes));
  if (option->kind == FH_OPTION_CPUS)
    return g_strdup (g_ascii_formatd (number, sizeof number, "%.7g", (double) value / 1000));
  return g_strdup_printf ("%" G_GUINT64_FORMAT, value);
}

static char *
format_list (const FhRunOption *option, GStrv list)
{
  if (option->flags & FH_OPTION_NULLABLE && list == NULL)
    return g_strdup ("all");
  if (option->flags & FH_OPTION_NULLABLE && list[0] == NULL)
    return g_strdup ("none");
  if (list == NULL)
    return g_strdup ("");
  return g_strjoinv (option->kind == FH_OPTION_LINES ? "\n" : " ", list);
}

char *
fh_run_option_format (const FhRunOption *option, const FhRunOptions *options)
{
  g_auto (GStrv) guards = NULL;
  guint64 value;

  g_return_val_if_fail (option != NULL && options != NULL, NULL);

  if (fh_run_option_is_list (option))
    return format_list (option, *fh_run_option_list_of (option, options));
  if (fh_run_option_is_text (option))
    {
      const char *text = *fh_run_option_text (option, options);

      return g_strdup (text != NULL ? text : "");
    }
  value = fh_run_option_get_number (option, options);
  if (option->kind == FH_OPTION_SWITCH)
    return g_strdup (value == option->maximum ? "yes" : "no");
  if (option->kind == FH_OPTION_WORD)
    return g_strdup (option->words[value]);
  if (option->kind == FH_OPTION_GUARDS)
    {
      guards = fh_run_option_guard_words (value);
      return g_strjoinv (",", guards);
    }
  if (value == 0 && option->flags & FH_OPTION_LIMITED)
    value = option->maximum;
  return format_limit (option, value);
}

static void G_GNUC_PRINTF (2, 3) append (GString *text, const char *format, ...)
{
  va_list arguments;

  g_string_append (text, ", ");
  va_start (arguments, format);
  g_string_append_vprintf (text, format, arguments);
  va_end (arguments);
}

static void
append_life (GString *text, const FhContainerOptions *options)
{
  if (options->engine != FH_ENGINE_AUTO)
    append (text, "%s", options->engine == FH_ENGINE_DOCKER ? "Docker" : "Podman");
  if (options->is_kept && options->name != NULL)
    append (text, _ ("kept as “%s”"), options->name);
  else if (options->is_kept)
    append (text, "%s", _ ("kept"));
  else if (options->name != NULL)
    append (text, _ ("named “%s”"), options->name);
}

static void
append_folders (GString *text, const FhContainerOptions *options)
{
  if (options->work_dir != NULL)
    append (text, _ ("work folder %s"), options->work_dir);
  for (guint i = 0; options->volumes != NULL && options->volumes[i] != NULL; i++)
    {
      g_auto (FhContainerVolume) volume = { 0 };

      if (!fh_container_volume_parse (options->volumes[i], &volume, NULL))
        continue;
      /* Translators: a folder of the user's and its place in a container */
      append (text,
              volume.is_writable ? _ ("%s at %s, writable") : _ ("%s at %s"),
              volume.host,
              volume.inside);
    }
}

static guint
count (const char *const *list)
{
  return list != NULL ? g_strv_length ((GStrv) list) : 0;
}

static void
append_grants (GString *text, const FhContainerOptions *options)
{
  guint n_hosts = count (options->hosts);
  guint n_variables = count (options->environment);

  if (options->network != NULL)
    append (text, _ ("network %s"), options->network);
  if (n_hosts > 0)
    append (text, g_dngettext (GETTEXT_PACKAGE, "%u host", "%u hosts", n_hosts), n_hosts);
  if (n_variables > 0)
    append (text,
            g_dngettext (GETTEXT_PACKAGE, "%u variable", "%u variables", n_variables),
            n_variables);
  if (options->milli_cpus != 0)
    append (text, _ ("%g processors"), options->milli_cpus / 1000.0);
  if (options->gpus != NULL)
    append (text, _ ("GPUs %s"), options->gpus);
  if (options->is_writable)
    append (text, "%s", _ ("writable image"));
  if (options->is_root)
    append (text, "%s", _ ("as root"));
}

char *
fh_container_options_describe (const FhContainerOptions *options)
{
  GString *text;
  g_autofree char *all = NULL;

  g_return_val_if_fail (options != NULL, NULL);

  text = g_string_new (fh_container_options_image (options));
  append_life (text, options);
  append_folders (text, options);
  append_grants (text, options);
  all = g_string_free (text, FALSE);
  return g_utf8_make_valid (all, -1);
}

char *
fh_run_option_describe (const FhRunOption *option, const FhRunOptions *options)
{
  g_autofree char *text = NULL;
  guint64 value;

  g_return_val_if_fail (option != NULL && options != NULL, NULL);

  switch (option->kind)
    {
    case FH_OPTION_TIME:
      return fh_run_limits_format_duration (fh_run_option_get_number (option, options));
    case FH_OPTION_SIZE:
      return fh_run_limits_format_size (fh_run_option_get_number (option, options));
    case FH_OPTION_COUNT:
    case FH_OPTION_CPUS:
      value = fh_run_option_get_number (option, options);
      return value == 0 && !(option->flags & FH_OPTION_LIMITED)
                 ? g_strdup (_ ("no limit"))
                 : fh_run_option_format (option, options);
    case FH_OPTION_SWITCH:
      value = fh_run_option_get_number (option, options);
      return g_strdup (value == option->maximum ? _ ("on") : _ ("off"));
    case FH_OPTION_WORD:
      value = fh_run_option_get_number (option, options);
      return g_strdup (option->names != NULL ? _ (option->names[value]) : option->words[value]);
    case FH_OPTION_GUARDS:
      return fh_guards_dup_titles (fh_run_option_get_number (option, options));
    case FH_OPTION_TEXT:
    case FH_OPTION_PATH:
    case FH_OPTION_WORDS:
    case FH_OPTION_LINES:
    default:
      text = fh_run_option_format (option, options);
      return g_utf8_make_valid (text, -1);
    }
}

static void
append_option (GString *text, const FhRunOption *option, const FhRunOptions *options)
{
  g_autofree char *value = fh_run_option_describe (option, options);

  if (text->len > 0)
    g_string_append (text, "; ");
  if (option->kind == FH_OPTION_SWITCH)
    g_string_append (text, _ (option->title));
  else
    /* Translators: an option and its value: "CPU Time: 10 s" */
    g_string_append_printf (text, _ ("%s: %s"), _ (option->title), value);
}

char *
fh_run_options_describe (const FhRunOptions *options)
{
  GString *text = g_string_new (NULL);

  g_return_val_if_fail (options != NULL, g_string_free (text, FALSE));

  if (options->in_container)
    {
      g_autofree char *container = fh_container_options_describe (&options->container);

      /* Translators: a container: "Container: python:3-slim, network bridge" */
      g_string_append_printf (text, _ ("Container: %s"), container);
    }
  for (const FhRunOption *option = fh_run_option_list (NULL); option->key != NULL; option++)
    {
      if (option->title != NULL && option->place != FH_OPTION_IN_CONTAINER &&
          !g_str_equal (option->key, "in_container") && !fh_run_option_is_default (option, options))
        append_option (text, option, options);
    }
  return g_string_free (text, FALSE);
}

char *
fh_run_options_summarize (const FhRunOptions *options)
{
  const FhRunOption *time = fh_run_option_find ("limits.wall_ms");
  const FhRunOption *memory = fh_run_option_find ("limits.memory_bytes");
  g_autoptr (FhRunOptions) others = NULL;
  g_autoptr (FhRunOptions) defaults = fh_run_options_new ();
  g_autoptr (GString) text = g_string_new (NULL);
  g_autofree char *rest = NULL;

  g_return_val_if_fail (options != NULL, NULL);

  others = fh_run_options_copy (options);
  fh_run_option_copy (time, others, defaults);
  fh_run_option_copy (memory, others, defaults);
  others->show_bytes = defaults->show_bytes;
  append_option (text, time, options);
  append_option (text, memory, options);
  rest = fh_run_options_describe (others);
  g_string_append_printf (text, "%s%s", *rest != '\0' ? "; " : "", rest);
  return g_string_free (g_steal_pointer (&text), FALSE);
}
