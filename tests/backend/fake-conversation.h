/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What a runner says and hears, for one that misbehaves in it: see fake-runner.c. */
#pragma once

#include "wire-attempt.h"
#include "wire-event.h"
#include "wire-policy.h"
#include "wire-result-file.h"

/* What the backend sent. */
struct received
{
  struct fh_policy *policy;
  char file[256];
  size_t file_size;
  unsigned pieces;
  char *input; /* the program's standard input */
  size_t input_size;
  char messages[1024];
  size_t messages_size;
};

extern struct received received;

bool conversation_begin (void);
void send_buffer (struct fh_buffer *buffer);
void send_bytes (uint8_t stream, const void *data, size_t size);
void send_text (const char *text);
void send_guards (void);
void send_started (void);
void send_usage (uint64_t memory);
void send_finished (uint8_t status, uint8_t cause, int exit_code, int number, const char *step);
/* The end of what could not be started: the step and its errno. */
void send_failed (uint8_t status, const char *step, int error);
bool take (struct fh_frame *frame);
void receive_all (void);
/* False at the end. */
bool receive_run (void);
/* True if it is to prepare; false if everything came, as by receive_all. */
bool receive_preparation (void);
void wait_for_stop (void);
void send_attempt (uint32_t id, uint8_t verdict, const char *object);
/* A file whose bytes come as announced, or are less, or more. */
void send_file (const char *path, uint64_t announced, const char *bytes);
