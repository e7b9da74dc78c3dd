/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <json-glib/json-glib.h>

#include "container-options.h"
#include "run-guards.h"
#include "run-limits.h"

/* All options of a run, besides source, language, arguments and input. Owns its strings. */
typedef struct
{
  FhRunLimits limits;
  FhRunGuards guards;
  gboolean in_container;
  FhContainerOptions container; /* ignored unless `in_container`, but kept for switching back */
  char *interpreter;            /* NULL: the language's default; in a container also a name */
  char *work_dir;               /* on this computer: copied to the workspace and back; or NULL */
  char *project;                /* on this computer: copied to the workspace only; or NULL */
  char *cwd;                    /* inside: where it starts; NULL: the workspace */
  gboolean notebook;            /* lines that only notebooks know are run as what they mean there */
  gboolean no_history;          /* keep no record of the run */
  guint64 show_bytes;           /* of each stream that is handed on; 0: all that was kept */
} FhRunOptions;

typedef enum
{
  FH_OPTION_TIME,   /* milliseconds; 0: no limit */
  FH_OPTION_SIZE,   /* bytes; 0: no limit */
  FH_OPTION_COUNT,  /* 0: no limit */
  FH_OPTION_CPUS,   /* thousandths of a processor; 0: all of them */
  FH_OPTION_SWITCH, /* gboolean */
  FH_OPTION_WORD,   /* an enum, the index into `words` */
  FH_OPTION_TEXT,   /* char *, NULL when empty */
  FH_OPTION_PATH,   /* the same, in the encoding of file names */
  FH_OPTION_WORDS,  /* GStrv: words between commas or spaces */
  FH_OPTION_LINES,  /* GStrv: one entry per line, or per use of the flag */
  FH_OPTION_GUARDS, /* a set of guards: 1 << FhGuard */
} FhOptionKind;

typedef enum
{
  FH_OPTION_ANYWHERE,
  FH_OPTION_HERE, /* has no meaning in a container */
  FH_OPTION_IN_CONTAINER,
} FhOptionPlace;

typedef enum
{
  FH_OPTION_PYTHON = 1 << 0,         /* for programs in Python only */
  FH_OPTION_NOT_IN_DRAFTS = 1 << 1,  /* chosen for one run */
  FH_OPTION_NOT_IN_HISTORY = 1 << 2, /* does not belong to the run itself */
  FH_OPTION_IN_FORMAT_1 = 1 << 3,    /* in every entry of the history; a new option never is */
  FH_OPTION_NULLABLE = 1 << 4,       /* WORDS: NULL means all, an empty list means none */
  FH_OPTION_LIMITED = 1 << 5,        /* COUNT: cannot be "none"; 0 is the maximum */
  FH_OPTION_IN_BYTES = 1 << 6,       /* SIZE: a number without a unit is bytes, not MiB */
} FhOptionFlags;

typedef struct _FhRunOption FhRunOption;

/* One option: a row of a static table. Everything that a window, a command line, a draft or the
 * history does with an option derives from its row. */
struct _FhRunOption
{
  const char *key;  /* unique; "limits.wall_ms" is the member "wall_ms" of the object "limits" */
  const char *flag; /* of the command line, without dashes; NULL: none */
  char short_flag;  /* 0: none */
  FhOptionKind kind;
  gsize offset; /* of the member in FhRunOptions */
  gsize size;   /* of the member */

  /* Numbers: the range besides 0. WORD: `maximum` is the last word that a user may choose; those
   * behind it follow from other options. SWITCH: the values of off and on. */
  guint64 minimum;
  guint64 maximum;
  const char *const *words; /* WORD: NULL-terminated */
  const char *const *names; /* WORD: the same for people, marked with N_ */

  FhOptionPlace place;
  guint guards; /* 1 << FhGuard; without them the option has no effect */
  guint flags;  /* FhOptionFlags */

  const char *title;    /* N_(): the label of its row in the window; NULL: not shown there */
  const char *argument; /* N_(): "TIME" in --help; NULL: the flag takes none */
  const char *help;     /* N_(): one line of --help and of the manual */

  const char *without; /* SWITCH: the word of --without that turns it on; NULL: none */

  /* SWITCH with an argument, as in "--keep NAME": the key of the option that the argument sets. */
  const char *argument_key;

  /* TEXT, PATH, LINES, WORDS: refuses values beyond their kind. NULL: all are good, and of PATH
   * those that pass fh_container_host_path_check. */
  gboolean (*check) (const FhRunOptions *options, GError **error);
  /* WORDS: converts the words that were typed; NULL: unchanged. (transfer full) (nullable) */
  GStrv (*read) (const char *const *words);
};

