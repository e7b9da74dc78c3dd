/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "guard-state.h"

#include "config.h"

#include <glib/gi18n-lib.h>

#include "word-list.h"

/* One guard on this computer. The sentence is chosen when the state is created. */
struct _FhGuardState
{
  GObject parent_instance;
  FhGuardFacts facts; /* its strings are owned */
};

G_DEFINE_FINAL_TYPE (FhGuardState, fh_guard_state, G_TYPE_OBJECT)

const char *const fh_guard_words[] = {
  [FH_GUARD_FILESYSTEM] = "filesystem",
  [FH_GUARD_NETWORK] = "network",
  [FH_GUARD_PROCESSES] = "processes",
  [FH_GUARD_SYSTEM_CALLS] = "system-calls",
  [FH_GUARD_PRIVILEGES] = "privileges",
  [FH_GUARD_MEMORY] = "memory",
  [FH_GUARD_TIME] = "time",
  [FH_GUARD_DISK] = "disk",
  [FH_GUARD_OUTPUT] = "output",
  [FH_GUARD_ENVIRONMENT] = "environment",
  [FH_GUARD_INTERPRETER] = "interpreter",
  NULL,
};

const char *const fh_guard_level_words[] = {
  [FH_GUARD_LEVEL_ACTIVE] = "active",
  [FH_GUARD_LEVEL_DEGRADED] = "degraded",
  [FH_GUARD_LEVEL_UNAVAILABLE] = "unavailable",
  [FH_GUARD_LEVEL_OFF] = "off",
  NULL,
};

FH_DEFINE_WORDS (FhGuard, fh_guard, fh_guard_words)
FH_DEFINE_WORDS (FhGuardLevel, fh_guard_level, fh_guard_level_words)

static void
fh_guard_state_finalize (GObject *object)
{
  FhGuardState *self = FH_GUARD_STATE (object);

  g_free ((char *) self->facts.layers);
  g_free ((char *) self->facts.reason);
  g_strfreev ((GStrv) self->facts.shown);
  g_free ((char *) self->facts.sentence);
  G_OBJECT_CLASS (fh_guard_state_parent_class)->finalize (object);
}

static void
fh_guard_state_class_init (FhGuardStateClass *klass)
{
  G_OBJECT_CLASS (klass)->finalize = fh_guard_state_finalize;
}

static void
fh_guard_state_init (FhGuardState *self)
{
}

/* One sentence per guard, level and reason. A row without a reason is for all reasons that have no
 * row; the reason is then appended unchanged. */
