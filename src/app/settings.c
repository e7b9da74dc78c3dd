/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "settings.h"

#include "parts/calls.h"

struct _FhSettings
{
  GObject parent_instance;

  GSettings *settings;
};

G_DEFINE_FINAL_TYPE (FhSettings, fh_settings, G_TYPE_OBJECT)

static void
changed_cb (FhSettings *self, const char *key)
{
  g_object_notify (G_OBJECT (self), key);
}

static void
fh_settings_get_property (GObject *object, guint id, GValue *value, GParamSpec *pspec)
{
  g_autoptr (GVariant) variant = g_settings_get_value (FH_SETTINGS (object)->settings, pspec->name);
  g_auto (GValue) unpacked = G_VALUE_INIT;

  g_dbus_gvariant_to_gvalue (variant, &unpacked);
  g_value_copy (&unpacked, value);
}

static void
fh_settings_set_property (GObject *object, guint id, const GValue *value, GParamSpec *pspec)
{
  GSettings *settings = FH_SETTINGS (object)->settings;
  g_autoptr (GVariant) old = g_settings_get_value (settings, pspec->name);
  g_autoptr (GVariant) variant = g_dbus_gvalue_to_gvariant (value, g_variant_get_type (old));

  g_settings_set_value (settings, pspec->name, variant);
}

static void
fh_settings_dispose (GObject *object)
{
  FhSettings *self = FH_SETTINGS (object);

  g_clear_object (&self->settings);

  G_OBJECT_CLASS (fh_settings_parent_class)->dispose (object);
}

/* The schema checks the range. */
static GParamSpec *
new_property (GSettingsSchema *schema, const char *name)
{
  const GParamFlags flags = G_PARAM_READWRITE | G_PARAM_EXPLICIT_NOTIFY;
  g_autoptr (GSettingsSchemaKey) key = g_settings_schema_get_key (schema, name);

  switch (*g_variant_type_peek_string (g_settings_schema_key_get_value_type (key)))
    {
    case 'b':
      return g_param_spec_boolean (name, NULL, NULL, FALSE, flags);
    case 'i':
      return g_param_spec_int (name, NULL, NULL, G_MININT, G_MAXINT, 0, flags);
    case 't':
      return g_param_spec_uint64 (name, NULL, NULL, 0, G_MAXUINT64, 0, flags);
    case 'd':
      return g_param_spec_double (name, NULL, NULL, -G_MAXDOUBLE, G_MAXDOUBLE, 0, flags);
    case 's':
    default:
      return g_param_spec_string (name, NULL, NULL, NULL, flags);
    }
}

static void
fh_settings_class_init (FhSettingsClass *klass)
{
  GObjectClass *object_class = G_OBJECT_CLASS (klass);
  g_autoptr (GSettingsSchema) schema =
      g_settings_schema_source_lookup (g_settings_schema_source_get_default (),
                                       FH_SETTINGS_ID,
                                       TRUE);
  g_auto (GStrv) keys = g_settings_schema_list_keys (schema);

  object_class->dispose = fh_settings_dispose;
  object_class->get_property = fh_settings_get_property;
  object_class->set_property = fh_settings_set_property;

  for (guint i = 0; keys[i] != NULL; i++)
    g_object_class_install_property (object_class, i + 1, new_property (schema, keys[i]));
}

static void
fh_settings_init (FhSettings *self)
{
  self->settings = g_settings_new (FH_SETTINGS_ID);
  fh_connect (self->settings, "changed", changed_cb, self);
}

FhSettings *
fh_settings_new (void)
{
  return g_object_new (FH_TYPE_SETTINGS, NULL);
}

FhRunLimits
fh_settings_get_default_limits (FhSettings *self)
{
  FhRunLimits limits = FH_RUN_LIMITS_DEFAULT;
  guint64 wall_ms;
  guint64 memory_bytes;

  g_return_val_if_fail (FH_IS_SETTINGS (self), limits);

  wall_ms = g_settings_get_uint64 (self->settings, "default-time-limit");
  memory_bytes = g_settings_get_uint64 (self->settings, "default-memory-limit");
  if (wall_ms == 0 || wall_ms >= FH_RUN_LIMITS_MIN_WALL_MS)
    limits.wall_ms = wall_ms;
  if (memory_bytes == 0 || memory_bytes >= FH_RUN_LIMITS_MIN_MEMORY)
    limits.memory_bytes = memory_bytes;
  return limits;
}

gboolean
fh_settings_get_default_container (FhSettings *self, FhContainerOptions *options, char **image)
{
  g_autofree char *place = NULL;
  g_autofree char *engine = NULL;

  g_return_val_if_fail (FH_IS_SETTINGS (self), FALSE);
  g_return_val_if_fail (options != NULL && image != NULL, FALSE);

  place = g_settings_get_string (self->settings, "place");
  engine = g_settings_get_string (self->settings, "engine");
  *image = g_settings_get_string (self->settings, "image");
  *options = (FhContainerOptions){ .image = *image };
  if (!fh_engine_kind_from_string (engine, &options->engine))
    options->engine = FH_ENGINE_AUTO;
  return g_str_equal (place, "container");
}
