/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "hands.h"

#include <X11/Xlib.h>
#include <dlfcn.h>
#include <gdk/x11/gdkx.h>

/* Of libXtst, which every desktop with accessibility has; its headers are in a package of their
 * own. */
static int (*fake_key) (Display *display, unsigned int code, int pressed, unsigned long delay);
static int (*fake_button) (Display *display, unsigned int button, int pressed, unsigned long delay);
static int (*fake_motion) (Display *display, int screen, int x, int y, unsigned long delay);

static const struct
{
  guint flag;
  KeySym keysym;
} modifier_keys[] = {
  { HANDS_SHIFT, GDK_KEY_Shift_L },
  { HANDS_CONTROL, GDK_KEY_Control_L },
  { HANDS_ALT, GDK_KEY_Alt_L },
};

G_GNUC_BEGIN_IGNORE_DEPRECATIONS

static Display *
get_display (void)
{
  return gdk_x11_display_get_xdisplay (gdk_display_get_default ());
}

static int (*gdk_handler) (Display *display, XErrorEvent *error);

/* GDK 4.8 places a popover that has gone already, and the like, and ends the program over it. */
static int
error_cb (Display *display, XErrorEvent *error)
{
  if (error->error_code == BadWindow)
    return 0;
  return gdk_handler (display, error);
}

gboolean
hands_init (void)
{
  void *library = dlopen ("libXtst.so.6", RTLD_NOW);

  if (library == NULL || !GDK_IS_X11_DISPLAY (gdk_display_get_default ()))
    return FALSE;
  *(void **) &fake_key = dlsym (library, "XTestFakeKeyEvent");
  *(void **) &fake_button = dlsym (library, "XTestFakeButtonEvent");
  *(void **) &fake_motion = dlsym (library, "XTestFakeMotionEvent");
  gdk_handler = XSetErrorHandler (error_cb);
  /* An error has to arrive before GDK sets its own handler for a while, which would end the program
   * over it. */
  XSynchronize (get_display (), True);
  return fake_key != NULL && fake_button != NULL && fake_motion != NULL;
}

void
hands_key (guint keyval, guint modifiers)
{
  Display *display = get_display ();
  const KeyCode code = XKeysymToKeycode (display, keyval);

  if (code == 0)
    return;
  for (guint i = 0; i < G_N_ELEMENTS (modifier_keys); i++)
    {
      if (modifiers & modifier_keys[i].flag)
        fake_key (display, XKeysymToKeycode (display, modifier_keys[i].keysym), TRUE, 0);
    }
  fake_key (display, code, TRUE, 0);
  fake_key (display, code, FALSE, 0);
  for (guint i = 0; i < G_N_ELEMENTS (modifier_keys); i++)
    {
      if (modifiers & modifier_keys[i].flag)
        fake_key (display, XKeysymToKeycode (display, modifier_keys[i].keysym), FALSE, 0);
    }
  XSync (display, FALSE);
}

/* The widget's surface may have gone meanwhile. */
static gboolean
point_at (GtkWidget *widget, double x, double y)
{
  Display *display = get_display ();
  GtkNative *native = gtk_widget_get_native (widget);
  graphene_point_t inside;
  Window child;
  double left, top;
  int screen_x = 0, screen_y = 0;

  if (native == NULL || gtk_native_get_surface (native) == NULL ||
      !gtk_widget_compute_point (widget,
                                 GTK_WIDGET (native),
                                 &GRAPHENE_POINT_INIT ((float) x, (float) y),
                                 &inside))
    return FALSE;
  gtk_native_get_surface_transform (native, &left, &top);
  gdk_x11_display_error_trap_push (gdk_display_get_default ());
  XTranslateCoordinates (display,
                         gdk_x11_surface_get_xid (gtk_native_get_surface (native)),
                         DefaultRootWindow (display),
                         (int) (inside.x + left),
                         (int) (inside.y + top),
                         &screen_x,
                         &screen_y,
                         &child);
  if (gdk_x11_display_error_trap_pop (gdk_display_get_default ()) != 0)
    return FALSE;
  fake_motion (display, -1, screen_x, screen_y, 0);
  return TRUE;
}

void
hands_click (GtkWidget *widget, double x, double y, guint button, guint times)
{
  Display *display = get_display ();

  if (!point_at (widget, x, y))
    return;
  for (guint i = 0; i < times; i++)
    {
      fake_button (display, button, TRUE, 0);
      fake_button (display, button, FALSE, 0);
    }
  XSync (display, FALSE);
}

static gboolean
point_at_middle (GtkWidget *widget)
{
  return point_at (widget, gtk_widget_get_width (widget) / 2, gtk_widget_get_height (widget) / 2);
}

void
hands_drag (GtkWidget *from, GtkWidget *to)
{
  Display *display = get_display ();

  if (!point_at_middle (from))
    return;
  fake_button (display, 1, TRUE, 0);
  point_at_middle (to);
  fake_button (display, 1, FALSE, 0);
  XSync (display, FALSE);
}

void
hands_give_keyboard (GtkWindow *window)
{
  Display *display = get_display ();
  GdkSurface *surface = gtk_native_get_surface (GTK_NATIVE (window));

  if (surface == NULL || !gdk_surface_get_mapped (surface))
    return;
  gdk_x11_display_error_trap_push (gdk_display_get_default ());
  XRaiseWindow (display, gdk_x11_surface_get_xid (surface));
  XSetInputFocus (display, gdk_x11_surface_get_xid (surface), RevertToParent, CurrentTime);
  gdk_x11_display_error_trap_pop_ignored (gdk_display_get_default ());
}

G_GNUC_END_IGNORE_DEPRECATIONS