static const struct
{
  const char *key;
  const char *sentence;
} sentences[] = {
  { "filesystem active",
    N_ ("The program sees the system’s files, read-only, and an empty folder of its own. Your "
        "files are not there.") },
  { "filesystem active project",
    N_ ("The program sees the system’s files, read-only, and the project folder. What it changes "
        "is kept apart from the folder. Your other files are not there.") },
  { "filesystem active container",
    N_ ("The program sees the image’s files, read-only, and an empty folder of its own. Your "
        "files are not there.") },
  { "filesystem degraded writable-image",
    N_ ("The program sees the image’s files and can change the container’s copy of them. Your "
        "files are not there.") },
  { "filesystem degraded shared-folder",
    N_ ("The program sees the image’s files and can change folders that remain afterwards. "
        "Your other files are not there.") },
  { "filesystem degraded",
    N_ ("The program cannot open your files, but fewer layers than usual prevent it.") },
  { "filesystem degraded no-landlock",
    N_ ("Your files are not there. Landlock, the second layer, is missing because this kernel "
        "does not support it.") },
  { "filesystem degraded old-landlock",
    N_ ("Your files are not there. Landlock, the second layer, is weaker than usual because "
        "this kernel is older than Linux 6.2.") },
  { "filesystem degraded shared-sockets",
    N_ ("Your files are not there. But if another program of yours creates a socket in the "
        "interpreter’s folders during the run, the two can communicate.") },
  { "filesystem degraded landlock-only",
    N_ ("The program cannot open your files, but it can find out their names.") },
  { "filesystem degraded old-flatpak",
    N_ ("Your files are not there. But Flatpak is older than 1.16.4, and unless your distribution "
        "has repaired it, its portal has a known hole (CVE-2026-34078). The program cannot reach "
        "the portal; update Flatpak all the same.") },
  { "filesystem unavailable", N_ ("Your files cannot be protected on this computer.") },
  { "filesystem off", N_ ("Your files are not protected, as requested.") },
  { "filesystem off unprotected",
    N_ ("The program can read, change and delete all your files, as requested.") },

  { "network active",
    N_ ("The program is alone in its own network. It cannot reach the internet, your local "
        "network or the services of this computer.") },
  { "network active allowed-hosts",
    N_ ("The program is alone in its own network. It can reach only the allowed hosts, "
        "through a proxy.") },
  { "network degraded",
    N_ ("The program cannot reach the network, but fewer layers than usual prevent it.") },
  { "network degraded no-namespaces",
    N_ ("The program cannot make any connections, not even to itself, because it gets no "
        "sockets. The second layer, a network of its own, is missing because this system does "
        "not allow it.") },
  { "network degraded in-flatpak",
    N_ ("The program is alone in its own network, which Flatpak made. It gets no sockets either, "
        "so it cannot connect to itself, and the names it looks up cannot be reported.") },
  { "network degraded no-way-to-hosts",
    N_ ("The program cannot make any connections, because it gets no sockets. It cannot reach the "
        "allowed hosts either: that takes a network of its own, which Fumehood may not make as a "
        "Flatpak, or where the system allows no namespaces.") },
  { "network degraded no-dns-sink",
    N_ ("The program is alone in its own network. The names it looks up cannot be reported "
        "here.") },
  { "network degraded no-proxy",
    N_ ("The program is alone in its own network. It cannot reach the allowed hosts either, "
        "because the proxy could not be started.") },
  { "network degraded network-allowed", N_ ("The program can use the container’s network.") },
  { "network degraded host-network",
    N_ ("The program can use this computer’s network: the internet, your local network, and "
        "services that only this computer can reach.") },
  { "network unavailable", N_ ("Network access cannot be blocked on this computer.") },
  { "network off", N_ ("The program can use the network, as requested.") },
  { "network off in-flatpak",
    N_ ("The program may make connections, as requested, but only to itself: as a Flatpak, "
        "Fumehood "
        "has no network to share with it.") },

  { "processes active", N_ ("The program sees only its own processes, and they all end with it.") },
  { "processes degraded",
    N_ ("All processes of the program end with it, but fewer layers than usual separate them "
        "from yours.") },
  { "processes degraded no-namespaces",
    N_ ("The program cannot stop or inspect your other programs, and all its processes end "
        "with it. But it runs among yours, and its processes count toward your account’s "
        "limit.") },
  { "processes degraded in-flatpak",
    N_ ("The program’s processes are separated from yours, and they all end with it. But the "
        "process that guards it is among them, protected by fewer layers than usual.") },
  { "processes degraded root",
    N_ ("The program sees only its own processes, and they all end with it. Their number is "
        "not limited, because the kernel does not count root’s processes.") },
  { "processes degraded core-handler",
    N_ ("The program sees only its own processes, and they all end with it. But if it "
        "crashes, the system’s crash handler starts and can read its memory.") },
  { "processes degraded no-limit",
    N_ ("The program sees only its own processes, and they all end with it. Their number is "
        "not limited.") },
  { "processes degraded not-granted",
    N_ ("The program sees only its own processes, and they all end with it. Their number is "
        "checked several times a second, because the container engine did not set the "
        "requested limit.") },
  { "processes unavailable",
    N_ ("The program cannot be separated from your other processes on this computer.") },
  { "processes off", N_ ("The number of processes is not limited, as requested.") },
  { "processes off unprotected",
    N_ ("The program can see, stop and change your other programs, as requested. Its own "
        "processes end with it.") },

  { "system-calls active",
    N_ ("System calls that attacks often need, and ordinary programs do not, are blocked.") },
  { "system-calls degraded",
    N_ ("Dangerous system calls are blocked, but not as strictly as usual.") },
  { "system-calls degraded old-kernel",
    N_ ("Dangerous system calls are blocked, but cannot be reported because this kernel is "
        "too old.") },
  { "system-calls degraded no-listener",
    N_ ("Dangerous system calls are blocked, but the kernel does not report them to Fumehood "
        "here.") },
  { "system-calls degraded in-flatpak",
    N_ ("Dangerous system calls are blocked, by Flatpak’s own filter as well. What Flatpak’s "
        "filter "
        "blocks cannot be reported as an attempt.") },
  { "system-calls unavailable", N_ ("Dangerous system calls cannot be blocked on this computer.") },
  { "system-calls off", N_ ("Dangerous system calls are not blocked, as requested.") },

  { "privileges active",
    N_ ("The program has no privileges and cannot gain any, not even inside its sandbox.") },
  { "privileges active own-user",
    N_ ("The program has no privileges and cannot gain any. It runs under its own user ID, so "
        "it cannot use up the kernel’s limits for your account.") },
  { "privileges degraded",
    N_ ("The program has no privileges, but one of the layers that prevent it from gaining "
        "any is missing.") },
  { "privileges degraded no-namespaces",
    N_ ("The program has no privileges and cannot gain any, but it runs under your user ID.") },
  { "privileges degraded no-keyring",
    N_ ("The program has no privileges and cannot gain any. It has no keyring of its own; the "
        "system call guard blocks access to yours.") },
  { "privileges degraded root",
    N_ ("The program is root in the container, though without root’s privileges. Files that "
        "it leaves in your folders belong to root.") },
  { "privileges degraded capabilities",
    N_ ("The program has no privileges, but the container engine gave the container more than "
        "requested.") },
  { "privileges unavailable", N_ ("The program’s privileges cannot be dropped on this computer.") },
  { "privileges off", N_ ("The program keeps your privileges, as requested.") },

  { "memory active",
    N_ ("The kernel enforces the memory limit for all processes of the program together.") },
  { "memory degraded", N_ ("The memory limit is enforced less exactly than usual.") },
  { "memory degraded no-cgroup",
    N_ ("The memory of all processes together is watched, not limited: bursts can exceed the "
        "limit, and shared memory that was unmapped is not counted. With systemd, “loginctl "
        "enable-linger” gets you the kernel’s own limit.") },
  { "memory degraded cgroup-shared",
    N_ ("The memory of all processes together is watched, not limited, because other processes "
        "share the run’s control group.") },
  { "memory degraded cgroup-controllers",
    N_ ("The memory of all processes together is watched, not limited, because systemd does not "
        "delegate the kernel’s memory controller to your programs here.") },
  { "memory degraded cgroup-refused",
    N_ ("The memory of all processes together is watched, not limited, because the kernel did not "
        "accept its own limit for this run.") },
  { "memory degraded swap", N_ ("The kernel enforces the memory limit, but not for swap space.") },
  { "memory degraded not-granted",
    N_ ("The memory of all processes together is watched, not limited, because the container "
        "engine "
        "did not set the requested limit.") },
  { "memory degraded container-larger",
    N_ ("The kernel enforces the container’s memory limit, which is larger than this run’s. "
        "Below it, the memory of all processes together is watched, not limited.") },
  { "memory unavailable", N_ ("The program’s memory cannot be limited on this computer.") },
  { "memory off", N_ ("The program can use all available memory, as requested.") },

  { "time active", N_ ("The program is stopped when its time is up, and cannot prevent it.") },
  { "time degraded",
    N_ ("The time limit is enforced less exactly than usual, and the program may have used more "
        "CPU time than is told.") },
  { "time unavailable", N_ ("The program’s time cannot be limited on this computer.") },
  { "time off", N_ ("The program can run until you stop it, as requested.") },

  { "disk active",
    N_ ("The program writes to a limited space in memory that is deleted afterwards. Nothing "
        "reaches your disk.") },
  { "disk degraded", N_ ("Disk space is limited less exactly than usual.") },
  { "disk degraded no-inode-limit",
    N_ ("The program writes to a limited space in memory that is deleted afterwards. The "
        "number of files is checked several times a second and can exceed its limit for a "
        "moment.") },
  { "disk degraded watched",
    N_ ("The program writes to its own folder on your disk, which is deleted afterwards. Its "
        "size is checked several times a second and can exceed the limit for a moment. "
        "Deleted files that are still open in unusual ways are noticed late.") },
  { "disk degraded writable-volume",
    N_ ("The program’s own space is limited and deleted afterwards, but what it writes to "
        "shared folders is not.") },
  { "disk degraded shared-folder",
    N_ ("The program writes to a folder that remains afterwards. What it adds is checked "
        "several times a second and can exceed the limit for a moment. No single file can "
        "exceed it.") },
  { "disk degraded not-granted",
    N_ ("The container engine did not limit disk space as requested. No single file can "
        "exceed the limit.") },
  { "disk unavailable", N_ ("Disk space cannot be limited on this computer.") },
  { "disk off",
    N_ ("The program can fill all available space, as requested. Its files are deleted "
        "afterwards.") },
  { "disk off unprotected",
    N_ ("The program can write wherever you can and fill your disk, as requested.") },

  { "output active",
    N_ ("Output is limited. Its beginning and end are kept, and a program that prints too "
        "much is stopped.") },
  { "output degraded", N_ ("The amount of output is limited less exactly than usual.") },
  { "output unavailable", N_ ("The amount of output cannot be limited on this computer.") },
  { "output off",
    N_ ("The program can print any amount, as requested. The beginning and end are kept.") },

  { "environment active",
    N_ ("The program gets a clean environment, without your variables (which may hold keys "
        "and tokens) and without your open files.") },
  { "environment active named-variables",
    N_ ("The program gets a clean environment with only the variables that you set, and "
        "without your open files.") },
  { "environment active forked",
    N_ ("The program gets a clean environment, without your variables and open files. Its Python "
        "is a copy of one that was started for many runs: they have its memory addresses, hash "
        "seed and imported modules in common, and nothing that another run did.") },
  { "environment degraded",
    N_ ("The program gets a clean environment, but with more in it than usual.") },
  { "environment unavailable",
    N_ ("The program’s environment cannot be cleaned on this computer.") },
  { "environment off", N_ ("The program gets your environment variables, as requested.") },
  { "environment off unprotected",
    N_ ("The program gets a clean environment, but can read yours, as requested.") },

  { "interpreter active",
    N_ ("Python blocks the functions and modules that this run may not use. A program can get "
        "around this; it is not protection.") },
  { "interpreter degraded kept-home",
    N_ ("Python blocks the functions and modules that this run may not use, but an earlier "
        "run in this container may have changed how Python starts.") },
  { "interpreter degraded",
    N_ ("Python blocks some of the functions and modules that this run may not use. This is "
        "not protection.") },
  { "interpreter unavailable",
    N_ ("Functions, imports and operations can be limited in Python only.") },
  { "interpreter off",
    N_ ("Python can use all its functions and modules; the other guards protect you.") },
};

