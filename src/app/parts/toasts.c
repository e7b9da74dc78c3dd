/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "parts/toasts.h"

#include <glib/gi18n.h>

#include "parts/calls.h"

#define TIMEOUT_S         5
#define PROBLEM_TIMEOUT_S 20
#define PROBLEM           "fh-problem"

/* A toast keeps under this name when it was shown: 0 as long as it waits. */
#define SHOWN "fh-shown"
/* A toast has come by then, however it came. */
#define COMING_MS 1000

/* A window finds the overlay below it, everything else above it. */
static AdwToastOverlay *
find_overlay (GtkWidget *widget)
{
  GtkWidget *overlay = gtk_widget_get_ancestor (widget, ADW_TYPE_TOAST_OVERLAY);

  if (overlay == NULL && ADW_IS_APPLICATION_WINDOW (widget))
    overlay = adw_application_window_get_content (ADW_APPLICATION_WINDOW (widget));
  return ADW_IS_TOAST_OVERLAY (overlay) ? ADW_TOAST_OVERLAY (overlay) : NULL;
}

/* Returns milliseconds of a clock that starts anywhere. */
static gsize
get_time (void)
{
  return (gsize) (g_get_monotonic_time () / 1000);
}

static void
note_time (GtkWidget *widget)
{
  g_autoptr (AdwToast) toast = NULL;

  if (g_object_class_find_property (G_OBJECT_GET_CLASS (widget), "toast") != NULL)
    g_object_get (widget, "toast", &toast, NULL);
  if (toast != NULL)
    g_object_set_data (G_OBJECT (toast), SHOWN, GSIZE_TO_POINTER (get_time ()));
}

/* libadwaita 1.2 has no name for what closes a toast, which may be shown later than it is added. */
static void
name_buttons_cb (GListModel *toasts, guint position, guint n_removed, guint n_added)
{
  for (guint i = position; i < position + n_added; i++)
    {
      g_autoptr (GtkWidget) toast = g_list_model_get_item (toasts, i);
      GtkWidget *button = gtk_widget_get_last_child (toast);

      if (GTK_IS_BUTTON (button) && gtk_button_get_icon_name (GTK_BUTTON (button)) != NULL)
        fh_set_accessible_label (button, _ ("Close the message"));
      note_time (toast);
    }
}

static void
name_buttons (AdwToastOverlay *overlay)
{
  GListModel *toasts;

  if (g_object_get_data (G_OBJECT (overlay), "toasts") != NULL)
    return;
  toasts = gtk_widget_observe_children (GTK_WIDGET (overlay));
  g_signal_connect (toasts, "items-changed", G_CALLBACK (name_buttons_cb), NULL);
  g_object_set_data_full (G_OBJECT (overlay), "toasts", toasts, g_object_unref);
}

/* A problem does not wait for others to go, as it belongs to what was just done. Returns NULL
 * without a window. The toast is borrowed. */
static AdwToast *
add_toast (GtkWidget *widget, const char *message, guint timeout_s, const char *button_label)
{
  AdwToastOverlay *overlay = find_overlay (widget);
  /* Toast titles are markup. */
  g_autofree char *markup = g_markup_escape_text (message, -1);
  AdwToast *toast;

  if (overlay == NULL)
    return NULL;
  name_buttons (overlay);
  toast = adw_toast_new (markup);
  adw_toast_set_timeout (toast, timeout_s);
  adw_toast_set_button_label (toast, button_label);
  if (timeout_s == PROBLEM_TIMEOUT_S)
    adw_toast_set_priority (toast, ADW_TOAST_PRIORITY_HIGH);
  adw_toast_overlay_add_toast (overlay, toast);
  return toast;
}

void
fh_toast_show (GtkWidget *widget, const char *message)
{
  g_return_if_fail (GTK_IS_WIDGET (widget));
  g_return_if_fail (message != NULL);

  add_toast (widget, message, TIMEOUT_S, NULL);
}

static gboolean
dismiss_cb (gpointer user_data)
{
  adw_toast_dismiss (ADW_TOAST (user_data));
  return G_SOURCE_REMOVE;
}

