#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# sh tests/trixie/run-suite.sh FOLDER SOURCES LOGS [SUITE…]: builds and tests a copy of the sources as an
# ordinary user of the tree of Debian 13 in that folder, which is made first if need be. Needs root. The logs, as
# tests/harness/run-suites.sh writes them, go to LOGS, their names and tests beginning with "trixie".
set -eu

folder=$1 sources=$2 logs=$3
shift 3
here=$(CDPATH='' cd -- "$(dirname -- "$0")" && pwd)

say () {
  printf '%s\n' "$*" >&2
}

# report RESULT: one line for the summary.
report () {
  printf '%s\n' "$1" >>"$logs/trixie-steps.tap"
}

enter () {
  sh "$here/enter-tree.sh" "$folder/root" "$@"
}

versions () {
  for library in gtk4 libadwaita-1 gtksourceview-5 glib-2.0 libseccomp sqlite3 libcmark; do
    printf '%s %s, ' "$library" "$(enter pkg-config --modversion "$library")"
  done
  printf '%s, gcc %s\n' "$(enter python3 --version)" "$(enter gcc -dumpfullversion)"
}

# Each log of the tree under another name: here there are suites of the same names.
take_logs () {
  for log in "$1"/*.json "$1"/*.txt; do
    case $log in
      */times.txt | */'*'.*) ;;
      *) cp "$log" "$logs/trixie-$(basename "$log")" ;;
    esac
  done
  sed 's/^\(\(not \)\{0,1\}ok 1 \)/\1trixie: /' "$1/steps.tap" >>"$logs/trixie-steps.tap"
  sed 's/ / trixie: /2' "$1/times.txt" >>"$logs/times"
  [ -e "$logs/trixie-slow.json" ]
}

mkdir -p "$logs"
umask 022
begun=$(date +%s)
status=0
say "Making a tree of Debian 13 in $folder, unless it is there …"
why=$(sh "$here/build-tree.sh" "$folder") || status=$?
case $status in
  0) ;;
  77) report "ok 1 trixie # SKIP $why" && exit 0 ;;
  *) report 'not ok 1 trixie: the tree was not made' && exit 0 ;;
esac
versions=$(versions)
say "In the tree: $versions"
printf '%s 0 trixie: tree with %s\n' "$(($(date +%s) - begun))" "$versions" >>"$logs/times"

place=$(mktemp -d "$folder/root/var/tmp/fumehood-test.XXXXXXXX")
trap 'rm -rf "$place"' EXIT
trap 'exit 130' INT TERM HUP
inside=${place#"$folder/root"}
mkdir "$place/tmp"
cp -R "$sources" "$place/tree"
if [ -n "${FH_HUMANEVAL:-}" ]; then
  cp "$FH_HUMANEVAL" "$place/HumanEval.jsonl.gz"
fi
enter chown -R tester: "$inside"
# Where namespaces work for the users of this computer, they have to work in there.
if setpriv --reuid=59013 --regid=59013 --clear-groups unshare --user --map-root-user true 2>/dev/null; then
  FH_MUST_SANDBOX=1
fi
[ $# -gt 0 ] || set -- everyday clang
enter setpriv --reuid=tester --regid=tester --init-groups --reset-env \
  env LANG=C.UTF-8 TMPDIR="$inside/tmp" FH_MUST_SANDBOX="${FH_MUST_SANDBOX:-}" \
  FH_HUMANEVAL="${FH_HUMANEVAL:+$inside/HumanEval.jsonl.gz}" \
  sh "$inside/tree/tests/harness/run-suites.sh" "$@" </dev/null >/dev/null || say 'Not all was well in the tree.'
take_logs "$place/tree/build/logs" || report 'not ok 1 trixie: nothing ran'
