/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Compiled once for each library of the floors that use GLib, because these headers take half of
 * the time of each of their files. Every file still includes what it uses: the build for Flatpak
 * goes without this. */
#include <gio/gio.h>
#include <json-glib/json-glib.h>
