/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "image-reference.h"

#include "config.h"

#include <glib/gi18n-lib.h>
#include <string.h>

#include "run-error.h"

#define MAX_LENGTH 512

/* The grammar of references as both engines have it, from the specification of image names. */
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

  if (strlen (image) <= MAX_LENGTH && matches (image))
    return TRUE;
  lower = g_ascii_strdown (image, -1);
  if (strlen (image) > MAX_LENGTH)
    g_set_error_literal (error,
                         FH_RUN_ERROR,
                         FH_RUN_ERROR_INVALID,
                         _ ("The name of the image is too long."));
  else if (image[0] == '\0')
    g_set_error_literal (error,
                         FH_RUN_ERROR,
                         FH_RUN_ERROR_INVALID,
                         _ ("Name an image, such as “python:3-slim”."));
  else if (!g_str_equal (lower, image) && matches (lower))
    g_set_error (error,
                 FH_RUN_ERROR,
                 FH_RUN_ERROR_INVALID,
                 _ ("Names of images are written in lower case: “%s”."),
                 lower);
  else
    {
      g_autofree char *shown = g_utf8_make_valid (image, -1);

      g_set_error (error,
                   FH_RUN_ERROR,
                   FH_RUN_ERROR_INVALID,
                   _ ("“%s” is not the name of an image, such as “python:3-slim” or "
                      "“registry.example/team/tools:2”."),
                   shown);
    }
  return FALSE;
}
