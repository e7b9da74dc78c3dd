/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "files/file-preview.h"
#include "files/files-view.h"
#include "widget-test.h"

static void
add (FhRun *run, const FhResultFileFacts *facts)
{
  g_autoptr (FhResultFile) file = fh_result_file_new (facts);

  fh_result_files_add (fh_run_get_files (run), file);
}

static void
add_all (FhRun *run)
{
  g_autoptr (GBytes) content = g_bytes_new_static ("x,y\n", 4);

  add (run, &(FhResultFileFacts){ .path = "plots/sine.csv", .size = 4, .content = content });
  add (run,
       &(FhResultFileFacts){
           .path = "<b>bold</b> & _co.sh",
           .size = 4,
           .is_program = TRUE,
           .is_changed = TRUE,
           .content = content,
       });
  add (run, &(FhResultFileFacts){ .path = "huge.bin", .size = G_GUINT64_CONSTANT (3) << 30 });
  add (run, &(FhResultFileFacts){ .path = "shortcut", .kind = FH_RESULT_FILE_LINK });
  add (run, &(FhResultFileFacts){ .path = "pipe", .kind = FH_RESULT_FILE_SPECIAL });
  fh_result_files_set_left_out (fh_run_get_files (run), 12, TRUE);
}

/* Shows a run that goes on; NULL: none. */
static void
show_run (FhFilesView *view, FhRun *run)
{
  FhShownResult shown = { .run = run };

  if (run != NULL)
    shown.files = fh_run_get_files (run);
  fh_result_page_show (FH_RESULT_PAGE (view), &shown);
}

static guint
count_buttons (GtkWidget *widget)
{
  guint n = GTK_IS_BUTTON (widget) && gtk_widget_get_mapped (widget) ? 1 : 0;

  for (GtkWidget *child = gtk_widget_get_first_child (widget); child != NULL;
       child = gtk_widget_get_next_sibling (child))
    n += count_buttons (child);
  return n;
}

static void
test_list (void)
{
  FhFilesView *view = g_object_new (FH_TYPE_FILES_VIEW, NULL);
  g_autoptr (FhRun) run = widget_test_run_new ("open ('x', 'w')");
  GtkWindow *window = widget_test_window (GTK_WIDGET (view), 600, 500);

  show_run (view, run);
  g_assert_false (gtk_widget_get_sensitive (fh_result_page_get_tools (FH_RESULT_PAGE (view))));
  add_all (run);
  widget_test_wait_for_label (GTK_WIDGET (view), "12 more files are not listed");
  widget_test_finish (run, 0);
  /* The run is over, and so its result shows the same. */
  fh_result_page_show (
      FH_RESULT_PAGE (view),
      &(FhShownResult){ .files = fh_run_result_get_parts (fh_run_get_result (run))->files });
  widget_test_wait_for_label (GTK_WIDGET (view), "plots/sine.csv");
  widget_test_wait_for_label (GTK_WIDGET (view), "<b>bold</b> & _co.sh");
  widget_test_wait_for_label (GTK_WIDGET (view),
                              "4 bytes · changed · program, saved as a plain file");
  widget_test_wait_for_label (GTK_WIDGET (view), "3.0\u00a0GiB · too large to keep");
  widget_test_wait_for_label (GTK_WIDGET (view), "A symbolic link");
  widget_test_wait_for_label (GTK_WIDGET (view), "A pipe, a socket or a device");
  widget_test_wait_for_label (GTK_WIDGET (view), "12 more files are not listed");
  widget_test_wait_for_label (GTK_WIDGET (view), "could not be read");
  g_assert_true (fh_result_page_is_present (FH_RESULT_PAGE (view)));
  g_assert_true (gtk_widget_get_sensitive (fh_result_page_get_tools (FH_RESULT_PAGE (view))));
  /* Only two of them can be saved. */
  g_assert_cmpuint (count_buttons (GTK_WIDGET (view)), ==, 2);
  widget_test_screenshot (GTK_WIDGET (window), "files-light");
  show_run (view, NULL);
  g_assert_false (fh_result_page_is_present (FH_RESULT_PAGE (view)));
  gtk_window_destroy (window);
}

static void
test_finalizes (void)
{
  FhFilesView *view = g_object_ref_sink (g_object_new (FH_TYPE_FILES_VIEW, NULL));
  FhRun *run = widget_test_run_new ("pass");
  GtkWindow *window = widget_test_window (GTK_WIDGET (view), 360, 300);

  show_run (view, run);
  add_all (run);
  widget_test_wait_for_label (GTK_WIDGET (view), "plots/sine.csv");
  widget_test_screenshot (GTK_WIDGET (window), "files-narrow");
  gtk_window_destroy (window);
  widget_test_finalize (view);
  widget_test_finalize (run);
}

static FhResultFile *
file_new (const char *path, const char *text)
{
  g_autoptr (GBytes) content = g_bytes_new (text, strlen (text));

  return fh_result_file_new (
      &(FhResultFileFacts){ .path = path, .size = strlen (text), .content = content });
}

static void
test_previews (void)
{
  FhFilesView *view = g_object_new (FH_TYPE_FILES_VIEW, NULL);
  GtkWidget *root = GTK_WIDGET (view);
  GtkWindow *window = widget_test_window (root, 500, 400);
  g_autoptr (FhResultFile) text = file_new ("<b>.txt", "one\n\xe2\x80\xaetwo\n");
  g_autoptr (FhResultFile) table = file_new ("a.csv", "name,value\n\"x,y\",<b>1</b>\n");
  g_autoptr (FhResultFile) other = file_new ("a.pdf", "%PDF-1.7");
  g_autoptr (FhResultFile) link =
      fh_result_file_new (&(FhResultFileFacts){ .path = "link", .kind = FH_RESULT_FILE_LINK });
  g_autofree char *shown = NULL;
  GtkAdjustment *across;

  g_assert_true (fh_files_view_open (view, text));
  widget_test_wait_for_label (root, "<b>.txt");
  shown = widget_test_text (GTK_TEXT_VIEW (widget_test_find (root, GTK_TYPE_TEXT_VIEW)));
  g_assert_cmpstr (shown, ==, "one\n\\u202etwo");
  g_assert_true (fh_files_view_open (view, table));
  widget_test_wait_for_label (root, "x,y");
  widget_test_wait_for_label (root, "<b>1</b>");
  widget_test_wait_for_label (root, "1 row below the titles");
  across = gtk_scrollable_get_hadjustment (
      GTK_SCROLLABLE (widget_test_find (root, GTK_TYPE_COLUMN_VIEW)));
  FH_AWAIT_TRUE (gtk_adjustment_get_page_size (across) > 300);
  g_assert_cmpfloat (gtk_adjustment_get_upper (across), ==, gtk_adjustment_get_page_size (across));
  widget_test_screenshot (GTK_WIDGET (window), "file-table-light");
  g_assert_true (fh_files_view_open (view, other));
  widget_test_wait_for_label (root, "No Preview");
  /* A link has nothing to show, and changes nothing. */
  g_assert_false (fh_files_view_open (view, link));
  widget_test_wait_for_label (root, "a.pdf");
  gtk_widget_activate_action (root, "files.back", NULL);
  FH_AWAIT_TRUE (widget_test_find (root, FH_TYPE_FILE_PREVIEW) == NULL);
  gtk_window_destroy (window);
}

WIDGET_TESTS ({ "/files/list", test_list },
              { "/files/previews", test_previews },
              { "/files/finalizes", test_finalizes });
