/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The app, with programs that a test plays, in the hands of one who presses, clicks, opens, drags
 * and types whatever comes: no crash, no warning, no standstill, no memory that stays.
 * FH_MONKEY_SEED repeats what a seed did, up to the moments in which things are drawn; it goes on
 * for FH_MONKEY_EVENTS, or FH_MONKEY_SECONDS if they are over before. */
#include <dirent.h>
#include <dlfcn.h>
#include <execinfo.h>
#include <malloc.h>
#include <signal.h>
#include <stdio.h>
#include <time.h>
#include <unistd.h>

#include "application.h"
#include "fake-services.h"
#include "hands.h"
#include "monkey.h"
#include "widget-test.h"
#include "window/window.h"

#ifdef __SANITIZE_ADDRESS__
#include <sanitizer/common_interface_defs.h>

/* Its header is not everywhere. */
size_t __sanitizer_get_current_allocated_bytes (void);
#endif

/* Between two, everything is closed, and what is still in memory is counted. */
#define N_STAGES 5
#define MAX_TABS 12
/* Turns of an idle main loop in which what was closed goes. */
#define TURNS_TO_REST 40
/* Of processor time, which no other process takes. */
#define MAX_STALL_MS 2000
#define STALL_MS     200
#define MAX_GROWTH   ((gsize) 80 << 20)
#define MAX_NEW_FDS  16
#define N_REMEMBERED 40
/* After what the toolkit puts off: libadwaita 1.2 closes a tab in an idle that it does not take
 * back when the tab goes before. */
#define PRIORITY_OF_TURNS (G_PRIORITY_DEFAULT_IDLE + 10)
/* So many calls of the toolkit are between ours and its complaint. */
#define N_CALLS 3

#ifdef __SANITIZE_ADDRESS__
#define SANITIZED TRUE
#else
#define SANITIZED FALSE
#endif

typedef struct
{
  Monkey monkey;
  FhServices *services;
  guint n_events;
  gint64 begun, lasts;      /* in µs */
  guint n_windows, n_pages; /* that are in memory */
  guint resting;            /* turns that are left of a rest */
  guint n_stages;           /* that are over */
  gsize memory[N_STAGES];
  guint fds[N_STAGES];
  guint kept[N_STAGES]; /* windows and pages that were closed */
} Test;

static char remembered[N_REMEMBERED][200];
static guint n_remembered;
static GString *now; /* what it is about to do */

static guint n_of_toolkit;

static struct
{
  gint64 since, worst; /* of processor time, in µs; 0: the loop has not turned yet */
  gint64 since_wall, worst_wall;
  guint n;                          /* of turns over STALL_MS */
  char event[sizeof remembered[0]]; /* what was done in the worst */
} stall;

static void
tell_what_led_here (void)
{
  fputs ("What it did last:\n", stderr);
  for (guint i = n_remembered > N_REMEMBERED ? n_remembered - N_REMEMBERED : 0; i < n_remembered;
       i++)
    fprintf (stderr, "%6u %s\n", i, remembered[i % N_REMEMBERED]);
  if (now != NULL)
    fprintf (stderr, "%6u %s\n", n_remembered, now->str);
}

static void
died_cb (int number)
{
  signal (number, SIG_DFL);
  tell_what_led_here ();
  raise (number);
}

/* GTK 4.8, libadwaita 1.2 and GtkSourceView 5.6 complain of themselves when windows are tiny or
 * reach over the border of the screen, and when what was clicked goes at that moment. What we do
 * wrong is in a call of ours. */
static gboolean
is_of_toolkit (const char *domain, void **frames, int n_frames)
{
  static const char *const domains[] = { "Gtk", "Gdk", "Adwaita", "GtkSourceView", NULL };
  Dl_info own, glib, info;
  gboolean is_looking = FALSE;
  gboolean is_before = TRUE;
  guint n = 0;

  if (domain == NULL || !g_strv_contains (domains, domain) || dladdr (&n_of_toolkit, &own) == 0 ||
      dladdr (g_strv_contains, &glib) == 0)
    return FALSE;
  for (int i = 0; i < n_frames && n < N_CALLS; i++)
    {
      if (dladdr (frames[i], &info) == 0)
        continue;
      /* The first of ours is the one that looks; before it, or with it, is the backtrace () of
       * AddressSanitizer. */
      is_looking |= info.dli_fbase == own.dli_fbase;
      if (is_before && (!is_looking || info.dli_fbase == own.dli_fbase))
        continue;
      is_before = FALSE;
      if (info.dli_fbase == own.dli_fbase)
        return FALSE;
      /* Its own timeout, idle or event. */
      if (g_strcmp0 (info.dli_sname, "g_main_context_dispatch") == 0)
        return TRUE;
      n += info.dli_fbase != glib.dli_fbase;
    }
  return TRUE;
}

