/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "editor/block-chip.h"

#include <glib/gi18n.h>
#include <string.h>

#include "parts/calls.h"
#include "readable-text.h"

/* Pixels between a fence and its chip. */
#define GAP 12

struct _FhBlockChip
{
  AdwBin parent_instance;

  GtkMenuButton *button;
  GtkLabel *label;
  GSimpleActionGroup *actions;
  const FhLanguage *language; /* nullable */
};

G_DEFINE_FINAL_TYPE (FhBlockChip, fh_block_chip, ADW_TYPE_BIN)

static guint command_signal;

static const struct
{
  const char *text;
  const char *style; /* of libadwaita; nullable */
} states[] = {
  [FH_BLOCK_STATE_PAST] = { NULL, NULL },
  [FH_BLOCK_STATE_IDLE] = { NULL, NULL },
  [FH_BLOCK_STATE_ASKING] = { N_ ("waits for your answer"), "accent" },
  [FH_BLOCK_STATE_RUNNING] = { N_ ("running"), "accent" },
  [FH_BLOCK_STATE_DONE] = { N_ ("finished"), "success" },
  [FH_BLOCK_STATE_FAILED] = { N_ ("failed"), "error" },
  [FH_BLOCK_STATE_STOPPED] = { N_ ("stopped"), "warning" },
  [FH_BLOCK_STATE_SAVED] = { N_ ("saved"), "success" },
  [FH_BLOCK_STATE_REFUSED] = { N_ ("refused"), "warning" },
  [FH_BLOCK_STATE_NOT_RUN] = { N_ ("did not run"), NULL },
};

static const char *const plans[] = {
  [FH_BLOCK_RUN] = N_ ("will run"),           [FH_BLOCK_ASK] = N_ ("will ask first"),
  [FH_BLOCK_SAVE] = N_ ("will be saved"),     [FH_BLOCK_UNSUPPORTED] = N_ ("unknown language"),
  [FH_BLOCK_BAD_NAME] = N_ ("bad file name"), [FH_BLOCK_UNCLOSED] = N_ ("has no end"),
};

static void
command_cb (GSimpleAction *action, GVariant *value, gpointer user_data)
{
  const char *text = value != NULL ? g_variant_get_string (value, NULL) : "";

  g_signal_emit (user_data, command_signal, 0, g_action_get_name (G_ACTION (action)), text);
}

static void
append (GMenu *menu, const char *label, const char *action, const char *value)
{
  g_autoptr (GMenuItem) item = g_menu_item_new (label, NULL);

  g_menu_item_set_action_and_target_value (item,
                                           action,
                                           value != NULL ? g_variant_new_string (value) : NULL);
  g_menu_append_item (menu, item);
}

/* Its language, and what is done with all blocks of that. */
static void
append_choices (FhBlockChip *self, GMenu *menu)
{
  g_autoptr (GMenu) section = g_menu_new ();
  g_autoptr (GMenu) languages = g_menu_new ();
  g_autoptr (GMenu) all = g_menu_new ();
  g_autofree char *title = NULL;

  for (const FhLanguage *at = fh_language_list (); at->id != NULL; at++)
    append (languages, at->name, "block.language", at->id);
  g_menu_append_submenu (section, _ ("_Language"), G_MENU_MODEL (languages));
  if (self->language != NULL)
    {
      append (all, _ ("_Run"), "block.policy", "run");
      append (all, _ ("_Ask First"), "block.policy", "ask");
      append (all, _ ("_Save Only"), "block.policy", "save");
      /* Translators: the name of a language, such as Python */
      title = g_strdup_printf (_ ("All %s Blocks"), self->language->name);
      g_menu_append_submenu (section, title, G_MENU_MODEL (all));
    }
  g_menu_append_section (menu, NULL, G_MENU_MODEL (section));
}

