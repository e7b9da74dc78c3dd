/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "container-backend.h"
#include "native-backend.h"

FhBackend *
fh_backend_new (FhTier tier, const FhContainerOptions *container)
{
  return container != NULL ? fh_container_backend_new (container) : fh_native_backend_new (tier);
}
