/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "attempt-call.h"
#include "guest-memory.h"

#include <errno.h>
#include <limits.h>
#include <netinet/in.h>
#include <stdio.h>
#include <string.h>
#include <sys/socket.h>

struct name
{
  uint32_t value;
  const char *name;
};

static const struct name clone_flags[] = {
  { 0x00020000, "CLONE_NEWNS" },
  { 0x00000080, "CLONE_NEWTIME" },
  { 0x02000000, "CLONE_NEWCGROUP" },
  { 0x04000000, "CLONE_NEWUTS" },
  { 0x08000000, "CLONE_NEWIPC" },
  { 0x10000000, "CLONE_NEWUSER" },
  { 0x20000000, "CLONE_NEWPID" },
  { 0x40000000, "CLONE_NEWNET" },
  { 0, NULL },
};

static const struct name families[] = {
  { 3, "AF_AX25" },     { 4, "AF_IPX" },      { 5, "AF_APPLETALK" },  { 15, "AF_KEY" },
  { 16, "AF_NETLINK" }, { 17, "AF_PACKET" },  { 21, "AF_RDS" },       { 24, "AF_PPPOX" },
  { 29, "AF_CAN" },     { 30, "AF_TIPC" },    { 31, "AF_BLUETOOTH" }, { 36, "AF_IEEE802154" },
  { 37, "AF_CAIF" },    { 38, "AF_ALG" },     { 39, "AF_NFC" },       { 40, "AF_VSOCK" },
  { 41, "AF_KCM" },     { 42, "AF_QIPCRTR" }, { 43, "AF_SMC" },       { 44, "AF_XDP" },
  { 45, "AF_MCTP" },    { 1, "AF_UNIX" },     { 2, "AF_INET" },       { 10, "AF_INET6" },
  { 0, NULL },
};

static const struct name protocols[] = {
  { 1, "IPPROTO_ICMP" },    { 33, "IPPROTO_DCCP" },
  { 58, "IPPROTO_ICMPV6" }, { 115, "IPPROTO_L2TP" },
  { 132, "IPPROTO_SCTP" },  { 136, "IPPROTO_UDPLITE" },
  { 255, "IPPROTO_RAW" },   { 0, NULL },
};

static const struct name ptrace_requests[] = {
  { 1, "PTRACE_PEEKTEXT" }, { 2, "PTRACE_PEEKDATA" },   { 4, "PTRACE_POKETEXT" },
  { 5, "PTRACE_POKEDATA" }, { 12, "PTRACE_GETREGS" },   { 16, "PTRACE_ATTACH" },
  { 17, "PTRACE_DETACH" },  { 0x4206, "PTRACE_SEIZE" }, { 0, NULL },
};

static const struct name keyctl_operations[] = {
  { 1, "KEYCTL_JOIN_SESSION_KEYRING" },
  { 2, "KEYCTL_UPDATE" },
  { 5, "KEYCTL_SETPERM" },
  { 6, "KEYCTL_DESCRIBE" },
  { 8, "KEYCTL_LINK" },
  { 10, "KEYCTL_SEARCH" },
  { 11, "KEYCTL_READ" },
  { 0, NULL },
};

static const struct name bpf_commands[] = {
  { 5, "BPF_PROG_LOAD" }, { 6, "BPF_OBJ_PIN" }, { 7, "BPF_OBJ_GET" },
  { 18, "BPF_BTF_LOAD" }, { 0, NULL },
};

static const struct name terminal_requests[] = {
  { 0x5412, "TIOCSTI" }, { 0x541C, "TIOCLINUX" }, { 0x541D, "TIOCCONS" }, { 0x5423, "TIOCSETD" },
  { 0, NULL },
};

static const struct name file_requests[] = {
  { 1024, "F_SETLEASE" },
  { 1026, "F_NOTIFY" },
  { 1040, "F_SETDELEG" },
  { 0, NULL },
};

static const struct name personalities[] = {
  { 0x0040000, "ADDR_NO_RANDOMIZE" },
  { 0x0400000, "READ_IMPLIES_EXEC" },
  { 0x0020000, "UNAME26" },
  { 0x0100000, "MMAP_PAGE_ZERO" },
  { 8, "PER_LINUX32" },
  { 0, NULL },
};

static const struct name filter_flags[] = {
  { 8, "SECCOMP_FILTER_FLAG_NEW_LISTENER" },
  { 0, NULL },
};

static const struct name process_options[] = {
  { 35, "PR_SET_MM" },
  { 62, "PR_SCHED_CORE" },
  { 78, "PR_FUTEX_HASH" },
  { 0, NULL },
};

static const struct name barriers[] = {
  { 1, "MEMBARRIER_CMD_GLOBAL" },
  { 2, "MEMBARRIER_CMD_GLOBAL_EXPEDITED" },
  { 4, "MEMBARRIER_CMD_REGISTER_GLOBAL_EXPEDITED" },
  { 0, NULL },
};

