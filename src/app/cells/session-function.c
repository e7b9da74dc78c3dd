/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "cells/session-function.h"

struct _FhSessionFunction
{
  GObject parent_instance;

  char *name;
  char *parameters;
  char *doc;
  char *command; /* nullable */
  GStrv argv;    /* nullable */
};

G_DEFINE_FINAL_TYPE (FhSessionFunction, fh_session_function, G_TYPE_OBJECT)

static void
fh_session_function_finalize (GObject *object)
{
  FhSessionFunction *self = FH_SESSION_FUNCTION (object);

  g_free (self->name);
  g_free (self->parameters);
  g_free (self->doc);
  g_free (self->command);
  g_strfreev (self->argv);
  G_OBJECT_CLASS (fh_session_function_parent_class)->finalize (object);
}

static void
fh_session_function_class_init (FhSessionFunctionClass *klass)
{
  G_OBJECT_CLASS (klass)->finalize = fh_session_function_finalize;
}

static void
fh_session_function_init (FhSessionFunction *self)
{
}

FhSessionFunction *
fh_session_function_new (const char *name,
                         const char *parameters,
                         const char *doc,
                         const char *command,
                         GError **error)
{
  g_autoptr (FhSessionFunction) self = g_object_new (FH_TYPE_SESSION_FUNCTION, NULL);

  g_return_val_if_fail (name != NULL && parameters != NULL && doc != NULL, NULL);

  self->name = g_strstrip (g_strdup (name));
  self->parameters = g_strstrip (g_strdup (parameters));
  self->doc = g_strdup (doc);
  if (command != NULL && *command != '\0')
    {
      self->command = g_strdup (command);
      if (!g_shell_parse_argv (command, NULL, &self->argv, error))
        return NULL;
    }
  return g_steal_pointer (&self);
}

const char *
fh_session_function_get_name (FhSessionFunction *self)
{
  g_return_val_if_fail (FH_IS_SESSION_FUNCTION (self), NULL);

  return self->name;
}

const char *
fh_session_function_get_parameters (FhSessionFunction *self)
{
  g_return_val_if_fail (FH_IS_SESSION_FUNCTION (self), NULL);

  return self->parameters;
}

const char *
fh_session_function_get_doc (FhSessionFunction *self)
{
  g_return_val_if_fail (FH_IS_SESSION_FUNCTION (self), NULL);

  return self->doc;
}

const char *
fh_session_function_get_command (FhSessionFunction *self)
{
  g_return_val_if_fail (FH_IS_SESSION_FUNCTION (self), NULL);

  return self->command;
}

const char *const *
fh_session_function_get_argv (FhSessionFunction *self)
{
  g_return_val_if_fail (FH_IS_SESSION_FUNCTION (self), NULL);

  return (const char *const *) self->argv;
}
