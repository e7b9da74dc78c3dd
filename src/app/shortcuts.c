/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "shortcuts.h"

static const FhShortcut shortcuts[] = {
  { "win.run", { "F5" } },
  { "win.run-cell", { "<Control>Return", "<Control>KP_Enter" } },
  { "win.stop", { "<Shift>F5", "<Control>Break" } },
  { "win.show-control::options", { "<Alt>Return" } },
  { "win.show-control::time", { "<Control><Shift>L" } },
  { "win.show-control::memory", { "<Control><Shift>M" } },
  { "win.show-control::place", { "<Control><Shift>R" } },
  { "win.show-results::output", { "<Control><Shift>O" } },
  { "win.show-results::attempts", { "<Control><Shift>A" } },
  { "win.show-results::variables", { "<Control><Shift>V" } },
  { "win.new-tab", { "<Control>T" } },
  { "win.close-tab", { "<Control>W" } },
  { "win.reopen-tab", { "<Control><Shift>T" } },
  { "app.new-window", { "<Control>N" } },
  { "win.open", { "<Control>O" } },
  { "win.exhibits", { "<Control>E" } },
  { "win.save", { "<Control>S" } },
  { "win.save-as", { "<Control><Shift>S" } },
  { "win.find", { "<Control>F" } },
  { "win.find-replace", { "<Control>H" } },
  { "win.find-next", { "<Control>G" } },
  { "win.find-previous", { "<Control><Shift>G" } },
  { "win.find-in-output", { "<Control><Shift>F" } },
  { "win.clear-output", { "<Control>K" } },
  { "win.go-to-line", { "<Control>I" } },
  { "win.next-place", { "F8" } },
  { "win.previous-place", { "<Shift>F8" } },
  { "app.zoom-in", { "<Control>plus", "<Control>equal", "<Control>KP_Add" } },
  { "app.zoom-out", { "<Control>minus", "<Control>KP_Subtract" } },
  { "app.zoom-reset", { "<Control>0", "<Control>KP_0" } },
  { "win.next-pane", { "F6" } },
  { "win.show-history", { "F9" } },
  { "win.fullscreen", { "F11" } },
  { "app.presenter-view", { "<Shift>F11" } },
  { "app.help::index", { "F1" } },
  { "app.preferences", { "<Control>comma" } },
  { "window.close", { "<Control><Shift>W" } },
  { "app.quit", { "<Control>Q" } },
  { NULL },
};

const FhShortcut *
fh_shortcuts_list (void)
{
  return shortcuts;
}

void
fh_shortcuts_install (GtkApplication *application)
{
  g_return_if_fail (GTK_IS_APPLICATION (application));

  for (const FhShortcut *shortcut = shortcuts; shortcut->action != NULL; shortcut++)
    gtk_application_set_accels_for_action (application, shortcut->action, shortcut->keys);
}
