/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "guard-options.h"

#include <glib/gi18n-lib.h>
#include <string.h>

#include "run-error.h"

void
fh_guard_options_clear (FhGuardOptions *options)
{
  g_free (options->watch);
  g_free (options->tier);
  g_strfreev (options->without);
  g_strfreev (options->allow_hosts);
  g_free (options->allow_imports);
  g_free (options->max_operations);
  g_strfreev (options->host_names);
  g_strfreev (options->imports);
}

static void
add_kernel_guards (FhGuardOptions *options, GOptionContext *context)
{
  const GOptionEntry entries[] = {
    { "watch",
      0,
      0,
      G_OPTION_ARG_STRING,
      &options->watch,
      N_ ("What to notice of what it tries: off, attempts (default), files"),
      N_ ("LEVEL") },
    { "allow-host",
      0,
      0,
      G_OPTION_ARG_STRING_ARRAY,
      &options->allow_hosts,
      N_ ("Let it reach this host, through a proxy; may be repeated"),
      N_ ("NAME") },
    { "without",
      0,
      0,
      G_OPTION_ARG_STRING_ARRAY,
      &options->without,
      N_ ("Switch this guard off for this run; may be repeated"),
      N_ ("GUARD") },
    { "without-protection",
      0,
      0,
      G_OPTION_ARG_NONE,
      &options->without_protection,
      N_ ("Run it as any other program of yours: nothing protects you"),
      NULL },
    { "tier",
      0,
      0,
      G_OPTION_ARG_STRING,
      &options->tier,
      N_ ("How to build the sandbox: A, A2 or B (default: the best)"),
      N_ ("TIER") },
    { "no-files",
      0,
      0,
      G_OPTION_ARG_NONE,
      &options->no_files,
      N_ ("Do not keep the files that it leaves behind"),
      NULL },
    { NULL },
  };

  g_option_context_add_main_entries (context, entries, GETTEXT_PACKAGE);
}

static void
add_interpreter_guards (FhGuardOptions *options, GOptionContext *context)
{
  const GOptionEntry entries[] = {
    { "report-lines",
      0,
      0,
      G_OPTION_ARG_NONE,
      &options->report_lines,
      N_ ("Python: tell on which line of the source something was tried"),
      NULL },
    { "limit-functions",
      0,
      0,
      G_OPTION_ARG_NONE,
      &options->limit_functions,
      N_ ("Python: take away os.system, os.fork, shutil.rmtree and their like"),
      NULL },
    { "allow-imports",
      0,
      0,
      G_OPTION_ARG_STRING,
      &options->allow_imports,
      N_ ("Python: only these modules, with commas; or “default” or “none”"),
      N_ ("LIST") },
    { "max-operations",
      0,
      0,
      G_OPTION_ARG_STRING,
      &options->max_operations,
      N_ ("Python: end it after so many operations (default: none)"),
      N_ ("N") },
    { NULL },
  };

  g_option_context_add_main_entries (context, entries, GETTEXT_PACKAGE);
}

void
fh_guard_options_add (FhGuardOptions *options, GOptionContext *context)
{
  add_kernel_guards (options, context);
  add_interpreter_guards (options, context);
}

static gboolean G_GNUC_PRINTF (2, 3) refuse (GError **error, const char *format, ...)
{
  g_autofree char *message = NULL;
  va_list arguments;

  va_start (arguments, format);
  message = g_strdup_vprintf (format, arguments);
  va_end (arguments);
  g_set_error_literal (error, FH_RUN_ERROR, FH_RUN_ERROR_INVALID, message);
  return FALSE;
}

/* "a,b" and "c" are a, b and c; spaces around them do not count. */
static GStrv
split_lists (char **lists)
{
  g_autoptr (GStrvBuilder) builder = g_strv_builder_new ();

  for (guint i = 0; lists != NULL && lists[i] != NULL; i++)
    {
      g_auto (GStrv) words = g_strsplit (lists[i], ",", -1);

      for (guint j = 0; words[j] != NULL; j++)
        {
          if (*g_strstrip (words[j]) != '\0')
            g_strv_builder_add (builder, words[j]);
        }
    }
  return g_strv_builder_end (builder);
}

static gboolean
take_watch (FhGuardOptions *options, GError **error)
{
  if (options->watch == NULL || fh_watch_level_from_string (options->watch, &options->guards.watch))
    return TRUE;
  return refuse (error,
                 _ ("“%s” is not something to watch. Choose off, attempts or files."),
                 options->watch);
}

