/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "parts/status-icon.h"

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
fh_status_icon_show (GtkImage *image, FhRunStatus status)
{
  const char *classes[] = { color_class (fh_run_status_severity (status)), NULL };

  g_return_if_fail (GTK_IS_IMAGE (image));

  gtk_image_set_from_icon_name (image, fh_run_status_icon_name (status));
  gtk_widget_set_css_classes (GTK_WIDGET (image), classes);
  gtk_accessible_update_property (GTK_ACCESSIBLE (image),
                                  GTK_ACCESSIBLE_PROPERTY_LABEL,
                                  fh_run_status_title (status),
                                  -1);
}
