#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# Builds this tree and runs the named suites in it, as the calling user. People call tests/run.sh, which
# prepares the machine first and knows what the suites are.
set -u

root=$(CDPATH='' cd -- "$(dirname -- "$0")/../.." && pwd)
logs=$root/build/logs
# These are known within minutes.
QUICK='--suite unit --suite widget --suite lint'
NOT_QUICK='--no-suite unit --no-suite widget --no-suite lint'
LONG='--no-suite soak --no-suite fuzz --no-suite bench --no-suite vm --no-suite container --no-suite container-long'
LONG="$LONG --no-suite cluster --no-suite flatpak --no-suite flatpak-short --no-suite mcp --no-suite monkey"

say () {
  printf '%s\n' "$*" >&2
}

# One line of build/logs/steps.tap, which the summary counts like a test.
report () {
  printf '%s 1 %s\n' "$1" "$2" >>"$logs/steps.tap"
}

now () {
  date +%s
}

# The processor time in seconds of all processes that this one has waited for, and of those that they have waited for:
# cutime and cstime of proc(5), in hundredths of a second. The time of containers is not among it.
cpu_time () {
  read -r stat <"/proc/$$/stat"
  # The fields after the name, which may have spaces, are meant to be split into words.
  # shellcheck disable=SC2086
  set -- ${stat##*) }
  echo $(((${14} + ${15}) / 100))
}

# begin STEP, end: one line of build/logs/times.txt, with the time and the processor time that the step took in seconds.
begin () {
  step=$1
  begun=$(now)
  cpu_begun=$(cpu_time)
  say "== $step"
}

end () {
  printf '%s %s %s\n' $(($(now) - begun)) $(($(cpu_time) - cpu_begun)) "$step" >>"$logs/times.txt"
}

# Ends a command when FH_TIME_LIMIT seconds since the beginning of all have gone. A computer on which the suites take
# longer than they may is told so by them, instead of being stopped from outside without a word.
within_time () {
  if [ -z "${FH_TIME_LIMIT:-}" ]; then
    "$@"
    return
  fi
  left=$((FH_TEST_BEGUN + FH_TIME_LIMIT - $(now)))
  [ "$left" -gt 0 ] || left=0.01
  timeout --signal=TERM --kill-after=30 "$left" "$@"
  answer=$?
  case $answer in
    124 | 137) report 'not ok' "$step: not ended within the $((FH_TIME_LIMIT / 60)) minutes that all suites have" ;;
  esac
  return "$answer"
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

compile_all () {
  within_time ninja -C "$1"
}

# Links nothing.
compile_objects () {
  # Names of objects have no spaces, and are meant to be split.
  # shellcheck disable=SC2046
  within_time ninja -C "$1" $(ninja -C "$1" -t targets all | sed -n 's/: c_COMPILER$//p')
}

# build NAME FOLDER COMPILE OPTION…: configures and compiles; a failure is reported, and nothing is tested.
build () {
  name=$1
  folder=$root/$2
  compile=$3
  shift 3
  begin "build: $name"
  if configure "$folder" "$@" >"$logs/build-$name.txt" 2>&1 && "$compile" "$folder" >>"$logs/build-$name.txt" 2>&1; then
    report ok "$step"
    end
  else
    report 'not ok' "$step"
    tail -n 60 "$logs/build-$name.txt" >&2
    return 1
  fi
}

# Lines are all that backtraces need to know, and all other facts for debuggers take a fifth of the time.
LINES='-Ddebug=false -Dc_args=-g1'

# Its prefix is a folder of its own, where the suite install installs it.
build_gcc () {
  [ -n "${gcc_built:-}" ] && return "$gcc_built"
  # shellcheck disable=SC2086
  CC=gcc build gcc build compile_all -Dtests=true -Dwerror=true $LINES --prefix="$root/build/installed" \
    --libexecdir=libexec
  gcc_built=$?
  [ "$gcc_built" != 0 ] || export FH_INSTALLED_BUILD="$root/build"
  return "$gcc_built"
}

have_clang () {
  command -v clang >/dev/null 2>&1 && return
  report ok "$1 # SKIP clang is not installed"
  return 1
}

# Shows what clang warns of. A build with sanitizers, which is by clang as well, shows the same.
check_by_clang () {
  have_clang 'build: clang' &&
    CC=clang build clang build-clang compile_objects -Dwerror=true -Doptimization=0 -Ddebug=false
}

# This build has AddressSanitizer, UndefinedBehaviorSanitizer and the targets of libFuzzer. The linker gold takes half the
# time of the usual one. It cannot link the static runner of the build by gcc, which starts where there are no libraries.
build_asan () {
  [ -n "${asan_built:-}" ] && return "$asan_built"
  gold=
  command -v ld.gold >/dev/null 2>&1 && gold=-Dc_link_args=-fuse-ld=gold
  # shellcheck disable=SC2086
  have_clang 'build: asan' &&
    CC=clang build asan build-asan compile_all -Dwerror=true -Doptimization=1 $LINES $gold -Db_lundef=false \
      -Db_sanitize=address,undefined -Dfuzz=true
  asan_built=$?
  return "$asan_built"
}

# build_flatpak [both]: the app as flatpak-builder makes it. Without Flatpak the tests skip.
build_flatpak () {
  wait_for "${FH_FLATPAK_PID:-}" 'the runtime of Flatpak'
  begin 'build: flatpak'
  FH_FLATPAK_REPO=$(within_time /usr/bin/python3 -B "$root/tests/flatpak/builder.py" "$root/build/flatpak" "$@" \
    2>"$logs/build-flatpak.txt")
  case $? in
    0)
      report ok "$step"
      export FH_FLATPAK_REPO
      ;;
    77) report ok "$step # SKIP $(tail -n 1 "$logs/build-flatpak.txt")" ;;
    *)
      report 'not ok' "$step"
      tail -n 60 "$logs/build-flatpak.txt" >&2
      ;;
  esac
  end
  return 0
}