static const struct name message_flags[] = {
  { MSG_OOB, "MSG_OOB" },
  { 0, NULL },
};

/* The level is in the upper half. */
#define OPTION(level, option) ((uint32_t) (level) << 16 | (option))

static const struct name socket_options[] = {
  { OPTION (SOL_SOCKET, 26), "SO_ATTACH_FILTER" },
  { OPTION (SOL_SOCKET, 44), "SO_LOCK_FILTER" },
  { OPTION (SOL_SOCKET, 50), "SO_ATTACH_BPF" },
  { OPTION (SOL_SOCKET, 51), "SO_ATTACH_REUSEPORT_CBPF" },
  { OPTION (SOL_SOCKET, 52), "SO_ATTACH_REUSEPORT_EBPF" },
  { OPTION (IPPROTO_TCP, 14), "TCP_MD5SIG" },
  { OPTION (IPPROTO_TCP, 19), "TCP_REPAIR" },
  { OPTION (IPPROTO_TCP, 37), "TCP_TX_DELAY" },
  { OPTION (IPPROTO_TCP, 38), "TCP_AO_ADD_KEY" },
  { OPTION (IPPROTO_UDP, 100), "UDP_ENCAP" },
  { OPTION (IPPROTO_IP, 4), "IP_OPTIONS" },
  { OPTION (IPPROTO_IP, 16), "IP_IPSEC_POLICY" },
  { OPTION (IPPROTO_IP, 17), "IP_XFRM_POLICY" },
  { OPTION (IPPROTO_IP, 39), "IP_ADD_SOURCE_MEMBERSHIP" },
  { OPTION (IPPROTO_IP, 64), "IPT_SO_SET_REPLACE" },
  { OPTION (IPPROTO_IPV6, 1), "IPV6_ADDRFORM" },
  { OPTION (IPPROTO_IPV6, 6), "IPV6_2292PKTOPTIONS" },
  { OPTION (IPPROTO_IPV6, 20), "IPV6_JOIN_GROUP" },
  { OPTION (IPPROTO_IPV6, 32), "IPV6_FLOWLABEL_MGR" },
  { OPTION (IPPROTO_IPV6, 42), "MCAST_JOIN_GROUP" },
  { OPTION (IPPROTO_IPV6, 64), "IP6T_SO_SET_REPLACE" },
  { 0, NULL },
};

enum kind
{
  A_VALUE, /* one of the names */
  BITS,    /* the names of the bits that are set */
  A_TEXT,  /* in memory */
  A_PROCESS,
  A_CLOCK,   /* of a process, as made by clock_getcpuclockid (3) */
  AN_OPTION, /* its level is in the argument before */
};

/* The most telling argument of a call. */
static const struct
{
  const char *call;
  enum kind kind;
  unsigned int argument;
  const struct name *names;
} kinds[] = {
  { "clone", BITS, 0, clone_flags },
  { "unshare", BITS, 0, clone_flags },
  { "setns", BITS, 1, clone_flags },
  { "socket", A_VALUE, 0, families },
  { "socketpair", A_VALUE, 0, families },
  { "ptrace", A_VALUE, 0, ptrace_requests },
  { "keyctl", A_VALUE, 0, keyctl_operations },
  { "bpf", A_VALUE, 0, bpf_commands },
  { "ioctl", A_VALUE, 1, terminal_requests },
  { "fcntl", A_VALUE, 1, file_requests },
  { "prctl", A_VALUE, 0, process_options },
  { "membarrier", A_VALUE, 0, barriers },
  { "setsockopt", AN_OPTION, 2, socket_options },
  { "sendto", BITS, 3, message_flags },
  { "sendmsg", BITS, 2, message_flags },
  { "sendmmsg", BITS, 3, message_flags },
  { "clock_gettime", A_CLOCK, 0, NULL },
  { "clock_getres", A_CLOCK, 0, NULL },
  { "clock_nanosleep", A_CLOCK, 0, NULL },
  { "timer_create", A_CLOCK, 0, NULL },
  { "personality", BITS, 0, personalities },
  { "seccomp", BITS, 1, filter_flags },
  { "mount", A_TEXT, 1, NULL },
  { "umount", A_TEXT, 0, NULL },
  { "umount2", A_TEXT, 0, NULL },
  { "pivot_root", A_TEXT, 0, NULL },
  { "chroot", A_TEXT, 0, NULL },
  { "swapon", A_TEXT, 0, NULL },
  { "swapoff", A_TEXT, 0, NULL },
  { "acct", A_TEXT, 0, NULL },
  { "open_tree", A_TEXT, 1, NULL },
  { "open_tree_attr", A_TEXT, 1, NULL },
  { "fsopen", A_TEXT, 0, NULL },
  { "fspick", A_TEXT, 1, NULL },
  { "mount_setattr", A_TEXT, 1, NULL },
  { "name_to_handle_at", A_TEXT, 1, NULL },
  { "delete_module", A_TEXT, 0, NULL },
  { "add_key", A_TEXT, 1, NULL },
  { "request_key", A_TEXT, 1, NULL },
  { "process_vm_readv", A_PROCESS, 0, NULL },
  { "process_vm_writev", A_PROCESS, 0, NULL },
  { "kcmp", A_PROCESS, 0, NULL },
  { "move_pages", A_PROCESS, 0, NULL },
  { "migrate_pages", A_PROCESS, 0, NULL },
  { "prlimit64", A_PROCESS, 0, NULL },
  { "sched_setaffinity", A_PROCESS, 0, NULL },
  { "sched_setattr", A_PROCESS, 0, NULL },
  { "sched_setparam", A_PROCESS, 0, NULL },
  { "sched_setscheduler", A_PROCESS, 0, NULL },
  { "setpriority", A_PROCESS, 1, NULL },
  { "ioprio_set", A_PROCESS, 1, NULL },
};

