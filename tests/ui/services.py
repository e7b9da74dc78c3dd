# SPDX-License-Identifier: GPL-3.0-or-later
"""Programs of a desktop that an app talks to over D-Bus, as far as a test needs them: they note what they are told."""

import os
import threading

import gi

gi.require_version("Gio", "2.0")
from gi.repository import Gio, GLib  # noqa: E402  pylint: disable=wrong-import-position

import accessible  # noqa: E402  pylint: disable=wrong-import-position
from waiting import wait_for  # noqa: E402  pylint: disable=wrong-import-position

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


def make_activatable(session):
    """From now on the bus starts the app when it is called."""
    script = session.folder / "start-app"
    variables = "".join(f"export {name}='{session.environment[name]}'\n" for name in
                        ("HOME", "XDG_CONFIG_HOME", "XDG_CACHE_HOME", "XDG_DATA_HOME", "XDG_STATE_HOME"))
    script.write_text(f"#!/bin/sh\n{variables}export G_DEBUG=fatal-warnings\n"
                      f"exec '{os.environ['FH_APP']}' --gapplication-service >>'{session.folder}/app.log' 2>&1\n",
                      encoding="utf-8")
    script.chmod(0o755)
    folder = session.bus_folder / "services"
    (folder / f"{APP_ID}.service").write_text(f"[D-BUS Service]\nName={APP_ID}\nExec={script}\n", encoding="utf-8")
    ask_bus("ReloadConfig")


def window_of_the_app():
    pid = ask_bus("GetConnectionUnixProcessID", "(s)", APP_ID)
    return accessible.application(pid)


def activate(action, *targets):
    """An action of the app, as the desktop does it; the bus starts the app if it has to."""
    call(APP_ID, APP_PATH, "org.freedesktop.Application", "ActivateAction",
         GLib.Variant("(sava{sv})", (action, list(targets), {})))


def quit_app():
    activate("quit")
    wait_for(lambda: not has_owner(APP_ID), "the app to end")


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
            self.serve(path, xml)
        ask_bus("RequestName", "(su)", self.name, 4, bus=self.bus)
        self.ready.set()
        self.loop.run()
        self.bus.close_sync(None)
        self.context.pop_thread_default()

    def serve(self, path, xml):
        for interface in Gio.DBusNodeInfo.new_for_xml(xml).interfaces:
            self.bus.register_object(path, interface, self._called, None, None)

    def _called(self, _bus, _sender, _path, _interface, method, arguments, invocation):
        invocation.return_value(self.answers[method](*arguments.unpack()))

    def close(self):
        self.context.invoke_full(GLib.PRIORITY_DEFAULT, self.loop.quit)
        self.join()


class Notifications(Service):
    """What a desktop shows: `shown` has (id, notification) in the order of arrival, `withdrawn` ids."""

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
    """Logs out when it is told to. `inhibitors`: cookie → (flags, reason). `clients`: name → path; the accessibility
    bus is one, too."""

    PATH = "/org/gnome/SessionManager"
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
        self.inhibitors, self.clients, self.responses, self._cookie = {}, {}, [], 0
        super().__init__("org.gnome.SessionManager", {self.PATH: self.XML}, {
            "RegisterClient": self._register,
            "UnregisterClient": lambda client: None,
            "Inhibit": self._inhibit,
            "Uninhibit": lambda cookie: self.inhibitors.pop(cookie) and None,
            "EndSessionResponse": lambda may_end, reason: self.responses.append(may_end),
        })

    def _register(self, app, _startup):
        self.clients[app] = f"{self.PATH}/Client{len(self.clients)}"
        self.serve(self.clients[app], self.CLIENT_XML)
        return GLib.Variant("(o)", (self.clients[app],))

    def _inhibit(self, _app, _window, reason, flags):
        self._cookie += 1
        self.inhibitors[self._cookie] = (flags, reason)
        return GLib.Variant("(u)", (self._cookie,))

    def log_out(self, app, step):
        """`step`: "QueryEndSession", then "EndSession"."""
        self.bus.emit_signal(None, self.clients[app], self.CLIENT_INTERFACE, step, GLib.Variant("(u)", (0,)))
