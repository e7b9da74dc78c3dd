/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "parts/run-labels.h"

#include <glib/gi18n.h>
#include <inttypes.h>

#include "parts/calls.h"

char *
fh_run_label_stopped (guint n, gboolean has_more)
{
  if (has_more)
    /* Translators: the number of attempts that a guard stopped; there were more than are kept */
    return g_strdup_printf (
        ngettext ("At least %u attempt blocked", "At least %u attempts blocked", n),
        n);
  /* Translators: the number of attempts that a guard stopped */
  return g_strdup_printf (ngettext ("%u attempt blocked", "%u attempts blocked", n), n);
}

char *
fh_run_label_elapsed (guint64 us)
{
  /* Rounded before the unit is chosen: 999.9 ms is “1.00 s”, not “1000 ms”. */
  guint64 ms = (us + 500) / 1000;

  if (ms < 1000)
    /* Translators: milliseconds. */
    return g_strdup_printf (_ ("%u ms"), (guint) ms);
  if (ms < 60000)
    /* Translators: seconds. */
    return g_strdup_printf (_ ("%.2f s"), (double) (ms / 10) / 100.0);
  /* Translators: minutes and seconds, as in “2:05 min”. */
  return g_strdup_printf (_ ("%u:%02u min"), (guint) (ms / 60000), (guint) (ms / 1000 % 60));
}

/* Calendar days, not periods of 24 hours. */
static gint64
day_number (GDateTime *time)
{
  const gint64 offset = g_date_time_get_utc_offset (time) / G_TIME_SPAN_SECOND;

  return (g_date_time_to_unix (time) + offset) / (24 * 60 * 60);
}

char *
fh_run_label_time (GDateTime *when, GDateTime *now)
{
  gint64 days;

  g_return_val_if_fail (when != NULL && now != NULL, NULL);

  days = day_number (now) - day_number (when);
  if (days == 0)
    /* Translators: a time of today, see strftime(3). */
    return g_date_time_format (when, _ ("%H:%M"));
  if (days == 1)
    return g_strdup (_ ("Yesterday"));
  if (days > 1 && days < 7)
    return g_date_time_format (when, "%A");
  if (g_date_time_get_year (when) == g_date_time_get_year (now))
    /* Translators: a day of this year, see strftime(3). */
    return g_date_time_format (when, _ ("%-e %b"));
  /* Translators: a day of another year, see strftime(3). */
  return g_date_time_format (when, _ ("%-e %b %Y"));
}

char *
fh_run_label_moment (GDateTime *when, GDateTime *now)
{
  g_autoptr (GDateTime) there = NULL;
  g_autofree char *day = NULL;
  g_autofree char *time = NULL;

  g_return_val_if_fail (when != NULL && now != NULL, NULL);

  there = g_date_time_to_timezone (when, g_date_time_get_timezone (now));
  /* Translators: a time of a day, see strftime(3). */
  time = g_date_time_format (there, _ ("%H:%M:%S"));
  if (day_number (there) == day_number (now))
    return g_steal_pointer (&time);
  day = fh_run_label_time (there, now);
  /* Translators: a day and a time: “Yesterday, 17:31:05” */
  return g_strdup_printf (C_ ("time", "%s, %s"), day, time);
}

char *
fh_run_label_place (const FhContainerOptions *container, FhEngineKind engine)
{
  const char *image;

  if (container == NULL)
    return NULL;
  image = fh_container_options_image (container);
  if (engine == FH_ENGINE_AUTO)
    engine = container->engine;
  if (engine == FH_ENGINE_AUTO)
    /* Translators: %s is an image: “In a container: python:3-slim” */
    return g_strdup_printf (_ ("In a container: %s"), image);
  /* Translators: an image and an engine: “In a container: python:3-slim (Docker)” */
  return g_strdup_printf (_ ("In a container: %s (%s)"),
                          image,
                          engine == FH_ENGINE_PODMAN ? "Podman" : "Docker");
}

static const char *
color_class (FhRunSeverity severity)
{
  switch (severity)
    {
    case FH_RUN_SEVERITY_GOOD:
      return "success";
    case FH_RUN_SEVERITY_LIMIT:
      return "warning";
    case FH_RUN_SEVERITY_PROGRAM:
    case FH_RUN_SEVERITY_OURS:
    default:
      return "error";
    }
}

void
fh_run_label_set_status (GtkImage *image, FhRunStatus status)
{
  const char *classes[] = { color_class (fh_run_status_severity (status)), NULL };

  g_return_if_fail (GTK_IS_IMAGE (image));

  gtk_image_set_from_icon_name (image, fh_run_status_icon_name (status));
  gtk_widget_set_css_classes (GTK_WIDGET (image), classes);
  fh_set_accessible_label (image, fh_run_status_title (status));
}

void
fh_run_label_set_running (GtkImage *image)
{
  g_return_if_fail (GTK_IS_IMAGE (image));

  gtk_image_set_from_icon_name (image, "media-playback-start-symbolic");
  gtk_widget_set_css_classes (GTK_WIDGET (image), (const char *[]){ "accent", NULL });
  fh_set_accessible_label (image, _ ("Running"));
}

char *
fh_run_label_score (const FhHistoryScore *score)
{
  /* Translators: of the samples of a batch. */
  return g_strdup_printf (_ ("%" PRIu64 " of %" PRIu64 " passed"),
                          score->n_passed,
                          score->n_samples);
}

void
fh_run_label_set_score (GtkImage *image, const FhHistoryScore *score)
{
  gboolean is_good = score->n_passed == score->n_samples;
  const char *classes[] = { is_good ? "success" : "dim-label", NULL };
  g_autofree char *text = fh_run_label_score (score);

  g_return_if_fail (GTK_IS_IMAGE (image));

  gtk_image_set_from_icon_name (image, is_good ? "object-select-symbolic" : "view-list-symbolic");
  gtk_widget_set_css_classes (GTK_WIDGET (image), classes);
  fh_set_accessible_label (image, text);
}
