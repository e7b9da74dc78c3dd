/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "batch-command-line.h"

#include <glib/gi18n-lib.h>

#include "message.h"
#include "option-parsing.h"
#include "run-error.h"
#include "sandbox.h"

#define MAX_JOBS   1024
#define MAX_SHARDS 1000000
#define MAX_AGAIN  1000

#define SUMMARY                                                                                    \
  N_ ("Runs many programs, a few at a time, each in a sandbox, and tells which of them pass.")

#define DESCRIPTION                                                                                   \
  N_ ("Each INPUT is a file of samples in JSON Lines, which may be packed with gzip; a program;\n"    \
      "a folder of them; or a pattern such as “*.py”. A sample is an object with\n"               \
      "  source           the program, or\n"                                                          \
      "  completion       what completes the problem of its task_id; name the file of the\n"          \
      "                   problems (HumanEval, MBPP) by --problems\n"                                 \
      "and, if wanted, with\n"                                                                        \
      "  id               a name of its own (default: its problem or line, and a number)\n"           \
      "  task_id          the problem that it solves\n"                                               \
      "  language         as in “run” (default: python)\n"                                        \
      "  stdin            its standard input\n"                                                       \
      "  arguments        a list of texts\n"                                                          \
      "  timeout          seconds, and\n"                                                             \
      "  memory           MiB: not more than the options allow\n"                                     \
      "  files            an object: what lies beside the program, by its path; each a text or\n"     \
      "                   {\"base64\": \"…\"}\n"                                                    \
      "  expected_stdout  what it has to print, up to white space at the end\n"                       \
      "\n"                                                                                            \
      "Each sample that has ended is one line of results: the object of “run --json” with\n"      \
      "“id”, “task_id”, “passed”, “result” (“passed”, “timed out” or\n"       \
      "“failed: …”), and “sample”, which tells what was run. Samples that you stopped,\n"   \
      "or that could not be run, have no line; --resume runs them. It refuses results of\n"           \
      "other samples or other options. The history gets one entry for the whole batch.\n"             \
      "\n"                                                                                            \
      "A completion that is an answer in Markdown, as chat models write it, is replaced by its\n"     \
      "first code block of Python, and “markdown” is true. All others are run as they are. A\n"   \
      "sample with a value that no program can have, such as half a character, fails.\n"              \
      "\n"                                                                                            \
      "The tests of a problem run in another sandbox than the program, which so cannot reach\n"       \
      "what judges it: they call it and compare its answers, which are made of numbers, texts,\n"     \
      "bytes, lists, tuples, dictionaries, sets and None. Where they need more of it, as what\n"      \
      "it prints, both share an interpreter, and a program could forge that it passes: then\n"        \
      "“shared” says why, and “doubtful” lists what it names that could be used for that.\n"  \
      "\n"                                                                                            \
      "With --score, pass@1, pass@10 and pass@100 are printed, each with the interval that has\n"     \
      "the true one in 95 of 100 such benchmarks, and written with the counts to\n"                   \
      "FILE.score.json beside the results; “pass@1_unshared” is that score if samples that\n"     \
      "are “shared” count as failed. It is refused unless each sample has a result and each\n"    \
      "problem a sample.\n"                                                                           \
      "\n"                                                                                            \
      "With --again N each sample runs N times, and passes if it does so each time; “runs” and\n" \
      "“passes” tell how often it did. The result is that of the first run that failed.\n"        \
      "\n"                                                                                            \
      "Several computers can share a batch: --shard K/N runs the K-th of N parts. In an array\n"      \
      "of Slurm or an indexed job of Kubernetes the part is that of the task\n"                       \
      "(SLURM_ARRAY_TASK_ID of SLURM_ARRAY_TASK_COUNT, JOB_COMPLETION_INDEX of\n"                     \
      "JOB_COMPLETION_COUNT, which you set). “fumehoodctl batch merge” joins the results,\n"      \
      "and tells what is missing.\n"                                                                  \
      "\n"                                                                                            \
      "Python programs with the timeout and memory that most of them have are copies of an\n"         \
      "interpreter that is kept warm, each with guards of its own; see\n"                             \
      "“fumehoodctl guards” for what they share. All others start their own.\n"                   \
      "\n"                                                                                            \
      "With as many jobs as processors, which is the default, each program stays on one of\n"         \
      "them: give fewer --jobs to programs that need several.\n"                                      \
      "\n"                                                                                            \
      "Ctrl+C (SIGINT) or SIGTERM ends the batch: programs get one second, and none with a\n"         \
      "second Ctrl+C.\n"                                                                              \
      "\n"                                                                                            \
      "Exit status:\n"                                                                                \
      "  0    every sample has a result, whether or not it passed\n"                                  \
      "  1    some have none, the results could not be written, or scoring was refused\n"             \
      "  2    wrong usage\n"                                                                          \
      "  125  nothing was run: the reason is on standard error\n"                                     \
      "  130  you stopped it\n"                                                                       \
      "  141  the reader of the results went away\n"                                                  \
      "\n"                                                                                            \
      "Examples:\n"                                                                                   \
      "  fumehoodctl batch --output results.jsonl answers/\n"                                         \
      "  fumehoodctl batch --problems HumanEval.jsonl.gz --timeout 5 --output r.jsonl --score "       \
      "\\\n"                                                                                          \
      "      samples.jsonl\n"                                                                         \
      "  fumehoodctl batch --resume --output results.jsonl answers/\n"                                \
      "  fumehoodctl batch --preload numpy,pandas --output results.jsonl answers/\n"                  \
      "  fumehoodctl batch --shard 2/8 --output part-2.jsonl samples.jsonl.gz\n"                      \
      "  fumehoodctl batch merge --output all.jsonl --score part-*.jsonl")

