/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "policy-builder.h"

G_BEGIN_DECLS

/* All variables that a program will have, "NAME=VALUE". (transfer full) */
char **fh_policy_environment (const FhPolicyParts *parts);

G_END_DECLS
