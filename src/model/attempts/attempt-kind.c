/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "attempt-kind.h"

#include <string.h>

/* "a" is the path itself and everything below it; "a*" is everything that starts with it. The first
 * row that fits wins. */
typedef struct
{
  FhAttemptKind kind;
  const char *patterns; /* between "|" */
} Row;

static const Row below_home[] = {
  { FH_ATTEMPT_KIND_KEYS, ".ssh|.gnupg|.pki" },
  { FH_ATTEMPT_KIND_PASSWORDS,
    ".local/share/keyrings|.password-store|.config/keepassxc|.local/share/kwalletd|"
    ".config/Bitwarden|.netrc|.git-credentials|.config/git/credentials|.config/gh|.aws|.azure|"
    ".config/gcloud|.kube|.docker|.npmrc|.pypirc|.cargo/credentials*|.pgpass|.my.cnf|.env*|"
    ".bitcoin|.electrum|.ethereum" },
  { FH_ATTEMPT_KIND_BROWSER,
    ".mozilla|.thunderbird|.config/google-chrome*|.config/chromium|.config/BraveSoftware|"
    ".config/microsoft-edge*|.config/vivaldi*|.config/opera*|.local/share/epiphany|"
    "snap/firefox|snap/chromium" },
  { FH_ATTEMPT_KIND_SHELL_HISTORY,
    ".bash_history|.zsh_history|.histfile|.local/share/fish/fish_history|.python_history|"
    ".psql_history|.mysql_history|.node_repl_history|.lesshst" },
  { FH_ATTEMPT_KIND_STARTUP,
    ".bashrc|.bash_profile|.bash_login|.bash_logout|.profile|.zshrc|.zshenv|.zprofile|"
    ".config/fish|.config/autostart|.config/systemd|.config/environment.d|.xprofile|.xsession*|"
    ".local/bin" },
};

static const Row anywhere[] = {
  { FH_ATTEMPT_KIND_ACCOUNTS,
    "/etc/shadow*|/etc/gshadow*|/etc/passwd*|/etc/sudoers*|/etc/security|/etc/pam.d" },
  { FH_ATTEMPT_KIND_KEYS, "/etc/ssh/ssh_host_*|/etc/ssl/private" },
  { FH_ATTEMPT_KIND_STARTUP,
    "/etc/cron*|/var/spool/cron|/etc/systemd|/etc/profile*|/etc/rc.local|/etc/init.d|"
    "/etc/ld.so.preload" },
  { FH_ATTEMPT_KIND_CONTAINERS,
    "/var/run/docker*|/run/docker*|/run/containerd|/run/podman|/run/libvirt|/var/lib/docker" },
  { FH_ATTEMPT_KIND_DESKTOP,
    "/run|/var/run|/tmp/.X11-unix|/tmp/.ICE-unix|/tmp/ssh-*|/tmp/dbus-*|@/tmp/.X11-unix|"
    "@/tmp/dbus-*" },
  { FH_ATTEMPT_KIND_OWN_TERMINAL, "/dev/ptmx" },
  { FH_ATTEMPT_KIND_DEVICE, "/dev" },
  { FH_ATTEMPT_KIND_KERNEL_FILE, "/proc|/sys" },
  { FH_ATTEMPT_KIND_SYSTEM_FILE, "/boot|/etc|/usr|/bin|/sbin|/lib*|/opt|/var|/srv" },
};