static const char *
get_field (const GLogField *fields, gsize n_fields, const char *key)
{
  for (gsize i = 0; i < n_fields; i++)
    {
      if (g_str_equal (fields[i].key, key))
        return fields[i].value;
    }
  return NULL;
}

static GLogWriterOutput
log_cb (GLogLevelFlags level, const GLogField *fields, gsize n_fields, gpointer data)
{
  g_autofree char *text = NULL;
  void *frames[200];
  int n_frames;

  text = g_log_writer_format_fields (level, fields, n_fields, FALSE);
  /* With a message alone GDK ends the program when it loses the display. */
  if ((level & G_LOG_LEVEL_MESSAGE) != 0)
    fprintf (stderr, "%s\n", text);
  if ((level & (G_LOG_LEVEL_ERROR | G_LOG_LEVEL_CRITICAL | G_LOG_LEVEL_WARNING)) == 0)
    return G_LOG_WRITER_HANDLED;
  n_frames = backtrace (frames, G_N_ELEMENTS (frames));
  if (is_of_toolkit (get_field (fields, n_fields, "GLIB_DOMAIN"), frames, n_frames))
    {
      n_of_toolkit++;
      return G_LOG_WRITER_HANDLED;
    }
  fprintf (stderr, "%s\n", text);
  backtrace_symbols_fd (frames, n_frames, STDERR_FILENO);
  abort ();
}

static gint64
read_us (clockid_t clock)
{
  struct timespec time;

  clock_gettime (clock, &time);
  return (gint64) time.tv_sec * G_USEC_PER_SEC + time.tv_nsec / 1000;
}

/* A turn of the main loop: between two waits nothing can interrupt it. */
static int
poll_cb (GPollFD *fds, guint n_fds, int timeout)
{
  const gint64 used = read_us (CLOCK_THREAD_CPUTIME_ID) - stall.since;
  int result;

  if (stall.since != 0 && used > stall.worst)
    {
      stall.worst = used;
      g_strlcpy (stall.event, now != NULL ? now->str : "", sizeof stall.event);
    }
  if (stall.since != 0 && used > STALL_MS * 1000)
    stall.n++;
  if (stall.since != 0)
    stall.worst_wall = MAX (stall.worst_wall, read_us (CLOCK_MONOTONIC) - stall.since_wall);
  result = g_poll (fds, n_fds, timeout);
  stall.since = read_us (CLOCK_THREAD_CPUTIME_ID);
  stall.since_wall = read_us (CLOCK_MONOTONIC);
  return result;
}

static gsize
count_memory (void)
{
#ifdef __SANITIZE_ADDRESS__
  return __sanitizer_get_current_allocated_bytes ();
#else
  return mallinfo2 ().uordblks;
#endif
}

static guint
count_fds (void)
{
  DIR *folder = opendir ("/proc/self/fd");
  guint n = 0;

  while (readdir (folder) != NULL)
    n++;
  closedir (folder);
  return n;
}

static void
gone_cb (gpointer count, GObject *object)
{
  (*(guint *) count)--;
}

static void
count_until_gone (gpointer object, guint *count)
{
  (*count)++;
  g_object_weak_ref (object, gone_cb, count);
}

/* A page may have come from another window. */
static void
page_attached_cb (AdwTabView *view, AdwTabPage *tab, int position, Test *self)
{
  GtkWidget *page = adw_tab_page_get_child (tab);

  if (g_object_get_data (G_OBJECT (page), "is-counted") != NULL)
    return;
  g_object_set_data (G_OBJECT (page), "is-counted", self);
  count_until_gone (page, &self->n_pages);
}

static void
window_added_cb (GtkApplication *app, GtkWindow *window, Test *self)
{
  if (!FH_IS_WINDOW (window))
    return;
  count_until_gone (window, &self->n_windows);
  g_signal_connect (fh_tabs_get_view (fh_window_get_tabs (FH_WINDOW (window))),
                    "page-attached",
                    G_CALLBACK (page_attached_cb),
                    self);
}

