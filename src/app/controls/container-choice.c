/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "controls/container-choice.h"

#include <glib/gi18n.h>
#include <string.h>

#include "controls/container-notice.h"
#include "run-error.h"

/* The number of texts that are properties, and their places. */
typedef enum
{
  TEXT_IMAGE,
  TEXT_INTERPRETER,
  TEXT_NETWORK,
  TEXT_CPUS,
  TEXT_GPUS,
  TEXT_WORK_DIR,
  TEXT_VOLUMES,
  TEXT_HOSTS,
  TEXT_ENVIRONMENT,
  TEXT_NAME,
  N_TEXTS,
} Text;

static const char *const text_names[N_TEXTS] = {
  [TEXT_IMAGE] = "image",
  [TEXT_INTERPRETER] = "interpreter",
  [TEXT_NETWORK] = "network",
  [TEXT_CPUS] = "cpus",
  [TEXT_GPUS] = "gpus",
  [TEXT_WORK_DIR] = "work-dir",
  [TEXT_VOLUMES] = "volumes",
  [TEXT_HOSTS] = "hosts",
  [TEXT_ENVIRONMENT] = "environment",
  [TEXT_NAME] = "name",
};

typedef enum
{
  FLAG_IN_CONTAINER,
  FLAG_KEPT,
  FLAG_WRITABLE,
  FLAG_ROOT,
  N_FLAGS,
} Flag;

static const char *const flag_names[N_FLAGS] = {
  [FLAG_IN_CONTAINER] = "in-container",
  [FLAG_KEPT] = "kept",
  [FLAG_WRITABLE] = "writable",
  [FLAG_ROOT] = "root",
};

enum
{
  PROP_0,
  PROP_FIRST_TEXT,
  PROP_FIRST_FLAG = PROP_FIRST_TEXT + N_TEXTS,
  PROP_ENGINE = PROP_FIRST_FLAG + N_FLAGS,
  PROP_AFTER,
  PROP_PROBLEM,
  PROP_NOTICE,
  PROP_SERIAL,
  N_PROPS
};

static GParamSpec *properties[N_PROPS];

/* Texts are never NULL. The lists and words are what the texts say, taken apart when they are asked
 * for. `bind_dir`, `files` and `no_pull` have no control: they come with a run that was made
 * elsewhere, and the first two go with its folder. */
struct _FhContainerChoice
{
  GObject parent_instance;

  char *texts[N_TEXTS];
  gboolean flags[N_FLAGS];
  guint engine;
  guint after;
  guint serial;

  char *bind_dir;
  FhContainerFiles files;
  gboolean no_pull;

  char *words[N_TEXTS]; /* stripped */
  GStrv volume_list;
  GStrv host_list;
  GStrv environment_list;
};

G_DEFINE_FINAL_TYPE (FhContainerChoice, fh_container_choice, G_TYPE_OBJECT)

/* Lines that say something, without the blanks around them. */
static GStrv
split_lines (const char *text)
{
  g_auto (GStrv) lines = g_strsplit (text, "\n", -1);
  g_autoptr (GStrvBuilder) builder = g_strv_builder_new ();

  for (guint i = 0; lines[i] != NULL; i++)
    {
      if (*g_strstrip (lines[i]) != '\0')
        g_strv_builder_add (builder, lines[i]);
    }
  return g_strv_builder_end (builder);
}

static char *
join_lines (const char *const *lines)
{
  return lines != NULL ? g_strjoinv ("\n", (GStrv) lines) : g_strdup ("");
}

static char *
dup_problem (FhContainerChoice *self)
{
  g_autoptr (GError) error = NULL;
  FhContainerOptions options;

  if (!self->flags[FLAG_IN_CONTAINER])
    return NULL;
  return fh_container_choice_get (self, &options, &error) ? NULL : g_strdup (error->message);
}

static char *
dup_notice (FhContainerChoice *self)
{
  FhContainerOptions options;

  if (!self->flags[FLAG_IN_CONTAINER] || !fh_container_choice_get (self, &options, NULL))
    return NULL;
  return fh_container_notice_new (&options);
}

