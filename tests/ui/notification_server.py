# SPDX-License-Identifier: GPL-3.0-or-later
"""Takes the notifications of a desktop and shows none. The bus starts it for the first one: without it GLib would warn,
and in a test a warning is fatal."""

import gi

gi.require_version("Gio", "2.0")
from gi.repository import Gio, GLib  # noqa: E402  pylint: disable=wrong-import-position

NAME = "org.freedesktop.Notifications"
XML = f"""<node><interface name='{NAME}'>
  <method name='Notify'>
    <arg type='s'/><arg type='u'/><arg type='s'/><arg type='s'/><arg type='s'/><arg type='as'/><arg type='a{{sv}}'/>
    <arg type='i'/><arg type='u' direction='out'/>
  </method>
  <method name='CloseNotification'><arg type='u'/></method>
</interface></node>"""


def called(_bus, _sender, _path, _interface, method, _arguments, invocation):
    invocation.return_value(GLib.Variant("(u)", (1,)) if method == "Notify" else None)


def serve(bus, _name):
    bus.register_object("/org/freedesktop/Notifications", Gio.DBusNodeInfo.new_for_xml(XML).interfaces[0], called,
                        None, None)


Gio.bus_own_name(Gio.BusType.SESSION, NAME, Gio.BusNameOwnerFlags.NONE, serve, None, None)
GLib.MainLoop().run()
