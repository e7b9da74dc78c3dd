/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "approval-prompt.h"

#include <errno.h>
#include <fcntl.h>
#include <glib/gi18n-lib.h>
#include <poll.h>
#include <string.h>
#include <termios.h>
#include <unistd.h>

#include "code-look.h"
#include "message.h"
#include "probes.h"
#include "run-error.h"
#include "stop-signals.h"
#include "sync-wait.h"
#include "terminal-filter.h"
#include "terminal-text.h"

/* At most so many lines of the code and findings are shown. */
#define MAX_LINES    500
#define MAX_FINDINGS 50
#define MAX_BYTES    ((gsize) 64 << 10)

/* More is not read as an answer. */
#define MAX_LINE 4096

/* Lines that are no answer, before it counts as a refusal. */
#define MAX_TRIES 10

struct _FhApprovalPrompt
{
  int terminal;
  const FhRunOptions *options;
  GPtrArray *blocks;
  GPtrArray *looks; /* FhCodeLook; nullable: `problem` says why there are none */
  char *problem;
  FhProbes *probes;
  FhProtection *protection;
  gboolean has_explained; /* why guards are weaker */
};

typedef enum
{
  LINE_READ,
  LINE_ENDED, /* the terminal was closed, or Ctrl+D pressed */
  LINE_STOPPED,
} LineState;

static void
look (FhApprovalPrompt *prompt)
{
  g_autoptr (FhSyncWait) wait = fh_sync_wait_new ();
  g_autoptr (GError) error = NULL;

  fh_code_look_async (prompt->blocks, prompt->options, NULL, fh_sync_wait_cb, wait);
  prompt->looks = fh_code_look_finish (fh_sync_wait_get (wait), &error);
  if (prompt->looks == NULL)
    prompt->problem = g_strdup (error->message);
}

FhApprovalPrompt *
fh_approval_prompt_new (const FhRunOptions *options, GPtrArray *blocks, GError **error)
{
  FhApprovalPrompt *prompt;
  int terminal = open ("/dev/tty", O_RDWR | O_CLOEXEC | O_NOCTTY);

  g_return_val_if_fail (options != NULL, NULL);

  if (terminal < 0)
    {
      fh_run_error_refuse (error,
                           "%s",
                           _ ("You cannot be asked whether the code may run: there is no terminal. "
                              "Nothing was run."));
      return NULL;
    }
  prompt = g_new0 (FhApprovalPrompt, 1);
  prompt->terminal = terminal;
  prompt->options = options;
  prompt->blocks = g_ptr_array_ref (blocks);
  prompt->probes = fh_probes_new (NULL);
  prompt->protection = fh_probes_get (prompt->probes, options, TRUE);
  while (fh_protection_get_state (prompt->protection) == FH_PROTECTION_CHECKING)
    g_main_context_iteration (NULL, TRUE);
  look (prompt);
  return prompt;
}

void
fh_approval_prompt_free (FhApprovalPrompt *prompt)
{
  if (prompt == NULL)
    return;
  close (prompt->terminal);
  g_ptr_array_unref (prompt->blocks);
  g_clear_pointer (&prompt->looks, g_ptr_array_unref);
  g_free (prompt->problem);
  g_object_unref (prompt->protection);
  g_object_unref (prompt->probes);
  g_free (prompt);
}

/* Each line with its number, so that code cannot look like one of our lines. */
static void
append_code (GString *text, const char *code)
{
  const gsize size = strlen (code);
  g_autofree char *safe = fh_terminal_text (code, MIN (size, MAX_BYTES));
  g_auto (GStrv) lines = g_strsplit (safe, "\n", -1);
  guint n_lines = g_strv_length (lines);

  if (n_lines > 0 && *lines[n_lines - 1] == '\0')
    n_lines--;
  for (guint i = 0; i < MIN (n_lines, MAX_LINES); i++)
    g_string_append_printf (text, "%5u │ %s\n", i + 1, lines[i]);
  if (n_lines > MAX_LINES || size > MAX_BYTES)
    g_string_append_printf (text,
                            "%s %s\n",
                            FH_TERMINAL_SIGN,
                            _ ("The code is longer: the rest is not shown here. Read it before you "
                               "say yes."));
}

static void
append_line (GString *text, const char *line)
{
  g_autofree char *safe = fh_terminal_line (line);

  g_string_append_printf (text, "%s %s\n", FH_TERMINAL_SIGN, safe);
}

static void
append_look (FhApprovalPrompt *prompt, GString *text, guint index)
{
  g_autofree char *found = NULL;
  g_auto (GStrv) lines = NULL;
  guint i;

  if (prompt->looks != NULL)
    found = fh_code_look_dup_text (prompt->looks->pdata[index]);
  lines = g_strsplit (found != NULL ? found : prompt->problem, "\n", -1);
  for (i = 0; lines[i] != NULL && i < MAX_FINDINGS; i++)
    {
      if (*lines[i] != '\0')
        append_line (text, lines[i]);
    }
  if (lines[i] != NULL)
    append_line (text, "…");
}

