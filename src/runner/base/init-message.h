/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Messages between init and the supervisor, on the status socket, which keeps their boundaries. The
 * guest cannot reach that socket.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/resource.h>
#include <sys/types.h>

/* A fault is the step that failed, and errno. The step is a number: an index into the table of
 * setup.c, or one of the few below. */
/* Steps outside the table of setup.c. */
enum fault_step
{
  FAULT_STEP_EXEC = 1000, /* the guest's program could not be executed */
  FAULT_STEP_START,       /* the process for the guest could not be made */
  FAULT_STEP_LANDLOCK,    /* its Landlock rules could not be applied */
  FAULT_STEP_SIGNALS,     /* its signals could not be restricted */
  FAULT_STEP_HAND_OVER,   /* init could not send its descriptors to the supervisor */
  FAULT_STEP_WARM,        /* the warm interpreter cannot fork */
  FAULT_STEP_FILES,       /* its number of open files could not be limited */
};

struct fault
{
  uint32_t step;
  int32_t error; /* errno */
};

enum init_message_kind
{
  INIT_FAULT = 1, /* `fault`; nothing ran */
  INIT_READY,     /* all guards are set up; `ready`, and the descriptors that it names */
  INIT_STARTED,   /* the guest's program is running, since `begun_us` */
  INIT_ENDED,     /* the main process ended: `ended` */
  INIT_BEGUN,     /* the answer to INIT_BEGIN: `cpu_us` */
  INIT_CHANNEL, /* the first message if there is a guest channel, and that of INIT_NEXT: our end of
                   it */

  /* A warm interpreter sends these: */
  INIT_NETWORK, /* its network is there: what of `ready` is about that, and its descriptors */
  INIT_WARM,    /* it can fork; INIT_FAULT if it cannot */
  INIT_FORKED,  /* the answer to INIT_FORK: the descriptors of enum init_forked */
  INIT_REAPED,  /* the run's init was waited for: `usage` of everything inside */
};

/* What init sends when it is ready, in this order. Some may be missing. */
enum init_descriptor
{
  INIT_PROC,      /* the sandbox's own /proc */
  INIT_WORKSPACE, /* /workspace, or its layer over a project folder */
  INIT_TMP,       /* /tmp */
  INIT_ROOT,      /* what the guest sees as / */
  INIT_LISTENER,  /* the listener of the system call filter, seccomp_unotify (2) */
  INIT_DNS,       /* a datagram socket at 127.0.0.1, port 53, inside */
  INIT_PROXY,     /* a listening socket at 127.0.0.1 inside */
  INIT_SOCKETS,   /* lists all sockets inside, sock_diag (7) */
  N_INIT_DESCRIPTORS,
};

/* What comes with INIT_FORKED: a pidfd of the run's init, and the supervisor's ends. The pipes have
 * to be made by the guest's user, or it could not reopen them through /dev/stdout. */
enum init_forked
{
  INIT_FORKED_PIDFD,
  INIT_FORKED_STATUS,
  INIT_FORKED_INPUT,
  INIT_FORKED_OUTPUT,
  INIT_FORKED_ERROR,
  N_INIT_FORKED,
};
_Static_assert((int) N_INIT_FORKED <= (int) N_INIT_DESCRIPTORS, "they fit into a message");

struct init_ready
{
  uint64_t cpu_us; /* CPU time of setting up, to be subtracted */
  int32_t landlock_abi;
  int32_t has_scope;    /* struct setup */
  int32_t has_own_user; /* struct guest_user */
  int32_t filter;       /* struct setup */
  int32_t listener_error;
  uint64_t skipped;     /* struct setup */
  uint32_t descriptors; /* the descriptors that come with it, 1 << enum init_descriptor */
};

struct init_ended
{
  int32_t wait_status; /* as from wait(2) */
  /* The most memory that it had, or one that it has waited for; or all for which a forked init has
   * waited. */
  int64_t peak_kib;
};

struct init_message
{
  uint32_t kind;
  uint32_t is_alone; /* of INIT_ENDED: no other process is left */
  uint64_t time_us;  /* CLOCK_BOOTTIME */
  union
  {
    struct fault fault;
    struct init_ready ready;
    struct init_ended ended;
    uint64_t begun_us; /* CLOCK_BOOTTIME */
    uint64_t cpu_us;   /* CPU time that was used so far */
    struct rusage usage;
  };
};

/* One byte from the supervisor: an interpreter that was started ahead gets its program now; send
 * SIGINT or SIGTERM to the guest's main process group; kill all processes, if killing init is not
 * enough; the users of init's namespace are mapped, see guest-user.h; fork another run, to a warm
 * interpreter, with a network of its own or in the interpreter's; a forked run is in its control
 * group, if there is one; start another program. */
#define INIT_BEGIN        'B'
#define INIT_BOXED        'C'
#define INIT_FORK         'F'
#define INIT_FORK_INSIDE  'N'
#define INIT_INTERRUPT    'I'
#define INIT_KILL         'K'
#define INIT_NEXT         'P'
#define INIT_TERMINATE    'T'
#define INIT_USERS_MAPPED 'M'

/* The next program of a sandbox that stays, of which the kernel keeps the boundaries. With it come
 * its standard input, output and error. */
#define INIT_NEXT_BYTES   (64u * 1024)
#define INIT_NEXT_STRINGS 1024u

struct init_next
{
  char request; /* INIT_NEXT */
  bool has_channel;
  uint16_t n_argv;
  uint16_t n_env;
  char strings[INIT_NEXT_BYTES]; /* of argv, then of env, each with its NUL; the rest is not sent */
};

/* Sends bytes with at most N_INIT_DESCRIPTORS descriptors; `flags` are those of send (2). Returns 0
 * or a negative errno: -ETOOMANYREFS if the user has too many descriptors in flight, unix (7). */
int message_send (int socket, const void *data, size_t size, const int fds[], size_t n, int flags);
/* Receives such a message without waiting. Its descriptors, `n` in all, come first in `fds`, the
 * rest are -1. Returns its size, 0 at the end, or -1 with errno. */
ssize_t
message_receive (int socket, void *data, size_t size, int fds[N_INIT_DESCRIPTORS], size_t *n);

/* Sets the message's time and sends it with `n` descriptors. False with errno if the other end is
 * closed or the descriptors cannot be sent: ETOOMANYREFS, unix (7). */
bool init_message_send (int socket, struct init_message *message, const int fds[], size_t n);
/* Receives the next message without waiting. Its descriptors come first in `fds`, the rest are -1.
 * False if there is none. */
bool init_message_receive (int socket, struct init_message *message, int fds[N_INIT_DESCRIPTORS]);
/* Sends a fault, and nothing else. */
bool init_message_send_fault (int socket, uint32_t step, int error);
/* Sends init a byte, INIT_…, without waiting. False with errno if that failed. */
bool init_ask (int socket, char request);
/* Closes the descriptors of a message that nobody uses. */
void init_message_drop (int fds[N_INIT_DESCRIPTORS]);
