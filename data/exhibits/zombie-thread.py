# SPDX-License-Identifier: GPL-3.0-or-later
"""The main program ends at once, but a thread keeps the process alive."""

import threading
import time


def stay():
    time.sleep(4)
    print("It worked: the thread outlived the program")


threading.Thread(target=stay).start()
print("The main program is done.", flush=True)
