/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The process that becomes the warm interpreter: the first of its namespaces, made by the runner as
 * init is in other sandboxes. It builds what all runs share and executes the user's interpreter.
 */
#pragma once

#include "setup.h"

_Noreturn void warm_parent_main (struct setup *setup);