static const char *
find_sentence (const char *key)
{
  for (guint i = 0; i < G_N_ELEMENTS (sentences); i++)
    {
      if (g_str_equal (sentences[i].key, key))
        return _ (sentences[i].sentence);
    }
  return NULL;
}

/* Says in plain words what a guard does at this level. `reason` may be NULL. (transfer full) */
static char *
make_sentence (FhGuard guard, FhGuardLevel level, const char *reason)
{
  /* Reasons that say no more than the level does. */
  const char *const wishes[] = { "no-limit", "switched-off", "unprotected", NULL };
  const char *level_word = fh_guard_level_to_string (level);
  g_autofree char *key = g_strjoin (" ", fh_guard_to_string (guard), level_word, reason, NULL);
  g_autofree char *general = g_strjoin (" ", fh_guard_to_string (guard), level_word, NULL);
  const char *sentence = find_sentence (key);

  if (sentence != NULL)
    return g_strdup (sentence);
  sentence = find_sentence (general);
  g_assert (sentence != NULL);
  if (level == FH_GUARD_LEVEL_OFF && g_strv_contains (wishes, reason))
    return g_strdup (sentence);
  /* Translators: a whole sentence, then a machine word such as "no-cgroup" */
  return g_strdup_printf (C_ ("guard sentence and reason", "%s (%s)"), sentence, reason);
}

