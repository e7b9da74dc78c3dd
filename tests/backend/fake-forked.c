/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "fake-forked.h"

#include "fake-conversation.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static void
send_retired (void)
{
  struct fh_buffer buffer;

  fh_buffer_init (&buffer, 64);
  fh_frame_put (&buffer, FH_FRAME_RETIRED, NULL, 0);
  send_buffer (&buffer);
}

static void
end_run (void)
{
  send_finished (FH_WIRE_EXITED, FH_WIRE_CAUSE_NONE, 0, -1, "");
}

static void
run (const char *how)
{
  send_started ();
  send_text (how);
  end_run ();
}

/* Does not return in a single sandbox. */
static void
begin (void)
{
  if (receive_preparation () && received.policy->kind == FH_POLICY_FORKED)
    return;
  send_guards ();
  run ("cold");
  exit (0);
}

static void
await_run (void)
{
  if (!receive_run ())
    exit (0);
}

static void
serve (unsigned int number)
{
  char text[64];

  snprintf (text, sizeof text, "forked %u", number);
  send_guards ();
  run (text);
}

static void
serve_until (unsigned int last)
{
  for (unsigned int number = 1; number <= last; number++)
    {
      await_run ();
      serve (number);
    }
}

static void
fork_runs (void)
{
  begin ();
  serve_until (1000);
}

/* The guards of each run are known before it is. */
static void
announce_runs (void)
{
  begin ();
  for (;;)
    {
      send_guards ();
      await_run ();
      run (received.policy->preload[0] != NULL ? received.policy->preload[0] : "none");
    }
}

static void
refuse_to_fork (void)
{
  begin ();
  send_failed (FH_WIRE_SETUP_FAILED, "warm", 1);
  send_retired ();
}

static void
retire_after_two (void)
{
  begin ();
  serve_until (2);
  send_retired ();
}

static void
retire_instead_of_third (void)
{
  begin ();
  serve_until (2);
  await_run ();
  send_retired ();
}

static void
die_after_first (void)
{
  begin ();
  serve_until (1);
  _exit (7);
}

static void
die_in_setup_of_second (void)
{
  begin ();
  serve_until (1);
  await_run ();
  send_guards ();
  _exit (7);
}

static void
die_in_second (void)
{
  begin ();
  serve_until (1);
  await_run ();
  send_guards ();
  send_started ();
  _exit (7);
}

static void
speak_after_first (void)
{
  begin ();
  serve_until (1);
  send_text ("early");
  await_run ();
  serve (2);
}

static void
retire_in_second (void)
{
  begin ();
  serve_until (1);
  await_run ();
  send_guards ();
  send_started ();
  send_retired ();
  await_run ();
}

static void
stop_first (void)
{
  begin ();
  await_run ();
  send_guards ();
  send_started ();
  send_text ("waits");
  wait_for_stop ();
  send_finished (FH_WIRE_STOPPED, FH_WIRE_CAUSE_NONE, -1, -1, "");
  await_run ();
  serve (2);
}

bool
fork_as (const char *name)
{
  static const struct
  {
    const char *name;
    void (*act) (void);
  } acts[] = {
    { "forks", fork_runs },
    { "announces", announce_runs },
    { "refuses-to-fork", refuse_to_fork },
    { "retires", retire_after_two },
    { "retires-late", retire_instead_of_third },
    { "dies-after-first", die_after_first },
    { "dies-in-setup", die_in_setup_of_second },
    { "dies-in-second", die_in_second },
    { "speaks-after-first", speak_after_first },
    { "retires-in-second", retire_in_second },
    { "stops", stop_first },
  };

  for (size_t i = 0; i < sizeof acts / sizeof acts[0]; i++)
    {
      if (strcmp (acts[i].name, name) == 0)
        {
          acts[i].act ();
          return true;
        }
    }
  return false;
}
