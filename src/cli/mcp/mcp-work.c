/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "mcp-work.h"

#include <inttypes.h>

enum
{
  SIGNAL_DONE,
  N_SIGNALS
};

static guint signals[N_SIGNALS];

typedef struct
{
  char *code;     /* nullable */
  char *language; /* nullable */
  char *summary;  /* nullable */
  char *key;      /* nullable */
  guint64 n_lines;
  guint64 n_bytes;
} FhMcpWorkPrivate;

G_DEFINE_ABSTRACT_TYPE_WITH_PRIVATE (FhMcpWork, fh_mcp_work, G_TYPE_OBJECT)

static FhMcpWorkPrivate *
get_private (FhMcpWork *self)
{
  return fh_mcp_work_get_instance_private (self);
}

static void
fh_mcp_work_finalize (GObject *object)
{
  FhMcpWorkPrivate *private = get_private (FH_MCP_WORK (object));

  g_free (private->code);
  g_free (private->language);
  g_free (private->summary);
  g_free (private->key);

  G_OBJECT_CLASS (fh_mcp_work_parent_class)->finalize (object);
}

static void
fh_mcp_work_class_init (FhMcpWorkClass *klass)
{
  G_OBJECT_CLASS (klass)->finalize = fh_mcp_work_finalize;

  signals[SIGNAL_DONE] = g_signal_new ("done",
                                       FH_TYPE_MCP_WORK,
                                       G_SIGNAL_RUN_LAST,
                                       0,
                                       NULL,
                                       NULL,
                                       NULL,
                                       G_TYPE_NONE,
                                       1,
                                       JSON_TYPE_OBJECT);
}

static void
fh_mcp_work_init (FhMcpWork *self)
{
}

void
fh_mcp_work_set_code (FhMcpWork *self,
                      const char *code,
                      const char *language,
                      const FhRunOptions *options)
{
  FhMcpWorkPrivate *private = get_private (self);

  private->code = g_strdup (code);
  private->language = g_strdup (language);
  private->summary = fh_run_options_summarize (options);
}

void
fh_mcp_work_set_key (FhMcpWork *self, const char *key)
{
  FhMcpWorkPrivate *private = get_private (self);

  g_free (private->key);
  private->key = g_strdup (key);
}

static void
output_cb (FhRun *run, const FhOutputPiece *piece, FhMcpWork *self)
{
  FhMcpWorkPrivate *work = get_private (self);
  const char *at = (const char *) piece->data;

  work->n_bytes += piece->size;
  for (gsize i = 0; i < piece->size; i++)
    work->n_lines += at[i] == '\n';
}

void
fh_mcp_work_watch (FhMcpWork *self, FhRun *run)
{
  g_signal_connect_object (run, "output", G_CALLBACK (output_cb), self, 0);
}

void
fh_mcp_work_finish (FhMcpWork *self, JsonObject *result)
{
  g_autoptr (JsonObject) owned = result;
  G_GNUC_UNUSED g_autoptr (FhMcpWork) alive = g_object_ref (self);

  g_signal_emit (self, signals[SIGNAL_DONE], 0, owned);
}

const char *
fh_mcp_work_get_code (FhMcpWork *self)
{
  return get_private (self)->code;
}

const char *
fh_mcp_work_get_language (FhMcpWork *self)
{
  return get_private (self)->language;
}

const char *
fh_mcp_work_get_summary (FhMcpWork *self)
{
  return get_private (self)->summary;
}

const char *
fh_mcp_work_get_key (FhMcpWork *self)
{
  return get_private (self)->key;
}

void
fh_mcp_work_start (FhMcpWork *self)
{
  FH_MCP_WORK_GET_CLASS (self)->start (self);
}

void
fh_mcp_work_stop (FhMcpWork *self, gboolean by_force)
{
  FH_MCP_WORK_GET_CLASS (self)->stop (self, by_force);
}

char *
fh_mcp_work_dup_progress (FhMcpWork *self)
{
  FhMcpWorkClass *klass = FH_MCP_WORK_GET_CLASS (self);
  FhMcpWorkPrivate *private = get_private (self);
  char *text = klass->dup_progress != NULL ? klass->dup_progress (self) : NULL;

  if (text != NULL)
    return text;
  return g_strdup_printf ("Output so far, lines: %" PRIu64 ", bytes: %" PRIu64,
                          private->n_lines,
                          private->n_bytes);
}
