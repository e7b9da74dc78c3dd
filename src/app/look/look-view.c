/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "look/look-view.h"

#include <glib/gi18n.h>

#include "look-reason.h"
#include "parts/calls.h"

/* At most so many rows of a group are shown; fumehoodctl inspect lists more. */
#define MAX_ROWS 50

/* The code chooses its names: never markup. */
static GtkWidget *
new_row (const char *title, const char *subtitle)
{
  GtkWidget *row = g_object_new (ADW_TYPE_ACTION_ROW, "use-markup", FALSE, NULL);

  adw_preferences_row_set_title (ADW_PREFERENCES_ROW (row), title);
  if (subtitle != NULL)
    adw_action_row_set_subtitle (ADW_ACTION_ROW (row), subtitle);
  adw_action_row_set_title_lines (ADW_ACTION_ROW (row), 2);
  gtk_list_box_row_set_activatable (GTK_LIST_BOX_ROW (row), FALSE);
  return row;
}

/* The row goes to its line. */
static GtkWidget *
new_finding_row (const FhLookFinding *finding)
{
  const gboolean has_name = *finding->name != '\0';
  const gboolean has_sentence =
      finding->kind != FH_LOOK_IMPORT && finding->kind != FH_LOOK_PACKAGE && has_name;
  GtkWidget *row = new_row (has_name ? finding->name : finding->sentence,
                            has_sentence ? finding->sentence : NULL);
  /* Translators: the number of a line. */
  g_autofree char *text = g_strdup_printf (_ ("Line %u"), finding->line);
  GtkWidget *place = gtk_label_new (text);

  gtk_widget_add_css_class (place, "dim-label");
  gtk_widget_add_css_class (place, "numeric");
  adw_action_row_add_suffix (ADW_ACTION_ROW (row), place);
  gtk_list_box_row_set_activatable (GTK_LIST_BOX_ROW (row), TRUE);
  gtk_actionable_set_action_target (GTK_ACTIONABLE (row), "(uu)", finding->line, 0);
  gtk_actionable_set_action_name (GTK_ACTIONABLE (row), "page.go-to-line");
  return row;
}

/* Adds nothing if there are no rows. */
static void
add_group (GtkBox *box, const char *title, GPtrArray *findings)
{
  GtkWidget *group;

  if (findings->len == 0)
    return;
  group = adw_preferences_group_new ();
  adw_preferences_group_set_title (ADW_PREFERENCES_GROUP (group), title);
  for (guint i = 0; i < MIN (findings->len, MAX_ROWS); i++)
    adw_preferences_group_add (ADW_PREFERENCES_GROUP (group), new_finding_row (findings->pdata[i]));
  if (findings->len > MAX_ROWS)
    {
      const guint n = findings->len - MAX_ROWS;
      g_autofree char *more = g_strdup_printf (ngettext ("and %u more", "and %u more", n), n);

      adw_preferences_group_add (ADW_PREFERENCES_GROUP (group), new_row (more, NULL));
    }
  gtk_box_append (box, group);
}

static void
add_kind (GtkBox *box, const FhCodeLook *look, FhLookKind kind)
{
  g_autoptr (GPtrArray) findings = g_ptr_array_new ();

  for (guint i = 0; i < look->findings->len; i++)
    {
      if (((const FhLookFinding *) look->findings->pdata[i])->kind == kind)
        g_ptr_array_add (findings, look->findings->pdata[i]);
    }
  add_group (box, fh_look_kind_title (kind), findings);
}

static void
add_imports (GtkBox *box, const FhCodeLook *look)
{
  g_autoptr (GString) others = g_string_new (NULL);

  for (guint reach = 0; reach <= FH_LOOK_N_REACHES; reach++)
    {
      g_autoptr (GPtrArray) findings = g_ptr_array_new ();
      g_autofree char *title = NULL;

      for (guint i = 0; i < look->findings->len; i++)
        {
          const FhLookFinding *finding = look->findings->pdata[i];

          if (reach < FH_LOOK_N_REACHES && (finding->reaches & (1u << reach)))
            g_ptr_array_add (findings, look->findings->pdata[i]);
          else if (reach == FH_LOOK_N_REACHES && finding->kind == FH_LOOK_IMPORT &&
                   finding->reaches == 0)
            g_string_append_printf (others, "%s%s", others->len > 0 ? ", " : "", finding->name);
        }
      if (reach == FH_LOOK_N_REACHES)
        break;
      title =
          g_strdup_printf (_ ("Imports that reach %s"), fh_look_reach_title ((FhLookReach) reach));
      add_group (box, title, findings);
    }
  if (others->len > 0)
    {
      GtkWidget *group = adw_preferences_group_new ();
      GtkWidget *row = new_row (others->str, NULL);

      adw_action_row_set_title_lines (ADW_ACTION_ROW (row), 0);
      adw_preferences_group_set_title (ADW_PREFERENCES_GROUP (group), _ ("Other imports"));
      adw_preferences_group_add (ADW_PREFERENCES_GROUP (group), row);
      gtk_box_append (box, group);
    }
}