static void
popup_cb (GtkMenuButton *button, gpointer user_data)
{
  FhBlockChip *self = FH_BLOCK_CHIP (user_data);
  g_autoptr (GMenu) menu = g_menu_new ();
  g_autoptr (GMenu) runs = g_menu_new ();
  g_autoptr (GMenu) rest = g_menu_new ();

  append_choices (self, menu);
  append (runs, _ ("Run _This Block"), "block.run", NULL);
  append (runs, _ ("Run _from Here"), "block.run-from", NULL);
  g_menu_append_section (menu, NULL, G_MENU_MODEL (runs));
  append (rest, _ ("_Copy"), "block.copy", NULL);
  append (rest, _ ("Sa_ve As…"), "block.save-as", NULL);
  g_menu_append_section (menu, NULL, G_MENU_MODEL (rest));
  gtk_menu_button_set_menu_model (button, G_MENU_MODEL (menu));
}

static void
fh_block_chip_dispose (GObject *object)
{
  FhBlockChip *self = FH_BLOCK_CHIP (object);

  g_clear_object (&self->actions);
  gtk_widget_dispose_template (GTK_WIDGET (self), FH_TYPE_BLOCK_CHIP);

  G_OBJECT_CLASS (fh_block_chip_parent_class)->dispose (object);
}

static void
fh_block_chip_class_init (FhBlockChipClass *klass)
{
  GtkWidgetClass *widget_class = GTK_WIDGET_CLASS (klass);

  G_OBJECT_CLASS (klass)->dispose = fh_block_chip_dispose;
  command_signal =
      fh_signal_new ("command", G_TYPE_FROM_CLASS (klass), 2, G_TYPE_STRING, G_TYPE_STRING);
  fh_set_template (widget_class, "editor/block-chip.ui");
  gtk_widget_class_bind_template_child (widget_class, FhBlockChip, button);
  gtk_widget_class_bind_template_child (widget_class, FhBlockChip, label);
}

static void
fh_block_chip_init (FhBlockChip *self)
{
  static const GActionEntry entries[] = {
    { .name = "language", .activate = command_cb, .parameter_type = "s", .state = "''" },
    { .name = "policy", .activate = command_cb, .parameter_type = "s" },
    { .name = "run", .activate = command_cb },
    { .name = "run-from", .activate = command_cb },
    { .name = "copy", .activate = command_cb },
    { .name = "save-as", .activate = command_cb },
  };
  gtk_widget_init_template (GTK_WIDGET (self));
  /* The text view that it lies on has the pointer of text. */
  gtk_widget_set_cursor_from_name (GTK_WIDGET (self), "default");
  self->actions = g_simple_action_group_new ();
  g_action_map_add_action_entries (G_ACTION_MAP (self->actions),
                                   entries,
                                   G_N_ELEMENTS (entries),
                                   self);
  gtk_widget_insert_action_group (GTK_WIDGET (self), "block", G_ACTION_GROUP (self->actions));
  gtk_menu_button_set_create_popup_func (self->button, popup_cb, self, NULL);
}

/* The whole story, for people who wonder. */
static char *
dup_explanation (const FhAnswerBlock *block, gboolean is_missing)
{
  g_autofree char *problem = fh_answer_block_dup_problem (block);
  g_autofree char *name = NULL;

  if (problem != NULL)
    return g_strdup_printf (_ ("%s. The blocks after it do not run."), problem);
  if (is_missing)
    return g_strdup_printf (
        _ ("“%s” is not installed here: the block cannot run, and those after it "
           "do not run."),
        block->language->interpreter);
  if (block->action == FH_BLOCK_SAVE)
    {
      name = fh_readable_text_new (block->file_name, strlen (block->file_name));
      if (fh_answer_block_is_unknown (block))
        return g_strdup_printf (_ ("The answer does not say which language this is. Choose one to "
                                   "run it. Saved as %s for the blocks after it, and not run."),
                                name);
      return g_strdup_printf (_ ("Saved as %s for the blocks after it, and not run."), name);
    }
  if (block->is_guess)
    return g_strdup (_ ("The answer does not say which language this is: it is a guess."));
  return NULL;
}

static void
show_language (FhBlockChip *self, const FhAnswerBlock *block)
{
  GAction *language = g_action_map_lookup_action (G_ACTION_MAP (self->actions), "language");

  self->language = block->language;
  g_simple_action_set_state (
      G_SIMPLE_ACTION (language),
      g_variant_new_string (block->language != NULL ? block->language->id : ""));
}

