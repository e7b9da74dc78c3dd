# SPDX-License-Identifier: GPL-3.0-or-later
"""Takes the place of the app on a session bus, which starts it, and answers the questions of `fumehoodctl mcp --ask`.

Arguments: the app's id, a pipe to which each call is written as a line of JSON, and how to answer: "approve",
"refuse REASON", "silent" or "die".
"""

import json
import os
import sys

from gi.repository import Gio, GLib

XML = """<node><interface name='io.github.fumehood.Approval'>
<method name='Ask'><arg type='s' direction='in'/><arg type='s' direction='in'/><arg type='s' direction='in'/>
<arg type='s' direction='in'/><arg type='s' direction='in'/><arg type='s' direction='in'/>
<arg type='b' direction='out'/><arg type='s' direction='out'/></method>
<method name='Withdraw'><arg type='s' direction='in'/></method>
</interface></node>"""
APP_ID, PIPE, ANSWER, *REASON = sys.argv[1:]


def called(_bus, _sender, _path, _interface, method, arguments, invocation):
    with open(PIPE, "w", encoding="utf-8") as pipe:
        pipe.write(json.dumps([method, *arguments]) + "\n")
    if method == "Withdraw":
        invocation.return_value(None)
    elif ANSWER == "die":
        os._exit(1)
    elif ANSWER != "silent":
        invocation.return_value(GLib.Variant("(bs)", (ANSWER == "approve", " ".join(REASON))))


def main():
    bus = Gio.bus_get_sync(Gio.BusType.SESSION)
    path = "/" + APP_ID.replace(".", "/") + "/Approval"
    bus.register_object(path, Gio.DBusNodeInfo.new_for_xml(XML).interfaces[0], called, None, None)
    Gio.bus_own_name_on_connection(bus, APP_ID, Gio.BusNameOwnerFlags.NONE, None, None)
    GLib.MainLoop().run()


if __name__ == "__main__":
    main()
