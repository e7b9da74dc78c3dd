/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "inside-paths.h"

#include "path-within.h"
#include "wire-guest.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Size and kind of a message on the guest channel, wire-guest.h. */
#define MESSAGE_HEAD 5

/* See open_memstream (3). */
struct memory
{
  FILE *file;
  char *text;
  size_t size;
};

/* The part of `path` after `folder`: "" or "/…"; NULL if it is not below. */
static const char *
below (const char *path, const char *folder)
{
  return path_is_within (path, folder) ? path + strlen (folder) : NULL;
}

static char *
join (const char *prefix, size_t size, const char *folder, const char *rest)
{
  char *joined = malloc (size + strlen (folder) + strlen (rest) + 1);

  if (joined == NULL)
    return NULL;
  memcpy (joined, prefix, size);
  strcpy (joined + size, folder);
  strcat (joined, rest);
  return joined;
}

/* A new string: `text` with the path after its first `skipped` bytes translated. NULL if out of
 * memory. */
static char *
translate (const struct plan *plan, const char *text, size_t skipped, bool is_relative)
{
  const struct fh_policy *policy = plan->policy;
  const char *path = text + skipped;
  const char *rest;

  if ((rest = below (path, "/workspace")) != NULL)
    {
      if (!is_relative || policy->cwd[0] != '\0')
        return join (text, skipped, plan->folder.workspace, rest);
      return rest[0] == '\0' || rest[1] == '\0' ? strdup (".") : strdup (rest + 1);
    }
  if ((rest = below (path, "/tmp")) != NULL)
    return join (text, skipped, plan->folder.tmp, rest);
  for (size_t i = 0; i < policy->n_binds; i++)
    {
      if ((rest = below (path, policy->binds[i].target)) != NULL)
        return join (text, skipped, policy->binds[i].source, rest);
    }
  return strdup (text);
}

static size_t
count (char *const *strings)
{
  size_t n = 0;

  while (strings[n] != NULL)
    n++;
  return n;
}

/* Of a variable only the value is translated; of arguments all but the program's name may be given
 * relative to the working folder. */
static char **
translate_strings (const struct plan *plan, char *const *strings, bool are_variables)
{
  const size_t n = count (strings);
  char **translated = calloc (n + 1, sizeof *translated);

  for (size_t i = 0; translated != NULL && i < n; i++)
    {
      const char *value = are_variables ? strchr (strings[i], '=') : NULL;
      const size_t skipped = value != NULL ? (size_t) (value + 1 - strings[i]) : 0;

      translated[i] = translate (plan, strings[i], skipped, !are_variables && i > 0);
    }
  return translated;
}

/* The strings of a message follow its kind; the last one ends with NUL. */
static bool
translate_words (const struct plan *plan, const uint8_t *words, size_t size, FILE *out)
{
  for (size_t at = 0; at <= size;)
    {
      char *word = strndup ((const char *) words + at, size - at);
      char *translated = word != NULL ? translate (plan, word, 0, true) : NULL;

      if (translated == NULL)
        {
          free (word);
          return false;
        }
      if (at > 0)
        fputc ('\0', out);
      fputs (translated, out);
      at += strlen (word) + 1;
      free (word);
      free (translated);
    }
  return true;
}

/* Only the message that names the program holds paths. An invalid message is left unchanged. */
static bool
translate_all (const struct plan *plan, const uint8_t *at, size_t left, struct memory *memory)
{
  while (left > 0)
    {
      const size_t size = left < MESSAGE_HEAD ? 0 : at[0] | at[1] << 8 | at[2] << 16;
      size_t start;

      if (size == 0 || size > left - 4 || at[3] != 0 || at[4] != FH_GUEST_RUN)
        {
          const size_t whole = size == 0 || size > left - 4 ? left : size + 4;

          fwrite (at, 1, whole, memory->file);
          at += whole;
          left -= whole;
          continue;
        }
      fflush (memory->file);
      start = memory->size;
      fwrite (at, 1, MESSAGE_HEAD, memory->file);
      if (!translate_words (plan, at + MESSAGE_HEAD, size - 1, memory->file) ||
          fflush (memory->file) != 0)
        return false;
      for (int i = 0; i < 4; i++)
        memory->text[start + (size_t) i] = (char) ((memory->size - start - 4) >> 8 * i);
      at += size + 4;
      left -= size + 4;
    }
  return true;
}

int
inside_paths_translate (const struct plan *plan, uint8_t **messages, size_t *size)
{
  struct memory memory = { 0 };
  bool is_whole;

  if (!tier_has_run_folder (plan->policy) || *size == 0)
    return 0;
  memory.file = open_memstream (&memory.text, &memory.size);
  if (memory.file == NULL)
    return -ENOMEM;
  is_whole = translate_all (plan, *messages, *size, &memory);
  if (fclose (memory.file) != 0 || !is_whole)
    {
      free (memory.text);
      return -ENOMEM;
    }
  free (*messages);
  *messages = (uint8_t *) memory.text;
  *size = memory.size;
  return 0;
}

static bool
is_complete (char *const *strings, char *const *originals)
{
  return strings != NULL && count (strings) == count (originals);
}

int
inside_paths_plan (struct plan *plan)
{
  plan->argv = translate_strings (plan, plan->policy->argv, false);
  plan->env = translate_strings (plan, plan->policy->env, true);
  plan->cwd = translate (plan, plan->policy->cwd, 0, false);
  if (!is_complete (plan->argv, plan->policy->argv) ||
      !is_complete (plan->env, plan->policy->env) || plan->cwd == NULL)
    return -ENOMEM;
  return 0;
}

static void
clear_strings (char **strings)
{
  for (size_t i = 0; strings != NULL && strings[i] != NULL; i++)
    free (strings[i]);
  free (strings);
}

void
inside_paths_clear (struct plan *plan)
{
  if (plan->argv != plan->policy->argv)
    clear_strings (plan->argv);
  if (plan->env != plan->policy->env)
    clear_strings (plan->env);
  if (plan->cwd != plan->policy->cwd)
    free (plan->cwd);
  plan->argv = plan->env = NULL;
  plan->cwd = NULL;
}