static void
changed (FhContainerChoice *self, guint id)
{
  GObject *object = G_OBJECT (self);

  self->serial++;
  g_object_freeze_notify (object);
  g_object_notify_by_pspec (object, properties[id]);
  g_object_notify_by_pspec (object, properties[PROP_PROBLEM]);
  g_object_notify_by_pspec (object, properties[PROP_NOTICE]);
  g_object_notify_by_pspec (object, properties[PROP_SERIAL]);
  g_object_thaw_notify (object);
}

static void
set_text (FhContainerChoice *self, Text text, const char *value)
{
  if (value == NULL)
    value = "";
  if (g_str_equal (self->texts[text], value))
    return;
  if (text == TEXT_WORK_DIR)
    {
      g_clear_pointer (&self->bind_dir, g_free);
      self->files = FH_CONTAINER_FILES_AUTO;
    }
  g_free (self->texts[text]);
  self->texts[text] = g_strdup (value);
  changed (self, PROP_FIRST_TEXT + text);
}

static void
set_flag (FhContainerChoice *self, Flag flag, gboolean value)
{
  if (self->flags[flag] == value)
    return;
  self->flags[flag] = value;
  changed (self, PROP_FIRST_FLAG + flag);
}

static void
set_number (FhContainerChoice *self, guint id, guint *member, guint value)
{
  if (*member == value)
    return;
  *member = value;
  changed (self, id);
}

static void
fh_container_choice_get_property (GObject *object, guint id, GValue *value, GParamSpec *pspec)
{
  FhContainerChoice *self = FH_CONTAINER_CHOICE (object);

  if (id >= PROP_FIRST_TEXT && id < PROP_FIRST_FLAG)
    {
      g_value_set_string (value, self->texts[id - PROP_FIRST_TEXT]);
      return;
    }
  if (id >= PROP_FIRST_FLAG && id < PROP_ENGINE)
    {
      g_value_set_boolean (value, self->flags[id - PROP_FIRST_FLAG]);
      return;
    }
  switch (id)
    {
    case PROP_ENGINE:
      g_value_set_uint (value, self->engine);
      break;
    case PROP_AFTER:
      g_value_set_uint (value, self->after);
      break;
    case PROP_PROBLEM:
      g_value_take_string (value, dup_problem (self));
      break;
    case PROP_NOTICE:
      g_value_take_string (value, dup_notice (self));
      break;
    case PROP_SERIAL:
      g_value_set_uint (value, self->serial);
      break;
    default:
      G_OBJECT_WARN_INVALID_PROPERTY_ID (object, id, pspec);
    }
}

static void
fh_container_choice_set_property (GObject *object, guint id, const GValue *value, GParamSpec *pspec)
{
  FhContainerChoice *self = FH_CONTAINER_CHOICE (object);

  if (id >= PROP_FIRST_TEXT && id < PROP_FIRST_FLAG)
    set_text (self, (Text) (id - PROP_FIRST_TEXT), g_value_get_string (value));
  else if (id >= PROP_FIRST_FLAG && id < PROP_ENGINE)
    set_flag (self, (Flag) (id - PROP_FIRST_FLAG), g_value_get_boolean (value));
  else if (id == PROP_ENGINE)
    set_number (self, id, &self->engine, g_value_get_uint (value));
  else if (id == PROP_AFTER)
    set_number (self, id, &self->after, g_value_get_uint (value));
  else
    G_OBJECT_WARN_INVALID_PROPERTY_ID (object, id, pspec);
}

static void
fh_container_choice_finalize (GObject *object)
{
  FhContainerChoice *self = FH_CONTAINER_CHOICE (object);

  for (guint i = 0; i < N_TEXTS; i++)
    {
      g_free (self->texts[i]);
      g_free (self->words[i]);
    }
  g_free (self->bind_dir);
  g_strfreev (self->volume_list);
  g_strfreev (self->host_list);
  g_strfreev (self->environment_list);

  G_OBJECT_CLASS (fh_container_choice_parent_class)->finalize (object);
}