void
fh_batch_command_line_free (FhBatchCommandLine *line)
{
  g_strfreev (line->files);
  g_free (line->problems);
  g_free (line->output);
  g_strfreev (line->preload);
  fh_command_flags_free (line->flags);
  g_free (line);
}

typedef struct
{
  char *jobs;
  char *again;
  char *shard;
  char *preload;
} Words;

static void
words_clear (Words *words)
{
  g_free (words->jobs);
  g_free (words->again);
  g_free (words->shard);
  g_free (words->preload);
}

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (Words, words_clear)

static gboolean
parse_count (const char *text, guint max, guint *count)
{
  guint64 number;

  if (text == NULL || !g_ascii_string_to_unsigned (text, 10, 1, max, &number, NULL))
    return FALSE;
  *count = (guint) number;
  return TRUE;
}

static gboolean
parse_shard (FhBatchCommandLine *line, const char *text, GError **error)
{
  g_auto (GStrv) parts = g_strsplit (text, "/", 2);

  if (g_strv_length (parts) == 2 && parse_count (parts[1], MAX_SHARDS, &line->n_shards) &&
      parse_count (parts[0], line->n_shards, &line->shard))
    return TRUE;
  return fh_run_error_refuse (error, _ ("--shard must be like 2/8, not “%s”."), text);
}

static guint64
variable (const char *name, guint64 fallback)
{
  const char *text = g_getenv (name);
  guint64 number;

  return text != NULL && g_ascii_string_to_unsigned (text, 10, 0, G_MAXUINT, &number, NULL)
             ? number
             : fallback;
}

/* An array of Slurm may begin with any number and count in steps. */
static gboolean
take_shard (FhBatchCommandLine *line, GError **error)
{
  const char *task = "SLURM_ARRAY_TASK_ID";
  guint64 count = variable ("SLURM_ARRAY_TASK_COUNT", 0);
  guint64 first = variable ("SLURM_ARRAY_TASK_MIN", 0);
  const guint64 step = MAX (variable ("SLURM_ARRAY_TASK_STEP", 1), 1);
  guint64 place;

  if (g_getenv (task) == NULL)
    {
      task = "JOB_COMPLETION_INDEX";
      count = variable ("JOB_COMPLETION_COUNT", 0);
      first = 0;
    }
  if (g_getenv (task) == NULL)
    return TRUE;
  /* A number below the first one becomes a very large one. */
  place = (variable (task, G_MAXUINT64) - first) / step;
  if (count == 0 || count > MAX_SHARDS || place >= count)
    return fh_run_error_refuse (
        error,
        _ ("%s says that this is a part of the batch, but not of how many. Use --shard K/N, or "
           "--shard 1/1 for all."),
        task);
  line->shard = (guint) place + 1;
  line->n_shards = (guint) count;
  fh_message (_ ("This is part %u of %u, as %s says; --shard 1/1 runs all."),
              line->shard,
              line->n_shards,
              task);
  return TRUE;
}

static gboolean
check_merge (const FhBatchCommandLine *line, GError **error)
{
  guint n;
  gboolean runs = line->resume || line->n_shards > 1 || line->cold || line->again > 1 ||
                  line->preload[0] != NULL;

  fh_run_option_list (&n);
  for (guint i = 0; i < n; i++)
    runs |= line->flags->typed[i] != NULL;
  return !runs || fh_run_error_refuse (error,
                                       "%s",
                                       _ ("“merge” runs nothing: use only --output, --problems "
                                          "and --score with it."));
}

static gboolean
parse_preload (FhBatchCommandLine *line, const char *text, GError **error)
{
  line->preload = g_strsplit (text != NULL ? text : "", ",", -1);
  if (text != NULL && line->cold)
    return fh_run_error_refuse (error,
                                "%s",
                                _ ("--cold keeps no interpreter that could --preload anything."));
  return fh_sandbox_check_modules ((const char *const *) line->preload, error);
}