gboolean
fh_guard_options_parse_tier (const char *text, FhTier *tier, GError **error)
{
  if (!fh_tier_from_string (text, tier))
    return refuse (error, _ ("“%s” is not a tier. Choose A, A2 or B."), text);
  if (*tier == FH_TIER_UNPROTECTED)
    return refuse (error, "%s", _ ("To run without a sandbox, say --without-protection."));
  if (*tier == FH_TIER_CONTAINER)
    return refuse (error, "%s", _ ("To run in a container, say --container."));
  return TRUE;
}

static gboolean
take_tier (FhGuardOptions *options, GError **error)
{
  if (options->tier != NULL && options->without_protection)
    return refuse (error, "%s", _ ("Choose a tier or --without-protection, not both."));
  if (options->without_protection)
    options->guards.tier = FH_TIER_UNPROTECTED;
  return options->tier == NULL ||
         fh_guard_options_parse_tier (options->tier, &options->guards.tier, error);
}

static gboolean
take_without (FhGuardOptions *options, GError **error)
{
  g_auto (GStrv) names = split_lists (options->without);

  for (guint i = 0; names[i] != NULL; i++)
    {
      FhGuard guard;

      if (!fh_guard_from_string (names[i], &guard))
        return refuse (error,
                       _ ("“%s” is not a guard. Choose network, system-calls, memory, time, disk, "
                          "output or environment."),
                       names[i]);
      if (!(FH_RUN_GUARDS_SWITCHES & 1u << guard))
        return refuse (error,
                       _ ("The guard “%s” has no switch of its own. The guards of files, processes "
                          "and privileges can only be lifted together with all others, by "
                          "--without-protection."),
                       names[i]);
      options->guards.without |= 1u << guard;
    }
  return TRUE;
}

/* Names are the same in capital letters, with a dot at their end, and in the alphabet that they
 * are written with. */
static gboolean
take_hosts (FhGuardOptions *options, GError **error)
{
  g_auto (GStrv) names = split_lists (options->allow_hosts);
  g_autoptr (GStrvBuilder) builder = g_strv_builder_new ();

  if (names[0] != NULL && options->without_protection)
    return refuse (error,
                   "%s",
                   _ ("Without protection every host can be reached: leave --allow-host out."));
  for (guint i = 0; names[i] != NULL; i++)
    {
      g_autofree char *ascii = g_hostname_to_ascii (names[i]);
      g_autofree char *name = g_ascii_strdown (ascii != NULL ? ascii : names[i], -1);

      if (g_str_has_suffix (name, "."))
        name[strlen (name) - 1] = '\0';
      g_strv_builder_add (builder, name);
    }
  options->host_names = g_strv_builder_end (builder);
  options->guards.allow_hosts = (const char *const *) options->host_names;
  return TRUE;
}

static void
take_imports (FhGuardOptions *options)
{
  g_auto (GStrv) names = split_lists ((char *[]){ options->allow_imports, NULL });
  g_autoptr (GStrvBuilder) builder = g_strv_builder_new ();

  if (options->allow_imports == NULL)
    return;
  for (guint i = 0; names[i] != NULL; i++)
    {
      if (g_str_equal (names[i], "default"))
        g_strv_builder_addv (builder, (const char **) fh_run_guards_default_imports ());
      else if (!g_str_equal (names[i], "none") || names[1] != NULL)
        g_strv_builder_add (builder, names[i]);
    }
  options->imports = g_strv_builder_end (builder);
  options->guards.imports = (const char *const *) options->imports;
}

static gboolean
take_operations (FhGuardOptions *options, GError **error)
{
  const char *text = options->max_operations;

  if (text == NULL || g_str_equal (text, "none") ||
      g_ascii_string_to_unsigned (text, 10, 1, G_MAXINT64, &options->guards.max_operations, NULL))
    return TRUE;
  return refuse (error, _ ("“%s” is not a number of operations from 1 on."), text);
}

gboolean
fh_guard_options_finish (FhGuardOptions *options, GError **error)
{
  options->guards = FH_RUN_GUARDS_DEFAULT;
  options->guards.report_lines = options->report_lines;
  options->guards.limit_functions = options->limit_functions;
  options->guards.no_files = options->no_files;
  take_imports (options);
  if (!take_watch (options, error))
    g_prefix_error_literal (error, "--watch: ");
  else if (!take_tier (options, error))
    g_prefix_error_literal (error, "--tier: ");
  else if (!take_without (options, error))
    g_prefix_error_literal (error, "--without: ");
  else if (!take_hosts (options, error))
    g_prefix_error_literal (error, "--allow-host: ");
  else if (!take_operations (options, error))
    g_prefix_error_literal (error, "--max-operations: ");
  else
    return fh_run_guards_check (&options->guards, error);
  return FALSE;
}

gboolean
fh_guard_options_need_python (const FhGuardOptions *options)
{
  return options->report_lines || options->limit_functions || options->allow_imports != NULL ||
         options->guards.max_operations != 0;
}
