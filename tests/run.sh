#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# sh tests/run.sh [SUITE…]: installs what is missing, builds and tests. Root hides half of the faults
# of a sandbox, so as root everything is built and tested by an ordinary user in a copy of the tree.
set -eu

root=$(CDPATH='' cd -- "$(dirname -- "$0")/.." && pwd)
user=fumehood-test
# shellcheck source=src/setup.sh
. "$root/src/setup.sh"

usage () {
  cat <<'END'
Usage: sh tests/run.sh [SUITE…]

Without a suite: everyday.
  everyday     all tests but the long ones, and a build without a warning by gcc; it is
               quick        those of the parts and of the source, which is known within minutes
               slow         all others: programs in sandboxes, attacks, the window, an installation
  unit, sandbox, acceptance, attacks, ui, lint, …
               one suite of everyday, by the name that meson.build gives it
  asan         most of everyday, built by clang with AddressSanitizer and UndefinedBehaviorSanitizer
  asan-short   of that, the tests of the parts: no sandbox is built
  monkey       the window driven at random by keys, clicks and actions, under the same: FH_MONKEY_SEED (1),
               until FH_MONKEY_EVENTS (20000) or FH_MONKEY_SECONDS (120)
  clang        only whether clang warns, as asan and asan-short see too
  soak         the long ones, among them a monkey of another seed for 30 minutes
  fuzz         libFuzzer on everything that reads hostile bytes, FH_FUZZ_SECONDS each (60)
  bench        ratios against what else one would use; never fails on a time
  short        fuzz for 2 seconds each, 1500 events of the monkey, some benches in one round: do they still work?
  container    some of the runs in containers, by a Docker engine that is started for it and ended with it: needs
               root, or a DOCKER_HOST whose engine has the images of tests/container/build-images.py
  container-long
               all of them: HumanEval, everyday programs in each way, kills at random, the project compiled in an image
  cluster      batches on a cluster: a Slurm of one node, and the manifest for Kubernetes; the image for both
               is of container
  mcp          clients of the Model Context Protocol that others wrote, fetched by npm: needs the internet the first
               time
  vm           the guards in a virtual machine with systemd; it is built in FH_VM_DIR
               (/var/tmp/fumehood-vm) by root, from Debian's packages
  flatpak      the app built by flatpak-builder, installed, used and removed; its runtime is made of this
               computer's Debian packages in FH_FLATPAK_DIR (/var/tmp/fumehood-flatpak)
  flatpak-short
               the same in a few minutes: some of its attacks, cases and kills
  trixie       everyday and clang in a tree of Debian 13, with its newer libraries: needs root, and is made in
               FH_TRIXIE_DIR (/var/tmp/fumehood-trixie) the first time
  all          all of these

FH_TIME_LIMIT=SECONDS ends what has not ended by then, as a failure.
END
}

# The tree without what git ignores; without git, without builds.
copy_tree () {
  if git -c safe.directory='*' -C "$root" rev-parse --git-dir >/dev/null 2>&1; then
    (cd "$root" && git -c safe.directory='*' ls-files --cached --others --exclude-standard -z |
      tar --create --null --files-from=- --ignore-failed-read --file=- 2>/dev/null) |
      tar --extract --file=- --directory="$1"
  else
    (cd "$root" && tar --create --exclude='./build*' --file=- .) |
      tar --extract --file=- --directory="$1"
  fi
}

# The suites about containers have an engine of their own. Where it does not start they fail by themselves.
start_engine () {
  case " $* " in
    *' container '* | *' container-long '* | *' all '*) ;;
    *) return 0 ;;
  esac
  engine=$(mktemp -d "${TMPDIR:-/tmp}/fumehood-engine.XXXXXXXX")
  chmod 711 "$engine"
  DOCKER_HOST=unix://$engine/docker/docker.sock
  FH_TEST_ENGINE=docker
  say 'Starting a container engine for the tests …'
  prepare_engine "$root" "$engine/docker" "$(id --group --name "$user")" || say 'It did not start.'
}

# After all packages are installed, because its runtime is made of them.
start_flatpak () {
  case " $* " in
    *' flatpak '* | *' flatpak-short '* | *' all '*) prepare_flatpak "$root" "$FH_FLATPAK_DIR" ;;
  esac
}

# Takes root, so it is done before the other suites; tests/harness/run-suites.sh adds what it logged.
test_on_trixie () {
  case " $* " in
    *' trixie '* | *' all '*) ;;
    *) return 0 ;;
  esac
  [ -z "$(missing_packages debootstrap)" ] || apt_install debootstrap || :
  sh "$root/tests/trixie/run-suite.sh" "$FH_TRIXIE_DIR" "$place/tree" "$place/trixie"
}

