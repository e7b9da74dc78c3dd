/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "drafts.h"

FhDraft *
fh_draft_new (void)
{
  FhDraft *draft = g_new0 (FhDraft, 1);

  draft->id = g_uuid_string_random ();
  draft->text = g_strdup ("");
  draft->language = fh_language_list ()[0];
  draft->arguments = g_strdup ("");
  draft->standard_input = g_strdup ("");
  draft->limits = FH_RUN_LIMITS_DEFAULT;
  return draft;
}

FhDraft *
fh_draft_copy (const FhDraft *draft)
{
  FhDraft *copy;

  g_return_val_if_fail (draft != NULL, NULL);

  copy = g_new (FhDraft, 1);
  *copy = *draft;
  copy->id = g_strdup (draft->id);
  copy->title = g_strdup (draft->title);
  copy->path = g_strdup (draft->path);
  copy->text = g_strdup (draft->text);
  copy->interpreter = g_strdup (draft->interpreter);
  copy->arguments = g_strdup (draft->arguments);
  copy->standard_input = g_strdup (draft->standard_input);
  copy->container = fh_container_options_copy (draft->container);
  return copy;
}

void
fh_draft_free (FhDraft *draft)
{
  g_return_if_fail (draft != NULL);

  g_free (draft->id);
  g_free (draft->title);
  g_free (draft->path);
  g_free (draft->text);
  g_free (draft->interpreter);
  g_free (draft->arguments);
  g_free (draft->standard_input);
  fh_container_options_free (draft->container);
  g_free (draft);
}
