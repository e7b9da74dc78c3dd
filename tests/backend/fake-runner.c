/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Stands in for the guarded runner and misbehaves on purpose, so that faults of the conversation
 * can be tested without a sandbox. What it does is the last part of its own file name: a test makes
 * a link "fake-runner-NAME" and points FH_RUNNER at it.
 */
#include <dirent.h>
#include <errno.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include "fake-conversation.h"
#include "fake-forked.h"
#include "fake-waiting.h"

static void
begin (void)
{
  receive_all ();
  send_guards ();
  send_started ();
}

static void
tell_what_came (void)
{
  char text[1024];

  begin ();
  snprintf (text,
            sizeof text,
            "%s %zu %u wall=%llu guest=%zu\n",
            received.file,
            received.file_size,
            received.pieces,
            (unsigned long long) received.policy->wall_ms,
            received.messages_size);
  send_text (text);
  send_finished (FH_WIRE_EXITED, FH_WIRE_CAUSE_NONE, 0, -1, "");
}

/* What only a runner in a container is told. */
static void
tell_of_container (void)
{
  char text[1024];

  begin ();
  snprintf (text,
            sizeof text,
            "tier=%u shared=%d input=%zu binds=%zu argv=%s file=%zu env=",
            received.policy->tier,
            (received.policy->flags & FH_POLICY_SHARED_WORKSPACE) != 0,
            received.input_size,
            received.policy->n_binds,
            received.policy->argv[0],
            strlen (received.file));
  send_text (text);
  for (char **at = received.policy->env; *at != NULL; at++)
    {
      send_text (*at);
      send_text (" ");
    }
  send_finished (FH_WIRE_EXITED, FH_WIRE_CAUSE_NONE, 0, -1, "");
}

/* The image has no such program. */
static void
find_no_program (void)
{
  struct fh_finished finished = {
    .status = FH_WIRE_NOT_STARTED,
    .exit_code = -1,
    .signal = -1,
    .error = ENOENT,
    .step = "exec",
  };
  struct fh_buffer buffer;

  receive_all ();
  fh_buffer_init (&buffer, 4096);
  fh_finished_encode (&finished, &buffer);
  send_buffer (&buffer);
}

/* Can be stopped before it was told what to do, as the real one can. */
static void
tell_of_scope (void)
{
  struct fh_frame frame;
  struct fh_policy *policy = NULL;

  while (take (&frame) && frame.kind != FH_FRAME_RUN && frame.kind != FH_FRAME_STOP)
    {
      if (frame.kind == FH_FRAME_POLICY)
        policy = fh_policy_decode (frame.payload, frame.size);
    }
  if (frame.kind == FH_FRAME_STOP)
    {
      send_finished (FH_WIRE_STOPPED, FH_WIRE_CAUSE_NONE, -1, -1, "");
      return;
    }
  if (frame.kind != FH_FRAME_RUN || policy == NULL)
    _exit (8);
  send_started ();
  send_text (policy->flags & FH_POLICY_SCOPE ? "scope" : "none");
  send_finished (FH_WIRE_EXITED, FH_WIRE_CAUSE_NONE, 0, -1, "");
}

static void
tell_guards (void)
{
  const struct fh_policy *policy;
  char text[256];

  begin ();
  policy = received.policy;
  snprintf (text,
            sizeof text,
            "watch=%u tier=%u without=%x collect=%d hosts=",
            policy->watch,
            policy->tier,
            policy->without,
            (policy->flags & FH_POLICY_COLLECT) != 0);
  send_text (text);
  for (char **at = policy->allow_hosts; at != NULL && *at != NULL; at++)
    {
      send_text (*at);
      send_text (" ");
    }
  send_text ("guest=");
  for (size_t i = 0; i < received.messages_size; i++)
    send_text (received.messages[i] >= ' ' ? (char[]){ received.messages[i], 0 } : ".");
  send_finished (FH_WIRE_EXITED, FH_WIRE_CAUSE_NONE, 0, -1, "");
}

/* The numbers of the open descriptors, as a word. */
static void
tell_surroundings (void)
{
  DIR *dir = opendir ("/proc/self/fd");
  struct dirent *entry;

  begin ();
  while (dir != NULL && (entry = readdir (dir)) != NULL)
    {
      if (entry->d_name[0] != '.' && atoi (entry->d_name) != dirfd (dir))
        {
          send_text ("fd:");
          send_text (entry->d_name);
          send_text (" ");
        }
    }
  if (dir != NULL)
    closedir (dir);
  for (char **at = environ; *at != NULL; at++)
    {
      send_text (*at);
      send_text (" ");
    }
  send_finished (FH_WIRE_EXITED, FH_WIRE_CAUSE_NONE, 0, -1, "");
}