stop_engine () {
  [ -n "$engine" ] || return 0
  [ ! -d "$engine/docker" ] || /usr/bin/python3 "$root/tests/container/engine.py" stop "$engine/docker"
  rmdir "$engine"
}

test_as_user () {
  id "$user" >/dev/null 2>&1 || useradd --create-home --shell /bin/sh "$user"
  # Numbers of its own to give, as useradd gives every user where that is set up.
  grep -qs "^$user:" /etc/subuid || usermod --add-subuids 1000000000-1000065535 "$user"
  place=$(mktemp -d "${TMPDIR:-/tmp}/fumehood-test.XXXXXXXX")
  engine=
  trap 'stop_engine; rm -rf "$place"' EXIT
  trap 'exit 130' INT TERM HUP
  mkdir "$place/tree" "$place/tmp"
  start_engine "$@"
  start_flatpak "$@"
  copy_tree "$place/tree"
  if [ -r "$root/../shared/data/HumanEval.jsonl.gz" ]; then
    cp "$root/../shared/data/HumanEval.jsonl.gz" "$place/HumanEval.jsonl.gz"
    FH_HUMANEVAL=$place/HumanEval.jsonl.gz
  fi
  export FH_HUMANEVAL="${FH_HUMANEVAL:-}"
  test_on_trixie "$@"
  chown -R "$user:" "$place"
  say "Testing as the user $user, in a copy of the tree."
  status=0
  setpriv --reuid="$user" --regid="$user" --init-groups --reset-env \
    env LANG=C.UTF-8 TMPDIR="$place/tmp" FH_HUMANEVAL="$FH_HUMANEVAL" FH_MUST_SANDBOX="${FH_MUST_SANDBOX:-}" \
    FH_FUZZ_SECONDS="${FH_FUZZ_SECONDS:-60}" FH_VM_DIR="$FH_VM_DIR" FH_TEST_BEGUN="$FH_TEST_BEGUN" \
    FH_TIME_LIMIT="${FH_TIME_LIMIT:-}" \
    FH_VM_PID="$FH_VM_PID" FH_FLATPAK_PID="$FH_FLATPAK_PID" FH_FLATPAK_DIR="$FH_FLATPAK_DIR" \
    FH_TRIXIE_LOGS="$place/trixie" FH_MONKEY_SEED="${FH_MONKEY_SEED:-}" FH_MONKEY_EVENTS="${FH_MONKEY_EVENTS:-}" \
    FH_MONKEY_SECONDS="${FH_MONKEY_SECONDS:-}" \
    DOCKER_HOST="${DOCKER_HOST:-}" FH_TEST_ENGINE="${FH_TEST_ENGINE:-}" \
    sh "$place/tree/tests/harness/run-suites.sh" "$@" </dev/null || status=$?
  mkdir -p "$root/build"
  for kept in logs screenshots; do
    if [ -d "$place/tree/build/$kept" ]; then
      rm -rf "$root/build/$kept"
      cp -r "$place/tree/build/$kept" "$root/build/$kept"
    fi
  done
  return "$status"
}

for argument in "$@"; do
  case $argument in
    -h | --help)
      usage
      exit 0
      ;;
    -*)
      usage >&2
      exit 2
      ;;
  esac
done

FH_VM_DIR=${FH_VM_DIR:-/var/tmp/fumehood-vm}
FH_FLATPAK_DIR=${FH_FLATPAK_DIR:-/var/tmp/fumehood-flatpak}
FH_TRIXIE_DIR=${FH_TRIXIE_DIR:-/var/tmp/fumehood-trixie}
FH_TEST_BEGUN=$(date +%s)
export FH_VM_DIR FH_FLATPAK_DIR FH_TEST_BEGUN
ensure_packages build test
FH_VM_PID=
FH_FLATPAK_PID=
case " $* " in
  *' vm '* | *' all '*) prepare_vm "$root" "$FH_VM_DIR" ;;
esac
case " $* " in
  *' cluster '* | *' all '*) prepare_cluster || say 'The suite cluster has no Slurm.' ;;
esac
case " $* " in
  *' mcp '* | *' all '*) prepare_node || say 'The suite mcp has no node.' ;;
esac
if [ "$(id -u)" = 0 ]; then
  test_as_user "$@"
else
  start_flatpak "$@"
  if [ -z "${FH_HUMANEVAL:-}" ] && [ -r "$root/../shared/data/HumanEval.jsonl.gz" ]; then
    export FH_HUMANEVAL="$root/../shared/data/HumanEval.jsonl.gz"
  fi
  sh "$root/tests/harness/run-suites.sh" "$@" </dev/null
fi
