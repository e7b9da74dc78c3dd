# SPDX-License-Identifier: GPL-3.0-or-later
# shellcheck shell=sh
# Systems made of Debian's packages for tests to run in: tests/vm/build-image.sh, tests/trixie/build-tree.sh.

# Below /usr/local/sbin and its like lies what an ordinary user's PATH lacks.
PATH=$PATH:/usr/sbin:/sbin

# The first mirror of apt that has whole releases.
debian_mirror () {
  # shellcheck disable=SC2016
  apt-get indextargets --format '$(REPO_URI)' 'Created-By: Packages' | grep -v security | head -n 1
}

# is_built FOLDER STAMP: what is in that folder was made the way the stamp says.
is_built () {
  [ -f "$1/stamp" ] && [ "$(cat "$1/stamp")" = "$2" ]
}

# make_debian RELEASE FOLDER MIRROR OPTION…: the least that is a system, by debootstrap.
make_debian () {
  debian_release=$1 debian_folder=$2 mirror_of_debian=$3
  shift 3
  debootstrap --variant=minbase "$@" "$debian_release" "$debian_folder" "$mirror_of_debian"
}