/* No person can choose a file here, and the files of the user must not be touched. */
static void
dismiss_file_choosers (GList *windows)
{
  for (GList *link = windows; link != NULL; link = link->next)
    {
      if (GTK_IS_FILE_CHOOSER (link->data))
        gtk_dialog_response (link->data, GTK_RESPONSE_CANCEL);
    }
}

/* A file dialog goes first, by its own answer: it uses its window and the one it was opened from
 * until then. */
static void
close_everything (Test *self)
{
  GList *windows;

  programs_end (self->monkey.programs);
  windows = gtk_window_list_toplevels ();
  g_list_foreach (windows, (GFunc) (void (*) (void)) g_object_ref, NULL);
  dismiss_file_choosers (windows);
  for (GList *link = windows; link != NULL; link = link->next)
    gtk_window_destroy (link->data);
  g_list_free_full (windows, g_object_unref);
  fh_drafts_flush (fh_services_get_drafts (self->services));
}

static void
end_stage (Test *self)
{
  malloc_trim (0);
  self->memory[self->n_stages] = count_memory ();
  self->fds[self->n_stages] = count_fds ();
  self->kept[self->n_stages] = self->n_windows + self->n_pages;
  g_test_message ("after %u events: %" G_GSIZE_FORMAT
                  " KiB, %u windows, %u pages, %u descriptors, worst turn %" G_GINT64_FORMAT
                  " ms of processor time (%s), %" G_GINT64_FORMAT " ms in all",
                  self->monkey.n_events,
                  self->memory[self->n_stages] >> 10,
                  self->n_windows,
                  self->n_pages,
                  self->fds[self->n_stages],
                  stall.worst / 1000,
                  stall.event,
                  stall.worst_wall / 1000);
  self->n_stages++;
}

/* A person would not have more. */
static void
keep_house (Test *self)
{
  GList *windows = gtk_application_get_windows (self->monkey.app);
  AdwTabView *view;

  for (GList *link = windows; link != NULL; link = link->next)
    {
      if (!FH_IS_WINDOW (link->data))
        continue;
      view = fh_tabs_get_view (fh_window_get_tabs (link->data));
      if (adw_tab_view_get_n_pages (view) > MAX_TABS)
        adw_tab_view_close_page (view, adw_tab_view_get_nth_page (view, 0));
    }
  windows = monkey_list_windows (&self->monkey);
  if (g_list_length (windows) > 5)
    gtk_window_destroy (g_list_last (windows)->data);
  else if (windows != NULL)
    hands_give_keyboard (g_list_last (windows)->data);
  else
    g_application_activate (G_APPLICATION (self->monkey.app));
  g_list_free (windows);
}

static gboolean
rest (Test *self)
{
  if (self->resting == TURNS_TO_REST)
    close_everything (self);
  if (fh_recorder_get_busy (fh_services_get_recorder (self->services)))
    return G_SOURCE_CONTINUE;
  if (--self->resting > 0)
    return G_SOURCE_CONTINUE;
  end_stage (self);
  if (self->n_stages < N_STAGES)
    return G_SOURCE_CONTINUE;
  g_application_release (G_APPLICATION (self->monkey.app));
  return G_SOURCE_REMOVE;
}

/* When what it did before was handled. */
static gboolean
turn_cb (gpointer data)
{
  Test *self = data;
  g_autoptr (GList) windows = NULL;

  if (self->resting > 0)
    return rest (self);
  programs_look (self->monkey.programs);
  windows = monkey_list_windows (&self->monkey);
  dismiss_file_choosers (windows);
  keep_house (self);
  monkey_act (&self->monkey);
  g_strlcpy (remembered[n_remembered % N_REMEMBERED], self->monkey.note->str, sizeof remembered[0]);
  n_remembered++;
  if (g_getenv ("FH_MONKEY_VERBOSE") != NULL)
    fprintf (stderr, "%6u %s\n", self->monkey.n_events, self->monkey.note->str);
  if (self->monkey.n_events * N_STAGES >= (self->n_stages + 1) * self->n_events ||
      (g_get_monotonic_time () - self->begun) * N_STAGES >= (self->n_stages + 1) * self->lasts)
    self->resting = TURNS_TO_REST;
  /* Faster than it is drawn, most of the time. */
  g_idle_add_full (g_rand_int_range (self->monkey.rand, 0, 5) == 0 ? G_PRIORITY_LOW
                                                                   : PRIORITY_OF_TURNS,
                   turn_cb,
                   self,
                   NULL);
  return G_SOURCE_REMOVE;
}

