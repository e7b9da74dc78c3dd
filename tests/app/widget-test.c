/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "widget-test.h"

#include "parts/label-widths.h"

#ifdef __SANITIZE_ADDRESS__
#include <sanitizer/lsan_interface.h>

/* Memory that libraries allocate while they are loaded is not ours: GLib, for one, leaks its first
 * table of quarks when it grows. A suppression would need the whole stack of every allocation,
 * which makes these tests forty times slower. */
typedef void (*Initializer) (void);

__attribute__ ((section (".preinit_array"), used)) static const Initializer before_libraries =
    __lsan_disable;

__attribute__ ((constructor)) static void
after_libraries (void)
{
  __lsan_enable ();
}
#endif

/* What the application would load by itself. */
static void
load_style (void)
{
  g_autoptr (GtkCssProvider) provider = gtk_css_provider_new ();

  gtk_css_provider_load_from_resource (provider, "/io/github/fumehood/Fumehood/style.css");
  gtk_style_context_add_provider_for_display (gdk_display_get_default (),
                                              GTK_STYLE_PROVIDER (provider),
                                              GTK_STYLE_PROVIDER_PRIORITY_APPLICATION);
}

gboolean
widget_test_init (int *argc, char ***argv)
{
  g_test_init (argc, argv, NULL);
  if (!gtk_init_check ())
    {
      g_print ("1..0 # SKIP no display\n");
      return FALSE;
    }
  adw_init ();
  fh_label_widths_mend ();
  /* Looking for recent files that are too old leaks a time in GTK 4.8. */
  g_object_set (gtk_settings_get_default (),
                "gtk-enable-animations",
                FALSE,
                "gtk-recent-files-max-age",
                -1,
                NULL);
  load_style ();
  gtk_icon_theme_add_resource_path (gtk_icon_theme_get_for_display (gdk_display_get_default ()),
                                    "/io/github/fumehood/Fumehood/icons");
  return TRUE;
}

FhRun *
widget_test_run_new (const char *source)
{
  return widget_test_run_new_guarded (source, NULL);
}

FhRun *
widget_test_run_new_guarded (const char *source, const FhRunGuards *guards)
{
  g_autoptr (GBytes) bytes = g_bytes_new (source, strlen (source));
  FhRunRequestInit init = {
    .language = fh_language_lookup ("python"),
    .source = bytes,
    .limits = FH_RUN_LIMITS_DEFAULT,
    .guards = guards,
  };
  g_autoptr (GError) error = NULL;
  g_autoptr (FhRunRequest) request = fh_run_request_new (&init, &error);
  FhRun *run;

  g_assert_no_error (error);
  run = fh_run_new (request, "native");
  fh_run_started (run);
  return run;
}

void
widget_test_write (FhRun *run, FhStream stream, const char *text)
{
  fh_run_add_output (run, stream, 0, text, strlen (text));
}

void
widget_test_finish (FhRun *run, int exit_code)
{
  FhRunOutcome outcome = {
    .status = exit_code == 0 ? FH_RUN_STATUS_OK : FH_RUN_STATUS_FAILED,
    .exit_code = exit_code,
    .signal = -1,
    .wall_us = 1250000,
    .cpu_user_us = 800000,
    .cpu_system_us = 40000,
    .memory_peak = 24 << 20,
    .processes_peak = 1,
  };

  fh_run_finish (run, &outcome);
}

static gboolean
is_painted (gpointer window)
{
  GdkFrameClock *clock = gtk_widget_get_frame_clock (window);

  return gtk_widget_get_mapped (window) && gtk_widget_get_width (window) > 0 && clock != NULL &&
         gdk_frame_clock_get_frame_counter (clock) > 0;
}

GtkWindow *
widget_test_window (GtkWidget *child, int width, int height)
{
  GtkWindow *window = GTK_WINDOW (gtk_window_new ());

  gtk_window_set_decorated (window, FALSE);
  gtk_window_set_default_size (window, width, height);
  gtk_window_set_child (window, child);
  gtk_window_present (window);
  FH_AWAIT_TRUE (is_painted (window));
  widget_test_settle ();
  return window;
}

void
widget_test_wait (guint ms)
{
  gboolean over = FALSE;

  g_timeout_add (ms, fh_test_set_flag_cb, &over);
  while (!over)
    g_main_context_iteration (NULL, TRUE);
}

