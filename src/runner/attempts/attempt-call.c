/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "attempt-call.h"

#include "clock.h"
#include "kernel-file.h"

#include <fcntl.h>
#include <linux/seccomp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/stat.h>
#include <unistd.h>

/* Thread ids are assigned in turn; none is reused as soon as that. */
#define IDENTITY_US 50000

/* False if the caller is gone, and what was read may be another process's. */
static bool
is_waiting (const struct attempt_call *call)
{
  uint64_t id = call->id;

  return ioctl (call->scene->listener, SECCOMP_IOCTL_NOTIF_ID_VALID, &id) == 0;
}

/* The last word, a number, of a line that is complete; 0 if it is not. */
static uint32_t
last_number (const char *line)
{
  const char *end = strchr (line, '\n');

  while (end != NULL && end > line && end[-1] != '\t' && end[-1] != ' ')
    end--;
  return end != NULL ? (uint32_t) strtoul (end, NULL, 10) : 0;
}

/* The name comes first; the kernel escapes newlines in it, proc (5). */
static void
read_identity (const struct attempt_call *call, struct attempt_identity *identity)
{
  char path[32];
  char text[1024];
  const char *numbers;

  *identity = (struct attempt_identity){ 0 };
  snprintf (path, sizeof path, "/proc/%d/status", (int) call->thread);
  if (!kernel_file_read (AT_FDCWD, path, text, sizeof text))
    return;
  numbers = strstr (text, "\nNStgid:");
  identity->process = numbers != NULL ? last_number (numbers + 1) : 0;
  identity->parent = (pid_t) kernel_file_number (text, "PPid", 0);
  if (strncmp (text, "Name:\t", 6) == 0)
    {
      const size_t length = strcspn (text + 6, "\n");

      memcpy (identity->command,
              text + 6,
              length < FH_ATTEMPT_COMMAND_MAX ? length : FH_ATTEMPT_COMMAND_MAX);
    }
}

static const struct attempt_identity *
identify (const struct attempt_call *call)
{
  static const struct attempt_identity nobody;
  struct attempt_scene *scene = call->scene;
  const uint64_t now = clock_now_us ();

  if (scene->last_thread == call->thread && now < scene->last_until_us)
    return &scene->last;
  read_identity (call, &scene->last);
  scene->last_thread = is_waiting (call) ? call->thread : 0;
  scene->last_until_us = now + IDENTITY_US;
  return scene->last_thread == 0 ? &nobody : &scene->last;
}

uint32_t
attempt_call_process (const struct attempt_call *call)
{
  return identify (call)->process;
}

bool
attempt_call_is_main (const struct attempt_call *call)
{
  return identify (call)->parent == call->scene->init;
}

bool
attempt_call_is_of_guest (const struct attempt_call *call)
{
  struct stat ours;
  struct stat theirs;
  char path[32];

  snprintf (path, sizeof path, "/proc/%d/exe", (int) call->thread);
  return stat (path, &theirs) == 0 && stat ("/proc/self/exe", &ours) == 0 &&
         (theirs.st_dev != ours.st_dev || theirs.st_ino != ours.st_ino);
}

void
attempt_call_report (const struct attempt_call *call, const struct attempt_finding *finding)
{
  struct fh_attempt attempt = {
    .guard = finding->guard,
    .verdict = finding->verdict,
    .flags = finding->flags,
    .error = finding->error,
    .time_us = call->scene->started_us == 0 ? 0 : clock_now_us () - call->scene->started_us,
    .layer = finding->layer,
    .operation = finding->operation,
    .object = finding->object,
    .command = "",
  };
  const struct attempt_identity *identity;

  if ((!finding->is_from_registers && !is_waiting (call)) ||
      attempt_list_count (call->scene->list, &attempt))
    return;
  identity = identify (call);
  attempt.process = identity->process;
  attempt.command = identity->command;
  attempt_list_add (call->scene->list, &attempt);
}
