/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The system call filter: a BPF program compiled at build time from seccomp-rules.h and loaded
 * here, seccomp (2). It applies to init as well.
 *
 * If attempts are reported, the kernel asks the listener about calls that are refused or watched,
 * and the caller waits for the answer: seccomp-listener.h. So this is the last step, and init must
 * make no such call before the supervisor listens. If there can be no listener, the filter answers
 * alone and `listener_error` has the reason.
 */
#pragma once

#include "setup-state.h"

int seccomp_filter_apply (struct setup *setup);
/* The one of a warm interpreter, whose runs load the other besides. */
int seccomp_filter_apply_warm (struct setup *setup);
