/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include <glib/gi18n-lib.h>

#include "json-member.h"
#include "look-reason.h"

static guint
count (const FhCodeLook *look, FhLookKind kind)
{
  guint n = 0;

  for (guint i = 0; i < look->findings->len; i++)
    n += ((const FhLookFinding *) look->findings->pdata[i])->kind == kind;
  return n;
}

static guint
all_reaches (const FhCodeLook *look)
{
  guint reaches = 0;

  for (guint i = 0; i < look->findings->len; i++)
    reaches |= ((const FhLookFinding *) look->findings->pdata[i])->reaches;
  return reaches;
}

/* "the network, files". (transfer full) */
static char *
dup_reaches (guint reaches)
{
  g_autoptr (GString) text = g_string_new (NULL);

  for (guint i = 0; i < FH_LOOK_N_REACHES; i++)
    {
      if (reaches & (1u << i))
        g_string_append_printf (text,
                                "%s%s",
                                text->len > 0 ? ", " : "",
                                fh_look_reach_title ((FhLookReach) i));
    }
  return g_string_free (g_steal_pointer (&text), FALSE);
}

/* Takes the part. */
static void
add_part (GString *text, char *part)
{
  g_string_append_printf (text, "%s%s", text->len > 0 ? "; " : "", part);
  g_free (part);
}

/* What the look cannot say. NULL if it saw the whole. */
static const char *
get_doubt (const FhCodeLook *look)
{
  if (look->depth == FH_LOOK_FAILED)
    return _ ("the code is too much to look at");
  return count (look, FH_LOOK_FAULT) > 0 ? _ ("not readable as a program") : NULL;
}

char *
fh_code_look_dup_summary (const FhCodeLook *look)
{
  g_autoptr (GString) text = g_string_new (NULL);
  const guint n_calls = count (look, FH_LOOK_CALL);
  const guint n_signs = count (look, FH_LOOK_SIGN);
  const guint n_packages = count (look, FH_LOOK_PACKAGE);
  g_autofree char *reaches = dup_reaches (all_reaches (look));

  if (look->depth == FH_LOOK_TEXT)
    add_part (text, fh_code_look_dup_depth (look));
  if (get_doubt (look) != NULL)
    add_part (text, g_strdup (get_doubt (look)));
  if (n_signs > 0)
    add_part (text,
              g_strdup_printf (ngettext ("%u sign that it is hard to read",
                                         "%u signs that it is hard to read",
                                         n_signs),
                               n_signs));
  if (n_calls > 0)
    add_part (text,
              g_strdup_printf (ngettext ("%u call worth a look", "%u calls worth a look", n_calls),
                               n_calls));
  if (n_packages > 0)
    add_part (text,
              g_strdup_printf (ngettext ("installs %u package", "installs %u packages", n_packages),
                               n_packages));
  /* Translators: followed by a list such as “the network, files”. */
  if (*reaches != '\0')
    add_part (text, g_strdup_printf (_ ("imports that reach %s"), reaches));
  if (text->len == 0)
    g_string_append (text, _ ("nothing that stands out"));
  return g_string_free (g_steal_pointer (&text), FALSE);
}

char *
fh_code_look_dup_depth (const FhCodeLook *look)
{
  if (look->depth != FH_LOOK_TEXT)
    return NULL;
  if (look->language == NULL)
    return g_strdup (_ ("Fumehood cannot look into this language yet"));
  return g_strdup_printf (_ ("Fumehood cannot look into %s yet"), look->language->name);
}

static void
append_finding (GString *text, const FhLookFinding *finding)
{
  g_autofree char *reaches = dup_reaches (finding->reaches);

  g_string_append_printf (text, "  %u: ", finding->line);
  if (finding->kind == FH_LOOK_PACKAGE)
    g_string_append (text, finding->name);
  else if (finding->kind == FH_LOOK_IMPORT)
    g_string_append_printf (text, *reaches != '\0' ? "%s: %s" : "%s", finding->name, reaches);
  else if (*finding->name == '\0')
    g_string_append (text, finding->sentence);
  else
    g_string_append_printf (text, "%s: %s", finding->name, finding->sentence);
  g_string_append_c (text, '\n');
}

