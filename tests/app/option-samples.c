/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "option-samples.h"

#include <string.h>

static const struct
{
  const char *key;
  const char *text;
} texts[] = {
  { "interpreter", "/opt/odd/python" },
  { "cwd", "data/in" },
  { "work_dir", "/home/me/files" },
  { "project", "/home/me/project" },
  { "guards.allow_hosts", "example.com pypi.org" },
  { "guards.imports", "json math" },
  { "container.image", "plain:1" },
  { "container.name", "lab" },
  { "container.init", "pip install six" },
  { "container.work_dir", "/home/me/work" },
  { "container.volumes", "/srv/data:/data\n/srv/out:/out:rw" },
  { "container.network", "bridge" },
  { "container.hosts", "db:192.0.2.7" },
  { "container.environment", "A=1\nB=two words" },
  { "container.gpus", "all" },
};

static const char *
find_text (const FhRunOption *row)
{
  for (guint i = 0; i < G_N_ELEMENTS (texts); i++)
    {
      if (g_str_equal (texts[i].key, row->key))
        return texts[i].text;
    }
  g_error ("There is no sample for %s yet.", row->key);
}

/* What it stands for comes from a choice that is made elsewhere, or from the command line. */
static gboolean
is_out_of_reach (const FhRunOption *row)
{
  return row->flags & FH_OPTION_NOT_IN_DRAFTS || g_str_equal (row->key, "guards.report_lines") ||
         g_str_equal (row->key, "container.bind_dir");
}

gboolean
option_samples_set (FhOptions *options, const FhRunOption *row)
{
  const char *name = fh_options_property (row);

  if (is_out_of_reach (row))
    return FALSE;
  if (row->place == FH_OPTION_IN_CONTAINER)
    g_object_set (options, "in-container", TRUE, NULL);
  if (g_str_equal (row->key, "container.name") || g_str_equal (row->key, "container.after") ||
      g_str_equal (row->key, "container.init"))
    g_object_set (options, "container-kept", TRUE, NULL);
  if (g_str_equal (row->key, "guards.imports"))
    g_object_set (options, "limit-imports", TRUE, NULL);
  switch (row->kind)
    {
    case FH_OPTION_TIME:
    case FH_OPTION_CPUS:
      g_object_set (options, name, (guint64) 1500, NULL);
      break;
    case FH_OPTION_SIZE:
      g_object_set (options, name, (guint64) 32 << 20, NULL);
      break;
    case FH_OPTION_COUNT:
      g_object_set (options, name, (guint64) 77, NULL);
      break;
    case FH_OPTION_SWITCH:
      g_object_set (options, name, TRUE, NULL);
      break;
    case FH_OPTION_WORD:
      g_object_set (options, name, (guint) row->maximum, NULL);
      break;
    case FH_OPTION_TEXT:
    case FH_OPTION_PATH:
    case FH_OPTION_WORDS:
    case FH_OPTION_LINES:
      g_object_set (options, name, find_text (row), NULL);
      break;
    case FH_OPTION_GUARDS:
    default:
      g_assert_not_reached ();
    }
  return TRUE;
}

char *
option_samples_get_text (FhOptions *options, const char *property)
{
  char *text;

  g_object_get (options, property, &text, NULL);
  return text;
}

FhRunRequest *
option_samples_build (FhOptions *options, const char *source, GError **error)
{
  g_autoptr (GBytes) bytes = g_bytes_new (source, strlen (source));

  return fh_options_build_request (options, bytes, NULL, NULL, FH_TIER_AUTO, error);
}
