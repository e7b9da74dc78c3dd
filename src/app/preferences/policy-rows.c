/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "preferences/policy-rows.h"

#include <glib/gi18n.h>

#include "answer.h"
#include "parts/calls.h"

/* A block of every language, to find out what is done without a setting. */
static FhBlockAction
find_action (const FhLanguage *language, const char *const *policies)
{
  g_autofree char *text = g_strdup_printf ("```%s\n```\n", language->id);
  g_autoptr (GPtrArray) blocks = fh_answer_find_blocks (text);

  for (; policies != NULL && *policies != NULL; policies++)
    {
      const char *const one[] = { *policies, NULL };

      fh_answer_set_policies (blocks, one, NULL);
    }
  return ((const FhAnswerBlock *) blocks->pdata[0])->action;
}

static GStrv
dup_policies (FhSettings *settings)
{
  g_autofree char *text = NULL;

  g_object_get (settings, "block-policies", &text, NULL);
  return g_strsplit (text, " ", -1);
}

/* Only choices that differ from the usual are kept. */
static void
selected_cb (FhSettings *settings, GParamSpec *pspec, AdwComboRow *row)
{
  const FhLanguage *own = g_object_get_data (G_OBJECT (row), "language");
  g_auto (GStrv) policies = dup_policies (settings);
  g_autoptr (GString) text = g_string_new (NULL);

  for (const FhLanguage *at = fh_language_list (); at->id != NULL; at++)
    {
      FhBlockAction action = find_action (at, (const char *const *) policies);

      if (at == own)
        action = (FhBlockAction) adw_combo_row_get_selected (row);
      if (action != find_action (at, NULL))
        g_string_append_printf (text,
                                "%s%s=%s",
                                text->len > 0 ? " " : "",
                                at->id,
                                fh_block_action_to_string (action));
    }
  g_object_set (settings, "block-policies", text->str, NULL);
}

void
fh_policy_rows_add (AdwExpanderRow *expander, FhSettings *settings)
{
  /* The words are in the order of FhBlockAction. */
  const char *const actions[] = { _ ("Run"), _ ("Ask First"), _ ("Save Only"), NULL };
  g_auto (GStrv) policies = NULL;

  g_return_if_fail (ADW_IS_EXPANDER_ROW (expander) && FH_IS_SETTINGS (settings));

  policies = dup_policies (settings);
  for (const FhLanguage *at = fh_language_list (); at->id != NULL; at++)
    {
      g_autoptr (GtkStringList) names = gtk_string_list_new (actions);
      GtkWidget *row = adw_combo_row_new ();

      adw_preferences_row_set_title (ADW_PREFERENCES_ROW (row), at->name);
      adw_combo_row_set_model (ADW_COMBO_ROW (row), G_LIST_MODEL (names));
      adw_combo_row_set_selected (ADW_COMBO_ROW (row),
                                  find_action (at, (const char *const *) policies));
      g_object_set_data (G_OBJECT (row), "language", (gpointer) at);
      fh_connect (row, "notify::selected", selected_cb, settings);
      adw_expander_row_add_row (expander, row);
    }
}
