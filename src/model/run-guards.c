/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "run-guards.h"

#include "config.h"

#include <glib/gi18n-lib.h>
#include <string.h>

#include "run-error.h"

/* A host name has at most 253 characters, and each part of it at most 63: RFC 1035. */
#define MAX_HOST_NAME 253
#define MAX_LABEL     63
#define MAX_HOSTS     64
#define MAX_IMPORTS   512

const char *const *
fh_run_guards_default_imports (void)
{
  static const char *const names[] = {
    "re",          "json",      "math",     "random",   "collections", "itertools",
    "functools",   "operator",  "string",   "textwrap", "difflib",     "statistics",
    "decimal",     "fractions", "datetime", "copy",     "pprint",      "typing",
    "dataclasses", "enum",      "bisect",   "heapq",    "array",       "struct",
    "base64",      "hashlib",   "hmac",     "uuid",     NULL,
  };

  return names;
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

static gboolean
is_label (const char *label)
{
  gsize length = strlen (label);

  return length > 0 && length <= MAX_LABEL && label[0] != '-' && label[length - 1] != '-' &&
         strspn (label, "abcdefghijklmnopqrstuvwxyz0123456789-") == length;
}

/* No address has a last part that begins with a letter. */
static gboolean
is_host_name (const char *name)
{
  g_auto (GStrv) labels = g_strsplit (name, ".", -1);
  guint n = g_strv_length (labels);

  for (guint i = 0; i < n; i++)
    {
      if (!is_label (labels[i]))
        return FALSE;
    }
  return n > 0 && strlen (name) <= MAX_HOST_NAME && g_ascii_isalpha (labels[n - 1][0]);
}

static gboolean
check_hosts (const FhRunGuards *guards, GError **error)
{
  guint n = 0;

  for (; guards->allow_hosts != NULL && guards->allow_hosts[n] != NULL; n++)
    {
      if (!is_host_name (guards->allow_hosts[n]))
        return refuse (error,
                       _ ("“%s” is not a host name in lower case, such as “example.com”."),
                       guards->allow_hosts[n]);
    }
  if (n > MAX_HOSTS)
    return refuse (error, "%s", _ ("At most 64 host names can be allowed."));
  if (n > 0 && guards->without & 1u << FH_GUARD_NETWORK)
    return refuse (error,
                   "%s",
                   _ ("Host names are allowed by the network guard, which is switched off."));
  return TRUE;
}

static gboolean
is_module_name (const char *name)
{
  return name[0] != '\0' && strlen (name) < 128 && g_utf8_validate (name, -1, NULL) &&
         strpbrk (name, "/\n\t ,\\\"'") == NULL;
}

static gboolean
check_imports (const FhRunGuards *guards, GError **error)
{
  guint n = 0;

  for (; guards->imports != NULL && guards->imports[n] != NULL; n++)
    {
      if (!is_module_name (guards->imports[n]))
        return refuse (error, _ ("“%s” is not the name of a module."), guards->imports[n]);
    }
  if (n > MAX_IMPORTS)
    return refuse (error, "%s", _ ("At most 512 modules can be allowed."));
  return TRUE;
}

gboolean
fh_run_guards_check (const FhRunGuards *guards, GError **error)
{
  g_return_val_if_fail (guards != NULL, FALSE);

  if (guards->without & ~FH_RUN_GUARDS_SWITCHES)
    return refuse (error,
                   "%s",
                   _ ("The guards of files, processes and privileges have no switch of their own. "
                      "They can only be lifted together, by running without protection."));
  if (guards->tier == FH_TIER_CONTAINER)
    return refuse (error, "%s", _ ("A container is chosen by its image, not as a tier."));
  return check_hosts (guards, error) && check_imports (guards, error);
}

gboolean
fh_run_guards_ask_interpreter (const FhRunGuards *guards)
{
  g_return_val_if_fail (guards != NULL, FALSE);

  return guards->report_lines || guards->limit_functions || guards->imports != NULL ||
         guards->max_operations > 0;
}

static const char *const watch_words[] = {
  [FH_WATCH_OFF] = "off",
  [FH_WATCH_ATTEMPTS] = "attempts",
  [FH_WATCH_FILES] = "files",
};

static const char *const tier_words[] = {
  [FH_TIER_AUTO] = "auto",  [FH_TIER_NAMESPACES] = "A",     [FH_TIER_BUBBLEWRAP] = "A2",
  [FH_TIER_LANDLOCK] = "B", [FH_TIER_UNPROTECTED] = "none", [FH_TIER_CONTAINER] = "D",
};

static gboolean
find_word (const char *const *words, guint n, const char *text, guint *number)
{
  for (guint i = 0; i < n; i++)
    {
      if (!g_str_equal (words[i], text))
        continue;
      *number = i;
      return TRUE;
    }
  return FALSE;
}

const char *
fh_watch_level_to_string (FhWatchLevel level)
{
  g_return_val_if_fail (level < G_N_ELEMENTS (watch_words), "");

  return watch_words[level];
}

gboolean
fh_watch_level_from_string (const char *text, FhWatchLevel *level)
{
  guint number;

  if (!find_word (watch_words, G_N_ELEMENTS (watch_words), text, &number))
    return FALSE;
  *level = (FhWatchLevel) number;
  return TRUE;
}

const char *
fh_tier_to_string (FhTier tier)
{
  g_return_val_if_fail (tier < G_N_ELEMENTS (tier_words), "");

  return tier_words[tier];
}

gboolean
fh_tier_from_string (const char *text, FhTier *tier)
{
  guint number;

  if (!find_word (tier_words, G_N_ELEMENTS (tier_words), text, &number))
    return FALSE;
  *tier = (FhTier) number;
  return TRUE;
}

const char *
fh_tier_title (FhTier tier)
{
  switch (tier)
    {
    case FH_TIER_NAMESPACES:
      return _ ("A sandbox of Fumehood’s own namespaces");
    case FH_TIER_BUBBLEWRAP:
      return _ ("A sandbox of the system’s bubblewrap");
    case FH_TIER_LANDLOCK:
      return _ ("Landlock and a system call filter, without namespaces");
    case FH_TIER_UNPROTECTED:
      return _ ("No protection");
    case FH_TIER_CONTAINER:
      return _ ("A container");
    case FH_TIER_AUTO:
    default:
      return _ ("The best that works here");
    }
}

gboolean
fh_run_guards_collect_files (const FhRunGuards *guards)
{
  g_return_val_if_fail (guards != NULL, FALSE);

  return !guards->no_files && guards->tier != FH_TIER_UNPROTECTED;
}
