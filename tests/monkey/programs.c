/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "programs.h"

#include <string.h>

#include "run-driver.h"

#define LONG_LINE 200000

static const char *const texts[] = {
  "",
  "\n",
  "print(1)\n",
  "# %%\nx = 1\n\n# %%\nprint(x)\n",
  "import socket\nsocket.create_connection(('example.com', 80))\n",
  "Install it:\n\n```bash\npip install nothing\n```\n\nand run "
  "it:\n\n```python\nprint('hello')\n```\n",
  "```\n```\n```python\n",
  "\033[31mred\033[0m \033[1;4;7mloud\033[0m \033]8;;https://example.com\033\\link\033]8;;\033\\\n",
  "\033[2J\033[H\033[999C\033]52;c;bm8=\007\033]0;title\007\033[?1049h",
  "progress 1%\rprogress 50%\rprogress 100%\n",
  "\xe2\x80\xae"
  "drawrof \xe2\x81\xa6 isolated \xe2\x81\xa9\n",
  "\xff\xfe\xc3\x28 invalid \xed\xa0\x80\n",
  "Traceback (most recent call last):\n  File \"main.py\", line 1, in <module>\nZeroDivisionError: "
  "division by zero\n",
  "main.c:1:2: error: expected ‘;’ before ‘}’ token\n",
  "  File \"main.py\", line 99999999999, in <module>\n",
  "\xd7\xa9\xd7\x9c\xd7\x95\xd7\x9d \xd8\xb3\xd9\x84\xd8\xa7\xd9\x85 e\xcc\x81\xcc\x81\xcc\x81 "
  "\xf0\x9f\x91\xa9\xe2\x80\x8d\xf0\x9f\x92\xbb\n",
  "<b>&amp;<span>%s%n</span>\n",
  "$ python3 main.py\n>>> 1 + 1\n2\n",
  "\t\v\f\b\b\b\a\n",
  "{\"value\": [[[[[[[[1]]]]]]]]}",
};

Programs *
programs_new (FakeBackend *backend, GRand *rand)
{
  Programs *self = g_new0 (Programs, 1);

  self->backend = g_object_ref (backend);
  self->rand = rand;
  self->runs = g_ptr_array_new_with_free_func (g_object_unref);
  return self;
}

void
programs_free (Programs *self)
{
  g_object_unref (self->backend);
  g_ptr_array_unref (self->runs);
  g_free (self);
}

const char *
programs_pick_text (GRand *rand)
{
  return texts[g_rand_int_range (rand, 0, G_N_ELEMENTS (texts))];
}

/* Of the output only: an editor of GTK's needs a second for each frame of it. */
static const char *
pick_output (GRand *rand)
{
  static char line[LONG_LINE + 1];

  if (g_rand_int_range (rand, 0, 40) != 0)
    return programs_pick_text (rand);
  memset (line, 'm', LONG_LINE);
  return line;
}

static void
write_something (Programs *self, FhRun *run)
{
  const FhStream stream = g_rand_boolean (self->rand) ? FH_STREAM_STDOUT : FH_STREAM_STDERR;
  const int times = g_rand_int_range (self->rand, 0, 12) == 0 ? 200 : 1;
  const char *text = pick_output (self->rand);
  gsize size = strlen (text);

  /* Sometimes a piece ends in the middle of a letter or of an escape sequence. */
  if (size > 1 && g_rand_int_range (self->rand, 0, 4) == 0)
    size = (gsize) g_rand_int_range (self->rand, 1, (int) size);
  for (int i = 0; i < (size < LONG_LINE ? times : 1); i++)
    fh_run_add_output (run, stream, 0, text, size);
}