void
fh_block_chip_show (FhBlockChip *self,
                    const FhAnswerBlock *block,
                    guint number,
                    FhBlockState state,
                    gboolean is_missing)
{
  g_autofree char *language = NULL;
  g_autofree char *text = NULL;
  g_autofree char *name = NULL;
  g_autofree char *explanation = NULL;
  const char *const styles[] = { "accent", "success", "error", "warning" };
  const char *style;
  const char *what;

  g_return_if_fail (FH_IS_BLOCK_CHIP (self));
  g_return_if_fail (block != NULL && state < G_N_ELEMENTS (states));

  style = states[state].style;

  is_missing = is_missing && (block->action == FH_BLOCK_RUN || block->action == FH_BLOCK_ASK);
  language = fh_answer_block_dup_language (block);
  explanation = dup_explanation (block, is_missing);
  what = is_missing ? _ ("not installed") : _ (plans[block->action]);
  if (states[state].text != NULL)
    what = _ (states[state].text);
  if (state == FH_BLOCK_STATE_PAST && block->action == FH_BLOCK_RUN && !is_missing)
    {
      text = g_strdup (language);
      name = g_strdup_printf (_ ("Block %u: %s"), number, language);
    }
  else
    {
      text = g_strdup_printf ("%s · %s", language, what);
      /* Translators: number of a block of code, its language, and what becomes of it. */
      name = g_strdup_printf (_ ("Block %u: %s, %s"), number, language, what);
    }
  gtk_label_set_text (self->label, text);
  gtk_widget_set_tooltip_text (GTK_WIDGET (self->button), explanation);
  fh_set_accessible_label (self->button, name);
  if (state <= FH_BLOCK_STATE_IDLE && (is_missing || block->action > FH_BLOCK_SAVE))
    style = "warning";
  for (guint i = 0; i < G_N_ELEMENTS (styles); i++)
    fh_set_css_class (self->label, styles[i], g_strcmp0 (styles[i], style) == 0);
  show_language (self, block);
}

void
fh_block_chip_place (FhBlockChip *self, GtkTextView *view, const GtkTextIter *fence)
{
  GtkTextIter at = *fence;
  GdkRectangle place, visible;
  GtkRequisition size;
  int x;

  g_return_if_fail (FH_IS_BLOCK_CHIP (self) && GTK_IS_TEXT_VIEW (view));

  if (!gtk_text_iter_ends_line (&at))
    gtk_text_iter_forward_to_line_end (&at);
  gtk_text_view_get_iter_location (view, &at, &place);
  gtk_text_view_get_visible_rect (view, &visible);
  gtk_widget_get_preferred_size (GTK_WIDGET (self), NULL, &size);
  x = MIN (place.x + GAP, visible.width - size.width);
  gtk_text_view_move_overlay (view,
                              GTK_WIDGET (self),
                              MAX (x, 0),
                              place.y + (place.height - size.height) / 2);
}

/* Opens the menu once the chip is where it can be seen: GDK knows no place for a menu outside of
 * all monitors. */
static gboolean
open_cb (GtkWidget *view, GdkFrameClock *clock, gpointer user_data)
{
  GtkWidget *chip = GTK_WIDGET (user_data);
  graphene_rect_t place;

  if (!gtk_widget_compute_bounds (chip, view, &place) || place.origin.y + place.size.height <= 0 ||
      place.origin.y >= gtk_widget_get_height (view))
    return G_SOURCE_CONTINUE;
  gtk_menu_button_popup (FH_BLOCK_CHIP (chip)->button);
  return G_SOURCE_REMOVE;
}

void
fh_block_chip_open_menu (FhBlockChip *self, GtkTextView *view)
{
  g_return_if_fail (FH_IS_BLOCK_CHIP (self) && GTK_IS_TEXT_VIEW (view));

  gtk_widget_add_tick_callback (GTK_WIDGET (view), open_cb, g_object_ref (self), g_object_unref);
}
