/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "run-options.h"

#include "run-options-private.h"
#include "word-list.h"

static gpointer
member (const FhRunOption *option, const FhRunOptions *options)
{
  return (guint8 *) options + option->offset;
}

char **
fh_run_option_text (const FhRunOption *option, const FhRunOptions *options)
{
  return member (option, options);
}

GStrv *
fh_run_option_list_of (const FhRunOption *option, const FhRunOptions *options)
{
  return member (option, options);
}

gboolean
fh_run_option_is_limit (const FhRunOption *option)
{
  return option->kind == FH_OPTION_TIME || option->kind == FH_OPTION_SIZE ||
         option->kind == FH_OPTION_COUNT || option->kind == FH_OPTION_CPUS;
}

gboolean
fh_run_option_is_text (const FhRunOption *option)
{
  return option->kind == FH_OPTION_TEXT || option->kind == FH_OPTION_PATH;
}

gboolean
fh_run_option_is_list (const FhRunOption *option)
{
  return option->kind == FH_OPTION_WORDS || option->kind == FH_OPTION_LINES;
}

guint64
fh_run_option_get_number (const FhRunOption *option, const FhRunOptions *options)
{
  g_return_val_if_fail (!fh_run_option_is_text (option) && !fh_run_option_is_list (option), 0);

  if (option->size == sizeof (guint64))
    return *(guint64 *) member (option, options);
  return *(guint *) member (option, options);
}

void
fh_run_option_set_number (const FhRunOption *option, FhRunOptions *options, guint64 value)
{
  g_return_if_fail (!fh_run_option_is_text (option) && !fh_run_option_is_list (option));

  if (option->size == sizeof (guint64))
    *(guint64 *) member (option, options) = value;
  else
    *(guint *) member (option, options) = (guint) value;
}

static void
clear (const FhRunOption *option, FhRunOptions *options)
{
  if (fh_run_option_is_text (option))
    g_clear_pointer (fh_run_option_text (option, options), g_free);
  else if (fh_run_option_is_list (option))
    g_clear_pointer (fh_run_option_list_of (option, options), g_strfreev);
}

void
fh_run_option_copy (const FhRunOption *option, FhRunOptions *to, const FhRunOptions *from)
{
  if (to == from)
    return;
  clear (option, to);
  if (fh_run_option_is_text (option))
    *fh_run_option_text (option, to) = g_strdup (*fh_run_option_text (option, from));
  else if (fh_run_option_is_list (option))
    *fh_run_option_list_of (option, to) = g_strdupv (*fh_run_option_list_of (option, from));
  else
    fh_run_option_set_number (option, to, fh_run_option_get_number (option, from));
}

static gboolean
equal_lists (const FhRunOption *option, GStrv a, GStrv b)
{
  static char *none[] = { NULL };

  if (option->flags & FH_OPTION_NULLABLE && (a == NULL) != (b == NULL))
    return FALSE;
  return g_strv_equal ((const char *const *) (a != NULL ? a : none),
                       (const char *const *) (b != NULL ? b : none));
}

gboolean
fh_run_option_equal (const FhRunOption *option, const FhRunOptions *a, const FhRunOptions *b)
{
  if (fh_run_option_is_text (option))
    return g_strcmp0 (*fh_run_option_text (option, a), *fh_run_option_text (option, b)) == 0;
  if (fh_run_option_is_list (option))
    return equal_lists (option,
                        *fh_run_option_list_of (option, a),
                        *fh_run_option_list_of (option, b));
  return fh_run_option_get_number (option, a) == fh_run_option_get_number (option, b);
}

static const FhRunOptions defaults = {
  .limits = FH_RUN_LIMITS_DEFAULT,
  .guards = FH_RUN_GUARDS_DEFAULT,
};

gboolean
fh_run_option_is_default (const FhRunOption *option, const FhRunOptions *options)
{
  return fh_run_option_equal (option, options, &defaults);
}

FhRunOptions *
fh_run_options_new (void)
{
  FhRunOptions *options = g_new0 (FhRunOptions, 1);

  *options = defaults;
  return options;
}

FhRunOptions *
fh_run_options_copy (const FhRunOptions *options)
{
  FhRunOptions *copy = fh_run_options_new ();

  g_return_val_if_fail (options != NULL, copy);

  for (const FhRunOption *option = fh_run_option_list (NULL); option->key != NULL; option++)
    fh_run_option_copy (option, copy, options);
  return copy;
}

gboolean
fh_run_options_equal (const FhRunOptions *a, const FhRunOptions *b)
{
  g_return_val_if_fail (a != NULL && b != NULL, FALSE);

  for (const FhRunOption *option = fh_run_option_list (NULL); option->key != NULL; option++)
    {
      if (!fh_run_option_equal (option, a, b))
        return FALSE;
    }
  return TRUE;
}

void
fh_run_options_reset (FhRunOptions *options)
{
  g_return_if_fail (options != NULL);

  for (const FhRunOption *option = fh_run_option_list (NULL); option->key != NULL; option++)
    clear (option, options);
  *options = defaults;
}

void
fh_run_options_free (FhRunOptions *options)
{
  if (options == NULL)
    return;
  fh_run_options_reset (options);
  g_free (options);
}

const char *
fh_run_options_get_project (const FhRunOptions *options)
{
  g_return_val_if_fail (options != NULL, NULL);

  return options->in_container ? NULL : options->project;
}

const char *
fh_run_options_get_work_dir (const FhRunOptions *options)
{
  g_return_val_if_fail (options != NULL, NULL);

  return options->in_container ? options->container.work_dir : options->work_dir;
}

void
fh_run_options_take_work_dir (FhRunOptions *options)
{
  g_return_if_fail (options != NULL);

  g_free ((char *) options->container.work_dir);
  options->container.work_dir = g_steal_pointer (&options->work_dir);
}

/* Limits and container options are parts of the options and are compared and copied by the same
 * rows. */

gboolean
fh_run_limits_equal (const FhRunLimits *a, const FhRunLimits *b)
{
  g_return_val_if_fail (a != NULL && b != NULL, FALSE);

  return fh_run_options_equal (&(FhRunOptions){ .limits = *a }, &(FhRunOptions){ .limits = *b });
}

FhContainerOptions *
fh_container_options_copy (const FhContainerOptions *options)
{
  g_autoptr (FhRunOptions) copy = NULL;
  FhContainerOptions *container;

  if (options == NULL)
    return NULL;
  copy = fh_run_options_copy (&(FhRunOptions){ .container = *options });
  container = g_memdup2 (&copy->container, sizeof copy->container);
  copy->container = (FhContainerOptions){ 0 };
  return container;
}

void
fh_container_options_free (FhContainerOptions *options)
{
  FhRunOptions all = { 0 };

  if (options == NULL)
    return;
  all.container = *options;
  fh_run_options_reset (&all);
  g_free (options);
}

const char *const fh_engine_kind_words[] = { "auto", "docker", "podman", NULL };
const char *const fh_container_after_words[] = { "remove", "stop", "leave", NULL };
const char *const fh_container_files_words[] = { "auto", "bind", "copy", NULL };

const char *
fh_container_options_image (const FhContainerOptions *options)
{
  g_return_val_if_fail (options != NULL, NULL);

  return options->image != NULL ? options->image : FH_CONTAINER_DEFAULT_IMAGE;
}

FH_DEFINE_WORDS (FhEngineKind, fh_engine_kind, fh_engine_kind_words)
