#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# timed.sh COMMAND…: runs a test. Its last line tells summary.py the processor time that it used, in milliseconds.
"$@"
status=$?
# After the name in parentheses, cutime and cstime of proc(5) are the fields 14 and 15, in hundredths of a second.
read -r stat <"/proc/$$/stat"
# shellcheck disable=SC2086
set -- ${stat##*) }
echo "# used $(((${14} + ${15}) * 10)) ms"
exit "$status"
