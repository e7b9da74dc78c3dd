/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "guard-state.h"

#include "config.h"

#include <glib/gi18n-lib.h>

/* What one guard does on this machine: made once, never changed. The sentence is chosen when the
 * state is made, so that a list can show it without work. */
struct _FhGuardState
{
  GObject parent_instance;
  FhGuard guard;
  FhGuardLevel level;
  char *layers;
  char *reason;
  char *sentence;
};

enum
{
  PROP_0,
  PROP_GUARD,
  PROP_LEVEL,
  PROP_TITLE,
  PROP_SENTENCE,
  N_PROPS,
};

static GParamSpec *properties[N_PROPS];

G_DEFINE_FINAL_TYPE (FhGuardState, fh_guard_state, G_TYPE_OBJECT)

static const struct
{
  const char *id;
  const char *title;
} guards[FH_N_GUARDS] = {
  [FH_GUARD_FILESYSTEM] = { "filesystem", N_ ("Files") },
  [FH_GUARD_NETWORK] = { "network", N_ ("Network") },
  [FH_GUARD_PROCESSES] = { "processes", N_ ("Processes") },
  [FH_GUARD_SYSTEM_CALLS] = { "system-calls", N_ ("System calls") },
  [FH_GUARD_PRIVILEGES] = { "privileges", N_ ("Privileges") },
  [FH_GUARD_MEMORY] = { "memory", N_ ("Memory") },
  [FH_GUARD_TIME] = { "time", N_ ("Time") },
  [FH_GUARD_DISK] = { "disk", N_ ("Disk space") },
  [FH_GUARD_OUTPUT] = { "output", N_ ("Output") },
  [FH_GUARD_ENVIRONMENT] = { "environment", N_ ("Environment") },
};

static const char *const levels[] = {
  [FH_GUARD_LEVEL_ACTIVE] = "active",
  [FH_GUARD_LEVEL_DEGRADED] = "degraded",
  [FH_GUARD_LEVEL_UNAVAILABLE] = "unavailable",
  [FH_GUARD_LEVEL_OFF] = "off",
};

/* One sentence per guard, level and reason. A row without a reason stands for every reason that has
 * no row of its own; the reason is then shown after it as it is. */