static void
fh_container_choice_class_init (FhContainerChoiceClass *klass)
{
  GObjectClass *object_class = G_OBJECT_CLASS (klass);
  const GParamFlags readable = G_PARAM_READABLE | G_PARAM_STATIC_STRINGS;
  const GParamFlags flags = G_PARAM_READWRITE | G_PARAM_EXPLICIT_NOTIFY | G_PARAM_STATIC_STRINGS;

  object_class->finalize = fh_container_choice_finalize;
  object_class->get_property = fh_container_choice_get_property;
  object_class->set_property = fh_container_choice_set_property;

  for (guint i = 0; i < N_TEXTS; i++)
    properties[PROP_FIRST_TEXT + i] = g_param_spec_string (text_names[i], NULL, NULL, "", flags);
  for (guint i = 0; i < N_FLAGS; i++)
    properties[PROP_FIRST_FLAG + i] =
        g_param_spec_boolean (flag_names[i], NULL, NULL, FALSE, flags);
  properties[PROP_ENGINE] =
      g_param_spec_uint ("engine", NULL, NULL, 0, FH_ENGINE_PODMAN, FH_ENGINE_AUTO, flags);
  properties[PROP_AFTER] =
      g_param_spec_uint ("after", NULL, NULL, 0, FH_CONTAINER_LEAVE, FH_CONTAINER_REMOVE, flags);
  properties[PROP_PROBLEM] = g_param_spec_string ("problem", NULL, NULL, NULL, readable);
  properties[PROP_NOTICE] = g_param_spec_string ("notice", NULL, NULL, NULL, readable);
  properties[PROP_SERIAL] = g_param_spec_uint ("serial", NULL, NULL, 0, G_MAXUINT, 0, readable);
  g_object_class_install_properties (object_class, N_PROPS, properties);
}

static void
fh_container_choice_init (FhContainerChoice *self)
{
  for (guint i = 0; i < N_TEXTS; i++)
    self->texts[i] = g_strdup ("");
}

FhContainerChoice *
fh_container_choice_new (void)
{
  return g_object_new (FH_TYPE_CONTAINER_CHOICE, NULL);
}

gboolean
fh_container_choice_is_in_container (FhContainerChoice *self)
{
  g_return_val_if_fail (FH_IS_CONTAINER_CHOICE (self), FALSE);

  return self->flags[FLAG_IN_CONTAINER];
}

FhEngineKind
fh_container_choice_get_engine (FhContainerChoice *self)
{
  g_return_val_if_fail (FH_IS_CONTAINER_CHOICE (self), FH_ENGINE_AUTO);

  return (FhEngineKind) self->engine;
}

/* NULL when nothing was typed. */
static const char *
get_word (FhContainerChoice *self, Text text)
{
  g_free (self->words[text]);
  self->words[text] = g_strstrip (g_strdup (self->texts[text]));
  return *self->words[text] != '\0' ? self->words[text] : NULL;
}

const char *
fh_container_choice_get_image (FhContainerChoice *self)
{
  const char *image;

  g_return_val_if_fail (FH_IS_CONTAINER_CHOICE (self), NULL);

  image = get_word (self, TEXT_IMAGE);
  return image != NULL ? image : FH_CONTAINER_DEFAULT_IMAGE;
}

const char *
fh_container_choice_get_interpreter (FhContainerChoice *self)
{
  g_return_val_if_fail (FH_IS_CONTAINER_CHOICE (self), NULL);

  return get_word (self, TEXT_INTERPRETER);
}

static char *
format_cpus (guint milli_cpus)
{
  char number[G_ASCII_DTOSTR_BUF_SIZE];

  if (milli_cpus == 0)
    return g_strdup ("");
  return g_strdup (g_ascii_formatd (number, sizeof number, "%g", milli_cpus / 1000.0));
}

