/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "answer-choices.h"

#include <string.h>

/* More than a person chooses in one tab. */
#define MAX_CHOICES 1000

/* A key is the checksum of a block, or the id of a language. A value has two words, of which either
 * may be "-": the id of a language, and an action. */
#define NONE "-"

/* This key stands for the whole answer and not for a block or a language. Its value says nothing.
 */
#define AS_WRITTEN "as-written"

GHashTable *
fh_answer_choices_new (void)
{
  return g_hash_table_new_full (g_str_hash, g_str_equal, g_free, g_free);
}

static char *
dup_key (const FhAnswerBlock *block)
{
  g_autofree char *text = g_strconcat (block->word, "\n", block->code, NULL);

  return g_compute_checksum_for_string (G_CHECKSUM_SHA256, text, -1);
}

/* (transfer full) Two words. */
static GStrv
dup_choice (GHashTable *choices, const char *key)
{
  const char *value = g_hash_table_lookup (choices, key);
  g_auto (GStrv) words = g_strsplit (value != NULL ? value : NONE " " NONE, " ", 3);

  return g_strv_length (words) == 2 ? g_steal_pointer (&words) : g_strsplit (NONE " " NONE, " ", 2);
}

static void
put (GHashTable *choices, const char *key, const char *language, const char *action)
{
  if (g_hash_table_size (choices) < MAX_CHOICES || g_hash_table_contains (choices, key))
    g_hash_table_replace (choices, g_strdup (key), g_strconcat (language, " ", action, NULL));
}

/* "ask": FALSE if it is none that can be chosen. */
static gboolean
parse_action (const char *word, FhBlockAction *action)
{
  return fh_block_action_from_string (word, action) && *action <= FH_BLOCK_SAVE;
}

void
fh_answer_choices_set_as_written (GHashTable *choices, gboolean as_written)
{
  g_return_if_fail (choices != NULL);

  if (as_written)
    put (choices, AS_WRITTEN, NONE, NONE);
  else
    g_hash_table_remove (choices, AS_WRITTEN);
}

gboolean
fh_answer_choices_is_as_written (GHashTable *choices)
{
  g_return_val_if_fail (choices != NULL, FALSE);

  return g_hash_table_contains (choices, AS_WRITTEN);
}

void
fh_answer_choices_set_language (GHashTable *choices,
                                const FhAnswerBlock *block,
                                const FhLanguage *language)
{
  g_autofree char *key = NULL;

  g_return_if_fail (choices != NULL && block != NULL && language != NULL);

  key = dup_key (block);
  put (choices, key, language->id, NONE);
}

const FhLanguage *
fh_answer_choices_find_language (GHashTable *choices, const FhAnswerBlock *block)
{
  g_autofree char *key = NULL;
  g_auto (GStrv) words = NULL;
  const FhLanguage *chosen;

  g_return_val_if_fail (choices != NULL && block != NULL, NULL);

  key = dup_key (block);
  words = dup_choice (choices, key);
  chosen = fh_language_lookup (words[0]);
  return chosen != NULL ? chosen : block->language;
}

void
fh_answer_choices_set_policy (GHashTable *choices,
                              GPtrArray *blocks,
                              const FhLanguage *language,
                              FhBlockAction action)
{
  g_return_if_fail (choices != NULL && blocks != NULL);
  g_return_if_fail (language != NULL && action <= FH_BLOCK_SAVE);

  put (choices, language->id, NONE, fh_block_action_to_string (action));
  for (guint i = 0; i < blocks->len; i++)
    {
      const FhAnswerBlock *block = blocks->pdata[i];
      g_autofree char *key = dup_key (block);
      g_auto (GStrv) words = dup_choice (choices, key);

      if (fh_answer_choices_find_language (choices, block) == language &&
          g_hash_table_contains (choices, key))
        put (choices, key, words[0], NONE);
    }
}

/* The tab's choices are applied after those of the preferences, which they override. */
static void
apply_policies (GHashTable *choices, const char *const *policies, GPtrArray *blocks)
{
  for (; policies != NULL && *policies != NULL; policies++)
    {
      const char *const one[] = { *policies, NULL };

      fh_answer_set_policies (blocks, one, NULL);
    }
  for (const FhLanguage *language = fh_language_list (); language->id != NULL; language++)
    {
      g_auto (GStrv) words = dup_choice (choices, language->id);
      g_autofree char *policy = g_strconcat (language->id, "=", words[1], NULL);
      const char *const one[] = { policy, NULL };
      FhBlockAction action;

      if (parse_action (words[1], &action))
        fh_answer_set_policies (blocks, one, NULL);
    }
}

void
fh_answer_choices_apply (GHashTable *choices, const char *const *policies, GPtrArray *blocks)
{
  g_autoptr (GPtrArray) keys = g_ptr_array_new_with_free_func (g_free);

  g_return_if_fail (choices != NULL && blocks != NULL);

  for (guint i = 0; i < blocks->len; i++)
    {
      FhAnswerBlock *block = blocks->pdata[i];
      char *key = dup_key (block);
      g_auto (GStrv) words = dup_choice (choices, key);
      const FhLanguage *language = fh_language_lookup (words[0]);

      g_ptr_array_add (keys, key);
      if (language != NULL)
        fh_answer_block_set_language (block, i + 1, language);
    }
  apply_policies (choices, policies, blocks);
  /* Drafts of earlier versions may have an action for a single block. It still holds: what was to
   * be asked about must not run unasked. */
  for (guint i = 0; i < blocks->len; i++)
    {
      g_auto (GStrv) words = dup_choice (choices, keys->pdata[i]);
      FhBlockAction action;

      if (parse_action (words[1], &action))
        fh_answer_block_set_action (blocks->pdata[i], i + 1, action);
    }
}