static guint
from_environment (const char *name, guint otherwise)
{
  const char *text = g_getenv (name);

  return text != NULL && *text != '\0' ? (guint) g_ascii_strtoull (text, NULL, 10) : otherwise;
}

static void
watch_for_the_end (void)
{
  signal (SIGABRT, died_cb);
  signal (SIGTRAP, died_cb);
  signal (SIGTERM, died_cb);
#ifdef __SANITIZE_ADDRESS__
  __sanitizer_set_death_callback (tell_what_led_here);
#else
  signal (SIGSEGV, died_cb);
#endif
  g_log_set_always_fatal (G_LOG_FATAL_MASK);
  g_log_set_writer_func (log_cb, NULL, NULL);
}

static void
check (Test *self)
{
  g_test_message (
      "%u events; %u turns over %u ms of processor time; the toolkit complained %u times "
      "of itself",
      self->monkey.n_events,
      stall.n,
      STALL_MS,
      n_of_toolkit);
  /* Sanitizers take too much of it. */
  if (!SANITIZED)
    g_assert_cmpint (stall.worst / 1000, <=, MAX_STALL_MS);
  for (guint i = 0; i < N_STAGES; i++)
    g_assert_cmpuint (self->kept[i], ==, 0);
  /* In the first stage caches are filled. */
  for (guint i = 1; i < N_STAGES; i++)
    {
      g_assert_cmpuint (self->memory[i], <=, self->memory[0] + MAX_GROWTH);
      g_assert_cmpuint (self->fds[i], <=, self->fds[0] + MAX_NEW_FDS);
    }
}

static void
test_monkey (void)
{
  const guint seed = from_environment ("FH_MONKEY_SEED", g_random_int ());
  g_autoptr (FakeBackend) backend = fake_backend_new ();
  g_autoptr (GRand) rand = g_rand_new_with_seed (seed);
  g_autoptr (Programs) programs = programs_new (backend, rand);
  g_autoptr (GString) note = g_string_new (NULL);
  g_autoptr (FhApplication) app = NULL;
  char *folder = fake_folder_new ();
  Test self = {
    .monkey = { .rand = rand, .programs = programs, .folder = folder, .note = note },
    .services = fake_services_new (backend, folder),
    .n_events = from_environment ("FH_MONKEY_EVENTS", 2000),
    .lasts = from_environment ("FH_MONKEY_SECONDS", 100) * G_USEC_PER_SEC,
    .begun = g_get_monotonic_time (),
  };

  g_test_message ("FH_MONKEY_SEED=%u", seed);
  now = note;
  app = fh_application_new (self.services);
  self.monkey.app = GTK_APPLICATION (app);
  g_application_hold (G_APPLICATION (app));
  g_signal_connect (app, "window-added", G_CALLBACK (window_added_cb), &self);
  g_idle_add_full (G_PRIORITY_LOW, turn_cb, &self, NULL);
  g_main_context_set_poll_func (NULL, poll_cb);
  g_assert_cmpint (g_application_run (G_APPLICATION (app), 0, NULL), ==, 0);
  g_main_context_set_poll_func (NULL, g_poll);
  now = NULL;
  check (&self);
  g_clear_object (&app);
  fake_services_free (self.services);
  fake_folder_free (folder);
}

/* What is found on this computer is not to make a difference, nor to be used. */
static void
forget_the_computer (void)
{
  GSettings *settings = g_settings_new ("org.gtk.gtk4.Settings.Debug");

  g_settings_set_boolean (settings, "enable-inspector-keybinding", FALSE);
  g_object_unref (settings);
  g_setenv ("PATH", "/nonexistent", TRUE);
  g_setenv ("FH_RUNNER", "/nonexistent", TRUE);
}

int
main (int argc, char *argv[])
{
  if (!widget_test_init (&argc, &argv))
    return 0;
  if (!hands_init ())
    {
      g_print ("1..0 # SKIP no keyboard: libXtst.so.6 is missing\n");
      return 0;
    }
  forget_the_computer ();
  watch_for_the_end ();
  g_test_add_func ("/monkey", test_monkey);
  return g_test_run ();
}