/* These kinds follow from the operation alone. */
static const Row operations[] = {
  { FH_ATTEMPT_KIND_EXECUTE, "execute" },
  { FH_ATTEMPT_KIND_LOOK_UP, "look up" },
  { FH_ATTEMPT_KIND_PROXY, "use proxy for" },
  { FH_ATTEMPT_KIND_SERVE, "bind|listen" },
  { FH_ATTEMPT_KIND_SOCKET, "socket|socketpair" },
  { FH_ATTEMPT_KIND_SIGNAL, "signal|kill|tkill|tgkill|pidfd_send_signal" },
  { FH_ATTEMPT_KIND_INSPECT,
    "ptrace|process_*|pidfd_getfd|kcmp|move_pages|migrate_pages|prlimit64|sched_set*|"
    "setpriority|ioprio_set|clock_gettime|clock_getres|clock_nanosleep|timer_create" },
  { FH_ATTEMPT_KIND_MOUNT,
    "mount*|umount*|pivot_root|chroot|open_tree*|move_mount|fsopen|fsmount|fsconfig|fspick|"
    "statmount|listmount" },
  { FH_ATTEMPT_KIND_NAMESPACES, "unshare|setns|clone*" },
  { FH_ATTEMPT_KIND_KERNEL,
    "bpf|perf_event_open|io_uring*|userfaultfd|seccomp|modify_ldt|personality|vm86*|prctl|"
    "membarrier|remap_file_pages|cachestat|preadv2|mq_*|shm*|msg*|sem*|setsockopt|sendto|"
    "sendmsg|sendmmsg" },
  { FH_ATTEMPT_KIND_KEYRING, "keyctl|add_key|request_key" },
  { FH_ATTEMPT_KIND_MACHINE,
    "init_module|finit_module|delete_module|reboot|kexec*|swap*|settimeofday|clock_*|adjtimex|"
    "stime|sethostname|setdomainname|acct|quotactl*|syslog|iopl|ioperm|vhangup" },
  { FH_ATTEMPT_KIND_HANDLES, "name_to_handle_at|open_by_handle_at|fanotify*|lookup_dcookie" },
  { FH_ATTEMPT_KIND_TERMINAL, "ioctl" },
  { FH_ATTEMPT_KIND_PRIVILEGES, "setuid|setgid|setgroups|capset|chown|mknod*" },
  { FH_ATTEMPT_KIND_IMPORT, "import" },
  { FH_ATTEMPT_KIND_FUNCTION, "call" },
  { FH_ATTEMPT_KIND_OPERATIONS, "operations" },
  { FH_ATTEMPT_KIND_SHELL, "run in a shell|start|start in a terminal" },
};

static const Row file_operations[] = {
  { FH_ATTEMPT_KIND_FILE,
    "open|create|write to|write|delete|rename|list|delete folder|"
    "read attributes of|change attributes of|link to" },
};

/* A star at the end of a pattern stands for anything. */
static gboolean
fits (const char *pattern, gsize length, const char *name)
{
  if (length > 0 && pattern[length - 1] == '*')
    return strncmp (pattern, name, length - 1) == 0;
  return strncmp (pattern, name, length) == 0 && (name[length] == '\0' || name[length] == '/');
}

static gboolean
find (const Row *rows, gsize n, const char *name, FhAttemptKind *kind)
{
  gsize length;

  for (gsize i = 0; i < n; i++)
    {
      for (const char *at = rows[i].patterns; *at != '\0'; at += length + (at[length] == '|'))
        {
          length = strcspn (at, "|");
          if (!fits (at, length, name))
            continue;
          *kind = rows[i].kind;
          return TRUE;
        }
    }
  return FALSE;
}

static const char *
skip_prefix (const char *text, const char *prefix)
{
  return g_str_has_prefix (text, prefix) ? text + strlen (prefix) : NULL;
}

const char *
fh_attempt_below_home (const char *path)
{
  const char *rest = skip_prefix (path, g_get_home_dir ());

  if (rest != NULL && *rest == '/' && rest[1] != '\0')
    return rest + 1;
  rest = skip_prefix (path, FH_ATTEMPT_WORKSPACE);
  if (rest != NULL)
    return *rest == '.' ? rest : NULL;
  rest = skip_prefix (path, "~/");
  if (rest == NULL)
    rest = skip_prefix (path, "/root/");
  if (rest != NULL)
    return rest;
  rest = skip_prefix (path, "/home/");
  rest = rest != NULL ? strchr (rest, '/') : NULL;
  return rest != NULL ? rest + 1 : NULL;
}

static gboolean
is_home (const char *path)
{
  return g_str_equal (path, "~") || g_str_equal (path, "/root") ||
         fits ("/home", strlen ("/home"), path) ||
         fits (g_get_home_dir (), strlen (g_get_home_dir ()), path);
}

static FhAttemptKind
kind_of_path (const char *path)
{
  const char *rest = fh_attempt_below_home (path);
  FhAttemptKind kind = FH_ATTEMPT_KIND_FILE;

  if (rest != NULL && find (below_home, G_N_ELEMENTS (below_home), rest, &kind))
    return kind;
  /* Everything in the program's own folder is its own. */
  if (g_str_has_prefix (path, FH_ATTEMPT_WORKSPACE))
    return FH_ATTEMPT_KIND_FILE;
  if (rest != NULL || is_home (path))
    return FH_ATTEMPT_KIND_HOME;
  find (anywhere, G_N_ELEMENTS (anywhere), path, &kind);
  return kind;
}