char *
fh_code_look_dup_text (const FhCodeLook *look)
{
  GString *text = g_string_new (NULL);
  g_autofree char *depth = fh_code_look_dup_depth (look);
  const FhLookFinding *last = NULL;

  if (depth != NULL)
    g_string_append_printf (text, "%s.\n", depth);
  if (look->depth == FH_LOOK_FAILED)
    g_string_append_printf (text, "%s\n", _ ("The code is too much to look at."));
  for (guint i = 0; i < look->findings->len; i++)
    {
      const FhLookFinding *finding = look->findings->pdata[i];

      if (last == NULL || last->kind != finding->kind)
        g_string_append_printf (text, "%s:\n", fh_look_kind_title (finding->kind));
      append_finding (text, finding);
      last = finding;
    }
  if (look->n_left_out > 0)
    {
      g_string_append_printf (text,
                              ngettext ("and %u more", "and %u more", look->n_left_out),
                              look->n_left_out);
      g_string_append_c (text, '\n');
    }
  if (text->len == 0)
    g_string_append_printf (text, "%s\n", _ ("No imports, and no calls that stand out."));
  return g_string_free (text, FALSE);
}

/* The members of a row of each kind. (transfer full) */
static JsonObject *
new_row (const FhLookFinding *finding)
{
  static const char *const names[] = { "message", NULL, "name", "name", "module" };
  static const char *const reasons[] = { NULL, "sign", "why", NULL, NULL };
  JsonObject *row = json_object_new ();

  if (names[finding->kind] != NULL)
    json_object_set_string_member (row,
                                   names[finding->kind],
                                   *finding->name != '\0' ? finding->name : finding->sentence);
  if (reasons[finding->kind] != NULL)
    {
      const FhLookReason *reason = fh_look_reason_find (finding->kind, finding->reason);

      json_object_set_string_member (row, reasons[finding->kind], reason->sentence);
      json_object_set_string_member (row, "reason", reason->id);
    }
  if (finding->kind == FH_LOOK_IMPORT)
    {
      JsonArray *reaches = json_array_new ();

      for (guint i = 0; i < FH_LOOK_N_REACHES; i++)
        {
          if (finding->reaches & (1u << i))
            json_array_add_string_element (reaches, fh_look_reach_words[i]);
        }
      json_object_set_array_member (row, "reaches", reaches);
    }
  json_object_set_int_member (row, "line", finding->line);
  return row;
}

JsonObject *
fh_code_look_to_json (const FhCodeLook *look)
{
  static const char *const members[] = { NULL, "signs", "calls", "packages", "imports" };
  static const char *const depths[] = { "parsed", "text", "failed" };
  JsonObject *object = json_object_new ();

  json_object_set_null_member (object, "syntax_error");
  json_object_set_int_member (object, "lines", look->n_lines);
  json_object_set_int_member (object, "left_out", look->n_left_out);
  json_object_set_string_member (object, "depth", depths[look->depth]);
  for (guint kind = FH_LOOK_SIGN; kind <= FH_LOOK_IMPORT; kind++)
    json_object_set_array_member (object, members[kind], json_array_new ());
  for (guint i = 0; i < look->findings->len; i++)
    {
      const FhLookFinding *finding = look->findings->pdata[i];
      JsonObject *row = new_row (finding);

      if (finding->kind != FH_LOOK_FAULT)
        json_array_add_object_element (
            json_object_get_array_member (object, members[finding->kind]),
            row);
      else if (fh_json_is_null (object, "syntax_error"))
        json_object_set_object_member (object, "syntax_error", row);
      else
        json_object_unref (row);
    }
  return object;
}
