/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "programs.h"

#include "child.h"
#include "wire-guest.h"

#include <err.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#define PYTHON "/usr/bin/python3"
#define INSIDE "/workspace/main.py"
#define GUEST  "/opt/fumehood"

void
programs_init (struct programs *programs, const char *source)
{
  const char *guest = getenv ("FH_GUEST_DIR");
  const char *ctl = getenv ("FH_CTL");
  FILE *file;

  *programs = (struct programs){ .source = source,
                                 .runner = getenv ("FH_RUNNER"),
                                 .ctl = ctl != NULL ? ctl : "fumehoodctl",
                                 .forked = calloc (1, sizeof (struct runner_forked)),
                                 .folder = "/tmp/fumehood-bench-XXXXXX" };
  if (programs->forked == NULL || mkdtemp (programs->folder) == NULL)
    err (EXIT_FAILURE, "%s", programs->folder);
  snprintf (programs->file, sizeof programs->file, "%s/main.py", programs->folder);
  file = fopen (programs->file, "w");
  if (file == NULL || fputs (source, file) < 0 || fclose (file) != 0)
    err (EXIT_FAILURE, "%s", programs->file);
  /* What is measured here has no place in the user's history. */
  setenv ("XDG_STATE_HOME", programs->folder, 1);
  if (guest != NULL && access (guest, R_OK) == 0)
    programs->guest_folder = guest;
}

void
programs_clear (struct programs *programs)
{
  const char *const argv[] = { "rm", "-rf", "--", programs->folder, NULL };
  struct child_run run;

  if (programs->forked->pid > 0)
    runner_forked_end (programs->forked);
  free (programs->forked);
  child_run (argv, NULL, &run);
}

const char *
programs_name (enum way way)
{
  static const char *const names[N_WAYS] = {
    [WAY_BARE] = "bare python3 -u FILE",
    [WAY_CTL] = "fumehoodctl run FILE",
    [WAY_RUNNER] = "runner alone, python3 -u FILE",
    [WAY_RUNNER_AS_USER] = "runner alone, no user id of its own",
    [WAY_BOOTSTRAP] = "runner alone, python3 -u bootstrap",
    [WAY_PREPARED] = "runner prepared, python3 -u bootstrap",
    [WAY_FORKED] = "runner forked, a run now and then",
    [WAY_FORKED_AT_ONCE] = "runner forked, one run after another",
    [WAY_BUBBLEWRAP] = "bubblewrap, everything unshared",
  };

  return names[way];
}

static void
run_child (const char *const argv[], bool discard, struct outcome *outcome)
{
  struct child_run run;
  int error = child_run (argv, discard ? "/dev/null" : NULL, &run);

  outcome->time_us = run.time_us;
  outcome->output = run.output;
  if (error != 0)
    snprintf (outcome->problem, sizeof outcome->problem, "%s: %s", argv[0], strerror (-error));
  else if (!WIFEXITED (run.status) || WEXITSTATUS (run.status) != 0)
    snprintf (outcome->problem, sizeof outcome->problem, "ended with status %#x", run.status);
}

static void
run_bubblewrap (const struct programs *programs, bool discard, struct outcome *outcome)
{
  const char *const argv[] = {
    "bwrap",
    "--unshare-all",
    "--die-with-parent",
    "--new-session",
    "--clearenv",
    "--setenv",
    "LANG",
    "C.UTF-8",
    "--ro-bind",
    "/usr",
    "/usr",
    "--symlink",
    "usr/bin",
    "/bin",
    "--symlink",
    "usr/lib",
    "/lib",
    "--symlink",
    "usr/lib64",
    "/lib64",
    "--ro-bind",
    "/etc",
    "/etc",
    "--proc",
    "/proc",
    "--dev",
    "/dev",
    "--tmpfs",
    "/tmp",
    "--tmpfs",
    "/workspace",
    "--ro-bind",
    programs->file,
    INSIDE,
    "--chdir",
    "/workspace",
    PYTHON,
    "-u",
    INSIDE,
    NULL,
  };

  run_child (argv, discard, outcome);
}

/* The message that data/guest/bootstrap.py waits for: see wire-guest.h. */
static size_t
put_guest_message (uint8_t *message)
{
  size_t size = 1 + strlen (INSIDE);

  for (int i = 0; i < 4; i++)
    message[i] = (uint8_t) (size >> (8 * i));
  message[4] = FH_GUEST_RUN;
  memcpy (message + 5, INSIDE, strlen (INSIDE));
  return 4 + size;
}

/* After its thousandth run another one is needed. */
static int
run_forked (const struct programs *programs,
            const struct fh_policy *policy,
            const struct runner_program *program,
            struct runner_run *run)
{
  int error = 0;

