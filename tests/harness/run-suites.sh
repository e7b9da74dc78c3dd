#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# Builds this tree and runs the named suites in it, as the calling user. People call tests/run.sh, which
# prepares the machine first and knows what the suites are.
set -u

root=$(CDPATH='' cd -- "$(dirname -- "$0")/../.." && pwd)
logs=$root/build/logs
LONG='--no-suite soak --no-suite fuzz --no-suite bench --no-suite vm --no-suite container --no-suite cluster'
LONG="$LONG --no-suite flatpak --no-suite flatpak-short --no-suite mcp --no-suite monkey"

say () {
  printf '%s\n' "$*" >&2
}

# One line of build/logs/steps.tap, which the summary counts like a test.
report () {
  printf '%s 1 %s\n' "$1" "$2" >>"$logs/steps.tap"
}

# took SECONDS NAME: one line of build/logs/times.txt.
took () {
  printf '%s %s\n' "$1" "$2" >>"$logs/times.txt"
}

now () {
  date +%s
}

configure () {
  if [ -f "$1/build.ninja" ]; then
    meson configure "$@"
  else
    folder=$1
    shift
    meson setup "$folder" "$root" "$@"
  fi
}

# build NAME FOLDER OPTION…: configures and compiles; a failure is reported, and nothing is tested.
build () {
  name=$1
  folder=$root/$2
  shift 2
  say "== build: $name"
  begun=$(now)
  if configure "$folder" "$@" >"$logs/build-$name.txt" 2>&1 &&
    ninja -C "$folder" >>"$logs/build-$name.txt" 2>&1; then
    report ok "build: $name"
    took $(($(now) - begun)) "build: $name"
  else
    report 'not ok' "build: $name"
    tail -n 60 "$logs/build-$name.txt" >&2
    return 1
  fi
}

build_gcc () {
  [ -n "${gcc_built:-}" ] && return "$gcc_built"
  CC=gcc build gcc build -Dtests=true -Dwerror=true
  gcc_built=$?
  return "$gcc_built"
}

build_clang () {
  [ -n "${clang_built:-}" ] && return "$clang_built"
  if ! command -v clang >/dev/null 2>&1; then
    report ok 'build: clang # SKIP clang is not installed'
    clang_built=1
    return 1
  fi
  # Installed into a folder of its own by the suite install, which would build everything once more.
  CC=clang build clang build-clang -Dwerror=true -Doptimization=0 -Ddebug=false \
    --prefix="$root/build-clang/installed" --libexecdir=libexec
  clang_built=$?
  [ "$clang_built" != 0 ] || export FH_INSTALLED_BUILD="$root/build-clang"
  return "$clang_built"
}

build_fuzz () {
  if ! command -v clang >/dev/null 2>&1; then
    report ok 'fuzz # SKIP clang is not installed'
    return 1
  fi
  CC=clang build fuzz build-fuzz -Dfuzz=true -Dapp=disabled -Db_lundef=false
}

build_asan () {
  build asan build-asan -Dwerror=true -Doptimization=1 -Db_sanitize=address,undefined -Db_lundef=false
}

# build_flatpak [both]: the app as flatpak-builder makes it. Without Flatpak the tests skip.
build_flatpak () {
  wait_for "${FH_FLATPAK_PID:-}" 'the runtime of Flatpak'
  say '== build: flatpak'
  begun=$(now)
  FH_FLATPAK_REPO=$(/usr/bin/python3 -B "$root/tests/flatpak/builder.py" "$root/build/flatpak" "$@" \
    2>"$logs/build-flatpak.txt")
  case $? in
    0)
      report ok 'build: flatpak'
      export FH_FLATPAK_REPO
      ;;
    77) report ok "build: flatpak # SKIP $(tail -n 1 "$logs/build-flatpak.txt")" ;;
    *)
      report 'not ok' 'build: flatpak'
      tail -n 60 "$logs/build-flatpak.txt" >&2
      ;;
  esac
  took $(($(now) - begun)) 'build: flatpak'
  return 0
}

