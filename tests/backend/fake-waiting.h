/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What fake-runner.c does when it is told to prepare. Without that it runs at once, and says so. */
#pragma once

void wait_for_program (void);
void fail_to_prepare (void);
void die_while_waiting (void);
void speak_while_waiting (void);
/* It waits for input while it runs, and repeats that until the end. */
void repeat_input (void);
