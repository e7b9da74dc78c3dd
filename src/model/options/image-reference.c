/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "image-reference.h"

#include "config.h"

#include <glib/gi18n-lib.h>
#include <string.h>

#include "run-error.h"

#define MAX_LENGTH 512

/* The grammar of image references, from the specification that both engines follow. */
#define LABEL  "[a-zA-Z0-9](?:[a-zA-Z0-9-]*+(?<!-))?"
#define HOST   "(?:" LABEL "(?:\\." LABEL ")*|\\[[a-fA-F0-9:]+\\])(?::[0-9]+)?"
#define PART   "[a-z0-9]+(?:(?:\\.|_|__|-+)[a-z0-9]+)*"
#define TAG    ":[a-zA-Z0-9_][a-zA-Z0-9_.-]{0,127}"
#define DIGEST "@[A-Za-z][A-Za-z0-9]*(?:[-_+.][A-Za-z][A-Za-z0-9]*)*:[0-9a-fA-F]{32,}"
#define REFERENCE                                                                                  \
  "^(?:sha256:[0-9a-f]{64}|(?:" HOST "/)?" PART "(?:/" PART ")*(?:" TAG ")?(?:" DIGEST ")?)\\z"

static gboolean
matches (const char *text)
{
  static GRegex *regex;

  if (g_once_init_enter (&regex))
    {
      GRegex *made = g_regex_new (REFERENCE, G_REGEX_RAW | G_REGEX_OPTIMIZE, 0, NULL);

      g_once_init_leave (&regex, made);
    }
  return g_regex_match (regex, text, 0, NULL);
}

gboolean
fh_image_reference_check (const char *image, GError **error)
{
  g_autofree char *lower = NULL;

  g_return_val_if_fail (image != NULL, FALSE);

  if (strlen (image) > MAX_LENGTH)
    return fh_run_error_refuse (error, "%s", _ ("The name of the image is too long."));
  if (matches (image))
    return TRUE;
  lower = g_ascii_strdown (image, -1);
  if (image[0] == '\0')
    return fh_run_error_refuse (error, "%s", _ ("Name an image, such as “python:3-slim”."));
  if (!g_str_equal (lower, image) && matches (lower))
    return fh_run_error_refuse (error, _ ("Image names must be in lower case: “%s”."), lower);
  return fh_run_error_refuse (error,
                              _ ("“%s” is not the name of an image, such as “python:3-slim” or "
                                 "“registry.example/team/tools:2”."),
                              image);
}