FhGuardState *
fh_guard_state_new (FhGuard guard, FhGuardLevel level, const char *layers, const char *reason)
{
  FhGuardState *self;

  g_return_val_if_fail (guard < FH_N_GUARDS, NULL);
  g_return_val_if_fail (level <= FH_GUARD_LEVEL_OFF, NULL);

  self = g_object_new (FH_TYPE_GUARD_STATE, NULL);
  self->facts.guard = guard;
  self->facts.level = level;
  self->facts.layers = g_utf8_make_valid (layers != NULL ? layers : "", -1);
  if (reason != NULL && reason[0] != '\0')
    self->facts.reason = g_utf8_make_valid (reason, -1);
  self->facts.shown = (const char *const *) g_new0 (char *, 1);
  self->facts.sentence = make_sentence (guard, level, self->facts.reason);
  return self;
}

/* The list is left out in a container, where the interpreter is the image's and the user's files
 * were shown on purpose. */
static char *
show (const char *reason, const char *sentence, const char *list)
{
  if (g_strcmp0 (reason, "shared-folder") == 0)
    /* Translators: a whole sentence, then one or more paths. */
    return g_strdup_printf (_ ("%s It was given: %s."), sentence, list);
  if (g_strcmp0 (reason, "container") == 0 || g_strcmp0 (reason, "writable-image") == 0)
    /* Translators: a whole sentence, then one or more paths. */
    return g_strdup_printf (_ ("%s It was given, though: %s."), sentence, list);
  /* Translators: a whole sentence, then one or more paths. */
  return g_strdup_printf (_ ("%s It can read what belongs to the interpreter, though: %s."),
                          sentence,
                          list);
}

