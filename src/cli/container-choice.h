/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "container-options.h"
#include "guard-options.h"

G_BEGIN_DECLS

/* What the command line says about containers: the options as they were typed, and the choice that
 * they make. */
typedef struct
{
  char *container; /* "": the default image */
  gboolean no_container;
  char *engine;
  char *keep;
  char *name;
  char *after;
  char *work_dir;
  char *bind_dir;
  char *files;
  char *network;
  char *cpus;
  char *gpus;
  GStrv volumes;
  GStrv hosts;
  GStrv environment;
  gboolean is_writable;
  gboolean is_root;
  gboolean no_pull;

  FhContainerOptions *options; /* NULL: on this computer */
} FhContainerChoice;

/* `choice` must be all zero, and outlive the parsing. */
void fh_container_choice_add (FhContainerChoice *choice, GOptionContext *context);

/* The word after --container may be its image or already the file. Before the parsing it is marked;
 * afterwards it is taken off the words that are left, when as many as are needed are left beside
 * it. */
void fh_container_choice_mark_words (char **words);
void fh_container_choice_take_word (FhContainerChoice *choice, char **left, guint n_needed);

/* Fills in `options` after the parsing; FALSE with a sentence when it makes no sense. */
gboolean fh_container_choice_finish (FhContainerChoice *choice,
                                     const FhGuardOptions *guards,
                                     GError **error);

/* The engine of that name; FALSE with a sentence that names those there are. */
gboolean fh_container_choice_parse_engine (const char *text, FhEngineKind *kind, GError **error);

void fh_container_choice_clear (FhContainerChoice *choice);
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (FhContainerChoice, fh_container_choice_clear)

G_END_DECLS
