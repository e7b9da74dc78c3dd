/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "attempt-kind.h"

#include <string.h>

/* "a" is the path itself and everything below it; "a*" is everything that starts with it. */
typedef struct
{
  const char *name;
  FhAttemptKind kind;
} Row;

static const Row below_home[] = {
  { ".ssh", FH_ATTEMPT_KIND_KEYS },
  { ".gnupg", FH_ATTEMPT_KIND_KEYS },
  { ".pki", FH_ATTEMPT_KIND_KEYS },
  { ".local/share/keyrings", FH_ATTEMPT_KIND_PASSWORDS },
  { ".password-store", FH_ATTEMPT_KIND_PASSWORDS },
  { ".config/keepassxc", FH_ATTEMPT_KIND_PASSWORDS },
  { ".local/share/kwalletd", FH_ATTEMPT_KIND_PASSWORDS },
  { ".config/Bitwarden", FH_ATTEMPT_KIND_PASSWORDS },
  { ".netrc", FH_ATTEMPT_KIND_PASSWORDS },
  { ".git-credentials", FH_ATTEMPT_KIND_PASSWORDS },
  { ".config/git/credentials", FH_ATTEMPT_KIND_PASSWORDS },
  { ".config/gh", FH_ATTEMPT_KIND_PASSWORDS },
  { ".aws", FH_ATTEMPT_KIND_PASSWORDS },
  { ".azure", FH_ATTEMPT_KIND_PASSWORDS },
  { ".config/gcloud", FH_ATTEMPT_KIND_PASSWORDS },
  { ".kube", FH_ATTEMPT_KIND_PASSWORDS },
  { ".docker", FH_ATTEMPT_KIND_PASSWORDS },
  { ".npmrc", FH_ATTEMPT_KIND_PASSWORDS },
  { ".pypirc", FH_ATTEMPT_KIND_PASSWORDS },
  { ".cargo/credentials*", FH_ATTEMPT_KIND_PASSWORDS },
  { ".pgpass", FH_ATTEMPT_KIND_PASSWORDS },
  { ".my.cnf", FH_ATTEMPT_KIND_PASSWORDS },
  { ".env*", FH_ATTEMPT_KIND_PASSWORDS },
  { ".bitcoin", FH_ATTEMPT_KIND_PASSWORDS },
  { ".electrum", FH_ATTEMPT_KIND_PASSWORDS },
  { ".ethereum", FH_ATTEMPT_KIND_PASSWORDS },
  { ".mozilla", FH_ATTEMPT_KIND_BROWSER },
  { ".thunderbird", FH_ATTEMPT_KIND_BROWSER },
  { ".config/google-chrome*", FH_ATTEMPT_KIND_BROWSER },
  { ".config/chromium", FH_ATTEMPT_KIND_BROWSER },
  { ".config/BraveSoftware", FH_ATTEMPT_KIND_BROWSER },
  { ".config/microsoft-edge*", FH_ATTEMPT_KIND_BROWSER },
  { ".config/vivaldi*", FH_ATTEMPT_KIND_BROWSER },
  { ".config/opera*", FH_ATTEMPT_KIND_BROWSER },
  { ".local/share/epiphany", FH_ATTEMPT_KIND_BROWSER },
  { "snap/firefox", FH_ATTEMPT_KIND_BROWSER },
  { "snap/chromium", FH_ATTEMPT_KIND_BROWSER },
  { ".bash_history", FH_ATTEMPT_KIND_SHELL_HISTORY },
  { ".zsh_history", FH_ATTEMPT_KIND_SHELL_HISTORY },
  { ".histfile", FH_ATTEMPT_KIND_SHELL_HISTORY },
  { ".local/share/fish/fish_history", FH_ATTEMPT_KIND_SHELL_HISTORY },
  { ".python_history", FH_ATTEMPT_KIND_SHELL_HISTORY },
  { ".psql_history", FH_ATTEMPT_KIND_SHELL_HISTORY },
  { ".mysql_history", FH_ATTEMPT_KIND_SHELL_HISTORY },
  { ".node_repl_history", FH_ATTEMPT_KIND_SHELL_HISTORY },
  { ".lesshst", FH_ATTEMPT_KIND_SHELL_HISTORY },
  { ".bashrc", FH_ATTEMPT_KIND_STARTUP },
  { ".bash_profile", FH_ATTEMPT_KIND_STARTUP },
  { ".bash_login", FH_ATTEMPT_KIND_STARTUP },
  { ".bash_logout", FH_ATTEMPT_KIND_STARTUP },
  { ".profile", FH_ATTEMPT_KIND_STARTUP },
  { ".zshrc", FH_ATTEMPT_KIND_STARTUP },
  { ".zshenv", FH_ATTEMPT_KIND_STARTUP },
  { ".zprofile", FH_ATTEMPT_KIND_STARTUP },
  { ".config/fish", FH_ATTEMPT_KIND_STARTUP },
  { ".config/autostart", FH_ATTEMPT_KIND_STARTUP },
  { ".config/systemd", FH_ATTEMPT_KIND_STARTUP },
  { ".config/environment.d", FH_ATTEMPT_KIND_STARTUP },
  { ".xprofile", FH_ATTEMPT_KIND_STARTUP },
  { ".xsession*", FH_ATTEMPT_KIND_STARTUP },
  { ".local/bin", FH_ATTEMPT_KIND_STARTUP },
};

