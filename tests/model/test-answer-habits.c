/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Answers in the habits of models, in habits/, each labelled by hand with what its blocks mean. */
#include "answer.h"

#include <string.h>

/* An answer begins with "%%% " and its name. What follows "%> " says of each block what is done
 * with it, its language or word, its first line and how many it has, and its name: "run python 4+2
 * as a.py". Indented lines below that are lines of its code. "%> none": there is no block. */
#define ANSWER "%%% "
#define LABEL  "%> "
#define INDENT "    "
#define FAILS  "fails "

typedef struct
{
  guint n_answers;
  guint n_blocks;
  guint n_wrong;       /* blocks that are not read as meant */
  guint n_wrongly_run; /* those of them that would run */
  gint64 time_us;
} Count;

static gboolean
has_line (const char *code, const char *wanted)
{
  g_auto (GStrv) lines = g_strsplit (code, "\n", -1);

  return g_strv_contains ((const char *const *) lines, wanted);
}

static guint
count_lines (const char *code)
{
  guint n = 0;

  for (; (code = strchr (code, '\n')) != NULL; code++)
    n++;
  return n;
}

/* The label that would be right for the block. */
static char *
dup_label (const FhAnswerBlock *block)
{
  const gboolean is_ours =
      block->file_name == NULL || g_str_has_prefix (block->file_name, "block-");
  const char *word = block->language != NULL ? block->language->id : block->word;

  if (block->action == FH_BLOCK_BAD_NAME)
    return g_strdup_printf ("bad-name %s %u+%u", word, block->line, count_lines (block->code));
  return g_strdup_printf ("%s %s %u+%u%s%s",
                          fh_block_action_to_string (block->action),
                          *word != '\0' ? word : "text",
                          block->line,
                          count_lines (block->code),
                          is_ours ? "" : " as ",
                          is_ours ? "" : block->file_name);
}

/* Compares the block with its label, "" if it has none, and the lines below that. */
static void
check_block (Count *count, const char *name, const FhAnswerBlock *block, char **labels)
{
  g_autofree char *label = block != NULL ? dup_label (block) : g_strdup ("");
  const char *wanted = *labels != NULL ? *labels : "";
  const gboolean fails = g_str_has_prefix (wanted, FAILS);
  gboolean is_right = g_str_equal (label, wanted);

  count->n_blocks++;
  if (fails && g_str_has_prefix (label, "run ") &&
      g_str_equal (label + strlen ("run "), wanted + strlen (FAILS)))
    {
      count->n_wrong++;
      return;
    }
  for (guint i = 1; *labels != NULL && labels[i] != NULL && g_str_has_prefix (labels[i], INDENT);
       i++)
    {
      if (block != NULL && has_line (block->code, labels[i] + strlen (INDENT)))
        continue;
      is_right = FALSE;
      g_test_message ("%s: no line “%s”", name, labels[i] + strlen (INDENT));
    }
  if (is_right)
    return;
  g_test_message ("%s: meant as “%s”, read as “%s”", name, wanted, label);
  count->n_wrong++;
  count->n_wrongly_run += block != NULL && block->action == FH_BLOCK_RUN;
}

static void
check_answer (Count *count, const char *name, const char *text, GPtrArray *labels)
{
  const gint64 begin = g_get_monotonic_time ();
  g_autoptr (GPtrArray) blocks = fh_answer_find_blocks (text);
  guint label = 0;

  count->time_us += g_get_monotonic_time () - begin;
  count->n_answers++;
  if (labels->len > 1 && g_str_equal (labels->pdata[0], "none"))
    label++;
  for (guint i = 0; i < blocks->len || labels->pdata[label] != NULL; i++)
    {
      check_block (count,
                   name,
                   i < blocks->len ? blocks->pdata[i] : NULL,
                   (char **) labels->pdata + label);
      label += labels->pdata[label] != NULL;
      while (labels->pdata[label] != NULL && g_str_has_prefix (labels->pdata[label], INDENT))
        label++;
    }
}

static void
check_text (Count *count, const char *all)
{
  g_auto (GStrv) answers = g_strsplit (all, ANSWER, -1);

  for (guint i = 1; answers[i] != NULL; i++)
    {
      g_autofree char *name = g_strndup (answers[i], strcspn (answers[i], "\n"));
      g_autoptr (GPtrArray) labels = g_ptr_array_new ();
      g_autofree char *marked = g_strconcat (strchr (answers[i], '\n'), NULL);
      g_auto (GStrv) parts = g_strsplit (marked, "\n" LABEL, 2);
      g_auto (GStrv) lines = NULL;

      g_assert_cmpuint (g_strv_length (parts), ==, 2);
      lines = g_strsplit (parts[1], "\n", -1);
      for (char **line = lines; *line != NULL; line++)
        {
          if (**line != '\0')
            g_ptr_array_add (labels,
                             *line + (g_str_has_prefix (*line, LABEL) ? strlen (LABEL) : 0));
        }
      g_ptr_array_add (labels, NULL);
      check_answer (count, name, *parts[0] == '\n' ? parts[0] + 1 : parts[0], labels);
    }
}

static void
test_habits (void)
{
  g_autofree char *folder =
      g_build_filename (g_getenv ("FH_SOURCE_ROOT"), "tests/model/habits", NULL);
  g_autoptr (GDir) dir = g_dir_open (folder, 0, NULL);
  Count count = { 0 };
  const char *name;

  g_assert_nonnull (dir);
  while ((name = g_dir_read_name (dir)) != NULL)
    {
      g_autofree char *path = g_build_filename (folder, name, NULL);
      g_autofree char *text = NULL;

      g_assert_true (g_file_get_contents (path, &text, NULL, NULL));
      check_text (&count, text);
    }
  g_test_message ("%u answers, %u blocks, %u not read as meant, %u of them run; %.2f ms per answer",
                  count.n_answers,
                  count.n_blocks,
                  count.n_wrong,
                  count.n_wrongly_run,
                  (double) count.time_us / 1000 / count.n_answers);
  g_assert_cmpuint (count.n_answers, >=, 120);
  g_assert_cmpuint (count.n_wrongly_run, ==, 0);
  g_assert_cmpuint (count.n_wrong * 50, <=, count.n_blocks);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);

  g_test_add_func ("/answer-habits/all", test_habits);
  return g_test_run ();
}
