/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "settings.h"

#include "fh-test.h"

static void
count_cb (guint *count)
{
  (*count)++;
}

/* A property for every key, of the same name. */
static void
test_every_key (void)
{
  g_autoptr (FhSettings) settings = fh_settings_new ();
  g_autoptr (GSettingsSchema) schema =
      g_settings_schema_source_lookup (g_settings_schema_source_get_default (),
                                       "io.github.fumehood.Fumehood",
                                       TRUE);
  g_auto (GStrv) keys = g_settings_schema_list_keys (schema);

  for (guint i = 0; keys[i] != NULL; i++)
    {
      g_auto (GValue) value = G_VALUE_INIT;

      g_test_message ("%s", keys[i]);
      g_assert_nonnull (g_object_class_find_property (G_OBJECT_GET_CLASS (settings), keys[i]));
      g_object_get_property (G_OBJECT (settings), keys[i], &value);
      g_object_set_property (G_OBJECT (settings), keys[i], &value);
    }
}

static void
test_notifies (void)
{
  g_autoptr (FhSettings) settings = fh_settings_new ();
  guint changes = 0;
  int size;

  g_signal_connect_swapped (settings, "notify::font-size", G_CALLBACK (count_cb), &changes);
  g_object_set (settings, "font-size", 20, NULL);
  g_object_get (settings, "font-size", &size, NULL);
  g_assert_cmpint (size, ==, 20);
  g_assert_cmpuint (changes, ==, 1);
  g_object_set (settings, "font-size", 11, NULL);
}

/* The schema cannot say "0 or at least 100", so what lies between is taken for the model's own. */
static void
test_default_limits (void)
{
  g_autoptr (FhSettings) settings = fh_settings_new ();
  const FhRunLimits usual = FH_RUN_LIMITS_DEFAULT;
  FhRunLimits limits = fh_settings_get_default_limits (settings);

  g_assert_true (fh_run_limits_equal (&limits, &usual));
  g_object_set (settings,
                "default-time-limit",
                (guint64) 0,
                "default-memory-limit",
                (guint64) 16 << 20,
                NULL);
  limits = fh_settings_get_default_limits (settings);
  g_assert_cmpuint (limits.wall_ms, ==, 0);
  g_assert_cmpuint (limits.memory_bytes, ==, (guint64) 16 << 20);
  g_object_set (settings,
                "default-time-limit",
                (guint64) 99,
                "default-memory-limit",
                (guint64) 1,
                NULL);
  limits = fh_settings_get_default_limits (settings);
  g_assert_true (fh_run_limits_equal (&limits, &usual));
}

FH_TESTS ({ "/app/settings/every-key", test_every_key },
          { "/app/settings/notifies", test_notifies },
          { "/app/settings/default-limits", test_default_limits });
