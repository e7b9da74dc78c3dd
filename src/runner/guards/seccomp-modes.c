/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "seccomp-modes.h"

#include "seccomp-architecture.h"
#include "syscalls.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/stat.h>

/* They have no names in the oldest headers, and are the same everywhere. */
#define CALL_FCHMODAT2 452
#define CALL_OPENAT2   437

#define BITS (S_ISUID | S_ISGID)
/* And O_TMPFILE without the bit of folders, which says nothing about new files. */
#define MAKES_A_FILE (O_CREAT | 020000000)

#define LOAD(offset) BPF_STMT (BPF_LD | BPF_W | BPF_ABS, offset)
#define LOAD_CALL    LOAD (offsetof (struct seccomp_data, nr))
/* The lower half, which is all of an int that the kernel looks at. */
#define LOAD_ARGUMENT(n)         LOAD (offsetof (struct seccomp_data, args) + (n) * sizeof (uint64_t))
#define IF_EQUAL(value, yes, no) BPF_JUMP (BPF_JMP | BPF_JEQ | BPF_K, value, yes, no)
#define IF_BITS(bits, yes, no)   BPF_JUMP (BPF_JMP | BPF_JSET | BPF_K, bits, yes, no)
#define RETURN(action)           BPF_STMT (BPF_RET | BPF_K, action)
#define REFUSE(error)            RETURN (SECCOMP_RET_ERRNO | (error))

/* What comes next has to find the number of the call loaded. */
#define WITHOUT_BITS(call, mode)                                                                   \
  IF_EQUAL (call, 0, 4), LOAD_ARGUMENT (mode), IF_BITS (BITS, 0, 1), REFUSE (EPERM), LOAD_CALL
/* The mode of a file that is there already is not looked at, and may be anything. */
#define NEW_WITHOUT_BITS(call, flags, mode)                                                        \
  IF_EQUAL (call, 0, 6), LOAD_ARGUMENT (flags), IF_BITS (MAKES_A_FILE, 0, 3),                      \
      LOAD_ARGUMENT (mode), IF_BITS (BITS, 0, 1), REFUSE (EPERM), LOAD_CALL

static const struct sock_filter modes[] = {
  /* The numbers of another architecture mean other calls. */
  LOAD (offsetof (struct seccomp_data, arch)),
  IF_EQUAL (SECCOMP_ARCHITECTURE, 1, 0),
  RETURN (SECCOMP_RET_KILL_PROCESS),
  LOAD_CALL,
  BPF_JUMP (BPF_JMP | BPF_JGE | BPF_K, SECCOMP_X32_BIT, 0, 1),
  RETURN (SECCOMP_RET_KILL_PROCESS),
#ifdef SYS_chmod
  WITHOUT_BITS (SYS_chmod, 1),
  WITHOUT_BITS (SYS_creat, 1),
  WITHOUT_BITS (SYS_mknod, 1),
  NEW_WITHOUT_BITS (SYS_open, 1, 2),
#endif
  WITHOUT_BITS (SYS_fchmod, 1),
  WITHOUT_BITS (SYS_fchmodat, 2),
  WITHOUT_BITS (CALL_FCHMODAT2, 2),
  WITHOUT_BITS (SYS_mknodat, 2),
  NEW_WITHOUT_BITS (SYS_openat, 2, 3),
  /* Its mode is in memory, where no filter can see it. Programs know older kernels. */
  IF_EQUAL (CALL_OPENAT2, 0, 1),
  REFUSE (ENOSYS),
  RETURN (SECCOMP_RET_ALLOW),
};

int
seccomp_modes_enter (void)
{
  struct sock_fprog program = {
    .len = sizeof modes / sizeof modes[0],
    .filter = (struct sock_filter *) modes,
  };

  return sys_seccomp (SECCOMP_SET_MODE_FILTER, 0, &program) < 0 ? -errno : 0;
}
