/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "parts/toasts.h"

#include <glib/gi18n.h>

#define USUAL_TIMEOUT_S   5
#define PROBLEM_TIMEOUT_S 20

/* Toast titles are markup, messages are not. */
static AdwToast *
new_toast (const char *message)
{
  g_autofree char *markup = g_markup_escape_text (message, -1);

  return adw_toast_new (markup);
}

/* A window finds the overlay below it, everything else above it. */
static AdwToastOverlay *
find_overlay (GtkWidget *widget)
{
  GtkWidget *overlay = gtk_widget_get_ancestor (widget, ADW_TYPE_TOAST_OVERLAY);

  if (overlay == NULL && ADW_IS_APPLICATION_WINDOW (widget))
    overlay = adw_application_window_get_content (ADW_APPLICATION_WINDOW (widget));
  return ADW_IS_TOAST_OVERLAY (overlay) ? ADW_TOAST_OVERLAY (overlay) : NULL;
}

static void
show (GtkWidget *widget, const char *message, guint timeout_s)
{
  AdwToastOverlay *overlay = find_overlay (widget);
  AdwToast *toast;

  if (overlay == NULL)
    return;
  toast = new_toast (message);
  adw_toast_set_timeout (toast, timeout_s);
  adw_toast_overlay_add_toast (overlay, toast);
}

void
fh_toast_show (GtkWidget *widget, const char *message)
{
  g_return_if_fail (GTK_IS_WIDGET (widget));
  g_return_if_fail (message != NULL);

  show (widget, message, USUAL_TIMEOUT_S);
}

void
fh_toast_show_problem (GtkWidget *widget, const char *message)
{
  g_return_if_fail (GTK_IS_WIDGET (widget));
  g_return_if_fail (message != NULL);

  show (widget, message, PROBLEM_TIMEOUT_S);
}

void
fh_toast_show_action (GtkWidget *widget,
                      const char *message,
                      const char *button_label,
                      const char *action,
                      GVariant *target)
{
  g_autoptr (GVariant) owned = target != NULL ? g_variant_ref_sink (target) : NULL;
  AdwToastOverlay *overlay;
  AdwToast *toast;

  g_return_if_fail (GTK_IS_WIDGET (widget));
  g_return_if_fail (message != NULL);

  overlay = find_overlay (widget);
  if (overlay == NULL)
    return;
  toast = new_toast (message);
  adw_toast_set_button_label (toast, button_label);
  adw_toast_set_action_name (toast, action);
  adw_toast_set_action_target_value (toast, owned);
  adw_toast_overlay_add_toast (overlay, toast);
}

typedef struct
{
  FhToastFunc undo;
  gpointer user_data;
  GDestroyNotify destroy;
} Undo;

static void
undo_free (gpointer data, GClosure *closure)
{
  Undo *undo = data;

  if (undo->destroy != NULL)
    undo->destroy (undo->user_data);
  g_free (undo);
}

static void
undo_clicked_cb (AdwToast *toast, gpointer user_data)
{
  Undo *undo = user_data;

  undo->undo (undo->user_data);
}

void
fh_toast_show_undo (GtkWidget *widget,
                    const char *message,
                    FhToastFunc undo,
                    gpointer user_data,
                    GDestroyNotify destroy)
{
  AdwToastOverlay *overlay;
  AdwToast *toast;
  Undo *closure;

  g_return_if_fail (GTK_IS_WIDGET (widget));
  g_return_if_fail (message != NULL && undo != NULL);

  closure = g_new0 (Undo, 1);
  *closure = (Undo){ undo, user_data, destroy };
  overlay = find_overlay (widget);
  if (overlay == NULL)
    {
      undo_free (closure, NULL);
      return;
    }
  toast = new_toast (message);
  adw_toast_set_button_label (toast, _ ("_Undo"));
  g_signal_connect_data (toast,
                         "button-clicked",
                         G_CALLBACK (undo_clicked_cb),
                         closure,
                         undo_free,
                         0);
  adw_toast_overlay_add_toast (overlay, toast);
}
