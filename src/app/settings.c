/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "settings.h"

/* The property of each key has the key's name. */
typedef enum
{
  PROP_COLOR_SCHEME = 1,
  PROP_FONT_SIZE,
  PROP_ZOOM,
  PROP_WRAP_LINES,
  PROP_LINE_NUMBERS,
  PROP_DEFAULT_TIME_LIMIT,
  PROP_DEFAULT_MEMORY_LIMIT,
  PROP_LANGUAGE,
  PROP_PLACE,
  PROP_ENGINE,
  PROP_IMAGE,
  PROP_KEEP_HISTORY,
  PROP_HISTORY_SIZE,
  PROP_WINDOW_WIDTH,
  PROP_WINDOW_HEIGHT,
  PROP_WINDOW_MAXIMIZED,
  PROP_SHOW_SIDEBAR,
  PROP_SPLIT_WIDE,
  PROP_SPLIT_NARROW,
  N_PROPS
} SettingsProperty;

static GParamSpec *properties[N_PROPS];

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
  FhSettings *self = FH_SETTINGS (object);

  switch (G_PARAM_SPEC_VALUE_TYPE (pspec))
    {
    case G_TYPE_STRING:
      g_value_take_string (value, g_settings_get_string (self->settings, pspec->name));
      break;
    case G_TYPE_BOOLEAN:
      g_value_set_boolean (value, g_settings_get_boolean (self->settings, pspec->name));
      break;
    case G_TYPE_INT:
      g_value_set_int (value, g_settings_get_int (self->settings, pspec->name));
      break;
    case G_TYPE_UINT64:
      g_value_set_uint64 (value, g_settings_get_uint64 (self->settings, pspec->name));
      break;
    case G_TYPE_DOUBLE:
      g_value_set_double (value, g_settings_get_double (self->settings, pspec->name));
      break;
    default:
      G_OBJECT_WARN_INVALID_PROPERTY_ID (object, id, pspec);
    }
}

static void
fh_settings_set_property (GObject *object, guint id, const GValue *value, GParamSpec *pspec)
{
  FhSettings *self = FH_SETTINGS (object);

  switch (G_PARAM_SPEC_VALUE_TYPE (pspec))
    {
    case G_TYPE_STRING:
      g_settings_set_string (self->settings, pspec->name, g_value_get_string (value));
      break;
    case G_TYPE_BOOLEAN:
      g_settings_set_boolean (self->settings, pspec->name, g_value_get_boolean (value));
      break;
    case G_TYPE_INT:
      g_settings_set_int (self->settings, pspec->name, g_value_get_int (value));
      break;
    case G_TYPE_UINT64:
      g_settings_set_uint64 (self->settings, pspec->name, g_value_get_uint64 (value));
      break;
    case G_TYPE_DOUBLE:
      g_settings_set_double (self->settings, pspec->name, g_value_get_double (value));
      break;
    default:
      G_OBJECT_WARN_INVALID_PROPERTY_ID (object, id, pspec);
    }
}

static void
fh_settings_dispose (GObject *object)
{
  FhSettings *self = FH_SETTINGS (object);

  g_clear_object (&self->settings);

  G_OBJECT_CLASS (fh_settings_parent_class)->dispose (object);
}

/* The ranges are those of the schema, which refuses what lies outside of them. */
static void
install_properties (GObjectClass *object_class)
{
  GParamFlags flags = G_PARAM_READWRITE | G_PARAM_EXPLICIT_NOTIFY | G_PARAM_STATIC_STRINGS;

  properties[PROP_COLOR_SCHEME] = g_param_spec_string ("color-scheme", NULL, NULL, "follow", flags);
  properties[PROP_FONT_SIZE] = g_param_spec_int ("font-size", NULL, NULL, 6, 72, 11, flags);
  properties[PROP_ZOOM] = g_param_spec_int ("zoom", NULL, NULL, 50, 400, 100, flags);
  properties[PROP_WRAP_LINES] = g_param_spec_boolean ("wrap-lines", NULL, NULL, FALSE, flags);
  properties[PROP_LINE_NUMBERS] = g_param_spec_boolean ("line-numbers", NULL, NULL, TRUE, flags);
  properties[PROP_DEFAULT_TIME_LIMIT] =
      g_param_spec_uint64 ("default-time-limit", NULL, NULL, 0, G_MAXUINT64, 0, flags);
  properties[PROP_DEFAULT_MEMORY_LIMIT] =
      g_param_spec_uint64 ("default-memory-limit", NULL, NULL, 0, G_MAXUINT64, 0, flags);
  properties[PROP_LANGUAGE] = g_param_spec_string ("language", NULL, NULL, "python", flags);
  properties[PROP_PLACE] = g_param_spec_string ("place", NULL, NULL, "computer", flags);
  properties[PROP_ENGINE] = g_param_spec_string ("engine", NULL, NULL, "auto", flags);
  properties[PROP_IMAGE] =
      g_param_spec_string ("image", NULL, NULL, FH_CONTAINER_DEFAULT_IMAGE, flags);
  properties[PROP_KEEP_HISTORY] = g_param_spec_boolean ("keep-history", NULL, NULL, TRUE, flags);
  properties[PROP_HISTORY_SIZE] =
      g_param_spec_int ("history-size", NULL, NULL, 0, 100000, 1000, flags);
  properties[PROP_WINDOW_WIDTH] =
      g_param_spec_int ("window-width", NULL, NULL, 0, G_MAXINT, 0, flags);
  properties[PROP_WINDOW_HEIGHT] =
      g_param_spec_int ("window-height", NULL, NULL, 0, G_MAXINT, 0, flags);
  properties[PROP_WINDOW_MAXIMIZED] =
      g_param_spec_boolean ("window-maximized", NULL, NULL, FALSE, flags);
  properties[PROP_SHOW_SIDEBAR] = g_param_spec_boolean ("show-sidebar", NULL, NULL, TRUE, flags);
  properties[PROP_SPLIT_WIDE] = g_param_spec_double ("split-wide", NULL, NULL, 0, 1, 0.55, flags);
  properties[PROP_SPLIT_NARROW] =
      g_param_spec_double ("split-narrow", NULL, NULL, 0, 1, 0.5, flags);
  g_object_class_install_properties (object_class, N_PROPS, properties);
}

static void
fh_settings_class_init (FhSettingsClass *klass)
{
  GObjectClass *object_class = G_OBJECT_CLASS (klass);

  object_class->dispose = fh_settings_dispose;
  object_class->get_property = fh_settings_get_property;
  object_class->set_property = fh_settings_set_property;

  install_properties (object_class);
}

static void
fh_settings_init (FhSettings *self)
{
  self->settings = g_settings_new (FH_APP_ID);
  g_signal_connect_object (self->settings,
                           "changed",
                           G_CALLBACK (changed_cb),
                           self,
                           G_CONNECT_SWAPPED);
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