static gboolean
check (FhBatchCommandLine *line, const Words *words, GError **error)
{
  if (line->files[0] == NULL)
    return fh_run_error_refuse (error, "%s", _ ("Name the samples."));
  if (line->resume && line->output == NULL)
    return fh_run_error_refuse (error, "%s", _ ("--resume needs the file of results: --output."));
  if (line->score && line->output == NULL)
    return fh_run_error_refuse (error, "%s", _ ("--score needs a file of results: --output."));
  if (words->jobs != NULL && !parse_count (words->jobs, MAX_JOBS, &line->jobs))
    return fh_run_error_refuse (error, _ ("--jobs must be a number from 1 to %d."), MAX_JOBS);
  if (words->again != NULL && !parse_count (words->again, MAX_AGAIN, &line->again))
    return fh_run_error_refuse (error, _ ("--again must be a number from 1 to %d."), MAX_AGAIN);
  if (words->shard != NULL && !parse_shard (line, words->shard, error))
    return FALSE;
  if (!parse_preload (line, words->preload, error))
    return FALSE;
  if (line->merge)
    return check_merge (line, error);
  if (words->shard == NULL && !take_shard (line, error))
    return FALSE;
  if (line->score && line->n_shards > 1)
    return fh_run_error_refuse (
        error,
        "%s",
        _ ("A part of a batch has no score: use “fumehoodctl batch merge --score” on all."));
  if (line->options->work_dir != NULL && !line->options->in_container)
    return fh_run_error_refuse (error,
                                "%s",
                                _ ("The programs of a batch have a workspace each: --work-dir is "
                                   "for single runs, or for containers."));
  if (fh_run_options_get_project (line->options) != NULL)
    return fh_run_error_refuse (error, "%s", _ ("--project is for single runs."));
  if (line->options->container.is_kept && line->options->in_container)
    {
      if (words->jobs != NULL && line->jobs > 1)
        return fh_run_error_refuse (error,
                                    "%s",
                                    _ ("A kept container runs one program at a time: use "
                                       "--jobs 1."));
      line->jobs = 1;
    }
  return TRUE;
}

/* "merge" is the word after the command; the word after --container can be the only file. */
static void
take_files (FhBatchCommandLine *line)
{
  if (line->files == NULL)
    {
      line->files = g_new0 (char *, 2);
      line->files[0] = fh_command_flags_take_word (line->flags);
    }
  line->merge = g_strcmp0 (line->files[0], "merge") == 0;
  if (line->merge)
    {
      GStrv rest = g_strdupv (line->files + 1);

      g_strfreev (line->files);
      line->files = rest;
    }
}

FhBatchCommandLine *
fh_batch_command_line_parse (char **argv, GError **error)
{
  const FhOptionHelp help = { N_ ("INPUT…|merge RESULTS…"), SUMMARY, DESCRIPTION };
  g_autoptr (FhBatchCommandLine) line = g_new0 (FhBatchCommandLine, 1);
  g_auto (Words) words = { 0 };
  const GOptionEntry entries[] = {
    { FH_FILE ("output", 'o', &line->output),
      N_ ("Append the results to this file (default: standard output)"),
      N_ ("FILE") },
    { FH_SWITCH ("resume", 0, &line->resume), N_ ("Run only what has no result in that file yet") },
    { FH_FILE ("problems", 0, &line->problems),
      N_ ("The problems that completions solve: HumanEval's or MBPP's own file"),
      N_ ("FILE") },
    { FH_TEXT ("jobs", 'j', &words.jobs),
      N_ ("Run N programs at a time (default: one for each processor)"),
      N_ ("N") },
    { FH_TEXT ("again", 0, &words.again),
      N_ ("Run each program N times; it passes if it does so each time"),
      N_ ("N") },
    { FH_SWITCH ("score", 0, &line->score), N_ ("Print pass@k when all samples have a result") },
    { FH_TEXT ("shard", 0, &words.shard),
      N_ ("Run only the K-th of N parts of the samples"),
      N_ ("K/N") },
    { FH_TEXT ("preload", 0, &words.preload),
      N_ ("Import these modules once, before the programs run, such as numpy,pandas"),
      N_ ("LIST") },
    { FH_SWITCH ("cold", 0, &line->cold),
      N_ ("Start an interpreter for each program instead of copying a warm one") },
    { FH_FILES (G_OPTION_REMAINING, 0, &line->files) },
    { NULL },
  };

  line->flags = fh_command_flags_new ();
  line->jobs = g_get_num_processors ();
  line->again = line->shard = line->n_shards = 1;
  if (!fh_command_flags_parse (line->flags, TRUE, &help, entries, argv, error))
    return NULL;
  take_files (line);
  if (!fh_command_flags_finish (line->flags, error))
    return NULL;
  line->options = line->flags->options;
  if (!check (line, &words, error))
    return NULL;
  line->container = fh_command_flags_get_container (line->flags);
  return g_steal_pointer (&line);
}
