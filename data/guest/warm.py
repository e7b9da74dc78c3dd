# SPDX-License-Identifier: GPL-3.0-or-later
"""Starts bootstrap.py in an interpreter that will be forked: Python keeps the syntax tree of the
file that it is given, and each fork would free it, which means to copy it first."""

exec(compile(open(__file__.replace("/warm.py", "/bootstrap.py"), "rb").read(), __file__, "exec"))