  if (programs->forked->pid == 0)
    error = runner_forked_start (programs->forked, programs->runner, policy);
  if (error == 0)
    error = runner_forked_run (programs->forked, program, run);
  if (error == 0)
    return 0;
  runner_forked_end (programs->forked);
  error = runner_forked_start (programs->forked, programs->runner, policy);
  return error == 0 ? runner_forked_run (programs->forked, program, run) : error;
}

/* The files of data/guest that a policy shows. */
#define N_GUEST_FILES 5
struct shown
{
  char sources[N_GUEST_FILES][PATH_MAX];
  char targets[N_GUEST_FILES][PATH_MAX];
  struct fh_bind binds[N_GUEST_FILES];
};

static void
show_guest_files (const struct programs *programs, struct shown *shown, struct fh_policy *policy)
{
  static const char *const names[N_GUEST_FILES] = {
    "bootstrap.py", "program.py", "program.pyc", "ending.py", "ending.pyc",
  };

  for (int i = 0; i < N_GUEST_FILES; i++)
    {
      snprintf (shown->sources[i], PATH_MAX, "%s/%s", programs->guest_folder, names[i]);
      snprintf (shown->targets[i], PATH_MAX, GUEST "/%s", names[i]);
      shown->binds[i] = (struct fh_bind){ shown->sources[i], shown->targets[i], true };
    }
  policy->flags |= FH_POLICY_GUEST_CHANNEL;
  policy->binds = shown->binds;
  policy->n_binds = N_GUEST_FILES;
}

static void
run_runner (const struct programs *programs, enum way way, struct outcome *outcome)
{
  const bool bootstrap = way != WAY_RUNNER && way != WAY_RUNNER_AS_USER;
  const bool is_forked = way == WAY_FORKED || way == WAY_FORKED_AT_ONCE;
  const char *program = bootstrap ? GUEST "/bootstrap.py" : INSIDE;
  const char *argv[] = { PYTHON, "-u", program, NULL };
  const char *env[] = { "PATH=/usr/local/bin:/usr/bin:/bin",
                        "HOME=/workspace",
                        "LANG=C.UTF-8",
                        "PYTHONDONTWRITEBYTECODE=1",
                        NULL };
  struct shown shown;
  struct runner_program program_file = {
    .name = "main.py",
    .content = programs->source,
    .is_prepared = way == WAY_PREPARED,
  };
  struct fh_policy policy = { .wall_ms = 30000,
                              .memory_bytes = (uint64_t) 512 << 20,
                              .disk_bytes = (uint64_t) 256 << 20,
                              .processes = 128,
                              .watch = programs->watch,
                              .home = (char *) "/home/nobody",
                              .argv = (char **) argv,
                              .env = (char **) env };
  struct fh_bind private = { (char *) programs->folder, (char *) "/opt/private", false };
  struct runner_run run;
  int error;

  if (way == WAY_RUNNER_AS_USER)
    {
      policy.binds = &private;
      policy.n_binds = 1;
    }
  if (bootstrap)
    {
      show_guest_files (programs, &shown, &policy);
      program_file.messages_size = put_guest_message (program_file.messages);
    }
  if (is_forked)
    {
      policy.kind = FH_POLICY_FORKED;
      error = run_forked (programs, &policy, &program_file, &run);
      if (error == 0 && way == WAY_FORKED_AT_ONCE)
        error = run_forked (programs, &policy, &program_file, &run);
    }
  else
    error = runner_run (programs->runner, &policy, &program_file, &run);
  outcome->time_us = run.time_us;
  outcome->output = run.output;
  if (error != 0)
    snprintf (outcome->problem, sizeof outcome->problem, "the runner: %s", strerror (-error));
  else if (run.status != FH_WIRE_EXITED || run.exit_code != 0)
    snprintf (outcome->problem,
              sizeof outcome->problem,
              "ended with wire status %d, exit code %d, step \"%s\"",
              run.status,
              run.exit_code,
              run.step);
}

void
programs_run (const struct programs *programs, enum way way, bool discard, struct outcome *outcome)
{
  const char *const bare[] = { PYTHON, "-u", programs->file, NULL };
  const char *const ctl[] = { programs->ctl, "run", programs->file, NULL };
  const bool is_runner = way >= WAY_RUNNER && way <= WAY_FORKED_AT_ONCE;

  *outcome = (struct outcome){ 0 };
  if (is_runner && programs->runner == NULL)
    snprintf (outcome->problem, sizeof outcome->problem, "FH_RUNNER is not set");
  else if (is_runner && way >= WAY_BOOTSTRAP && programs->guest_folder == NULL)
    snprintf (outcome->problem, sizeof outcome->problem, "FH_GUEST_DIR is not a folder");
  else if (is_runner)
    run_runner (programs, way, outcome);
  else if (way == WAY_BUBBLEWRAP)
    run_bubblewrap (programs, discard, outcome);
  else
    run_child (way == WAY_BARE ? bare : ctl, discard, outcome);
}
