/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "attempt.h"

#include "config.h"

#include <glib/gi18n-lib.h>
#include <string.h>

#include "readable-text.h"
#include "word-list.h"

struct _FhAttempt
{
  GObject parent_instance;
  FhAttemptFacts facts; /* its strings are owned */
};

G_DEFINE_FINAL_TYPE (FhAttempt, fh_attempt, G_TYPE_OBJECT)

enum
{
  PROP_0,
  PROP_COUNT,
  PROP_LINE,
  PROP_EXISTS_OUTSIDE,
  N_PROPS,
};

static GParamSpec *properties[N_PROPS];

static void
fh_attempt_finalize (GObject *object)
{
  FhAttempt *self = FH_ATTEMPT (object);

  g_free ((char *) self->facts.layer);
  g_free ((char *) self->facts.operation);
  g_free ((char *) self->facts.object);
  g_free ((char *) self->facts.command);
  G_OBJECT_CLASS (fh_attempt_parent_class)->finalize (object);
}

static void
fh_attempt_get_property (GObject *object, guint id, GValue *value, GParamSpec *pspec)
{
  FhAttempt *self = FH_ATTEMPT (object);

  switch (id)
    {
    case PROP_COUNT:
      g_value_set_uint (value, self->facts.count);
      break;
    case PROP_LINE:
      g_value_set_uint (value, self->facts.line);
      break;
    case PROP_EXISTS_OUTSIDE:
      g_value_set_boolean (value, self->facts.exists_outside);
      break;
    default:
      G_OBJECT_WARN_INVALID_PROPERTY_ID (object, id, pspec);
    }
}

static void
fh_attempt_class_init (FhAttemptClass *klass)
{
  GObjectClass *object_class = G_OBJECT_CLASS (klass);
  const GParamFlags flags = G_PARAM_READABLE | G_PARAM_STATIC_STRINGS;

  object_class->finalize = fh_attempt_finalize;
  object_class->get_property = fh_attempt_get_property;
  properties[PROP_COUNT] = g_param_spec_uint ("count", NULL, NULL, 1, G_MAXUINT, 1, flags);
  properties[PROP_LINE] = g_param_spec_uint ("line", NULL, NULL, 0, G_MAXUINT, 0, flags);
  properties[PROP_EXISTS_OUTSIDE] =
      g_param_spec_boolean ("exists-outside", NULL, NULL, FALSE, flags);
  g_object_class_install_properties (object_class, N_PROPS, properties);
}

static void
fh_attempt_init (FhAttempt *self)
{
}

/* Escapes line breaks and direction controls, which could make a name look like another row or
 * another name. */
static char *
dup_readable (const char *bytes)
{
  return bytes != NULL ? fh_readable_text_new (bytes, strlen (bytes)) : g_strdup ("");
}

FhAttempt *
fh_attempt_new (const FhAttemptFacts *facts)
{
  FhAttempt *self;

  g_return_val_if_fail (facts != NULL, NULL);

  self = g_object_new (FH_TYPE_ATTEMPT, NULL);
  self->facts = *facts;
  self->facts.count = MAX (facts->count, 1);
  self->facts.layer = dup_readable (facts->layer);
  self->facts.operation = dup_readable (facts->operation);
  self->facts.object = dup_readable (facts->object);
  self->facts.command = dup_readable (facts->command);
  return self;
}

const FhAttemptFacts *
fh_attempt_get_facts (FhAttempt *self)
{
  g_return_val_if_fail (FH_IS_ATTEMPT (self), NULL);

  return &self->facts;
}

gboolean
fh_attempt_is_same (FhAttempt *self, FhAttempt *other)
{
  const FhAttemptFacts *a;
  const FhAttemptFacts *b;

  g_return_val_if_fail (FH_IS_ATTEMPT (self), FALSE);
  g_return_val_if_fail (FH_IS_ATTEMPT (other), FALSE);

  a = &self->facts;
  b = &other->facts;
  return a->guard == b->guard && a->verdict == b->verdict && a->is_reported == b->is_reported &&
         a->is_uncertain == b->is_uncertain && g_str_equal (a->operation, b->operation) &&
         g_str_equal (a->object, b->object);
}