static void
tell_attempts (void)
{
  struct fh_buffer buffer;

  begin ();
  send_bytes (FH_WIRE_STDERR, "theirs\n", 7);
  send_attempt (0, FH_WIRE_DENIED, "1.1.1.1:443");
  send_attempt (1, FH_WIRE_OBSERVED, "127.0.0.1:\x1b[2J\n80");
  fh_buffer_init (&buffer, 64);
  fh_attempts_dropped_encode (3, &buffer);
  send_buffer (&buffer);
  send_finished (FH_WIRE_EXITED, FH_WIRE_CAUSE_NONE, 5, -1, "");
}

/* What ends it is listed, but is nothing that the program tried. */
static void
meet_limit (void)
{
  const struct fh_attempt end = {
    .count = 1,
    .guard = FH_WIRE_GUARD_TIME,
    .verdict = FH_WIRE_LIMITED,
    .flags = FH_ATTEMPT_ENDED_RUN,
    .layer = "supervisor",
    .operation = "run on",
    .object = "",
    .command = "",
  };
  struct fh_buffer buffer;

  begin ();
  fh_buffer_init (&buffer, 256);
  fh_attempt_encode (&end, &buffer);
  send_buffer (&buffer);
  send_finished (FH_WIRE_TIMED_OUT, FH_WIRE_CAUSE_WALL, -1, SIGKILL, "");
}

/* A number is left out. */
static void
skip_attempt (void)
{
  begin ();
  send_attempt (1, FH_WIRE_DENIED, "1.1.1.1:443");
  pause ();
}

static void
tell_files (void)
{
  const struct fh_results_end end = { .n_left_out = 2 };
  struct fh_buffer buffer;

  begin ();
  send_file ("b.txt", 5, "hello");
  send_file ("a.txt", 2, "hi");
  fh_buffer_init (&buffer, 64);
  fh_results_end_encode (&end, &buffer);
  send_buffer (&buffer);
  send_finished (FH_WIRE_EXITED, FH_WIRE_CAUSE_NONE, 0, -1, "");
}

static void
tell_too_much (void)
{
  begin ();
  send_file ("b.txt", 4, "hello");
  pause ();
}

static void
die_in_a_file (void)
{
  begin ();
  send_file ("a.txt", 2, "hi");
  send_file ("b.txt", 100, "hello");
  _exit (7);
}

static void
copy_standard_input (void)
{
  begin ();
  for (size_t at = 0; at < received.input_size; at += FH_OUTPUT_MAX)
    {
      const size_t left = received.input_size - at;

      send_bytes (FH_WIRE_STDOUT, received.input + at, left < FH_OUTPUT_MAX ? left : FH_OUTPUT_MAX);
    }
  send_finished (FH_WIRE_EXITED, FH_WIRE_CAUSE_NONE, 0, -1, "");
}

static void
flood (void)
{
  static char block[FH_OUTPUT_MAX];

  memset (block, 'x', sizeof block);
  begin ();
  for (int i = 0; i < 1024; i++)
    send_bytes (FH_WIRE_STDOUT, block, sizeof block);
  send_finished (FH_WIRE_OUTPUT_LIMIT, FH_WIRE_CAUSE_NONE, -1, 9, "");
}

static void
die (int number)
{
  begin ();
  send_text ("partial");
  send_usage (7 << 20);
  if (number == 0)
    _exit (7);
  kill (getpid (), number);
}

static void
leave_descriptor_behind (void)
{
  begin ();
  send_text ("partial");
  if (fork () == 0)
    {
      close (STDOUT_FILENO);
      close (STDERR_FILENO);
      sleep (5);
      _exit (0);
    }
  kill (getpid (), SIGKILL);
}

static void
send_raw (const void *bytes, size_t size)
{
  struct fh_buffer buffer;

  fh_buffer_init (&buffer, 4096);
  fh_buffer_put_raw (&buffer, bytes, size);
  send_buffer (&buffer);
}

static void
talk_nonsense (void)
{
  begin ();
  send_text ("partial");
  send_raw ("GET / HTTP/1.1\r\n\r\n", 18);
  pause ();
}

static void
break_payload (void)
{
  begin ();
  send_raw ("\x03\0\0\0\x15\0\0\0abc", 11);
  pause ();
}

static void
send_unknown_kind (void)
{
  begin ();
  send_raw ("\0\0\0\0\x63\0\0\0", 8);
  pause ();
}

static void
hang_up_and_stay (void)
{
  begin ();
  close (FH_WIRE_FD);
  for (;;)
    pause ();
}

static void
obey_stop (void)
{
  begin ();
  wait_for_stop ();
  send_finished (FH_WIRE_STOPPED, FH_WIRE_CAUSE_NONE, -1, 2, "");
}

static void
ignore_stop (void)
{
  begin ();
  for (;;)
    wait_for_stop ();
}

