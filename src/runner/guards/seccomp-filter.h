/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The system call filter: a BPF program that was compiled at build time from seccomp-rules.h and
 * is only loaded here, seccomp (2). It holds for the sandbox's first process as well.
 *
 * Where attempts are watched for, the kernel asks at `listener` about calls that are refused or
 * watched, and whoever makes one waits for the answer: seccomp-listener.h. So this is the last
 * step, and what the first process does after it must not be such a call before the supervisor
 * listens. Where that cannot be had, the filter answers alone and `listener_error` says why.
 */
#pragma once

#include "setup.h"

int seccomp_filter_apply (struct setup *setup);