/* The first row that fits wins. */
static const Row anywhere[] = {
  { "/etc/shadow*", FH_ATTEMPT_KIND_ACCOUNTS },
  { "/etc/gshadow*", FH_ATTEMPT_KIND_ACCOUNTS },
  { "/etc/passwd*", FH_ATTEMPT_KIND_ACCOUNTS },
  { "/etc/sudoers*", FH_ATTEMPT_KIND_ACCOUNTS },
  { "/etc/security", FH_ATTEMPT_KIND_ACCOUNTS },
  { "/etc/pam.d", FH_ATTEMPT_KIND_ACCOUNTS },
  { "/etc/ssh/ssh_host_*", FH_ATTEMPT_KIND_KEYS },
  { "/etc/ssl/private", FH_ATTEMPT_KIND_KEYS },
  { "/etc/cron*", FH_ATTEMPT_KIND_STARTUP },
  { "/var/spool/cron", FH_ATTEMPT_KIND_STARTUP },
  { "/etc/systemd", FH_ATTEMPT_KIND_STARTUP },
  { "/etc/profile*", FH_ATTEMPT_KIND_STARTUP },
  { "/etc/rc.local", FH_ATTEMPT_KIND_STARTUP },
  { "/etc/init.d", FH_ATTEMPT_KIND_STARTUP },
  { "/etc/ld.so.preload", FH_ATTEMPT_KIND_STARTUP },
  { "/var/run/docker*", FH_ATTEMPT_KIND_CONTAINERS },
  { "/run/docker*", FH_ATTEMPT_KIND_CONTAINERS },
  { "/run/containerd", FH_ATTEMPT_KIND_CONTAINERS },
  { "/run/podman", FH_ATTEMPT_KIND_CONTAINERS },
  { "/run/libvirt", FH_ATTEMPT_KIND_CONTAINERS },
  { "/var/lib/docker", FH_ATTEMPT_KIND_CONTAINERS },
  { "/run", FH_ATTEMPT_KIND_DESKTOP },
  { "/var/run", FH_ATTEMPT_KIND_DESKTOP },
  { "/tmp/.X11-unix", FH_ATTEMPT_KIND_DESKTOP },
  { "/tmp/.ICE-unix", FH_ATTEMPT_KIND_DESKTOP },
  { "/tmp/ssh-*", FH_ATTEMPT_KIND_DESKTOP },
  { "/tmp/dbus-*", FH_ATTEMPT_KIND_DESKTOP },
  { "@/tmp/.X11-unix", FH_ATTEMPT_KIND_DESKTOP },
  { "@/tmp/dbus-*", FH_ATTEMPT_KIND_DESKTOP },
  { "/dev/ptmx", FH_ATTEMPT_KIND_OWN_TERMINAL },
  { "/dev", FH_ATTEMPT_KIND_DEVICE },
  { "/proc", FH_ATTEMPT_KIND_KERNEL_FILE },
  { "/sys", FH_ATTEMPT_KIND_KERNEL_FILE },
  { "/boot", FH_ATTEMPT_KIND_SYSTEM_FILE },
  { "/etc", FH_ATTEMPT_KIND_SYSTEM_FILE },
  { "/usr", FH_ATTEMPT_KIND_SYSTEM_FILE },
  { "/bin", FH_ATTEMPT_KIND_SYSTEM_FILE },
  { "/sbin", FH_ATTEMPT_KIND_SYSTEM_FILE },
  { "/lib*", FH_ATTEMPT_KIND_SYSTEM_FILE },
  { "/opt", FH_ATTEMPT_KIND_SYSTEM_FILE },
  { "/var", FH_ATTEMPT_KIND_SYSTEM_FILE },
  { "/srv", FH_ATTEMPT_KIND_SYSTEM_FILE },
};

