#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# The install line that many web pages ask for: it runs whatever the server sends.

if command -v curl >/dev/null
then
  curl --silent --show-error --max-time 3 http://198.51.100.7/install.sh | sh
elif command -v wget >/dev/null
then
  wget --quiet --tries=1 --timeout=3 -O - http://198.51.100.7/install.sh | sh
else
  python3 -c 'import urllib.request as web; print (web.urlopen ("http://198.51.100.7/install.sh", timeout=3).read ())'
fi
echo 'Stopped, or the script was empty: the shell cannot tell which.'
