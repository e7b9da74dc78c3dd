/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "fake-services.h"
#include "tab/tab.h"
#include "widget-test.h"

/* A tab in a window of its own, and what it works with, in a folder of its own. */
typedef struct
{
  char *folder;
  FakeBackend *backend;
  FhServices *services;
  FhTab *page;
  GtkWindow *window;
} PageFixture;

void page_fixture_set_up (PageFixture *self, gconstpointer data);

/* Also checks that nothing keeps the tab or its services alive. */
void page_fixture_tear_down (PageFixture *self, gconstpointer data);

GtkTextBuffer *page_fixture_get_buffer (PageFixture *self);

/* Inserts text where the cursor is. */
void page_fixture_type (PageFixture *self, const char *text);
