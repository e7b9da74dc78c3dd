/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "fake-waiting.h"

#include "fake-conversation.h"

#include <stdio.h>
#include <unistd.h>

static void
run (const char *how)
{
  send_started ();
  send_text (how);
  send_text (received.file);
  send_finished (FH_WIRE_EXITED, FH_WIRE_CAUSE_NONE, 0, -1, "");
}

static void
run_at_once (void)
{
  send_guards ();
  if (received.policy->flags & FH_POLICY_PROBE)
    send_finished (FH_WIRE_EXITED, FH_WIRE_CAUSE_NONE, 0, -1, "");
  else
    run ("cold ");
}

void
wait_for_program (void)
{
  if (!receive_preparation ())
    {
      run_at_once ();
      return;
    }
  send_guards ();
  receive_all ();
  run ("prepared ");
}

void
fail_to_prepare (void)
{
  if (receive_preparation ())
    send_finished (FH_WIRE_SETUP_FAILED, FH_WIRE_CAUSE_NONE, -1, -1, "proc");
  else
    run_at_once ();
}

void
die_while_waiting (void)
{
  if (receive_preparation ())
    {
      send_guards ();
      _exit (7);
    }
  run_at_once ();
}

void
speak_while_waiting (void)
{
  if (receive_preparation ())
    {
      send_guards ();
      run ("early ");
    }
  else
    run_at_once ();
}

void
repeat_input (void)
{
  struct fh_frame frame;
  struct fh_buffer buffer;
  char text[64];

  receive_all ();
  send_guards ();
  send_started ();
  snprintf (text,
            sizeof text,
            "stays=%d before=%zu\n",
            (received.policy->flags & FH_POLICY_INPUT_STAYS) != 0,
            received.input_size);
  send_text (text);
  fh_buffer_init (&buffer, 64);
  fh_waiting_encode (true, &buffer);
  send_buffer (&buffer);
  while (take (&frame) && frame.kind == FH_FRAME_INPUT && frame.size > 0)
    send_bytes (FH_WIRE_STDOUT, frame.payload, frame.size);
  if (frame.kind == FH_FRAME_INPUT)
    send_finished (FH_WIRE_EXITED, FH_WIRE_CAUSE_NONE, 0, -1, "");
  else
    send_finished (FH_WIRE_TIMED_OUT, FH_WIRE_CAUSE_WALL, -1, 9, "");
}