/* These kinds follow from the operation alone. */
static const Row operations[] = {
  { "execute", FH_ATTEMPT_KIND_EXECUTE },
  { "look up", FH_ATTEMPT_KIND_LOOK_UP },
  { "use proxy for", FH_ATTEMPT_KIND_PROXY },
  { "bind", FH_ATTEMPT_KIND_SERVE },
  { "listen", FH_ATTEMPT_KIND_SERVE },
  { "socket", FH_ATTEMPT_KIND_SOCKET },
  { "socketpair", FH_ATTEMPT_KIND_SOCKET },
  { "signal", FH_ATTEMPT_KIND_SIGNAL },
  { "kill", FH_ATTEMPT_KIND_SIGNAL },
  { "tkill", FH_ATTEMPT_KIND_SIGNAL },
  { "tgkill", FH_ATTEMPT_KIND_SIGNAL },
  { "pidfd_send_signal", FH_ATTEMPT_KIND_SIGNAL },
  { "ptrace", FH_ATTEMPT_KIND_INSPECT },
  { "process_*", FH_ATTEMPT_KIND_INSPECT },
  { "pidfd_getfd", FH_ATTEMPT_KIND_INSPECT },
  { "kcmp", FH_ATTEMPT_KIND_INSPECT },
  { "move_pages", FH_ATTEMPT_KIND_INSPECT },
  { "migrate_pages", FH_ATTEMPT_KIND_INSPECT },
  { "prlimit64", FH_ATTEMPT_KIND_INSPECT },
  { "sched_set*", FH_ATTEMPT_KIND_INSPECT },
  { "setpriority", FH_ATTEMPT_KIND_INSPECT },
  { "ioprio_set", FH_ATTEMPT_KIND_INSPECT },
  { "clock_gettime", FH_ATTEMPT_KIND_INSPECT },
  { "clock_getres", FH_ATTEMPT_KIND_INSPECT },
  { "clock_nanosleep", FH_ATTEMPT_KIND_INSPECT },
  { "timer_create", FH_ATTEMPT_KIND_INSPECT },
  { "mount*", FH_ATTEMPT_KIND_MOUNT },
  { "umount*", FH_ATTEMPT_KIND_MOUNT },
  { "pivot_root", FH_ATTEMPT_KIND_MOUNT },
  { "chroot", FH_ATTEMPT_KIND_MOUNT },
  { "open_tree*", FH_ATTEMPT_KIND_MOUNT },
  { "move_mount", FH_ATTEMPT_KIND_MOUNT },
  { "fsopen", FH_ATTEMPT_KIND_MOUNT },
  { "fsmount", FH_ATTEMPT_KIND_MOUNT },
  { "fsconfig", FH_ATTEMPT_KIND_MOUNT },
  { "fspick", FH_ATTEMPT_KIND_MOUNT },
  { "statmount", FH_ATTEMPT_KIND_MOUNT },
  { "listmount", FH_ATTEMPT_KIND_MOUNT },
  { "unshare", FH_ATTEMPT_KIND_NAMESPACES },
  { "setns", FH_ATTEMPT_KIND_NAMESPACES },
  { "clone*", FH_ATTEMPT_KIND_NAMESPACES },
  { "bpf", FH_ATTEMPT_KIND_KERNEL },
  { "perf_event_open", FH_ATTEMPT_KIND_KERNEL },
  { "io_uring*", FH_ATTEMPT_KIND_KERNEL },
  { "userfaultfd", FH_ATTEMPT_KIND_KERNEL },
  { "seccomp", FH_ATTEMPT_KIND_KERNEL },
  { "modify_ldt", FH_ATTEMPT_KIND_KERNEL },
  { "personality", FH_ATTEMPT_KIND_KERNEL },
  { "vm86*", FH_ATTEMPT_KIND_KERNEL },
  { "prctl", FH_ATTEMPT_KIND_KERNEL },
  { "membarrier", FH_ATTEMPT_KIND_KERNEL },
  { "remap_file_pages", FH_ATTEMPT_KIND_KERNEL },
  { "cachestat", FH_ATTEMPT_KIND_KERNEL },
  { "preadv2", FH_ATTEMPT_KIND_KERNEL },
  { "mq_*", FH_ATTEMPT_KIND_KERNEL },
  { "shm*", FH_ATTEMPT_KIND_KERNEL },
  { "msg*", FH_ATTEMPT_KIND_KERNEL },
  { "sem*", FH_ATTEMPT_KIND_KERNEL },
  { "setsockopt", FH_ATTEMPT_KIND_KERNEL },
  { "sendto", FH_ATTEMPT_KIND_KERNEL },
  { "sendmsg", FH_ATTEMPT_KIND_KERNEL },
  { "sendmmsg", FH_ATTEMPT_KIND_KERNEL },
  { "keyctl", FH_ATTEMPT_KIND_KEYRING },
  { "add_key", FH_ATTEMPT_KIND_KEYRING },
  { "request_key", FH_ATTEMPT_KIND_KEYRING },
  { "init_module", FH_ATTEMPT_KIND_MACHINE },
  { "finit_module", FH_ATTEMPT_KIND_MACHINE },
  { "delete_module", FH_ATTEMPT_KIND_MACHINE },
  { "reboot", FH_ATTEMPT_KIND_MACHINE },
  { "kexec*", FH_ATTEMPT_KIND_MACHINE },
  { "swap*", FH_ATTEMPT_KIND_MACHINE },
  { "settimeofday", FH_ATTEMPT_KIND_MACHINE },
  { "clock_*", FH_ATTEMPT_KIND_MACHINE },
  { "adjtimex", FH_ATTEMPT_KIND_MACHINE },
  { "stime", FH_ATTEMPT_KIND_MACHINE },
  { "sethostname", FH_ATTEMPT_KIND_MACHINE },
  { "setdomainname", FH_ATTEMPT_KIND_MACHINE },
  { "acct", FH_ATTEMPT_KIND_MACHINE },
  { "quotactl*", FH_ATTEMPT_KIND_MACHINE },
  { "syslog", FH_ATTEMPT_KIND_MACHINE },
  { "iopl", FH_ATTEMPT_KIND_MACHINE },
  { "ioperm", FH_ATTEMPT_KIND_MACHINE },
  { "vhangup", FH_ATTEMPT_KIND_MACHINE },
  { "name_to_handle_at", FH_ATTEMPT_KIND_HANDLES },
  { "open_by_handle_at", FH_ATTEMPT_KIND_HANDLES },
  { "fanotify*", FH_ATTEMPT_KIND_HANDLES },
  { "lookup_dcookie", FH_ATTEMPT_KIND_HANDLES },
  { "ioctl", FH_ATTEMPT_KIND_TERMINAL },
  { "setuid", FH_ATTEMPT_KIND_PRIVILEGES },
  { "setgid", FH_ATTEMPT_KIND_PRIVILEGES },
  { "setgroups", FH_ATTEMPT_KIND_PRIVILEGES },
  { "capset", FH_ATTEMPT_KIND_PRIVILEGES },
  { "chown", FH_ATTEMPT_KIND_PRIVILEGES },
  { "mknod*", FH_ATTEMPT_KIND_PRIVILEGES },
  { "import", FH_ATTEMPT_KIND_IMPORT },
  { "call", FH_ATTEMPT_KIND_FUNCTION },
  { "operations", FH_ATTEMPT_KIND_OPERATIONS },
  { "run in a shell", FH_ATTEMPT_KIND_SHELL },
  { "start", FH_ATTEMPT_KIND_SHELL },
  { "start in a terminal", FH_ATTEMPT_KIND_SHELL },
};