static void
dismiss (AdwToast *toast)
{
  gsize age;

  /* Before libadwaita 1.4, a toast that goes while it is coming is used after it was freed. */
  age = get_time () - GPOINTER_TO_SIZE (g_object_get_data (G_OBJECT (toast), SHOWN));
  if (age >= COMING_MS)
    adw_toast_dismiss (toast);
  else
    g_timeout_add_full (G_PRIORITY_DEFAULT,
                        (guint) (COMING_MS - age),
                        dismiss_cb,
                        g_object_ref (toast),
                        g_object_unref);
}

void
fh_toast_replace (AdwToast **place, AdwToast *toast)
{
  if (*place != NULL)
    dismiss (*place);
  g_set_weak_pointer (place, toast);
}

void
fh_toast_clear_problem (GtkWidget *widget)
{
  AdwToastOverlay *overlay;
  g_autoptr (AdwToast) toast = NULL;

  g_return_if_fail (GTK_IS_WIDGET (widget));

  overlay = find_overlay (widget);
  if (overlay != NULL)
    toast = g_object_steal_data (G_OBJECT (overlay), PROBLEM);
  if (toast != NULL)
    dismiss (toast);
}

void
fh_toast_show_problem (GtkWidget *widget, const char *message)
{
  AdwToast *toast;

  g_return_if_fail (GTK_IS_WIDGET (widget));
  g_return_if_fail (message != NULL);

  fh_toast_clear_problem (widget);
  toast = add_toast (widget, message, PROBLEM_TIMEOUT_S, NULL);
  if (toast == NULL)
    return;
  g_object_set_data_full (G_OBJECT (find_overlay (widget)),
                          PROBLEM,
                          g_object_ref (toast),
                          g_object_unref);
}

AdwToast *
fh_toast_show_action (GtkWidget *widget,
                      const char *message,
                      const char *button_label,
                      const char *action,
                      GVariant *target)
{
  g_autoptr (GVariant) owned = target != NULL ? g_variant_ref_sink (target) : NULL;
  AdwToast *toast;

  g_return_val_if_fail (GTK_IS_WIDGET (widget), NULL);
  g_return_val_if_fail (message != NULL, NULL);

  toast = add_toast (widget, message, TIMEOUT_S, button_label);
  if (toast == NULL)
    return NULL;
  adw_toast_set_action_target_value (toast, owned);
  adw_toast_set_action_name (toast, action);
  return toast;
}

AdwToast *
fh_toast_show_button (GtkWidget *widget,
                      const char *message,
                      const char *button_label,
                      void (*clicked) (GtkWidget *widget))
{
  AdwToast *toast;

  g_return_val_if_fail (GTK_IS_WIDGET (widget), NULL);
  g_return_val_if_fail (message != NULL && clicked != NULL, NULL);

  toast = add_toast (widget, message, TIMEOUT_S, button_label);
  if (toast != NULL)
    fh_connect (toast, "button-clicked", clicked, widget);
  return toast;
}

static void
undo_clicked_cb (AdwToast *toast, gpointer user_data)
{
  FhToastFunc undo = g_object_get_data (G_OBJECT (toast), "undo");

  undo (user_data);
}

void
fh_toast_show_undo (GtkWidget *widget,
                    const char *message,
                    FhToastFunc undo,
                    gpointer user_data,
                    GDestroyNotify destroy)
{
  AdwToast *toast;

  g_return_if_fail (GTK_IS_WIDGET (widget));
  g_return_if_fail (message != NULL && undo != NULL);

  toast = add_toast (widget, message, TIMEOUT_S, _ ("_Undo"));
  if (toast == NULL)
    {
      if (destroy != NULL)
        destroy (user_data);
      return;
    }
  g_object_set_data (G_OBJECT (toast), "undo", undo);
  g_signal_connect (toast, "button-clicked", G_CALLBACK (undo_clicked_cb), user_data);
  g_object_set_data_full (G_OBJECT (toast), "user-data", user_data, destroy);
}