# run LABEL FOLDER OPTION…: one call of meson test; its log is kept for the summary. Finding no test
# to run is a failure: a misspelt suite must not look like a good one. The limits of the tests are those of a quick
# computer.
run () {
  label=$1
  folder=$root/$2
  shift 2
  begin "test: $label"
  rm -f "$folder"/meson-logs/*log*.json
  # All others are the same on a computer with an engine and on one without.
  case $label in
    container* | bench* | flatpak | flatpak-short) without= ;;
    *) without='env -u DOCKER_HOST -u FH_TEST_ENGINE' ;;
  esac
  # shellcheck disable=SC2086
  (cd "$root" && within_time $without meson test -C "$folder" --no-rebuild --timeout-multiplier 5 \
    --wrapper "sh '$root/tests/harness/timed.sh'" "$@") >&2
  end
  # testlog.json, testlog-SETUP.json or benchmarklog.json
  for log in "$folder"/meson-logs/*log*.json; do
    if [ -s "$log" ]; then
      cp "$log" "$logs/$label.json"
      cp "${log%.json}.txt" "$logs/$label.txt"
      return
    fi
  done
  report 'not ok' "$step: nothing ran"
}

# run_monkey LABEL SEED EVENTS SECONDS
run_monkey () {
  build_asan &&
    FH_MONKEY_SEED=$2 FH_MONKEY_EVENTS=$3 FH_MONKEY_SECONDS=$4 run "$1" build-asan --setup asan --suite monkey
}

# wait_for PID NAME: for what tests/run.sh makes meanwhile, as a process of another user.
wait_for () {
  begin "waiting for $2"
  while [ -n "$1" ] && [ -d "/proc/$1" ]; do
    sleep 1
  done
  end
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
  # The lists of suites are meant to be split into words.
  # shellcheck disable=SC2086
  case $1 in
    everyday)
      run_suite quick
      run_suite slow
      ;;
    quick) build_gcc && run quick build $QUICK ;;
    slow) build_gcc && run slow build $LONG $NOT_QUICK ;;
    clang) check_by_clang ;;
    # The same each time; in soak another one.
    monkey) run_monkey monkey "${FH_MONKEY_SEED:-1}" "${FH_MONKEY_EVENTS:-20000}" "${FH_MONKEY_SECONDS:-120}" ;;
    soak)
      build_gcc && run soak build --suite soak
      run_monkey monkey-soak "${FH_MONKEY_SEED:-$(now)}" 10000000 "${FH_MONKEY_SECONDS:-1800}"
      ;;
    fuzz) build_asan && run fuzz build-asan --suite fuzz ;;
    bench) build_gcc && run bench build --benchmark --suite bench --verbose ;;
    short)
      FH_FUZZ_SECONDS=2
      export FH_FUZZ_SECONDS
      build_asan && run fuzz build-asan --suite fuzz
      run_monkey monkey-short 1 1500 60
      build_gcc && run bench build --benchmark --suite bench --verbose --test-args 1 \
        cold-run guards output stop
      ;;
    container)
      build_gcc && run container build --suite container
      build_gcc && run bench-container build --benchmark --verbose --test-args 1 container
      ;;
    container-long)
      build_gcc && run container-long build --suite container-long
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
      for suite in everyday asan monkey soak fuzz bench vm container-long cluster mcp flatpak trixie; do
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
    *' container '* | *' container-long '* | *' bench '* | *' all '*) ;;
    *) unset DOCKER_HOST FH_TEST_ENGINE ;;
  esac
  [ -n "${DOCKER_HOST:-}" ] || unset DOCKER_HOST
  if [ -n "${FH_TEST_ENGINE:-}" ]; then
    begin 'images for containers'
    if /usr/bin/python3 "$root/tests/container/build-images.py" >"$logs/images.txt" 2>&1; then
      report ok "$step"
    else
      report 'not ok' "$step"
      tail -n 20 "$logs/images.txt" >&2
    fi
    end
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
FH_TEST_BEGUN=${FH_TEST_BEGUN:-$(now)}
printf '%s 0 packages, engine, copy of the tree\n' $(($(now) - FH_TEST_BEGUN)) >>"$logs/times.txt"
[ $# -gt 0 ] || set -- everyday
prepare_engine "$@"
for suite in "$@"; do
  run_suite "$suite"
done
exec python3 "$root/tests/harness/summary.py" "$logs"
