/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "engine.h"

#include <glib/gi18n-lib.h>

#include "engine-advice.h"

G_DEFINE_QUARK (fh_engine_error_quark, fh_engine_error)

/* Owns the strings of its facts. */
struct _FhEngine
{
  GObject parent_instance;

  FhEngineFacts facts;
};

G_DEFINE_FINAL_TYPE (FhEngine, fh_engine, G_TYPE_OBJECT)

static void
fh_engine_finalize (GObject *object)
{
  FhEngine *self = FH_ENGINE (object);

  g_free ((char *) self->facts.program);
  g_free ((char *) self->facts.version);
  g_free ((char *) self->facts.architecture);
  g_free ((char *) self->facts.storage);
  g_free ((char *) self->facts.endpoint);

  G_OBJECT_CLASS (fh_engine_parent_class)->finalize (object);
}

static void
fh_engine_class_init (FhEngineClass *klass)
{
  G_OBJECT_CLASS (klass)->finalize = fh_engine_finalize;
}

static void
fh_engine_init (FhEngine *self)
{
}

/* Facts have no NULL strings. */
static char *
copy_text (const char *text)
{
  return g_strdup (text != NULL ? text : "");
}

FhEngine *
fh_engine_new (const FhEngineFacts *facts)
{
  FhEngine *self;

  g_return_val_if_fail (facts != NULL, NULL);
  g_return_val_if_fail (facts->kind == FH_ENGINE_DOCKER || facts->kind == FH_ENGINE_PODMAN, NULL);
  g_return_val_if_fail (facts->program != NULL, NULL);

  self = g_object_new (FH_TYPE_ENGINE, NULL);
  self->facts = *facts;
  self->facts.program = copy_text (facts->program);
  self->facts.version = copy_text (facts->version);
  self->facts.architecture = copy_text (facts->architecture);
  self->facts.storage = copy_text (facts->storage);
  self->facts.endpoint = copy_text (facts->endpoint);
  return self;
}

const FhEngineFacts *
fh_engine_get_facts (FhEngine *self)
{
  g_return_val_if_fail (FH_IS_ENGINE (self), NULL);

  return &self->facts;
}

char *
fh_engine_describe (FhEngine *self)
{
  const char *name;
  const char *version;

  g_return_val_if_fail (FH_IS_ENGINE (self), NULL);

  name = fh_engine_kind_name (self->facts.kind);
  version = self->facts.version;
  if (self->facts.is_rootless && self->facts.is_remote)
    {
      /* Translators: a container engine and its version, such as "Docker 20.10.24" */
      return g_strdup_printf (_ ("%s %s, rootless, on another machine"), name, version);
    }
  if (self->facts.is_remote)
    {
      /* Translators: a container engine and its version, such as "Docker 20.10.24" */
      return g_strdup_printf (_ ("%s %s, on another machine"), name, version);
    }
  if (self->facts.is_rootless)
    {
      /* Translators: a container engine and its version, such as "Docker 20.10.24" */
      return g_strdup_printf (_ ("%s %s, rootless"), name, version);
    }
  return g_strdup_printf ("%s %s", name, version);
}

char *
fh_engine_program (FhEngineKind kind)
{
  gboolean is_podman = kind == FH_ENGINE_PODMAN;
  const char *named = g_getenv (is_podman ? "FH_PODMAN" : "FH_DOCKER");

  if (named != NULL && *named != '\0')
    return g_file_test (named, G_FILE_TEST_IS_EXECUTABLE) ? g_canonicalize_filename (named, NULL)
                                                          : NULL;
  return g_find_program_in_path (is_podman ? "podman" : "docker");
}