static void
add_label (GtkBox *box, const char *text, const char *style)
{
  GtkWidget *label = gtk_label_new (text);

  gtk_label_set_xalign (GTK_LABEL (label), 0);
  gtk_label_set_wrap (GTK_LABEL (label), TRUE);
  if (style != NULL)
    gtk_widget_add_css_class (label, style);
  gtk_box_append (box, label);
}

static void
add_title (GtkBox *box, const FhCodeLook *look, guint index)
{
  /* Translators: the number of a code block, its first line, and its language. */
  g_autofree char *title =
      g_strdup_printf (_ ("Block %u, line %u: %s"),
                       index + 1,
                       look->line,
                       look->language != NULL ? look->language->name : _ ("Unknown language"));

  add_label (box, title, "title-4");
}

/* Adds the groups of one look. `with_title`: it is a block of an answer. */
static void
add_look (GtkBox *box, const FhCodeLook *look, guint index, gboolean with_title)
{
  g_autofree char *depth = fh_code_look_dup_depth (look);

  if (with_title)
    add_title (box, look, index);
  if (depth != NULL)
    add_label (box, depth, NULL);
  if (look->depth == FH_LOOK_FAILED)
    add_label (box, _ ("The code is too much to look at."), NULL);
  else if (look->findings->len == 0 && look->depth == FH_LOOK_PARSED)
    add_label (box, _ ("No imports, and no calls that stand out."), NULL);
  for (guint kind = FH_LOOK_FAULT; kind < FH_LOOK_IMPORT; kind++)
    add_kind (box, look, (FhLookKind) kind);
  add_imports (box, look);
  if (look->n_left_out > 0)
    {
      g_autofree char *more =
          g_strdup_printf (ngettext ("and %u more", "and %u more", look->n_left_out),
                           look->n_left_out);

      add_label (box, more, "dim-label");
    }
}

/* Blocks of an answer that are shown; fumehoodctl inspect lists all. */
#define MAX_BLOCKS 30

struct _FhLookView
{
  AdwBin parent_instance;

  GtkStack *stack;
  AdwStatusPage *message;
  GtkBox *groups;
  gboolean is_notable; /* and people have not seen it */
};

static void init_page (FhResultPageInterface *iface);

G_DEFINE_FINAL_TYPE_WITH_CODE (FhLookView,
                               fh_look_view,
                               ADW_TYPE_BIN,
                               G_IMPLEMENT_INTERFACE (FH_TYPE_RESULT_PAGE, init_page))

static void
fh_look_view_class_init (FhLookViewClass *klass)
{
  GtkWidgetClass *widget_class = GTK_WIDGET_CLASS (klass);

  fh_set_template (widget_class, "look/look-view.ui");
  gtk_widget_class_bind_template_child_full (widget_class, "tools", FALSE, 0);
  gtk_widget_class_bind_template_child (widget_class, FhLookView, stack);
  gtk_widget_class_bind_template_child (widget_class, FhLookView, message);
  gtk_widget_class_bind_template_child (widget_class, FhLookView, groups);
}

static void
fh_look_view_init (FhLookView *self)
{
  gtk_widget_init_template (GTK_WIDGET (self));
  fh_allocate_all (self->stack, "notify::visible-child", self->stack);
}

static void
clear (FhLookView *self)
{
  GtkWidget *child;

  while ((child = gtk_widget_get_first_child (GTK_WIDGET (self->groups))) != NULL)
    gtk_box_remove (self->groups, child);
}

void
fh_look_view_show (FhLookView *self, GPtrArray *looks)
{
  g_return_if_fail (FH_IS_LOOK_VIEW (self));
  g_return_if_fail (looks != NULL);

  clear (self);
  for (guint i = 0; i < MIN (looks->len, MAX_BLOCKS); i++)
    add_look (self->groups, looks->pdata[i], i, looks->len > 1);
  gtk_stack_set_visible_child_name (self->stack, "findings");
}

void
fh_look_view_show_message (FhLookView *self, const char *title, const char *sentence)
{
  g_autofree char *escaped = g_markup_escape_text (sentence, -1);

  g_return_if_fail (FH_IS_LOOK_VIEW (self));

  clear (self);
  adw_status_page_set_title (self->message, title);
  adw_status_page_set_description (self->message, escaped);
  gtk_stack_set_visible_child_name (self->stack, "message");
}

void
fh_look_view_set_notable (FhLookView *self, gboolean notable)
{
  g_return_if_fail (FH_IS_LOOK_VIEW (self));

  self->is_notable = notable && !gtk_widget_get_mapped (GTK_WIDGET (self));
  fh_result_page_changed (FH_RESULT_PAGE (self));
}

static gboolean
needs_attention (FhResultPage *page)
{
  return FH_LOOK_VIEW (page)->is_notable;
}

static void
init_page (FhResultPageInterface *iface)
{
  iface->name = "look";
  /* Translators: the short title of a page */
  iface->title = NC_ ("page", "Inspect");
  iface->context = "page";
  iface->icon_name = "document-properties-symbolic";
  iface->needs_attention = needs_attention;
}
