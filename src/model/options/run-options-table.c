/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Every option of a run. To add one: a member of FhRunLimits, FhRunGuards or FhContainerOptions,
 * and its row here. The window, the command line, its help, drafts and the history follow.
 */
#include "config.h"

#include <glib/gi18n-lib.h>

#include "output-cut.h"
#include "run-options-private.h"

/* A row's beginning: its key, which is the member's name but for a few, its kind and its member. */
#define KEYED(key_, kind_, member)                                                                 \
  .key = key_, .kind = FH_OPTION_##kind_, .offset = G_STRUCT_OFFSET (FhRunOptions, member),        \
  .size = sizeof (((FhRunOptions *) 0)->member)
#define MEMBER(kind_, member)           KEYED (#member, kind_, member)
#define SWITCH_AS(key_, member)         KEYED (key_, SWITCH, member), .maximum = TRUE
#define SWITCH(member)                  SWITCH_AS (#member, member)
#define NUMBER(kind_, member, min, max) MEMBER (kind_, member), .minimum = min, .maximum = max
#define WORD(member, last, words_)      MEMBER (WORD, member), .maximum = last, .words = words_

#define FLAG(flag_, short_flag_, argument_)                                                        \
  .flag = flag_, .short_flag = short_flag_, .argument = argument_

#define SIZE(unit) ((guint64) 1 << (unit))

static const char *const watch_names[] = {
  N_ ("Nothing"),
  N_ ("Attempts"),
  N_ ("Every File"),
};

static const char *const engine_names[] = { N_ ("Automatic"), "Docker", "Podman" };

static const char *const after_names[] = {
  N_ ("Remove It"),
  N_ ("Stop It"),
  N_ ("Leave It Running"),
};

static const char *const files_names[] = {
  N_ ("Automatic"),
  N_ ("Mounted"),
  N_ ("Copied"),
};