void
fh_container_choice_set_from (FhContainerChoice *self,
                              const FhContainerOptions *options,
                              const char *interpreter)
{
  g_autofree char *cpus = NULL;
  g_autofree char *volumes = NULL;
  g_autofree char *hosts = NULL;
  g_autofree char *environment = NULL;

  g_return_if_fail (FH_IS_CONTAINER_CHOICE (self));

  g_object_freeze_notify (G_OBJECT (self));
  set_flag (self, FLAG_IN_CONTAINER, options != NULL);
  if (options != NULL)
    {
      cpus = format_cpus (options->milli_cpus);
      volumes = join_lines (options->volumes);
      hosts = join_lines (options->hosts);
      environment = join_lines (options->environment);
      set_number (self, PROP_ENGINE, &self->engine, options->engine);
      set_number (self, PROP_AFTER, &self->after, options->after);
      set_text (self, TEXT_IMAGE, fh_container_options_image (options));
      set_text (self, TEXT_INTERPRETER, interpreter);
      set_text (self, TEXT_NETWORK, options->network);
      set_text (self, TEXT_CPUS, cpus);
      set_text (self, TEXT_GPUS, options->gpus);
      set_text (self, TEXT_WORK_DIR, options->work_dir);
      set_text (self, TEXT_VOLUMES, volumes);
      set_text (self, TEXT_HOSTS, hosts);
      set_text (self, TEXT_ENVIRONMENT, environment);
      set_text (self, TEXT_NAME, options->name);
      set_flag (self, FLAG_KEPT, options->is_kept);
      set_flag (self, FLAG_WRITABLE, options->is_writable);
      set_flag (self, FLAG_ROOT, options->is_root);
      g_free (self->bind_dir);
      self->bind_dir = g_strdup (options->bind_dir);
      self->files = options->files;
      self->no_pull = options->no_pull;
    }
  g_object_thaw_notify (G_OBJECT (self));
}

/* "2", "1.5", or as people with a decimal comma write it. */
static gboolean
parse_cpus (const char *text, guint *milli_cpus, GError **error)
{
  g_autofree char *number = text != NULL ? g_strdelimit (g_strdup (text), ",", '.') : NULL;
  char *end = NULL;
  double cpus;

  *milli_cpus = 0;
  if (number == NULL)
    return TRUE;
  cpus = g_ascii_strtod (number, &end);
  if (end != number && *end == '\0' && cpus >= 0.001 && cpus < 1e6)
    {
      *milli_cpus = (guint) (cpus * 1000 + 0.5);
      return TRUE;
    }
  g_set_error (error,
               FH_RUN_ERROR,
               FH_RUN_ERROR_INVALID,
               _ ("“%s” is not a number of processors, such as 2 or 0.5."),
               text);
  return FALSE;
}

static const char *const *
take_lines (FhContainerChoice *self, Text text, GStrv *list)
{
  g_strfreev (*list);
  *list = split_lines (self->texts[text]);
  return (const char *const *) *list;
}

gboolean
fh_container_choice_get (FhContainerChoice *self, FhContainerOptions *options, GError **error)
{
  g_return_val_if_fail (FH_IS_CONTAINER_CHOICE (self), FALSE);
  g_return_val_if_fail (options != NULL, FALSE);

  *options = (FhContainerOptions){
    .engine = (FhEngineKind) self->engine,
    .image = get_word (self, TEXT_IMAGE),
    .no_pull = self->no_pull,
    .is_kept = self->flags[FLAG_KEPT],
    .work_dir = get_word (self, TEXT_WORK_DIR),
    .bind_dir = self->bind_dir,
    .files = self->files,
    .network = get_word (self, TEXT_NETWORK),
    .gpus = get_word (self, TEXT_GPUS),
    .volumes = take_lines (self, TEXT_VOLUMES, &self->volume_list),
    .hosts = take_lines (self, TEXT_HOSTS, &self->host_list),
    .environment = take_lines (self, TEXT_ENVIRONMENT, &self->environment_list),
    .is_writable = self->flags[FLAG_WRITABLE],
    .is_root = self->flags[FLAG_ROOT],
  };
  /* A name and what becomes of it belong to a container that is kept. */
  if (options->is_kept)
    {
      options->name = get_word (self, TEXT_NAME);
      options->after = (FhContainerAfter) self->after;
    }
  return parse_cpus (get_word (self, TEXT_CPUS), &options->milli_cpus, error) &&
         fh_container_options_check (options, error);
}