static void
write_value (char *object, size_t capacity, uint32_t value, const struct name *names)
{
  for (; names->name != NULL; names++)
    {
      if (names->value == value)
        {
          snprintf (object, capacity, "%s", names->name);
          return;
        }
    }
  snprintf (object, capacity, "%u", value);
}

static void
write_bits (char *object, size_t capacity, uint32_t bits, const struct name *names)
{
  size_t size = 0;

  for (; names->name != NULL && size < capacity; names++)
    {
      if ((bits & names->value) == names->value)
        size += (size_t)
            snprintf (object + size, capacity - size, "%s%s", size > 0 ? "|" : "", names->name);
    }
  if (size == 0)
    snprintf (object, capacity, "0x%x", bits);
}

/* Sockets of allowed families are refused for their protocol, if they have one. */
static void
write_socket (const struct attempt_call *call, char *object, size_t capacity)
{
  const uint32_t family = (uint32_t) call->arguments[0];
  size_t size;

  write_value (object, capacity, family, families);
  if (strcmp (call->name, "socket") != 0 || (family != AF_INET && family != AF_INET6) ||
      (uint32_t) call->arguments[2] == 0)
    return;
  size = strlen (object);
  object[size++] = ' ';
  write_value (object + size, capacity - size, (uint32_t) call->arguments[2], protocols);
}

static void
write_option (char *object, size_t capacity, uint32_t level, uint32_t option)
{
  const struct name *names = socket_options;

  while (names->name != NULL &&
         (level > UINT16_MAX || option > UINT16_MAX || names->value != OPTION (level, option)))
    names++;
  if (names->name != NULL)
    snprintf (object, capacity, "%s", names->name);
  else
    snprintf (object, capacity, "level %u, option %u", level, option);
}

/* True if memory was read. */
static bool
describe (const struct attempt_call *call, char *object, size_t capacity)
{
  object[0] = '\0';
  for (size_t i = 0; i < sizeof kinds / sizeof kinds[0]; i++)
    {
      const uint64_t argument = call->arguments[kinds[i].argument];

      if (strcmp (kinds[i].call, call->name) != 0)
        continue;
      if (kinds[i].names == families)
        write_socket (call, object, capacity);
      else if (kinds[i].kind == A_VALUE)
        write_value (object, capacity, (uint32_t) argument, kinds[i].names);
      else if (kinds[i].kind == BITS)
        write_bits (object, capacity, (uint32_t) argument, kinds[i].names);
      else if (kinds[i].kind == AN_OPTION)
        write_option (object, capacity, (uint32_t) call->arguments[1], (uint32_t) argument);
      else if (kinds[i].kind == A_CLOCK)
        snprintf (object, capacity, "%d", ~((int) argument >> 3));
      else if (kinds[i].kind == A_TEXT)
        guest_memory_string (call->thread, argument, object, capacity);
      else
        snprintf (object, capacity, "%d", (int) argument);
      return kinds[i].kind == A_TEXT;
    }
  return false;
}

void
attempt_refused (const struct attempt_call *call)
{
  const bool is_socket = strncmp (call->name, "socket", 6) == 0;
  char object[PATH_MAX];
  bool reads_memory;

  reads_memory = describe (call, object, sizeof object);
  if (strcmp (call->name, "ptrace") == 0 && call->arguments[0] == 0)
    strcpy (object, "PTRACE_TRACEME");
  attempt_call_report (call,
                       &(const struct attempt_finding){
                           .guard = is_socket ? FH_WIRE_GUARD_NETWORK : FH_WIRE_GUARD_SYSTEM_CALLS,
                           /* As if the user's limit had been reached. */
                           .verdict = call->answer == EMFILE ? FH_WIRE_LIMITED : FH_WIRE_DENIED,
                           .layer = "seccomp",
                           .operation = call->name,
                           .object = object,
                           .error = call->answer,
                           .is_from_registers = !reads_memory,
                       });
}