void
widget_test_settle (void)
{
  const gint64 deadline = g_get_monotonic_time () + 90 * G_USEC_PER_SEC;

  while (g_main_context_pending (NULL) && g_get_monotonic_time () < deadline)
    g_main_context_iteration (NULL, FALSE);
}

void
widget_test_finalize (gpointer object)
{
  gpointer alive = object;

  g_object_add_weak_pointer (object, &alive);
  g_object_unref (object);
  FH_AWAIT_TRUE (alive == NULL);
}

GtkWidget *
widget_test_find (GtkWidget *root, GType type)
{
  if (g_type_is_a (G_OBJECT_TYPE (root), type))
    return root;
  for (GtkWidget *child = gtk_widget_get_first_child (root); child != NULL;
       child = gtk_widget_get_next_sibling (child))
    {
      GtkWidget *found =
          gtk_widget_get_child_visible (child) ? widget_test_find (child, type) : NULL;

      if (found != NULL)
        return found;
    }
  return NULL;
}

GtkWidget *
widget_test_find_label (GtkWidget *root, const char *text)
{
  if (!gtk_widget_get_mapped (root))
    return NULL;
  if (GTK_IS_LABEL (root) && strstr (gtk_label_get_text (GTK_LABEL (root)), text) != NULL)
    return root;
  for (GtkWidget *child = gtk_widget_get_first_child (root); child != NULL;
       child = gtk_widget_get_next_sibling (child))
    {
      GtkWidget *found = widget_test_find_label (child, text);

      if (found != NULL)
        return found;
    }
  return NULL;
}

void
widget_test_wait_for_label (GtkWidget *root, const char *text)
{
  g_test_message ("waiting for the label “%s”", text);
  FH_AWAIT_TRUE (widget_test_find_label (root, text) != NULL);
}

char *
widget_test_text (GtkTextView *view)
{
  GtkTextBuffer *buffer = gtk_text_view_get_buffer (view);
  GtkTextIter start, end;

  gtk_text_buffer_get_bounds (buffer, &start, &end);
  return gtk_text_iter_get_text (&start, &end);
}

typedef struct
{
  GtkWidget *widget;
  GdkPaintable *paintable;
  GskRenderNode *node; /* nullable */
} Picture;

/* What a paintable of a widget shows is what was painted last: nothing before the first time. */
static gboolean
take_picture (gpointer data)
{
  Picture *picture = data;
  g_autoptr (GtkSnapshot) snapshot = gtk_snapshot_new ();
  GdkFrameClock *clock = gtk_widget_get_frame_clock (picture->widget);
  const gint64 painted = gdk_frame_clock_get_frame_counter (clock);

  gtk_widget_queue_draw (picture->widget);
  FH_AWAIT_TRUE (gdk_frame_clock_get_frame_counter (clock) > painted);
  widget_test_settle ();
  gdk_paintable_snapshot (picture->paintable,
                          snapshot,
                          gtk_widget_get_width (picture->widget),
                          gtk_widget_get_height (picture->widget));
  picture->node = gtk_snapshot_to_node (snapshot);
  return picture->node != NULL;
}

void
widget_test_screenshot (GtkWidget *widget, const char *name)
{
  const char *folder = g_getenv ("FH_SCREENSHOTS");
  g_autoptr (GdkPaintable) paintable = NULL;
  g_autoptr (GskRenderNode) node = NULL;
  g_autoptr (GdkTexture) texture = NULL;
  g_autofree char *file = NULL;
  g_autofree char *path = NULL;
  Picture picture = { .widget = widget };

  if (folder == NULL)
    return;
  g_assert_cmpint (g_mkdir_with_parents (folder, 0755), ==, 0);
  paintable = gtk_widget_paintable_new (widget);
  picture.paintable = paintable;
  FH_AWAIT_TRUE (take_picture (&picture));
  node = picture.node;
  texture =
      gsk_renderer_render_texture (gtk_native_get_renderer (gtk_widget_get_native (widget)),
                                   node,
                                   &GRAPHENE_RECT_INIT (0,
                                                        0,
                                                        (float) gtk_widget_get_width (widget),
                                                        (float) gtk_widget_get_height (widget)));
  file = g_strconcat (name, ".png", NULL);
  path = g_build_filename (folder, file, NULL);
  g_assert_true (gdk_texture_save_to_png (texture, path));
}