static void
set_shown (FhGuardFacts *facts, const char *const *paths)
{
  g_autoptr (GStrvBuilder) builder = g_strv_builder_new ();
  g_autofree char *before = (char *) facts->sentence;
  g_autofree char *list = NULL;

  for (gsize i = 0; paths[i] != NULL; i++)
    {
      g_autofree char *name = g_utf8_make_valid (paths[i], -1);

      g_strv_builder_add (builder, name);
    }
  g_strfreev ((GStrv) facts->shown);
  facts->shown = (const char *const *) g_strv_builder_end (builder);
  list = g_strjoinv (", ", (GStrv) facts->shown);
  facts->sentence = show (facts->reason, before, list);
}

FhGuardState *
fh_guard_state_new_showing (FhGuardState *state, const char *const *paths)
{
  const FhGuardFacts *facts;
  FhGuardState *self;

  g_return_val_if_fail (FH_IS_GUARD_STATE (state), NULL);
  g_return_val_if_fail (paths != NULL, NULL);

  facts = &state->facts;
  self = fh_guard_state_new (facts->guard, facts->level, facts->layers, facts->reason);
  if (paths[0] != NULL)
    set_shown (&self->facts, paths);
  return self;
}

const FhGuardFacts *
fh_guard_state_get_facts (FhGuardState *self)
{
  g_return_val_if_fail (FH_IS_GUARD_STATE (self), NULL);

  return &self->facts;
}

FhGuardState *
fh_guard_states_find (GPtrArray *guards, FhGuard guard)
{
  for (guint i = 0; guards != NULL && i < guards->len; i++)
    {
      FhGuardState *state = guards->pdata[i];

      if (state->facts.guard == guard)
        return state;
    }
  return NULL;
}

const char *
fh_guard_title (FhGuard guard)
{
  static const char *const titles[FH_N_GUARDS] = {
    [FH_GUARD_FILESYSTEM] = N_ ("Files"),
    [FH_GUARD_NETWORK] = N_ ("Network"),
    [FH_GUARD_PROCESSES] = N_ ("Processes"),
    [FH_GUARD_SYSTEM_CALLS] = N_ ("System calls"),
    [FH_GUARD_PRIVILEGES] = N_ ("Privileges"),
    [FH_GUARD_MEMORY] = N_ ("Memory"),
    [FH_GUARD_TIME] = N_ ("Time"),
    [FH_GUARD_DISK] = N_ ("Disk space"),
    [FH_GUARD_OUTPUT] = N_ ("Output"),
    [FH_GUARD_ENVIRONMENT] = N_ ("Environment"),
    [FH_GUARD_INTERPRETER] = N_ ("Interpreter"),
  };

  g_return_val_if_fail (guard < FH_N_GUARDS, NULL);

  return _ (titles[guard]);
}

char *
fh_guards_dup_titles (guint64 guards)
{
  g_autoptr (GStrvBuilder) builder = g_strv_builder_new ();
  g_auto (GStrv) titles = NULL;

  for (guint i = 0; i < FH_N_GUARDS; i++)
    {
      if (guards & 1u << i)
        g_strv_builder_add (builder, fh_guard_title ((FhGuard) i));
    }
  titles = g_strv_builder_end (builder);
  return g_strjoinv (", ", titles);
}

const char *
fh_guard_loss (FhGuard guard)
{
  static const char *const losses[FH_N_GUARDS] = {
    [FH_GUARD_NETWORK] = N_ ("The program can reach the internet and your local network."),
    [FH_GUARD_SYSTEM_CALLS] = N_ ("Dangerous system calls are allowed."),
    [FH_GUARD_MEMORY] = N_ ("The program may use all memory."),
    [FH_GUARD_TIME] = N_ ("The program runs until it ends or you stop it."),
    [FH_GUARD_DISK] = N_ ("The program may fill the disk."),
    [FH_GUARD_OUTPUT] = N_ ("The program may print without limit."),
    [FH_GUARD_ENVIRONMENT] =
        N_ ("The program can read your environment variables, including keys and tokens."),
  };

  return guard < FH_N_GUARDS && losses[guard] != NULL ? _ (losses[guard]) : NULL;
}