static void
append_protection (FhApprovalPrompt *prompt, GString *text)
{
  const char *reason;
  g_autofree char *options = fh_run_options_summarize (prompt->options);

  if (prompt->options->guards.tier == FH_TIER_UNPROTECTED)
    append_line (text,
                 _ ("This runs without protection: the program can do all that you can do, such as "
                    "reading, changing and deleting your files."));
  else
    {
      reason = fh_protection_get_reason (prompt->protection);
      append_line (
          text,
          fh_protection_get_title_without (prompt->protection, prompt->options->guards.without));
      if (reason != NULL && !prompt->has_explained)
        append_line (text, reason);
      prompt->has_explained = TRUE;
    }
  append_line (text, options);
}

/* Returns FALSE when there is nothing to read: `state` says why. */
static gboolean
wait_for_key (FhApprovalPrompt *prompt, LineState *state)
{
  struct pollfd fds[] = {
    { .fd = prompt->terminal, .events = POLLIN },
    { .fd = fh_stop_signals_get_fd (), .events = POLLIN },
  };
  int n;

  do
    n = poll (fds, G_N_ELEMENTS (fds), -1);
  while (n < 0 && errno == EINTR);
  *state = LINE_ENDED;
  if (n > 0 && fds[1].revents != 0)
    *state = LINE_STOPPED;
  return n > 0 && fds[1].revents == 0;
}

static gboolean
print (FhApprovalPrompt *prompt, const char *text)
{
  return fh_print_bytes (prompt->terminal, text, strlen (text));
}

/* A line without its end: of too many characters it is as if the terminal was closed. */
static LineState
read_line (FhApprovalPrompt *prompt, char **line)
{
  g_autoptr (GString) text = g_string_new (NULL);
  LineState state = LINE_ENDED;
  char c;

  *line = NULL;
  while (text->len < MAX_LINE)
    {
      gssize n;

      if (!wait_for_key (prompt, &state))
        break;
      n = read (prompt->terminal, &c, 1);
      if (n < 0 && (errno == EINTR || errno == EAGAIN))
        continue;
      if (n <= 0)
        break;
      if (c == '\n' || c == '\r')
        {
          *line = g_strstrip (g_utf8_make_valid (text->str, (gssize) text->len));
          return LINE_READ;
        }
      g_string_append_c (text, c);
    }
  /* The next message is not for this line. */
  print (prompt, "\n");
  return state;
}

/* The keys are the same in all languages. */
static gboolean
is_answer (const char *line, const char *key, const char *word)
{
  return g_ascii_strcasecmp (line, key) == 0 || g_ascii_strcasecmp (line, word) == 0;
}

static FhApproval
ask_why (FhApprovalPrompt *prompt, char **reason)
{
  g_autofree char *question =
      g_strconcat (FH_TERMINAL_SIGN, " ", _ ("Why not? (Enter for no reason)"), " ", NULL);
  g_autofree char *line = NULL;
  LineState state = LINE_ENDED;

  if (print (prompt, question))
    state = read_line (prompt, &line);
  if (line != NULL && *line != '\0')
    *reason = g_steal_pointer (&line);
  return state == LINE_STOPPED ? FH_APPROVAL_STOPPED : FH_APPROVAL_REFUSED;
}

static FhApproval
await_answer (FhApprovalPrompt *prompt, const char *question, gboolean has_more, char **reason)
{
  for (guint i = 0; i < MAX_TRIES && print (prompt, question); i++)
    {
      g_autofree char *line = NULL;
      LineState state = read_line (prompt, &line);

      if (state == LINE_STOPPED)
        return FH_APPROVAL_STOPPED;
      if (state == LINE_ENDED)
        break;
      if (is_answer (line, "y", "yes"))
        return FH_APPROVAL_ONCE;
      if (has_more && is_answer (line, "a", "always"))
        return FH_APPROVAL_ALWAYS;
      if (is_answer (line, "n", "no"))
        return ask_why (prompt, reason);
    }
  return FH_APPROVAL_REFUSED;
}

FhApproval
fh_approval_prompt_ask (FhApprovalPrompt *prompt,
                        guint index,
                        const char *place,
                        gboolean has_more,
                        char **reason)
{
  g_autoptr (GString) text = g_string_new ("\n");
  const FhAnswerBlock *block;
  g_autofree char *question = NULL;
  g_autofree char *always = NULL;

  g_return_val_if_fail (prompt != NULL && index < prompt->blocks->len, FH_APPROVAL_REFUSED);
  g_return_val_if_fail (place != NULL && reason != NULL, FH_APPROVAL_REFUSED);

  *reason = NULL;
  block = prompt->blocks->pdata[index];
  append_line (text, place);
  append_code (text, block->code);
  append_look (prompt, text, index);
  append_protection (prompt, text);
  /* Translators: %s is the name of a language; keep the letter. */
  always = g_strdup_printf (_ ("a: all of it in %s, "), block->language->name);
  /* Translators: keep the letters. %s is the choice “a: …, ”, or nothing. */
  question = g_strdup_printf (_ ("May it run? y: this once, %sn: no"), has_more ? always : "");
  /* Input from before the code could be read is no answer to it, and is dropped. */
  if (!print (prompt, text->str) || tcflush (prompt->terminal, TCIFLUSH) != 0)
    return FH_APPROVAL_REFUSED;
  g_string_printf (text, "%s %s > ", FH_TERMINAL_SIGN, question);
  return await_answer (prompt, text->str, has_more, reason);
}