static void
try_something (Programs *self, FhRun *run)
{
  static const char *const operations[] = { "open", "connect",  "execute", "ptrace",
                                            "kill", "nonsense", "" };
  static const char *const objects[] = { "/home/me/.ssh/id_rsa",
                                         "192.0.2.1:80",
                                         "\xe2\x80\xae/etc",
                                         "",
                                         "a\nb\tc" };
  const FhAttemptFacts facts = {
    .guard = (FhGuard) g_rand_int_range (self->rand, 0, FH_N_GUARDS),
    .verdict = (FhVerdict) g_rand_int_range (self->rand, 0, FH_VERDICT_OBSERVED + 1),
    .exists_outside = g_rand_boolean (self->rand),
    .error = g_rand_int_range (self->rand, 0, 140),
    .line = (guint) g_rand_int_range (self->rand, 0, 9),
    .count = (guint) g_rand_int_range (self->rand, 1, 3),
    .layer = "seccomp",
    .operation = operations[g_rand_int_range (self->rand, 0, G_N_ELEMENTS (operations))],
    .object = objects[g_rand_int_range (self->rand, 0, G_N_ELEMENTS (objects))],
    .command = "python3",
  };
  g_autoptr (FhAttempt) attempt = fh_attempt_new (&facts);

  if (g_rand_boolean (self->rand))
    fh_run_add_reported_attempt (run, &facts);
  else
    fh_run_add_attempt (run, attempt);
}

static void
leave_files (Programs *self, FhRun *run)
{
  static const char *const names[] = { "a.txt", "deep/er/b.csv",     "c.png",
                                       "d.svg", "\xe2\x80\xaegnp.e", "f.html" };
  for (guint i = 0; i < G_N_ELEMENTS (names); i++)
    {
      const char *text = programs_pick_text (self->rand);
      g_autoptr (GBytes) bytes = g_bytes_new_static (text, strlen (text));
      const FhResultFileFacts facts = {
        .path = names[i],
        .kind = (FhResultFileKind) g_rand_int_range (self->rand, 0, FH_RESULT_FILE_SPECIAL + 1),
        .size = strlen (text),
        .is_program = g_rand_boolean (self->rand),
        .content = bytes,
      };
      g_autoptr (FhResultFile) file = fh_result_file_new (&facts);

      if (g_rand_int_range (self->rand, 0, 3) == 0)
        fh_result_files_add (fh_run_get_files (run), file);
    }
}

static void
use_something (Programs *self, FhRun *run)
{
  const FhRunUsage usage = {
    .wall_us = g_rand_int (self->rand),
    .cpu_us = g_rand_int (self->rand),
    .memory_bytes = g_rand_int (self->rand),
    .processes = (guint) g_rand_int_range (self->rand, 0, 500),
  };

  fh_run_set_usage (run, &usage);
}

static void
end (Programs *self, FhRun *run)
{
  const FhRunOutcome outcome = {
    .status = (FhRunStatus) g_rand_int_range (self->rand, 0, FH_RUN_STATUS_OPERATION_LIMIT + 1),
    .exit_code = g_rand_int_range (self->rand, -1, 4),
    .signal = g_rand_boolean (self->rand) ? -1 : g_rand_int_range (self->rand, 1, 32),
    .wall_us = g_rand_int (self->rand),
    .memory_peak = g_rand_int (self->rand),
    .message = g_rand_boolean (self->rand) ? NULL : "Something <b>went</b> wrong.",
    .value = g_rand_boolean (self->rand) ? NULL : "{'a': 1}",
  };

  leave_files (self, run);
  fh_run_finish (run, &outcome);
}

void
programs_look (Programs *self)
{
  FhRun *last = fake_backend_get_run (self->backend);

  if (last != NULL && !g_ptr_array_find (self->runs, last, NULL))
    g_ptr_array_add (self->runs, g_object_ref (last));
  for (guint i = self->runs->len; i > 0; i--)
    {
      if (fh_run_get_state (g_ptr_array_index (self->runs, i - 1)) == FH_RUN_FINISHED)
        g_ptr_array_remove_index (self->runs, i - 1);
    }
}

const char *
programs_go_on (Programs *self)
{
  static const struct
  {
    const char *name;
    void (*act) (Programs *self, FhRun *run);
  } acts[] = {
    { "writes", write_something },
    { "writes", write_something },
    { "writes", write_something },
    { "tries", try_something },
    { "tries", try_something },
    { "uses", use_something },
    { "ends", end },
  };
  guint i;

  if (self->runs->len == 0)
    return "nothing runs";
  i = (guint) g_rand_int_range (self->rand, 0, G_N_ELEMENTS (acts));
  acts[i].act (
      self,
      g_ptr_array_index (self->runs, g_rand_int_range (self->rand, 0, (int) self->runs->len)));
  return acts[i].name;
}

void
programs_end (Programs *self)
{
  for (programs_look (self); self->runs->len > 0; programs_look (self))
    end (self, g_ptr_array_index (self->runs, 0));
}
