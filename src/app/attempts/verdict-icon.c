/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "attempts/verdict-icon.h"

const char *
fh_verdict_icon_name (FhVerdict verdict)
{
  switch (verdict)
    {
    case FH_VERDICT_DENIED:
      return "action-unavailable-symbolic";
    case FH_VERDICT_HIDDEN:
      return "view-conceal-symbolic";
    case FH_VERDICT_LIMITED:
      return "dialog-warning-symbolic";
    case FH_VERDICT_OBSERVED:
    default:
      return "view-reveal-symbolic";
    }
}

const char *
fh_verdict_style_class (FhVerdict verdict)
{
  switch (verdict)
    {
    case FH_VERDICT_DENIED:
      return "error";
    case FH_VERDICT_HIDDEN:
      return "accent";
    case FH_VERDICT_LIMITED:
      return "warning";
    case FH_VERDICT_OBSERVED:
    default:
      return "dim-label";
    }
}