static const struct
{
  FhGuard guard;
  FhGuardLevel level;
  const char *reason;
  const char *sentence;
} sentences[] = {
  { FH_GUARD_FILESYSTEM,
    FH_GUARD_LEVEL_ACTIVE,
    NULL,
    N_ ("The program sees the system’s own files, read-only, and an empty folder of its own; your "
        "files are not there at all.") },
  { FH_GUARD_FILESYSTEM,
    FH_GUARD_LEVEL_DEGRADED,
    NULL,
    N_ ("The program cannot open your files, but it is kept from them by fewer layers than "
        "usual.") },
  { FH_GUARD_FILESYSTEM,
    FH_GUARD_LEVEL_DEGRADED,
    "no-landlock",
    N_ ("Your files are not there at all; the second layer behind that, Landlock, is missing "
        "because this kernel does not offer it.") },
  { FH_GUARD_FILESYSTEM,
    FH_GUARD_LEVEL_DEGRADED,
    "old-landlock",
    N_ ("Your files are not there at all; the second layer behind that, Landlock, is weaker than "
        "usual because this kernel is older than Linux 6.2.") },
  { FH_GUARD_FILESYSTEM,
    FH_GUARD_LEVEL_DEGRADED,
    "landlock-only",
    N_ ("The program cannot open your files, but it can find out their names.") },
  { FH_GUARD_FILESYSTEM,
    FH_GUARD_LEVEL_UNAVAILABLE,
    NULL,
    N_ ("Your files cannot be kept from the program on this computer.") },
  { FH_GUARD_FILESYSTEM,
    FH_GUARD_LEVEL_OFF,
    NULL,
    N_ ("Your files are not kept from the program, as was asked for.") },

  { FH_GUARD_NETWORK,
    FH_GUARD_LEVEL_ACTIVE,
    NULL,
    N_ ("The program is alone in a network of its own: it reaches neither the internet, nor your "
        "local network, nor the services of this computer.") },
  { FH_GUARD_NETWORK,
    FH_GUARD_LEVEL_DEGRADED,
    NULL,
    N_ ("The program cannot reach the network, but it is kept from it by fewer layers than "
        "usual.") },
  { FH_GUARD_NETWORK,
    FH_GUARD_LEVEL_UNAVAILABLE,
    NULL,
    N_ ("The program cannot be kept from the network on this computer.") },
  { FH_GUARD_NETWORK,
    FH_GUARD_LEVEL_OFF,
    NULL,
    N_ ("The program may use the network, as was asked for.") },

  { FH_GUARD_PROCESSES,
    FH_GUARD_LEVEL_ACTIVE,
    NULL,
    N_ ("The program sees only its own processes, and all of them end together with it.") },
  { FH_GUARD_PROCESSES,
    FH_GUARD_LEVEL_DEGRADED,
    NULL,
    N_ ("All processes of the program end together with it, but it is separated from yours by "
        "fewer layers than usual.") },
  { FH_GUARD_PROCESSES,
    FH_GUARD_LEVEL_DEGRADED,
    "root",
    N_ ("The program sees only its own processes and all of them end together with it, but their "
        "number is not limited, because the kernel does not count the processes of root.") },
  { FH_GUARD_PROCESSES,
    FH_GUARD_LEVEL_DEGRADED,
    "no-limit",
    N_ ("The program sees only its own processes and all end together with it, but it can start "
        "any number of them.") },
  { FH_GUARD_PROCESSES,
    FH_GUARD_LEVEL_UNAVAILABLE,
    NULL,
    N_ ("The program cannot be separated from your other processes on this computer.") },
  { FH_GUARD_PROCESSES,
    FH_GUARD_LEVEL_OFF,
    NULL,
    N_ ("The number of processes is not limited, as was asked for.") },

  { FH_GUARD_SYSTEM_CALLS,
    FH_GUARD_LEVEL_ACTIVE,
    NULL,
    N_ ("Requests to the kernel that ordinary programs do not need, and attacks often do, are "
        "refused.") },
  { FH_GUARD_SYSTEM_CALLS,
    FH_GUARD_LEVEL_DEGRADED,
    NULL,
    N_ ("Dangerous requests to the kernel are refused, but not as strictly as usual.") },
  { FH_GUARD_SYSTEM_CALLS,
    FH_GUARD_LEVEL_UNAVAILABLE,
    NULL,
    N_ ("Dangerous requests to the kernel cannot be refused on this computer.") },
  { FH_GUARD_SYSTEM_CALLS,
    FH_GUARD_LEVEL_OFF,
    NULL,
    N_ ("Dangerous requests to the kernel are not refused, as was asked for.") },

  { FH_GUARD_PRIVILEGES,
    FH_GUARD_LEVEL_ACTIVE,
    NULL,
    N_ ("The program has no special rights and cannot gain any, not even inside its own "
        "sandbox.") },
  { FH_GUARD_PRIVILEGES,
    FH_GUARD_LEVEL_DEGRADED,
    NULL,
    N_ ("The program has no special rights, but one of the layers that keep it from gaining any is "
        "missing.") },
  { FH_GUARD_PRIVILEGES,
    FH_GUARD_LEVEL_DEGRADED,
    "no-keyring",
    N_ ("The program has no special rights and cannot gain any, but it could not be given a "
        "keyring "
        "of its own; the system call guard keeps it from yours.") },
  { FH_GUARD_PRIVILEGES,
    FH_GUARD_LEVEL_UNAVAILABLE,
    NULL,
    N_ ("The program’s rights cannot be taken away on this computer.") },
  { FH_GUARD_PRIVILEGES,
    FH_GUARD_LEVEL_OFF,
    NULL,
    N_ ("The program keeps your own rights, as was asked for.") },

  { FH_GUARD_MEMORY,
    FH_GUARD_LEVEL_ACTIVE,
    NULL,
    N_ ("The kernel itself holds the program, with all its processes, to the memory limit.") },
  { FH_GUARD_MEMORY,
    FH_GUARD_LEVEL_DEGRADED,
    NULL,
    N_ ("The memory limit is enforced less exactly than usual.") },
  { FH_GUARD_MEMORY,
    FH_GUARD_LEVEL_DEGRADED,
    "no-cgroup",
    N_ ("The memory of all processes together is measured many times a second and the program is "
        "stopped when it is over the limit; the kernel’s own limit cannot be used here, so it can "
        "go over for a moment.") },
  { FH_GUARD_MEMORY,
    FH_GUARD_LEVEL_UNAVAILABLE,
    NULL,
    N_ ("The program’s memory cannot be limited on this computer.") },
  { FH_GUARD_MEMORY,
    FH_GUARD_LEVEL_OFF,
    NULL,
    N_ ("The program may use all the memory there is, as was asked for.") },

  { FH_GUARD_TIME,
    FH_GUARD_LEVEL_ACTIVE,
    NULL,
    N_ ("The program is stopped when its time is over, whatever it does against that.") },
  { FH_GUARD_TIME,
    FH_GUARD_LEVEL_DEGRADED,
    NULL,
    N_ ("The time limit is enforced less exactly than usual.") },
  { FH_GUARD_TIME,
    FH_GUARD_LEVEL_UNAVAILABLE,
    NULL,
    N_ ("The program’s time cannot be limited on this computer.") },
  { FH_GUARD_TIME,
    FH_GUARD_LEVEL_OFF,
    NULL,
    N_ ("The program may run until you stop it, as was asked for.") },

  { FH_GUARD_DISK,
    FH_GUARD_LEVEL_ACTIVE,
    NULL,
    N_ ("The program writes to a space of limited size that is gone afterwards; nothing reaches "
        "your disk.") },
  { FH_GUARD_DISK,
    FH_GUARD_LEVEL_DEGRADED,
    NULL,
    N_ ("The space that the program may fill is limited less exactly than usual.") },
  { FH_GUARD_DISK,
    FH_GUARD_LEVEL_UNAVAILABLE,
    NULL,
    N_ ("The space that the program may fill cannot be limited on this computer.") },
  { FH_GUARD_DISK,
    FH_GUARD_LEVEL_OFF,
    NULL,
    N_ ("The program may write as much as there is room for, as was asked for; it is gone "
        "afterwards.") },

  { FH_GUARD_OUTPUT,
    FH_GUARD_LEVEL_ACTIVE,
    NULL,
    N_ ("All output is counted, its beginning and its end are kept, and a program that floods it "
        "is stopped.") },
  { FH_GUARD_OUTPUT,
    FH_GUARD_LEVEL_DEGRADED,
    NULL,
    N_ ("The amount of output is limited less exactly than usual.") },
  { FH_GUARD_OUTPUT,
    FH_GUARD_LEVEL_UNAVAILABLE,
    NULL,
    N_ ("The amount of output cannot be limited on this computer.") },
  { FH_GUARD_OUTPUT,
    FH_GUARD_LEVEL_OFF,
    NULL,
    N_ ("The program may print without an end, as was asked for; the beginning and the end of it "
        "are kept.") },

  { FH_GUARD_ENVIRONMENT,
    FH_GUARD_LEVEL_ACTIVE,
    NULL,
    N_ ("The program gets a fresh environment: none of your variables, with the keys and tokens "
        "that may be in them, and none of your open files.") },
  { FH_GUARD_ENVIRONMENT,
    FH_GUARD_LEVEL_DEGRADED,
    NULL,
    N_ ("The program gets a fresh environment, but with more in it than usual.") },
  { FH_GUARD_ENVIRONMENT,
    FH_GUARD_LEVEL_UNAVAILABLE,
    NULL,
    N_ ("The program’s environment cannot be cleaned on this computer.") },
  { FH_GUARD_ENVIRONMENT,
    FH_GUARD_LEVEL_OFF,
    NULL,
    N_ ("The program gets your own environment variables, as was asked for.") },
};

