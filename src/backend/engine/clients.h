/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "engine.h"

/* The most that a client may write to either stream; more ends it with FH_ENGINE_ERROR_FAILED. */
#define FH_ENGINE_CALL_MAX_BYTES ((gsize) 4 << 20)

/* Calls that the daemon answers from memory may take so long, in ms. */
#define FH_ENGINE_CALL_TIMEOUT_MS 20000

/* A line of what a client writes: any bytes without control characters, never empty, at most 4 KiB.
 * Called in the thread that waits for the client. */
typedef void (*FhClientLineFunc) (const char *line, gsize size, gpointer user_data);

/* One run of an engine's client. The caller fills in the first part and may leave everything but
 * the program and its arguments zero. */
typedef struct
{
  FhEngineKind kind;
  const char *program;            /* absolute path */
  const char *const *arguments;   /* NULL-terminated, without the program */
  const char *const *environment; /* NULL: fh_engine_environment () */
  GBytes *input;                  /* standard input, borrowed; NULL: empty */
  guint grace_ms;                 /* from SIGTERM to SIGKILL; 0: 1 s */
  guint stall_ms;                 /* a longer silence at a terminal ends it; 0: any may last */
  gboolean is_tied;               /* the kernel ends it with this process */
  gboolean is_drawing;            /* both streams are a terminal, so that it shows its progress */
  FhClientLineFunc line;          /* gets both streams, of which nothing is kept; nullable */
  gpointer line_data;

  /* fh_clients_run fills these in. */
  GByteArray *texts[2]; /* standard output, standard error */
  GError *error;        /* NULL: it has exited with status 0 */
  gboolean is_over;     /* what it has said is complete */

  /* Private. */
  struct
  {
    GPid pid; /* 0: not started, or reaped */
    int pidfd;
    int streams[2];
    int status;
    int why;
    gint64 kill_at; /* ms; G_MAXINT64: never */
    gint64 drain_at;
    gint64 stall_at;
    gboolean is_terminal;
    int escape;
    GString *line;
  } run;
} FhClient;

/* Whether the answers suffice, so that the other clients are ended. Asked when one has ended. */
typedef gboolean (*FhClientsEnoughFunc) (FhClient *clients, gpointer user_data);

/* Runs clients side by side, each in a session of its own with LC_ALL=C, and blocks until all have
 * ended and are reaped. They are ended after `timeout_ms` (0: never), or when cancelled. An error
 * of a client is G_IO_ERROR_CANCELLED, also when it was not needed any more; TIMED_OUT;
 * NOT_INSTALLED when it cannot be run; and NOT_RUNNING, NOT_ALLOWED, NO_IMAGE, NO_CONTAINER or
 * NAME_TAKEN as far as its message says so; else FAILED. */
void fh_clients_run (FhClient *clients,
                     guint n,
                     guint timeout_ms,
                     GCancellable *cancellable,
                     FhClientsEnoughFunc enough,
                     gpointer user_data);

/* The standard output as valid UTF-8, or NULL with the error. (transfer full) */
char *fh_client_take_answer (FhClient *client, GError **error);

/* Frees what fh_clients_run has filled in. */
void fh_client_clear (FhClient *client);
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (FhClient, fh_client_clear)

/* A client of this engine. Its arguments are borrowed. */
FhClient fh_engine_client (FhEngine *engine, const char *const *arguments);

/* The answer of a client of this engine, like fh_client_take_answer. Where the engine cannot be
 * used, the choice of it is forgotten, and the error has advice. */
char *fh_engine_take_answer (FhEngine *engine, FhClient *client, GError **error);

/* Runs one client of this engine and takes its answer. Blocks. */
char *fh_engine_call (FhEngine *engine,
                      const char *const *arguments,
                      guint timeout_ms,
                      GCancellable *cancellable,
                      GError **error);

/* Sleeps before another try. FALSE with the error when cancelled, also before. */
gboolean fh_engine_pause (guint ms, GCancellable *cancellable, GError **error);

/* An operation in a thread is about this. */
typedef struct
{
  FhEngine *engine; /* nullable */
  const char *name; /* nullable */
  guint number;
  gpointer data;            /* borrowed from whom the callback wakes, if it is not freed */
  GDestroyNotify destroy;   /* of what is returned; NULL: it is only told whether it succeeded */
  GDestroyNotify free_data; /* nullable */
} FhEngineOrder;

/* Called in a thread, and blocks. */
typedef gpointer (*FhEngineFunc) (const FhEngineOrder *order,
                                  GCancellable *cancellable,
                                  GError **error);

/* Calls `func` with a copy of the order, which is the task's data, in a thread of its own: unlike
 * g_task_run_in_thread, which begins with ten threads for all. The task gets its error, or else
 * what it returns, or TRUE; that counts even if it was cancelled meanwhile. */
void fh_engine_start (const FhEngineOrder *order,
                      FhEngineFunc func,
                      GCancellable *cancellable,
                      GAsyncReadyCallback callback,
                      gpointer user_data);
/* The same for a given task, which has no data of its own. */
void fh_engine_start_task (GTask *task, const FhEngineOrder *order, FhEngineFunc func);

/* A thread whose clients get the environment of now. */
GThread *fh_engine_thread_new (GThreadFunc func, gpointer data, GError **error);

/* The standard error of a failed client as an error with a code. */
GError *fh_engine_error_from_text (FhEngineKind kind, const char *text);

/* Any bytes of a client as text without its prefixes, usage hints and terminal controls. (transfer
 * full) */
char *fh_engine_words (const void *bytes, gsize size);

/* The client's environment: the user's with LC_ALL=C, and without Docker's hints. (transfer
 * full) */
GStrv fh_engine_environment (void);
