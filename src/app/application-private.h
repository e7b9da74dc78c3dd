/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "application.h"
#include "services.h"
#include "text-size.h"
#include "window/window.h"

G_BEGIN_DECLS

struct _FhApplication
{
  AdwApplication parent_instance;

  FhServices *services;
  FhTextSize *text_size;
  char *history_notice; /* what is wrong with the history, or NULL */
  gboolean holding;     /* for the sake of results that are still to be kept */
};

/* application.c */
FhWindow *fh_application_open_window (FhApplication *self);

/* application-actions.c */
void fh_application_init_actions (FhApplication *self);

G_END_DECLS