static FhAttemptKind
kind_of_address (const char *address)
{
  static const char *const near[] = { "10.", "192.168.", "169.254.", "[fe80:", "[fc", "[fd" };
  guint second;

  if (address[0] == '/' || address[0] == '@')
    return kind_of_path (address);
  if (g_str_has_prefix (address, "127.") || g_str_has_prefix (address, "[::1]") ||
      g_str_has_prefix (address, "[::ffff:127.") || g_str_has_prefix (address, "0.0.0.0:"))
    return FH_ATTEMPT_KIND_CONNECT_HERE;
  if (g_str_has_prefix (address, "169.254.169.254:"))
    return FH_ATTEMPT_KIND_CONNECT_METADATA;
  for (gsize i = 0; i < G_N_ELEMENTS (near); i++)
    {
      if (g_str_has_prefix (address, near[i]))
        return FH_ATTEMPT_KIND_CONNECT_NEAR;
    }
  if (g_str_has_prefix (address, "172."))
    {
      second = (guint) g_ascii_strtoull (address + strlen ("172."), NULL, 10);
      if (second >= 16 && second < 32)
        return FH_ATTEMPT_KIND_CONNECT_NEAR;
    }
  return FH_ATTEMPT_KIND_CONNECT;
}

/* By the guard; the others have no limits. */
static const FhAttemptKind limits[FH_N_GUARDS] = {
  [FH_GUARD_PROCESSES] = FH_ATTEMPT_KIND_LIMIT_PROCESSES,
  [FH_GUARD_MEMORY] = FH_ATTEMPT_KIND_LIMIT_MEMORY,
  [FH_GUARD_DISK] = FH_ATTEMPT_KIND_LIMIT_DISK,
  [FH_GUARD_OUTPUT] = FH_ATTEMPT_KIND_LIMIT_OUTPUT,
  [FH_GUARD_TIME] = FH_ATTEMPT_KIND_LIMIT_TIME,
};

/* The home folder of a kept container belongs to the container. */
static FhAttemptKind
kind_of_file (const FhAttemptFacts *facts)
{
  FhAttemptKind kind = kind_of_path (facts->object);

  if (kind == FH_ATTEMPT_KIND_HOME && facts->is_lasting &&
      g_str_has_prefix (facts->object, FH_ATTEMPT_CONTAINER_HOME))
    return FH_ATTEMPT_KIND_FILE;
  return kind;
}

FhAttemptKind
fh_attempt_kind (const FhAttemptFacts *facts)
{
  FhAttemptKind kind = FH_ATTEMPT_KIND_OTHER;

  /* No limit has been reached by what could not be measured. */
  if (facts->verdict == FH_VERDICT_LIMITED && !facts->is_reported &&
      !g_str_equal (facts->operation, "hide a process"))
    kind = limits[facts->guard];
  if (kind != FH_ATTEMPT_KIND_OTHER)
    return kind;
  if (find (file_operations, G_N_ELEMENTS (file_operations), facts->operation, &kind))
    return kind_of_file (facts);
  if (g_str_equal (facts->operation, "connect") || g_str_equal (facts->operation, "send to"))
    return kind_of_address (facts->object);
  if (find (operations, G_N_ELEMENTS (operations), facts->operation, &kind))
    return kind;
  return facts->guard == FH_GUARD_SYSTEM_CALLS && !facts->is_reported ? FH_ATTEMPT_KIND_SYSTEM_CALL
                                                                      : FH_ATTEMPT_KIND_OTHER;
}

FhAttemptGravity
fh_attempt_gravity (const FhAttemptFacts *facts)
{
  FhAttemptKind kind;

  g_return_val_if_fail (facts != NULL, FH_ATTEMPT_GRAVITY_REST);

  kind = fh_attempt_kind (facts);
  if ((kind >= FH_ATTEMPT_KIND_KEYS && kind <= FH_ATTEMPT_KIND_DESKTOP) ||
      kind == FH_ATTEMPT_KIND_CONNECT_METADATA || kind == FH_ATTEMPT_KIND_KEYRING)
    return FH_ATTEMPT_GRAVITY_SECRET;
  if (kind >= FH_ATTEMPT_KIND_LOOK_UP && kind <= FH_ATTEMPT_KIND_SOCKET)
    return FH_ATTEMPT_GRAVITY_NETWORK;
  if ((kind >= FH_ATTEMPT_KIND_STARTUP && kind <= FH_ATTEMPT_KIND_SYSTEM_FILE &&
       kind != FH_ATTEMPT_KIND_OWN_TERMINAL) ||
      (kind >= FH_ATTEMPT_KIND_SIGNAL && kind <= FH_ATTEMPT_KIND_SYSTEM_CALL))
    return FH_ATTEMPT_GRAVITY_SYSTEM;
  return FH_ATTEMPT_GRAVITY_REST;
}