# run LABEL FOLDER OPTION…: one call of meson test; its log is kept for the summary. Finding no test
# to run is a failure: a misspelt suite must not look like a good one.
run () {
  label=$1
  folder=$root/$2
  shift 2
  say "== test: $label"
  rm -f "$folder"/meson-logs/*log*.json
  # All others are the same on a computer with an engine and on one without.
  case $label in
    container | bench* | flatpak | flatpak-short) without= ;;
    *) without='env -u DOCKER_HOST -u FH_TEST_ENGINE' ;;
  esac
  begun=$(now)
  # shellcheck disable=SC2086
  (cd "$root" && $without meson test -C "$folder" --no-rebuild "$@") >&2
  took $(($(now) - begun)) "test: $label"
  # testlog.json, testlog-SETUP.json or benchmarklog.json
  for log in "$folder"/meson-logs/*log*.json; do
    if [ -s "$log" ]; then
      cp "$log" "$logs/$label.json"
      cp "${log%.json}.txt" "$logs/$label.txt"
      return
    fi
  done
  report 'not ok' "suite $label: nothing ran"
}

# run_monkey LABEL SEED EVENTS SECONDS
run_monkey () {
  build_asan &&
    FH_MONKEY_SEED=$2 FH_MONKEY_EVENTS=$3 FH_MONKEY_SECONDS=$4 run "$1" build-asan --setup asan --suite monkey
}

# wait_for PID NAME: for what tests/run.sh makes meanwhile, as a process of another user.
wait_for () {
  begun=$(now)
  while [ -n "$1" ] && [ -d "/proc/$1" ]; do
    sleep 1
  done
  took $(($(now) - begun)) "waiting for $2"
}

# tests/run.sh has tested in a tree of Debian 13, if it was root, and left the logs.
take_trixie () {
  if [ -d "${FH_TRIXIE_LOGS:-}" ]; then
    cp "$FH_TRIXIE_LOGS"/trixie-* "$logs"
    cat "$FH_TRIXIE_LOGS/times" >>"$logs/times.txt"
  else
    report ok 'trixie # SKIP only root can test in a tree of Debian 13'
  fi
}

run_suite () {
  # LONG is meant to be split into words.
  # shellcheck disable=SC2086
  case $1 in
    everyday)
      build_clang
      build_gcc && run everyday build $LONG
      ;;
    clang) build_clang ;;
    # The same each time; in soak another one.
    monkey) run_monkey monkey "${FH_MONKEY_SEED:-1}" "${FH_MONKEY_EVENTS:-20000}" "${FH_MONKEY_SECONDS:-120}" ;;
    soak)
      build_gcc && run soak build --suite soak
      run_monkey monkey-soak "${FH_MONKEY_SEED:-$(now)}" 10000000 "${FH_MONKEY_SECONDS:-1800}"
      ;;
    fuzz) build_fuzz && run fuzz build-fuzz --suite fuzz ;;
    bench) build_gcc && run bench build --benchmark --suite bench --verbose ;;
    short)
      FH_FUZZ_SECONDS=3
      export FH_FUZZ_SECONDS
      build_fuzz && run fuzz build-fuzz --suite fuzz
      build_gcc && run bench build --benchmark --suite bench --verbose --test-args 3 \
        cold-run guards output stop
      ;;
    container)
      build_gcc && run container build --suite container
      build_gcc && run bench-container build --benchmark --verbose --test-args 3 container
      ;;
    # The window as people see it is a matter of time, which sanitizers take; its parts are tested.
    asan)
      build_asan &&
        run asan build-asan --setup asan $LONG --no-suite lint --no-suite install --no-suite ui --no-suite guest \
          --no-suite unsanitized
      ;;
    asan-short)
      build_asan &&
        run asan-short build-asan --setup asan --suite unit --suite widget --no-suite guest \
          --no-suite unsanitized
      ;;
    all)
      for suite in everyday asan monkey soak fuzz bench vm container cluster mcp flatpak trixie; do
        run_suite "$suite"
      done
      ;;
    flatpak)
      build_flatpak both
      build_gcc && run flatpak build --suite flatpak
      build_gcc && run bench-flatpak build --benchmark --verbose --test-args 5 flatpak
      ;;
    flatpak-short)
      build_flatpak
      build_gcc && run flatpak-short build --suite flatpak-short
      ;;
    trixie) take_trixie ;;
    vm) wait_for "${FH_VM_PID:-}" 'the virtual machine' && build_gcc && run vm build --suite vm ;;
    *) build_gcc && run "$1" build --suite "$1" ;;
  esac
}

# Without a suite about containers an engine is left alone: it may be the user's own. For the same
# reason images are only made in one that was started for the tests.
prepare_engine () {
  case " $* " in
    *' container '* | *' bench '* | *' all '*) ;;
    *) unset DOCKER_HOST FH_TEST_ENGINE ;;
  esac
  [ -n "${DOCKER_HOST:-}" ] || unset DOCKER_HOST
  if [ -n "${FH_TEST_ENGINE:-}" ]; then
    begun=$(now)
    if /usr/bin/python3 "$root/tests/container/build-images.py" >"$logs/images.txt" 2>&1; then
      report ok 'images for containers'
    else
      report 'not ok' 'images for containers'
      tail -n 20 "$logs/images.txt" >&2
    fi
    took $(($(now) - begun)) 'images for containers'
  else
    unset FH_TEST_ENGINE
  fi
}

# The guards must work where the kernel lets this user make namespaces: then a skip is a failure.
if [ -z "${FH_MUST_SANDBOX:-}" ] &&
  unshare --user --map-root-user --mount --pid --net --fork true 2>/dev/null; then
  FH_MUST_SANDBOX=1
fi
export FH_MUST_SANDBOX="${FH_MUST_SANDBOX:-}"
[ -n "${FH_HUMANEVAL:-}" ] || unset FH_HUMANEVAL

rm -rf "$logs"
mkdir -p "$logs"
[ -z "${FH_TEST_BEGUN:-}" ] || took $(($(now) - FH_TEST_BEGUN)) 'packages, engine, copy of the tree'
[ $# -gt 0 ] || set -- everyday
prepare_engine "$@"
for suite in "$@"; do
  run_suite "$suite"
done
exec python3 "$root/tests/harness/summary.py" "$logs"
