/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "guard-state.h"

#include "config.h"

#include <glib/gi18n-lib.h>

#include "guard-sentence.h"
#include "word-list.h"

/* One guard on this computer. Immutable. The sentence is chosen when the state is created. */
struct _FhGuardState
{
  GObject parent_instance;
  FhGuard guard;
  FhGuardLevel level;
  char *layers;
  char *reason;
  GStrv shown;
  char *sentence;
};

G_DEFINE_FINAL_TYPE (FhGuardState, fh_guard_state, G_TYPE_OBJECT)

const char *const fh_guard_words[] = {
  [FH_GUARD_FILESYSTEM] = "filesystem",
  [FH_GUARD_NETWORK] = "network",
  [FH_GUARD_PROCESSES] = "processes",
  [FH_GUARD_SYSTEM_CALLS] = "system-calls",
  [FH_GUARD_PRIVILEGES] = "privileges",
  [FH_GUARD_MEMORY] = "memory",
  [FH_GUARD_TIME] = "time",
  [FH_GUARD_DISK] = "disk",
  [FH_GUARD_OUTPUT] = "output",
  [FH_GUARD_ENVIRONMENT] = "environment",
  [FH_GUARD_INTERPRETER] = "interpreter",
  NULL,
};

const char *const fh_guard_level_words[] = {
  [FH_GUARD_LEVEL_ACTIVE] = "active",
  [FH_GUARD_LEVEL_DEGRADED] = "degraded",
  [FH_GUARD_LEVEL_UNAVAILABLE] = "unavailable",
  [FH_GUARD_LEVEL_OFF] = "off",
  NULL,
};

FH_DEFINE_WORDS (FhGuard, fh_guard, fh_guard_words)
FH_DEFINE_WORDS (FhGuardLevel, fh_guard_level, fh_guard_level_words)

static void
fh_guard_state_finalize (GObject *object)
{
  FhGuardState *self = FH_GUARD_STATE (object);

  g_free (self->layers);
  g_free (self->reason);
  g_strfreev (self->shown);
  g_free (self->sentence);
  G_OBJECT_CLASS (fh_guard_state_parent_class)->finalize (object);
}

static void
fh_guard_state_class_init (FhGuardStateClass *klass)
{
  G_OBJECT_CLASS (klass)->finalize = fh_guard_state_finalize;
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
  self->shown = g_new0 (char *, 1);
  self->sentence = fh_guard_sentence (guard, level, self->reason);
  return self;
}

/* The list is left out in a container, where the interpreter is the image's and the user's files
 * were shown on purpose. */
static char *
show (const char *reason, const char *sentence, const char *list)
{
  if (g_strcmp0 (reason, "shared-folder") == 0)
    /* Translators: a whole sentence, then one or more paths. */
    return g_strdup_printf (_ ("%s It was given: %s."), sentence, list);
  if (g_strcmp0 (reason, "container") == 0 || g_strcmp0 (reason, "writable-image") == 0)
    /* Translators: a whole sentence, then one or more paths. */
    return g_strdup_printf (_ ("%s It was given, though: %s."), sentence, list);
  /* Translators: a whole sentence, then one or more paths. */
  return g_strdup_printf (_ ("%s It can read what belongs to the interpreter, though: %s."),
                          sentence,
                          list);
}

static void
set_shown (FhGuardState *self, const char *const *paths)
{
  g_autoptr (GStrvBuilder) builder = g_strv_builder_new ();
  g_autofree char *before = g_steal_pointer (&self->sentence);
  g_autofree char *list = NULL;

  for (gsize i = 0; paths[i] != NULL; i++)
    {
      g_autofree char *name = g_utf8_make_valid (paths[i], -1);

      g_strv_builder_add (builder, name);
    }
  g_strfreev (self->shown);
  self->shown = g_strv_builder_end (builder);
  list = g_strjoinv (", ", self->shown);
  self->sentence = show (self->reason, before, list);
}

FhGuardState *
fh_guard_state_new_showing (FhGuardState *state, const char *const *paths)
{
  FhGuardState *self;

  g_return_val_if_fail (FH_IS_GUARD_STATE (state), NULL);
  g_return_val_if_fail (paths != NULL, NULL);

  self = fh_guard_state_new (state->guard, state->level, state->layers, state->reason);
  if (paths[0] != NULL)
    set_shown (self, paths);
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

const char *const *
fh_guard_state_get_shown (FhGuardState *self)
{
  g_return_val_if_fail (FH_IS_GUARD_STATE (self), NULL);

  return (const char *const *) self->shown;
}

const char *
fh_guard_state_get_title (FhGuardState *self)
{
  g_return_val_if_fail (FH_IS_GUARD_STATE (self), NULL);

  return fh_guard_title (self->guard);
}

const char *
fh_guard_state_get_sentence (FhGuardState *self)
{
  g_return_val_if_fail (FH_IS_GUARD_STATE (self), NULL);

  return self->sentence;
}

const char *
fh_guard_title (FhGuard guard)
{
  static const char *const titles[FH_N_GUARDS] = {
    [FH_GUARD_FILESYSTEM] = N_ ("Files"),
    [FH_GUARD_NETWORK] = N_ ("Network"),
    [FH_GUARD_PROCESSES] = N_ ("Processes"),
    [FH_GUARD_SYSTEM_CALLS] = N_ ("System calls"),
    [FH_GUARD_PRIVILEGES] = N_ ("Privileges"),
    [FH_GUARD_MEMORY] = N_ ("Memory"),
    [FH_GUARD_TIME] = N_ ("Time"),
    [FH_GUARD_DISK] = N_ ("Disk space"),
    [FH_GUARD_OUTPUT] = N_ ("Output"),
    [FH_GUARD_ENVIRONMENT] = N_ ("Environment"),
    [FH_GUARD_INTERPRETER] = N_ ("Interpreter"),
  };

  g_return_val_if_fail (guard < FH_N_GUARDS, NULL);

  return _ (titles[guard]);
}

const char *
fh_guard_loss (FhGuard guard)
{
  static const char *const losses[FH_N_GUARDS] = {
    [FH_GUARD_NETWORK] = N_ ("The program can reach the internet and your local network."),
    [FH_GUARD_SYSTEM_CALLS] = N_ ("Dangerous system calls are allowed."),
    [FH_GUARD_MEMORY] = N_ ("The program may use all memory."),
    [FH_GUARD_TIME] = N_ ("The program runs until it ends or you stop it."),
    [FH_GUARD_DISK] = N_ ("The program may fill the disk."),
    [FH_GUARD_OUTPUT] = N_ ("The program may print without limit."),
    [FH_GUARD_ENVIRONMENT] =
        N_ ("The program can read your environment variables, including keys and tokens."),
  };

  return guard < FH_N_GUARDS && losses[guard] != NULL ? _ (losses[guard]) : NULL;
}
