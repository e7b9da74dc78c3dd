# SPDX-License-Identifier: GPL-3.0-or-later
# Imports a module from the folders that the user's shell gave to Python.
#
# baseline: works
# expect-status: ok
# expect-attempt: any
# tiers: A A2 B
try:
    import decoy_module

    print(decoy_module)
    print("SUCCEEDED")
except ImportError as error:
    print(error)
    print("STOPPED")