/* All options, in the order in which they are shown; a row without a key follows. `n`: nullable. */
const FhRunOption *fh_run_option_list (guint *n);
const FhRunOption *fh_run_option_find (const char *key); /* nullable */

/* Sets the option from what a user typed. FALSE with FH_RUN_ERROR_INVALID, a sentence; `options` is
 * unchanged then. TIME: "1.5", "500ms", "2m", "1h"; SIZE: a number of MiB or of bytes, or "512k",
 * "1.5 GiB"; CPUS: "1.5"; these and COUNT: "none". SWITCH: "yes", "no". An empty text is no number;
 * it is NULL for a text and an empty list for a list. Imports also: "all", "none", "default". */
gboolean fh_run_option_parse (const FhRunOption *option,
                              FhRunOptions *options,
                              const char *text,
                              GError **error);

/* The same for LINES and WORDS that come as a list, such as from a repeated flag. A line may hold
 * line breaks here. */
gboolean fh_run_option_parse_list (const FhRunOption *option,
                                   FhRunOptions *options,
                                   const char *const *list,
                                   GError **error);

/* A text that fh_run_option_parse reads back as the same value: "1.5 s", "512 MiB", "none".
 * (transfer full) */
char *fh_run_option_format (const FhRunOption *option, const FhRunOptions *options);

/* The value for people: translated, valid UTF-8, such as "1 min 30 s" or "no limit". (transfer
 * full) */
char *fh_run_option_describe (const FhRunOption *option, const FhRunOptions *options);

/* The value of TIME, SIZE, COUNT, CPUS, SWITCH, WORD and GUARDS as a number. Setting checks
 * nothing. */
guint64 fh_run_option_get_number (const FhRunOption *option, const FhRunOptions *options);
void fh_run_option_set_number (const FhRunOption *option, FhRunOptions *options, guint64 value);

gboolean
fh_run_option_equal (const FhRunOption *option, const FhRunOptions *a, const FhRunOptions *b);
void fh_run_option_copy (const FhRunOption *option, FhRunOptions *to, const FhRunOptions *from);
gboolean fh_run_option_is_default (const FhRunOption *option, const FhRunOptions *options);

/* The defaults: FH_RUN_LIMITS_DEFAULT, FH_RUN_GUARDS_DEFAULT, on this computer. */
FhRunOptions *fh_run_options_new (void);
FhRunOptions *fh_run_options_copy (const FhRunOptions *options);
gboolean fh_run_options_equal (const FhRunOptions *a, const FhRunOptions *b);
void fh_run_options_free (FhRunOptions *options);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (FhRunOptions, fh_run_options_free)

/* Frees the strings and sets the defaults; for a value inside another one. */
void fh_run_options_reset (FhRunOptions *options);

/* The folder of the user's that the program works in, here or in a container; NULL: none. */
const char *fh_run_options_get_work_dir (const FhRunOptions *options);

/* The folder of the user's whose changes are kept apart; NULL: none. */
const char *fh_run_options_get_project (const FhRunOptions *options);

/* The work folder on this computer becomes that of the container. */
void fh_run_options_take_work_dir (FhRunOptions *options);

/* Checks each option, and all of them together. FALSE with FH_RUN_ERROR, a sentence. Container
 * options are checked only if `in_container`. */
gboolean fh_run_options_check (const FhRunOptions *options, GError **error);

/* The value of one option, as the history and drafts have it. (transfer full) */
JsonNode *fh_run_option_to_json (const FhRunOption *option, const FhRunOptions *options);
/* Reads it back strictly, if `options` has the option's default. What is read may not pass
 * fh_run_options_check. */
gboolean fh_run_option_from_json (const FhRunOption *option,
                                  FhRunOptions *options,
                                  JsonNode *value,
                                  GError **error);

/* The history: adds the members "limits", "guards", "container" (null: on this computer) and
 * "interpreter"; reads them back strictly. What is read may not pass fh_run_options_check. */
void fh_run_options_to_json (const FhRunOptions *options, JsonObject *object);
FhRunOptions *fh_run_options_from_json (JsonObject *object, GError **error);

/* Drafts: the same members without those for one run only, and with "in_container" and
 * "no_history". Missing or unusable members become the default. */
void fh_run_options_to_draft (const FhRunOptions *options, JsonObject *object);
FhRunOptions *fh_run_options_from_draft (JsonObject *object);

/* Translated, one line of valid UTF-8: what differs from the defaults, such as "Container:
 * python:3-slim, network bridge; CPU Time: 10 s". Values of variables are left out. (transfer full)
 */
char *fh_run_options_describe (const FhRunOptions *options);

/* The same for a person who is asked whether code may run: with the limits of time and memory even
 * if they are the usual ones. (transfer full) */
char *fh_run_options_summarize (const FhRunOptions *options);
