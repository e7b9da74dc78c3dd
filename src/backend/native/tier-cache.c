/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "tier-cache.h"

#include <glib/gstdio.h>
#include <string.h>

#include "cache-file.h"
#include "runner-locator.h"

#define NOTE       "tier"
#define BUBBLEWRAP "/usr/bin/bwrap"

/* Whether the system lets ordinary users make user namespaces. */
static const char *const settings[] = {
  "/proc/sys/user/max_user_namespaces",
  "/proc/sys/kernel/unprivileged_userns_clone",
  "/proc/sys/kernel/apparmor_restrict_unprivileged_userns",
};

static void
append_setting (GString *text, const char *path)
{
  g_autofree char *value = NULL;

  if (g_file_get_contents (path, &value, NULL, NULL))
    g_string_append_printf (text, "%s %s\n", path, g_strstrip (value));
}

/* Everything that the answer depends on; NULL when unknown. */
static char *
describe_here (void)
{
  g_autoptr (GString) text = g_string_new ("fumehood-tier 1\n");
  g_autofree char *runner = fh_runner_locate ();

  if (!fh_cache_file_append_boot (text))
    return NULL;
  fh_cache_file_append_file (text, "runner", runner);
  fh_cache_file_append_file (text, "bubblewrap", BUBBLEWRAP);
  fh_cache_file_append_file (text, "flatpak", "/.flatpak-info");
  for (guint i = 0; i < G_N_ELEMENTS (settings); i++)
    append_setting (text, settings[i]);
  return g_string_free (g_steal_pointer (&text), FALSE);
}

FhTier
fh_tier_cache_read (void)
{
  g_autofree char *path = fh_cache_file_path (NOTE);
  g_autofree char *here = describe_here ();
  g_autofree char *text = fh_cache_file_read (path);
  const char *found;
  FhTier tier;

  if (here == NULL || text == NULL || !g_str_has_prefix (text, here))
    return FH_TIER_AUTO;
  found = text + strlen (here);
  for (tier = FH_TIER_NAMESPACES; tier < FH_TIER_UNPROTECTED; tier++)
    {
      g_autofree char *line = g_strdup_printf ("tier %s\n", fh_tier_to_string (tier));

      if (g_str_equal (found, line))
        return tier;
    }
  return FH_TIER_AUTO;
}

void
fh_tier_cache_write (FhTier tier)
{
  g_autofree char *path = fh_cache_file_path (NOTE);
  g_autofree char *here = describe_here ();
  g_autofree char *text = NULL;

  if (tier == FH_TIER_AUTO || here == NULL)
    {
      g_unlink (path);
      return;
    }
  g_return_if_fail (tier != FH_TIER_UNPROTECTED);
  text = g_strdup_printf ("%stier %s\n", here, fh_tier_to_string (tier));
  fh_cache_file_write (path, text);
}