static void
fail_setup (void)
{
  receive_all ();
  send_finished (FH_WIRE_SETUP_FAILED, FH_WIRE_CAUSE_NONE, -1, -1, "uid-map");
}

static void
probe_fails (void)
{
  receive_all ();
  send_guards ();
  send_finished (FH_WIRE_SETUP_FAILED, FH_WIRE_CAUSE_NONE, -1, -1, "uid-map");
}

/* As on a computer where neither our own namespaces nor those of bubblewrap work. */
static void
fall (void)
{
  receive_all ();
  if (received.policy->tier < FH_WIRE_TIER_LANDLOCK)
    send_finished (FH_WIRE_SETUP_FAILED, FH_WIRE_CAUSE_NONE, -1, -1, "user-namespace-map");
  else
    {
      send_guards ();
      if (!(received.policy->flags & FH_POLICY_PROBE))
        send_started ();
      send_finished (FH_WIRE_EXITED, FH_WIRE_CAUSE_NONE, 0, -1, "");
    }
}

/* As while another program has used up what can be on its way. */
static void
run_short (void)
{
  receive_all ();
  if (received.policy->tier < FH_WIRE_TIER_LANDLOCK)
    send_failed (FH_WIRE_SETUP_FAILED, "descriptor-passing", ETOOMANYREFS);
  else
    send_finished (FH_WIRE_EXITED, FH_WIRE_CAUSE_NONE, 0, -1, "");
}

/* One that cannot do what this run asks for, but would do another. */
static void
be_choosy (void)
{
  receive_all ();
  if (received.policy->flags & FH_POLICY_PROBE)
    {
      send_guards ();
      send_finished (FH_WIRE_EXITED, FH_WIRE_CAUSE_NONE, 0, -1, "");
    }
  else
    send_finished (FH_WIRE_SETUP_FAILED, FH_WIRE_CAUSE_NONE, -1, -1, "files");
}

static void
probe (void)
{
  receive_all ();
  if (!(received.policy->flags & FH_POLICY_PROBE))
    _exit (8);
  send_guards ();
  send_finished (FH_WIRE_EXITED, FH_WIRE_CAUSE_NONE, 0, -1, "");
}

/* Words after the last one, and twice the last one: the first cause must win. */
static void
finish_twice (void)
{
  begin ();
  send_finished (FH_WIRE_EXITED, FH_WIRE_CAUSE_NONE, 3, -1, "");
  send_text ("late");
  send_finished (FH_WIRE_EXITED, FH_WIRE_CAUSE_NONE, 0, -1, "");
}

static void
die_plainly (void)
{
  die (0);
}

static void
die_of_kill (void)
{
  die (SIGKILL);
}

static void
leave_at_once (void)
{
  _exit (0);
}

static const struct
{
  const char *name;
  void (*act) (void);
} acts[] = {
  { "tells", tell_what_came },
  { "container", tell_of_container },
  { "no-program", find_no_program },
  { "scope", tell_of_scope },
  { "guards", tell_guards },
  { "surroundings", tell_surroundings },
  { "attempts", tell_attempts },
  { "meets-limit", meet_limit },
  { "attempt-gap", skip_attempt },
  { "files", tell_files },
  { "too-much-file", tell_too_much },
  { "dies-in-file", die_in_a_file },
  { "stdin", copy_standard_input },
  { "waits", wait_for_program },
  { "fails-to-prepare", fail_to_prepare },
  { "dies-waiting", die_while_waiting },
  { "speaks-waiting", speak_while_waiting },
  { "repeats-input", repeat_input },
  { "flood", flood },
  { "dies", die_plainly },
  { "killed", die_of_kill },
  { "leaves-descriptor", leave_descriptor_behind },
  { "nonsense", talk_nonsense },
  { "broken-payload", break_payload },
  { "unknown-kind", send_unknown_kind },
  { "hangs-up", hang_up_and_stay },
  { "obeys", obey_stop },
  { "stubborn", ignore_stop },
  { "setup-fails", fail_setup },
  { "probe", probe },
  { "probe-fails", probe_fails },
  { "falls", fall },
  { "runs-short", run_short },
  { "choosy", be_choosy },
  { "finishes-twice", finish_twice },
  { "leaves-at-once", leave_at_once },
};

int
main (int argc, char **argv)
{
  const char *name = strstr (argv[0], "fake-runner-");

  if (name == NULL || !conversation_begin ())
    return 64;
  /* One that was forgotten is not waited for. */
  alarm (30);
  name += strlen ("fake-runner-");
  for (size_t i = 0; i < sizeof acts / sizeof acts[0]; i++)
    {
      if (strcmp (acts[i].name, name) == 0)
        {
          acts[i].act ();
          return 0;
        }
    }
  return fork_as (name) ? 0 : 64;
}
