# SPDX-License-Identifier: GPL-3.0-or-later
"""Programs of a desktop that an app talks to over D-Bus, as far as a test needs them: they note what they are told."""

import os
import threading

import gi

gi.require_version("Gio", "2.0")
from gi.repository import Gio, GLib  # noqa: E402  pylint: disable=wrong-import-position

APP_ID = "io.github.fumehood.Fumehood"
APP_PATH = "/io/github/fumehood/Fumehood"
BUS = "org.freedesktop.DBus"


def connect():
    """A new connection to the session's bus."""
    flags = Gio.DBusConnectionFlags.AUTHENTICATION_CLIENT | Gio.DBusConnectionFlags.MESSAGE_BUS_CONNECTION
    return Gio.DBusConnection.new_for_address_sync(os.environ["DBUS_SESSION_BUS_ADDRESS"], flags, None, None)


def call(name, path, interface, method, arguments=None, bus=None):
    """The answer, as Python knows it."""
    bus = bus or Gio.bus_get_sync(Gio.BusType.SESSION, None)
    answer = bus.call_sync(name, path, interface, method, arguments, None, Gio.DBusCallFlags.NONE, 60000, None)
    return answer.unpack()


def ask_bus(method, signature=None, *arguments, bus=None):
    variant = GLib.Variant(signature, arguments) if signature else None
    answer = call(BUS, "/org/freedesktop/DBus", BUS, method, variant, bus)
    return answer[0] if answer else None


def has_owner(name):
    return ask_bus("NameHasOwner", "(s)", name)


class Service(threading.Thread):
    """Owns a name on the session's bus and answers there, in a thread of its own. `answers`: a function for each
    method, which gets the arguments and returns a GLib.Variant, or None for an empty answer."""

    def __init__(self, name, objects, answers):
        super().__init__(daemon=True)
        self.name, self.objects, self.answers = name, objects, answers
        self.ready = threading.Event()
        self.context = GLib.MainContext.new()
        self.loop = GLib.MainLoop.new(self.context, False)
        self.bus = None
        self.start()
        if not self.ready.wait(60):
            raise RuntimeError(f"no {name} on the bus")

    def run(self):
        self.context.push_thread_default()
        self.bus = connect()
        for path, xml in self.objects.items():
            for interface in Gio.DBusNodeInfo.new_for_xml(xml).interfaces:
                self.bus.register_object(path, interface, self._called, None, None)
        ask_bus("RequestName", "(su)", self.name, 4, bus=self.bus)
        self.ready.set()
        self.loop.run()
        self.bus.close_sync(None)
        self.context.pop_thread_default()

    def _called(self, _bus, _sender, _path, _interface, method, arguments, invocation):
        invocation.return_value(self.answers[method](*arguments.unpack()))

    def signal(self, path, interface, name):
        """To everyone."""
        self.bus.emit_signal(None, path, interface, name, None)

    def close(self):
        self.context.invoke_full(GLib.PRIORITY_DEFAULT, self.loop.quit)
        self.join()


class Notifications(Service):
    """What a desktop shows: `shown` is (number in the order of arrival, id) → notification; `withdrawn` has ids."""

    XML = """<node><interface name='org.gtk.Notifications'>
      <method name='AddNotification'><arg type='s'/><arg type='s'/><arg type='a{sv}'/></method>
      <method name='RemoveNotification'><arg type='s'/><arg type='s'/></method>
    </interface></node>"""

    def __init__(self):
        self.shown, self.withdrawn = [], []
        super().__init__("org.gtk.Notifications", {"/org/gtk/Notifications": self.XML}, {
            "AddNotification": lambda app, key, notification: self.shown.append((key, notification)),
            "RemoveNotification": lambda app, key: self.withdrawn.append(key),
        })


class SessionManager(Service):
    """Logs out when it is told to. `inhibitors`: cookie → (flags, reason)."""

    PATH = "/org/gnome/SessionManager"
    CLIENT = "/org/gnome/SessionManager/Client1"
    XML = """<node><interface name='org.gnome.SessionManager'>
      <method name='RegisterClient'><arg type='s'/><arg type='s'/><arg type='o' direction='out'/></method>
      <method name='UnregisterClient'><arg type='o'/></method>
      <method name='Inhibit'>
        <arg type='s'/><arg type='u'/><arg type='s'/><arg type='u'/><arg type='u' direction='out'/>
      </method>
      <method name='Uninhibit'><arg type='u'/></method>
    </interface></node>"""
    CLIENT_INTERFACE = "org.gnome.SessionManager.ClientPrivate"
    CLIENT_XML = f"""<node><interface name='{CLIENT_INTERFACE}'>
      <method name='EndSessionResponse'><arg type='b'/><arg type='s'/></method>
      <signal name='QueryEndSession'><arg type='u'/></signal>
      <signal name='EndSession'><arg type='u'/></signal>
      <signal name='Stop'/>
    </interface></node>"""

    def __init__(self):
        self.inhibitors, self.clients, self.responses, self._cookie = {}, [], [], 0
        super().__init__("org.gnome.SessionManager", {self.PATH: self.XML, self.CLIENT: self.CLIENT_XML}, {
            "RegisterClient": self._register,
            "UnregisterClient": lambda client: None,
            "Inhibit": self._inhibit,
            "Uninhibit": lambda cookie: self.inhibitors.pop(cookie) and None,
            "EndSessionResponse": lambda may_end, reason: self.responses.append(may_end),
        })

    def _register(self, app, _startup):
        self.clients.append(app)
        return GLib.Variant("(o)", (self.CLIENT,))

    def _inhibit(self, _app, _window, reason, flags):
        self._cookie += 1
        self.inhibitors[self._cookie] = (flags, reason)
        return GLib.Variant("(u)", (self._cookie,))

    def log_out(self, step):
        """`step`: "QueryEndSession", then "EndSession"."""
        self.bus.emit_signal(None, self.CLIENT, self.CLIENT_INTERFACE, step, GLib.Variant("(u)", (0,)))