static const FhRunOption rows[] = {
  {
      SWITCH (in_container),
      FLAG ("container", 0, N_ ("[IMAGE]")),
      .flags = FH_OPTION_NOT_IN_HISTORY,
      .argument_key = "container.image",
      .title = N_ ("Run in a Container"),
      .help = N_ ("Run it in a container (default image: python:3-slim)"),
  },
  {
      MEMBER (PATH, interpreter),
      FLAG ("interpreter", 'i', N_ ("PATH")),
      .title = N_ ("Interpreter"),
      .help = N_ ("The interpreter to use, such as that of a virtual environment"),
      .check = fh_run_option_check_interpreter,
  },
  {
      MEMBER (TEXT, cwd),
      FLAG ("cwd", 0, N_ ("FOLDER")),
      .title = N_ ("Start in Folder"),
      .help = N_ ("Start it in this folder of the sandbox (default: /workspace)"),
      .check = fh_run_option_check_cwd,
  },
  {
      MEMBER (PATH, work_dir),
      FLAG ("work-dir", 0, N_ ("FOLDER")),
      .place = FH_OPTION_HERE,
      .title = N_ ("Work Folder"),
      .help = N_ ("Your folder for /workspace; the program can change its files"),
  },
  {
      MEMBER (PATH, project),
      FLAG ("project", 0, N_ ("FOLDER")),
      .place = FH_OPTION_HERE,
      .title = N_ ("Project Folder"),
      .help = N_ ("Your folder for /workspace; changes are kept apart"),
  },
  {
      SWITCH (notebook),
      FLAG ("notebook", 0, NULL),
      .flags = FH_OPTION_PYTHON,
      .title = N_ ("Notebook Lines"),
      .help = N_ ("Python: run lines such as !ls and %pip as notebooks do"),
  },
  {
      SWITCH (no_history),
      FLAG ("no-history", 0, NULL),
      .flags = FH_OPTION_NOT_IN_HISTORY,
      .title = N_ ("Leave Out of the History"),
      .help = N_ ("Do not add this run to the history"),
  },
  {
      NUMBER (SIZE, show_bytes, FH_OUTPUT_CUT_MIN, SIZE (40)),
      FLAG ("show-limit", 0, N_ ("SIZE")),
      .flags = FH_OPTION_NOT_IN_HISTORY | FH_OPTION_NOT_IN_DRAFTS | FH_OPTION_IN_BYTES,
      .title = N_ ("Shown Output"),
      .help = N_ ("With --json: at most this much of each output, both ends"),
  },

  /* Limits */
  {
      NUMBER (TIME, limits.wall_ms, FH_RUN_LIMITS_MIN_WALL_MS, FH_RUN_LIMITS_MAX_WALL_MS),
      FLAG ("timeout", 't', N_ ("TIME")),
      .guards = 1u << FH_GUARD_TIME,
      .flags = FH_OPTION_IN_FORMAT_1,
      .title = N_ ("Time"),
      .help = N_ ("Stop the program after this time (default: 30 s)"),
  },
  {
      NUMBER (TIME, limits.cpu_ms, FH_RUN_LIMITS_MIN_WALL_MS, FH_RUN_LIMITS_MAX_WALL_MS),
      FLAG ("cpu-time", 0, N_ ("TIME")),
      .guards = 1u << FH_GUARD_TIME,
      .flags = FH_OPTION_IN_FORMAT_1,
      .title = N_ ("CPU Time"),
      .help = N_ ("CPU time of all its processes together (default: none)"),
  },
  {
      NUMBER (SIZE, limits.memory_bytes, FH_RUN_LIMITS_MIN_MEMORY, SIZE (40)),
      FLAG ("memory", 'm', N_ ("SIZE")),
      .guards = 1u << FH_GUARD_MEMORY,
      .flags = FH_OPTION_IN_FORMAT_1,
      .title = N_ ("Memory"),
      .help = N_ ("Memory of all its processes together (default: 512 MiB)"),
  },
  {
      NUMBER (SIZE, limits.disk_bytes, 1, SIZE (40)),
      FLAG ("disk-limit", 0, N_ ("SIZE")),
      .guards = 1u << FH_GUARD_DISK,
      .flags = FH_OPTION_IN_FORMAT_1,
      .title = N_ ("Disk Space"),
      .help = N_ ("Disk space for the files it writes (default: 256 MiB)"),
  },
  {
      NUMBER (SIZE, limits.output_bytes, 1, SIZE (40)),
      FLAG ("output-limit", 0, N_ ("SIZE")),
      .guards = 1u << FH_GUARD_OUTPUT,
      .flags = FH_OPTION_IN_FORMAT_1 | FH_OPTION_IN_BYTES,
      .title = N_ ("Output"),
      .help = N_ ("End it when stdout or stderr gets larger (default: 64 MiB)"),
  },
  {
      NUMBER (COUNT, limits.processes, 1, 100000),
      FLAG ("processes", 0, N_ ("N")),
      .guards = 1u << FH_GUARD_PROCESSES,
      .flags = FH_OPTION_IN_FORMAT_1,
      .title = N_ ("Processes"),
      .help = N_ ("Processes and threads at the same time (default: 128)"),
  },
  {
      NUMBER (COUNT, limits.open_files, 16, FH_RUN_LIMITS_MAX_OPEN_FILES),
      FLAG ("file-limit", 0, N_ ("N")),
      .guards = 1u << FH_GUARD_PROCESSES,
      .flags = FH_OPTION_LIMITED,
      .title = N_ ("Open Files"),
      .help = N_ ("Open files of each process, at most 400 (default: 400)"),
  },

  /* Guards */
  {
      WORD (guards.watch, FH_WATCH_FILES, fh_watch_level_words),
      FLAG ("watch", 0, N_ ("LEVEL")),
      .flags = FH_OPTION_IN_FORMAT_1,
      .names = watch_names,
      .title = N_ ("Watch"),
      .help = N_ ("What to report of what it tries: off, attempts (default), files"),
  },
  {
      MEMBER (WORDS, guards.allow_hosts),
      FLAG ("allow-host", 0, N_ ("NAME")),
      .place = FH_OPTION_HERE,
      .guards = 1u << FH_GUARD_NETWORK,
      .flags = FH_OPTION_IN_FORMAT_1,
      .title = N_ ("Allowed Hosts"),
      .help = N_ ("Let it reach this host, through a proxy; may be repeated"),
      .check = fh_run_option_check_allowed_hosts,
      .read = fh_run_option_read_hosts,
  },
  {
      MEMBER (GUARDS, guards.without),
      FLAG ("without", 0, N_ ("GUARD")),
      .flags = FH_OPTION_IN_FORMAT_1 | FH_OPTION_NOT_IN_DRAFTS,
      .title = N_ ("Switched Off"),
      .help = N_ ("Switch this guard off for this run; may be repeated"),
      .check = fh_run_option_check_without,
  },
  {
      SWITCH (guards.no_sockets),
      .guards = 1u << FH_GUARD_NETWORK,
      .without = "sockets",
      .title = N_ ("No Sockets"),
      .help = N_ ("Allow no sockets, only pipes and socket pairs"),
  },
  {
      KEYED ("guards.unprotected", SWITCH, guards.tier),
      .minimum = FH_TIER_AUTO,
      .maximum = FH_TIER_UNPROTECTED,
      FLAG ("without-protection", 0, NULL),
      .place = FH_OPTION_HERE,
      .flags = FH_OPTION_NOT_IN_HISTORY | FH_OPTION_NOT_IN_DRAFTS,
      .help = N_ ("Run it without a sandbox, like any other program of yours"),
  },
  {
      WORD (guards.tier, FH_TIER_LANDLOCK, fh_tier_words),
      FLAG ("tier", 0, N_ ("TIER")),
      .place = FH_OPTION_HERE,
      .flags = FH_OPTION_IN_FORMAT_1 | FH_OPTION_NOT_IN_DRAFTS,
      .help = N_ ("How to build the sandbox: A, A2, F or B (default: the best)"),
  },
  {
      SWITCH (guards.no_files),
      FLAG ("no-files", 0, NULL),
      .flags = FH_OPTION_IN_FORMAT_1,
      .title = N_ ("Discard Files"),
      .help = N_ ("Do not keep the files that it leaves behind"),
  },
  {
      SWITCH (guards.report_lines),
      FLAG ("report-lines", 0, NULL),
      .flags = FH_OPTION_IN_FORMAT_1 | FH_OPTION_PYTHON,
      .help = N_ ("Python: report the source line of each attempt"),
  },
  {
      SWITCH (guards.limit_functions),
      FLAG ("limit-functions", 0, NULL),
      .flags = FH_OPTION_IN_FORMAT_1 | FH_OPTION_PYTHON,
      .title = N_ ("Block Dangerous Functions"),
      .help = N_ ("Python: block os.system, os.fork, subprocess and the like"),
  },
  {
      MEMBER (WORDS, guards.imports),
      FLAG ("allow-imports", 0, N_ ("LIST")),
      .flags = FH_OPTION_IN_FORMAT_1 | FH_OPTION_PYTHON | FH_OPTION_NULLABLE,
      .title = N_ ("Allowed Imports"),
      .help = N_ ("Python: allow only these modules (a,b.c), “default” or “none”"),
      .check = fh_run_option_check_imports,
      .read = fh_run_option_read_imports,
  },
  {
      NUMBER (COUNT, guards.max_operations, 1, G_MAXINT64),
      FLAG ("max-operations", 0, N_ ("N")),
      .flags = FH_OPTION_IN_FORMAT_1 | FH_OPTION_PYTHON,
      .title = N_ ("Operations"),
      .help = N_ ("Python: stop it after this many operations (default: none)"),
  },

  /* Containers */
  {
      WORD (container.engine, FH_ENGINE_PODMAN, fh_engine_kind_words),
      FLAG ("engine", 0, N_ ("NAME")),
      .place = FH_OPTION_IN_CONTAINER,
      .names = engine_names,
      .title = N_ ("Engine"),
      .help = N_ ("auto (default), docker or podman"),
  },
  {
      MEMBER (TEXT, container.image),
      FLAG ("image", 0, N_ ("IMAGE")),
      .place = FH_OPTION_IN_CONTAINER,
      .title = N_ ("Image"),
      .help = N_ ("Run it in a container of this image"),
      .check = fh_run_option_check_image,
  },
  {
      SWITCH (container.no_pull),
      FLAG ("no-pull", 0, NULL),
      .place = FH_OPTION_IN_CONTAINER,
      .title = N_ ("Local Images Only"),
      .help = N_ ("Do not pull the image if it is missing"),
  },
  {
      SWITCH_AS ("container.kept", container.is_kept),
      FLAG ("keep", 0, N_ ("NAME")),
      .place = FH_OPTION_IN_CONTAINER,
      .argument_key = "container.name",
      .title = N_ ("Keep the Container"),
      .help = N_ ("Run it in this container, and keep that for further runs"),
  },
  {
      MEMBER (TEXT, container.name),
      FLAG ("container-name", 0, N_ ("NAME")),
      .place = FH_OPTION_IN_CONTAINER,
      .title = N_ ("Name"),
      .help = N_ ("Name of a container for this run only"),
      .check = fh_run_option_check_name,
  },
  {
      WORD (container.after, FH_CONTAINER_LEAVE, fh_container_after_words),
      FLAG ("after", 0, N_ ("WHAT")),
      .place = FH_OPTION_IN_CONTAINER,
      .names = after_names,
      .title = N_ ("When the Tab Is Closed"),
      .help = N_ ("With --keep, afterwards: leave (default), stop or remove it"),
  },
  {
      MEMBER (TEXT, container.init),
      FLAG ("container-init", 0, N_ ("COMMAND")),
      .place = FH_OPTION_IN_CONTAINER,
      .title = N_ ("Set-up Command"),
      .help = N_ ("With --keep: run this once in a new container, before programs"),
      .check = fh_run_option_check_init,
  },
  {
      MEMBER (PATH, container.work_dir), /* typed as "work_dir" */
      .argument = N_ ("FOLDER"),
      .place = FH_OPTION_IN_CONTAINER,
      .title = N_ ("Work Folder"),
      .help = N_ ("Your folder for /workspace; the program can change its files"),
  },
  {
      MEMBER (PATH, container.bind_dir),
      FLAG ("bind-dir", 0, N_ ("FOLDER")),
      .place = FH_OPTION_IN_CONTAINER,
      .help = N_ ("Path of the work folder on the engine’s machine"),
  },
  {
      WORD (container.files, FH_CONTAINER_FILES_COPY, fh_container_files_words),
      FLAG ("container-files", 0, N_ ("HOW")),
      .place = FH_OPTION_IN_CONTAINER,
      .names = files_names,
      .title = N_ ("Transfer of Files"),
      .help = N_ ("How files get in and out: auto (default), bind or copy"),
  },
  {
      MEMBER (LINES, container.volumes),
      FLAG ("volume", 0, N_ ("HOST:INSIDE[:rw]")),
      .place = FH_OPTION_IN_CONTAINER,
      .title = N_ ("Volumes"),
      .help = N_ ("Mount a file or folder, read-only without :rw; may be repeated"),
      .check = fh_run_option_check_volumes,
  },
  {
      MEMBER (TEXT, container.network),
      FLAG ("network", 0, N_ ("NAME")),
      .place = FH_OPTION_IN_CONTAINER,
      .title = N_ ("Network"),
      .help = N_ ("A network of the engine, such as bridge (default: none)"),
      .check = fh_run_option_check_network,
  },
  {
      MEMBER (LINES, container.hosts),
      FLAG ("add-host", 0, N_ ("NAME:ADDRESS")),
      .place = FH_OPTION_IN_CONTAINER,
      .title = N_ ("Extra Hosts"),
      .help = N_ ("Add a host name to its /etc/hosts; may be repeated"),
      .check = fh_run_option_check_hosts,
  },
  {
      MEMBER (LINES, container.environment),
      FLAG ("env", 0, N_ ("NAME[=VALUE]")),
      .place = FH_OPTION_IN_CONTAINER,
      .title = N_ ("Environment Variables"),
      .help = N_ ("Set a variable, or pass yours on with NAME; may be repeated"),
      .check = fh_run_option_check_environment,
  },
  {
      NUMBER (CPUS, container.milli_cpus, 10, 1024 * 1000),
      FLAG ("cpus", 0, N_ ("N")),
      .place = FH_OPTION_IN_CONTAINER,
      .title = N_ ("Processors"),
      .help = N_ ("Number of processors, such as 1.5 (default: all)"),
  },
  {
      MEMBER (TEXT, container.gpus),
      FLAG ("gpus", 0, N_ ("WHICH")),
      .place = FH_OPTION_IN_CONTAINER,
      .title = N_ ("Graphics Processors"),
      .help = N_ ("GPUs: all, how many, or device=0,1 (default: none)"),
      .check = fh_run_option_check_gpus,
  },
  {
      SWITCH_AS ("container.writable", container.is_writable),
      FLAG ("writable", 0, NULL),
      .place = FH_OPTION_IN_CONTAINER,
      .title = N_ ("Writable Image"),
      .help = N_ ("Let it write to the image’s folders, in a layer of its own"),
  },
  {
      SWITCH_AS ("container.root", container.is_root),
      FLAG ("root", 0, NULL),
      .place = FH_OPTION_IN_CONTAINER,
      .title = N_ ("Run as Root Inside"),
      .help = N_ ("Run it as root inside, still without capabilities"),
  },
  { NULL },
};

const FhRunOption *
fh_run_option_list (guint *n)
{
  if (n != NULL)
    *n = G_N_ELEMENTS (rows) - 1;
  return rows;
}

const FhRunOption *
fh_run_option_find (const char *key)
{
  for (const FhRunOption *row = rows; row->key != NULL; row++)
    {
      if (g_str_equal (row->key, key))
        return row;
    }
  return NULL;
}