/* Reasons that say no more than the level does. */
static gboolean
reason_speaks (FhGuardLevel level, const char *reason)
{
  return reason != NULL && !(level == FH_GUARD_LEVEL_OFF && g_str_equal (reason, "no-limit"));
}

static char *
choose_sentence (FhGuard guard, FhGuardLevel level, const char *reason)
{
  const char *general = NULL;

  for (guint i = 0; i < G_N_ELEMENTS (sentences); i++)
    {
      if (sentences[i].guard != guard || sentences[i].level != level)
        continue;
      if (sentences[i].reason == NULL)
        general = sentences[i].sentence;
      else if (g_strcmp0 (sentences[i].reason, reason) == 0)
        return g_strdup (_ (sentences[i].sentence));
    }
  g_assert (general != NULL);
  if (!reason_speaks (level, reason))
    return g_strdup (_ (general));
  /* Translators: a whole sentence, then a machine word such as "no-cgroup" */
  return g_strdup_printf (C_ ("guard sentence and reason", "%s (%s)"), _ (general), reason);
}

static void
fh_guard_state_finalize (GObject *object)
{
  FhGuardState *self = FH_GUARD_STATE (object);

  g_free (self->layers);
  g_free (self->reason);
  g_free (self->sentence);
  G_OBJECT_CLASS (fh_guard_state_parent_class)->finalize (object);
}