static const char *const file_operations[] = {
  "open",
  "create",
  "write to",
  "write",
  "delete",
  "rename",
  "list",
  "delete folder",
  "read attributes of",
  "change attributes of",
  "link to",
};

/* A star at the end stands for anything. */
static gboolean
fits (const char *pattern, const char *name)
{
  gsize length = strlen (pattern);

  if (length > 0 && pattern[length - 1] == '*')
    return strncmp (pattern, name, length - 1) == 0;
  return strncmp (pattern, name, length) == 0 && (name[length] == '\0' || name[length] == '/');
}

static gboolean
find (const Row *rows, gsize n, const char *name, FhAttemptKind *kind)
{
  for (gsize i = 0; i < n; i++)
    {
      if (!fits (rows[i].name, name))
        continue;
      *kind = rows[i].kind;
      return TRUE;
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
  return g_str_equal (path, "~") || g_str_equal (path, "/root") || fits ("/home", path) ||
         fits (g_get_home_dir (), path);
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

static FhAttemptKind
kind_of_limit (FhGuard guard)
{
  switch (guard)
    {
    case FH_GUARD_PROCESSES:
      return FH_ATTEMPT_KIND_LIMIT_PROCESSES;
    case FH_GUARD_MEMORY:
      return FH_ATTEMPT_KIND_LIMIT_MEMORY;
    case FH_GUARD_DISK:
      return FH_ATTEMPT_KIND_LIMIT_DISK;
    case FH_GUARD_OUTPUT:
      return FH_ATTEMPT_KIND_LIMIT_OUTPUT;
    case FH_GUARD_TIME:
      return FH_ATTEMPT_KIND_LIMIT_TIME;
    case FH_GUARD_FILESYSTEM:
    case FH_GUARD_NETWORK:
    case FH_GUARD_SYSTEM_CALLS:
    case FH_GUARD_PRIVILEGES:
    case FH_GUARD_ENVIRONMENT:
    case FH_GUARD_INTERPRETER:
    default:
      return FH_ATTEMPT_KIND_OTHER;
    }
}

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

static gboolean
is_file_operation (const char *operation)
{
  for (gsize i = 0; i < G_N_ELEMENTS (file_operations); i++)
    {
      if (g_str_equal (operation, file_operations[i]))
        return TRUE;
    }
  return FALSE;
}

FhAttemptKind
fh_attempt_kind (const FhAttemptFacts *facts)
{
  FhAttemptKind kind = FH_ATTEMPT_KIND_OTHER;

  /* No limit has been reached by what could not be measured. */
  if (facts->verdict == FH_VERDICT_LIMITED && !facts->is_reported &&
      !g_str_equal (facts->operation, "hide a process"))
    kind = kind_of_limit (facts->guard);
  if (kind != FH_ATTEMPT_KIND_OTHER)
    return kind;
  if (is_file_operation (facts->operation))
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
