/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The system call filter: a BPF program that was compiled at build time from seccomp-rules.h and
 * is only loaded here, seccomp (2). It holds for the sandbox's first process as well.
 */
#pragma once

#include "setup.h"

int seccomp_filter_apply (struct setup *setup);