static void
fh_guard_state_get_property (GObject *object, guint id, GValue *value, GParamSpec *pspec)
{
  FhGuardState *self = FH_GUARD_STATE (object);

  switch (id)
    {
    case PROP_GUARD:
      g_value_set_int (value, (int) self->guard);
      break;
    case PROP_LEVEL:
      g_value_set_int (value, (int) self->level);
      break;
    case PROP_TITLE:
      g_value_set_string (value, fh_guard_state_get_title (self));
      break;
    case PROP_SENTENCE:
      g_value_set_string (value, self->sentence);
      break;
    default:
      G_OBJECT_WARN_INVALID_PROPERTY_ID (object, id, pspec);
    }
}

static void
fh_guard_state_class_init (FhGuardStateClass *klass)
{
  GObjectClass *object_class = G_OBJECT_CLASS (klass);
  const GParamFlags flags = G_PARAM_READABLE | G_PARAM_STATIC_STRINGS;

  object_class->finalize = fh_guard_state_finalize;
  object_class->get_property = fh_guard_state_get_property;
  properties[PROP_GUARD] = g_param_spec_int ("guard", NULL, NULL, 0, FH_N_GUARDS - 1, 0, flags);
  properties[PROP_LEVEL] = g_param_spec_int ("level", NULL, NULL, 0, FH_GUARD_LEVEL_OFF, 0, flags);
  properties[PROP_TITLE] = g_param_spec_string ("title", NULL, NULL, NULL, flags);
  properties[PROP_SENTENCE] = g_param_spec_string ("sentence", NULL, NULL, NULL, flags);
  g_object_class_install_properties (object_class, N_PROPS, properties);
}

static void
fh_guard_state_init (FhGuardState *self)
{
}

FhGuardState *
fh_guard_state_new (FhGuard guard, FhGuardLevel level, const char *layers, const char *reason)
{
  FhGuardState *self;

  g_return_val_if_fail (guard < FH_N_GUARDS, NULL);
  g_return_val_if_fail (level <= FH_GUARD_LEVEL_OFF, NULL);

  self = g_object_new (FH_TYPE_GUARD_STATE, NULL);
  self->guard = guard;
  self->level = level;
  self->layers = g_utf8_make_valid (layers != NULL ? layers : "", -1);
  if (reason != NULL && reason[0] != '\0')
    self->reason = g_utf8_make_valid (reason, -1);
  self->sentence = choose_sentence (guard, level, self->reason);
  return self;
}

FhGuard
fh_guard_state_get_guard (FhGuardState *self)
{
  g_return_val_if_fail (FH_IS_GUARD_STATE (self), FH_GUARD_FILESYSTEM);

  return self->guard;
}

FhGuardLevel
fh_guard_state_get_level (FhGuardState *self)
{
  g_return_val_if_fail (FH_IS_GUARD_STATE (self), FH_GUARD_LEVEL_UNAVAILABLE);

  return self->level;
}

const char *
fh_guard_state_get_layers (FhGuardState *self)
{
  g_return_val_if_fail (FH_IS_GUARD_STATE (self), NULL);

  return self->layers;
}

const char *
fh_guard_state_get_reason (FhGuardState *self)
{
  g_return_val_if_fail (FH_IS_GUARD_STATE (self), NULL);

  return self->reason;
}

const char *
fh_guard_state_get_title (FhGuardState *self)
{
  g_return_val_if_fail (FH_IS_GUARD_STATE (self), NULL);

  return _ (guards[self->guard].title);
}

const char *
fh_guard_state_get_sentence (FhGuardState *self)
{
  g_return_val_if_fail (FH_IS_GUARD_STATE (self), NULL);

  return self->sentence;
}

const char *
fh_guard_to_string (FhGuard guard)
{
  g_return_val_if_fail (guard < FH_N_GUARDS, NULL);

  return guards[guard].id;
}

gboolean
fh_guard_from_string (const char *text, FhGuard *guard)
{
  g_return_val_if_fail (text != NULL && guard != NULL, FALSE);

  for (guint i = 0; i < FH_N_GUARDS; i++)
    {
      if (g_str_equal (guards[i].id, text))
        {
          *guard = (FhGuard) i;
          return TRUE;
        }
    }
  return FALSE;
}

const char *
fh_guard_level_to_string (FhGuardLevel level)
{
  g_return_val_if_fail (level < G_N_ELEMENTS (levels), NULL);

  return levels[level];
}

gboolean
fh_guard_level_from_string (const char *text, FhGuardLevel *level)
{
  g_return_val_if_fail (text != NULL && level != NULL, FALSE);

  for (guint i = 0; i < G_N_ELEMENTS (levels); i++)
    {
      if (g_str_equal (levels[i], text))
        {
          *level = (FhGuardLevel) i;
          return TRUE;
        }
    }
  return FALSE;
}
