/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "controls/image-check-row.h"

#include <glib/gi18n.h>

#include "parts/calls.h"

struct _FhImageCheckRow
{
  AdwPreferencesRow parent_instance;

  FhImageCheck *check;

  GtkOrientable *line;
  GtkStack *signs;
  GtkSpinner *spinner;
  GtkImage *icon;
  GtkLabel *text;
  GtkLabel *detail;
  GtkProgressBar *progress;
  GtkButton *button;
};

G_DEFINE_FINAL_TYPE (FhImageCheckRow, fh_image_check_row, ADW_TYPE_PREFERENCES_ROW)

/* How each state looks; `button`: NULL for none. */
typedef struct
{
  const char *icon;
  const char *css_class;
  const char *button;
} Look;

static const Look looks[] = {
  [FH_IMAGE_CHECK_IDLE] = { 0 },
  [FH_IMAGE_CHECK_CHECKING] = { 0 },
  [FH_IMAGE_CHECK_INVALID] = { "dialog-error-symbolic", "error", NULL },
  [FH_IMAGE_CHECK_PRESENT] = { "emblem-ok-symbolic", "success", NULL },
  [FH_IMAGE_CHECK_MISSING] = { "folder-download-symbolic", "dim-label", N_ ("_Pull") },
  [FH_IMAGE_CHECK_TROUBLE] = { "dialog-warning-symbolic", "warning", N_ ("Check _Again") },
  [FH_IMAGE_CHECK_PULLING] = { NULL, NULL, N_ ("_Cancel") },
  [FH_IMAGE_CHECK_PULL_FAILED] = { "dialog-warning-symbolic", "warning", N_ ("Try _Again") },
};

static void
show_sign (FhImageCheckRow *self, const Look *look)
{
  const char *const classes[] = { look->css_class, NULL };

  gtk_widget_set_css_classes (GTK_WIDGET (self->icon), (const char **) classes);
  gtk_image_set_from_icon_name (self->icon, look->icon);
  gtk_stack_set_visible_child (self->signs,
                               look->icon != NULL ? GTK_WIDGET (self->icon)
                                                  : GTK_WIDGET (self->spinner));
  gtk_spinner_set_spinning (self->spinner, look->icon == NULL);
}

/* Hidden until the engine reports progress. */
static void
show_progress (FhImageCheckRow *self)
{
  double fraction = fh_image_check_get_fraction (self->check);

  gtk_widget_set_visible (GTK_WIDGET (self->progress), fraction >= 0);
  if (fraction >= 0)
    gtk_progress_bar_set_fraction (self->progress, fraction);
}

/* Errors are long and get the whole width. */
static void
show_button (FhImageCheckRow *self, FhImageCheckState state)
{
  const char *label = looks[state].button;
  gboolean is_long = state == FH_IMAGE_CHECK_TROUBLE || state == FH_IMAGE_CHECK_PULL_FAILED;

  gtk_orientable_set_orientation (self->line,
                                  is_long ? GTK_ORIENTATION_VERTICAL : GTK_ORIENTATION_HORIZONTAL);
  gtk_widget_set_visible (GTK_WIDGET (self->button), label != NULL);
  if (label != NULL)
    gtk_button_set_label (self->button, _ (label));
}

/* A screen reader announces a new sentence, not each step of a pull; the row itself has both. */
static void
say (FhImageCheckRow *self, const char *text, const char *detail)
{
  gtk_accessible_update_property (GTK_ACCESSIBLE (self),
                                  GTK_ACCESSIBLE_PROPERTY_LABEL,
                                  text,
                                  GTK_ACCESSIBLE_PROPERTY_DESCRIPTION,
                                  detail != NULL ? detail : "",
                                  -1);
  if (g_strcmp0 (gtk_label_get_text (self->text), text) == 0)
    return;
  gtk_label_set_text (self->text, text);
  fh_set_accessible_label (self->text, text);
}

static void
update (FhImageCheckRow *self)
{
  FhImageCheckState state = fh_image_check_get_state (self->check);
  const char *detail = fh_image_check_get_detail (self->check);

  show_sign (self, &looks[state]);
  say (self, fh_image_check_get_text (self->check), detail);
  fh_show_text (self->detail, detail);
  show_progress (self);
  show_button (self, state);
}

static void
clicked_cb (FhImageCheckRow *self)
{
  const FhImageCheckState state = fh_image_check_get_state (self->check);

  if (state == FH_IMAGE_CHECK_MISSING || state == FH_IMAGE_CHECK_PULL_FAILED)
    fh_image_check_pull (self->check);
  else if (state == FH_IMAGE_CHECK_PULLING)
    fh_image_check_cancel_pull (self->check);
  else if (state == FH_IMAGE_CHECK_TROUBLE)
    fh_image_check_again (self->check);
}

static void
fh_image_check_row_dispose (GObject *object)
{
  FhImageCheckRow *self = FH_IMAGE_CHECK_ROW (object);

  g_clear_object (&self->check);
  gtk_widget_dispose_template (GTK_WIDGET (self), FH_TYPE_IMAGE_CHECK_ROW);

  G_OBJECT_CLASS (fh_image_check_row_parent_class)->dispose (object);
}

static void
fh_image_check_row_class_init (FhImageCheckRowClass *klass)
{
  GtkWidgetClass *widget_class = GTK_WIDGET_CLASS (klass);

  G_OBJECT_CLASS (klass)->dispose = fh_image_check_row_dispose;

  fh_set_template (widget_class, "controls/image-check-row.ui");
  gtk_widget_class_bind_template_child (widget_class, FhImageCheckRow, line);
  gtk_widget_class_bind_template_child (widget_class, FhImageCheckRow, signs);
  gtk_widget_class_bind_template_child (widget_class, FhImageCheckRow, spinner);
  gtk_widget_class_bind_template_child (widget_class, FhImageCheckRow, icon);
  gtk_widget_class_bind_template_child (widget_class, FhImageCheckRow, text);
  gtk_widget_class_bind_template_child (widget_class, FhImageCheckRow, detail);
  gtk_widget_class_bind_template_child (widget_class, FhImageCheckRow, progress);
  gtk_widget_class_bind_template_child (widget_class, FhImageCheckRow, button);
  gtk_widget_class_bind_template_callback (widget_class, clicked_cb);
}

static void
fh_image_check_row_init (FhImageCheckRow *self)
{
  gtk_widget_init_template (GTK_WIDGET (self));
}

void
fh_image_check_row_set_check (FhImageCheckRow *self, FhImageCheck *check)
{
  g_return_if_fail (FH_IS_IMAGE_CHECK_ROW (self));
  g_return_if_fail (FH_IS_IMAGE_CHECK (check));
  g_return_if_fail (self->check == NULL);

  self->check = g_object_ref (check);
  fh_connect (check, "changed", update, self);
  update (self);
}
