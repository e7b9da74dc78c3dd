/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Entering a container that an engine has made: its folders become what the other steps work with.
 */
#pragma once

#include "setup.h"

int container_enter (struct setup *setup);