void
fh_attempt_set_lasting (FhAttempt *self)
{
  g_return_if_fail (FH_IS_ATTEMPT (self));

  self->facts.is_lasting = TRUE;
}

void
fh_attempt_set_count (FhAttempt *self, guint count)
{
  g_return_if_fail (FH_IS_ATTEMPT (self));

  if (count <= self->facts.count)
    return;
  self->facts.count = count;
  g_object_notify_by_pspec (G_OBJECT (self), properties[PROP_COUNT]);
}

void
fh_attempt_add_count (FhAttempt *self, guint count)
{
  g_return_if_fail (FH_IS_ATTEMPT (self));

  fh_attempt_set_count (self, self->facts.count + MIN (count, G_MAXUINT - self->facts.count));
}

void
fh_attempt_set_exists_outside (FhAttempt *self)
{
  g_return_if_fail (FH_IS_ATTEMPT (self));

  if (self->facts.exists_outside)
    return;
  self->facts.exists_outside = TRUE;
  g_object_notify_by_pspec (G_OBJECT (self), properties[PROP_EXISTS_OUTSIDE]);
}

void
fh_attempt_set_line (FhAttempt *self, guint line)
{
  g_return_if_fail (FH_IS_ATTEMPT (self));

  if (self->facts.line != 0 || line == 0)
    return;
  self->facts.line = line;
  g_object_notify_by_pspec (G_OBJECT (self), properties[PROP_LINE]);
}

gboolean
fh_attempt_was_blocked (const FhAttemptFacts *facts)
{
  g_return_val_if_fail (facts != NULL, FALSE);

  return facts->verdict != FH_VERDICT_OBSERVED && !facts->ended_run;
}

const char *const fh_verdict_words[] = {
  [FH_VERDICT_DENIED] = "denied",
  [FH_VERDICT_HIDDEN] = "hidden",
  [FH_VERDICT_LIMITED] = "limited",
  [FH_VERDICT_OBSERVED] = "observed",
  NULL,
};

FH_DEFINE_WORDS (FhVerdict, fh_verdict, fh_verdict_words)

const char *
fh_attempt_verdict_title (const FhAttemptFacts *facts)
{
  switch (facts->verdict)
    {
    case FH_VERDICT_DENIED:
      /* Translators: what became of something that a program tried */
      return C_ ("attempt", "Blocked");
    case FH_VERDICT_HIDDEN:
      return C_ ("attempt", "Hidden");
    case FH_VERDICT_LIMITED:
      return C_ ("attempt", "Limited");
    case FH_VERDICT_OBSERVED:
    default:
      if (facts->is_reported)
        return C_ ("attempt", "Only reported");
      return facts->is_uncertain || facts->error != 0 ? C_ ("attempt", "Tried")
                                                      : C_ ("attempt", "Let through");
    }
}

static const char *
uncertainty_of (const FhAttemptFacts *facts)
{
  if (facts->object[0] == '\0')
    return _ ("What it named could not be read, so what came of it is not known.");
  if (g_str_equal (facts->operation, "signal") && g_str_has_prefix (facts->object, "1 "))
    return _ (
        "The kernel decides what comes of it: it protects process 1 of a sandbox from signals "
        "of the processes inside.");
  if (g_str_equal (facts->operation, "signal"))
    return _ ("No guard blocked it, but whether a process got it is not known.");
  if (facts->guard == FH_GUARD_NETWORK)
    return _ ("No guard blocked it, but whether it reached anything is not known.");
  if (facts->object[0] != '/')
    return _ ("The folder that this name starts from is not known, nor what came of it.");
  return _ ("Whether it succeeded, or a guard blocked it, is not known.");
}

const char *
fh_attempt_doubt (const FhAttemptFacts *facts)
{
  if (facts->verdict != FH_VERDICT_OBSERVED)
    return NULL;
  if (facts->is_uncertain)
    return uncertainty_of (facts);
  if (facts->is_missing)
    return _ ("There is nothing of that name on this computer, so nothing was kept from it.");
  if (facts->is_reported)
    return _ ("Whether it succeeded is not known.");
  return facts->error != 0 ? _ ("No guard blocked it, but it failed.") : NULL;
}
