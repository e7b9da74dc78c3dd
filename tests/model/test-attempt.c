/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Every attempt has a title, a sentence and a reason, and a name chosen by a program cannot pass
 * for anything else. */
#include <errno.h>
#include <string.h>

#include "attempt-kind.h"

static FhAttempt *
new_attempt (FhGuard guard, FhVerdict verdict, const char *operation, const char *object)
{
  return fh_attempt_new (&(FhAttemptFacts){
      .guard = guard,
      .verdict = verdict,
      .operation = operation,
      .object = object,
  });
}

static void
test_strings_are_readable (void)
{
  g_autoptr (FhAttempt) attempt = fh_attempt_new (&(FhAttemptFacts){
      .operation = "open",
      .object = "/a\nb\x1b[31m\xff/\xe2\x80\xae txt",
      .command = "x\ty",
  });
  const FhAttemptFacts *facts = fh_attempt_get_facts (attempt);

  g_assert_true (g_utf8_validate (facts->object, -1, NULL));
  g_assert_null (strpbrk (facts->object, "\n\x1b"));
  g_assert_null (strstr (facts->object, "\xe2\x80\xae"));
  g_assert_cmpstr (facts->command, ==, "x\\ty");
  g_assert_cmpstr (facts->layer, ==, "");
  g_assert_cmpuint (facts->count, ==, 1);
}

static void
count_cb (FhAttempt *attempt, GParamSpec *pspec, guint *count)
{
  (*count)++;
}

static void
test_count_and_line (void)
{
  g_autoptr (FhAttempt) attempt =
      new_attempt (FH_GUARD_NETWORK, FH_VERDICT_DENIED, "connect", "1.1.1.1:443");
  guint counts = 0;
  guint lines = 0;

  g_signal_connect (attempt, "notify::count", G_CALLBACK (count_cb), &counts);
  g_signal_connect (attempt, "notify::line", G_CALLBACK (count_cb), &lines);
  fh_attempt_set_count (attempt, 5);
  fh_attempt_set_count (attempt, 3);
  fh_attempt_set_count (attempt, 5);
  fh_attempt_add_count (attempt, 2);
  g_assert_cmpuint (fh_attempt_get_facts (attempt)->count, ==, 7);
  g_assert_cmpuint (counts, ==, 2);
  fh_attempt_add_count (attempt, G_MAXUINT);
  g_assert_cmpuint (fh_attempt_get_facts (attempt)->count, ==, G_MAXUINT);
  fh_attempt_set_line (attempt, 0);
  fh_attempt_set_line (attempt, 12);
  fh_attempt_set_line (attempt, 13);
  g_assert_cmpuint (fh_attempt_get_facts (attempt)->line, ==, 12);
  g_assert_cmpuint (lines, ==, 1);
}

static void
assert_title (FhVerdict verdict, gboolean is_reported, int error, const char *title)
{
  const FhAttemptFacts facts = { .verdict = verdict, .is_reported = is_reported, .error = error };

  g_assert_cmpstr (fh_attempt_verdict_title (&facts), ==, title);
}

/* Nobody has allowed what is only reported. */
static void
test_verdicts (void)
{
  const FhAttemptFacts uncertain = { .verdict = FH_VERDICT_OBSERVED, .is_uncertain = TRUE };

  for (guint i = FH_VERDICT_DENIED; i <= FH_VERDICT_OBSERVED; i++)
    {
      FhVerdict back;

      g_assert_true (fh_verdict_from_string (fh_verdict_to_string ((FhVerdict) i), &back));
      g_assert_cmpint (back, ==, i);
      g_assert_cmpint (
          strlen (fh_attempt_verdict_title (&(FhAttemptFacts){ .verdict = (FhVerdict) i })),
          >,
          0);
    }
  g_assert_cmpstr (fh_attempt_verdict_title (&uncertain), ==, "Tried");
  g_assert_false (fh_verdict_from_string ("forgiven", &(FhVerdict){ 0 }));
  assert_title (FH_VERDICT_OBSERVED, FALSE, 0, "Let through");
  assert_title (FH_VERDICT_OBSERVED, TRUE, 0, "Only reported");
  assert_title (FH_VERDICT_OBSERVED, FALSE, 2, "Tried");
  assert_title (FH_VERDICT_DENIED, TRUE, 0, "Blocked");
}

static const struct
{
  const char *operation;
  const char *object;
  FhAttemptKind kind;
} kinds[] = {
  { "clock_gettime", "17", FH_ATTEMPT_KIND_INSPECT },
  { "clock_settime", "", FH_ATTEMPT_KIND_MACHINE },
  { "setsockopt", "UDP_ENCAP", FH_ATTEMPT_KIND_KERNEL },
  { "read attributes of", "/etc/shadow", FH_ATTEMPT_KIND_ACCOUNTS },
  { "change attributes of", "/home/ann/.ssh/id_rsa", FH_ATTEMPT_KIND_KEYS },
  { "link to", "/etc/shadow", FH_ATTEMPT_KIND_ACCOUNTS },
  { "mknodat", "/workspace/disk", FH_ATTEMPT_KIND_PRIVILEGES },
  { "preadv2", "", FH_ATTEMPT_KIND_KERNEL },
  { "open", "/home/ann/.ssh/id_rsa", FH_ATTEMPT_KIND_KEYS },
  { "open", "/workspace/.ssh/id_rsa", FH_ATTEMPT_KIND_KEYS },
  { "list", "/root/.gnupg", FH_ATTEMPT_KIND_KEYS },
  { "open", "~/.aws/credentials", FH_ATTEMPT_KIND_PASSWORDS },
  { "open", "/home/ann/.mozilla/firefox/profiles.ini", FH_ATTEMPT_KIND_BROWSER },
  { "open", "/home/ann/.config/google-chrome-beta/Default/Cookies", FH_ATTEMPT_KIND_BROWSER },
  { "open", "/home/ann/.bash_history", FH_ATTEMPT_KIND_SHELL_HISTORY },
  { "write to", "/home/ann/.bashrc", FH_ATTEMPT_KIND_STARTUP },
  { "create", "/etc/cron.d/x", FH_ATTEMPT_KIND_STARTUP },
  { "open", "/home/ann/.sshd", FH_ATTEMPT_KIND_HOME },
  { "open", "/home/ann/letter.txt", FH_ATTEMPT_KIND_HOME },
  { "list", "/home", FH_ATTEMPT_KIND_HOME },
  { "create", "/workspace/ssh/id_rsa", FH_ATTEMPT_KIND_FILE },
  { "create", "/workspace/.cache/x", FH_ATTEMPT_KIND_FILE },
  { "open", "/etc/shadow", FH_ATTEMPT_KIND_ACCOUNTS },
  { "open", "/etc/shadow-", FH_ATTEMPT_KIND_ACCOUNTS },
  { "connect", "/var/run/docker.sock", FH_ATTEMPT_KIND_CONTAINERS },
  { "connect", "/run/user/1000/bus", FH_ATTEMPT_KIND_DESKTOP },
  { "connect", "@/tmp/.X11-unix/X0", FH_ATTEMPT_KIND_DESKTOP },
  { "open", "/dev/mem", FH_ATTEMPT_KIND_DEVICE },
  { "open", "/dev/ptmx", FH_ATTEMPT_KIND_OWN_TERMINAL },
  { "open", "/proc/kcore", FH_ATTEMPT_KIND_KERNEL_FILE },
  { "write to", "/usr/bin/ls", FH_ATTEMPT_KIND_SYSTEM_FILE },
  { "open", "/usrlocal", FH_ATTEMPT_KIND_FILE },
  { "execute", "/bin/sh", FH_ATTEMPT_KIND_EXECUTE },
  { "look up", "key.example.com", FH_ATTEMPT_KIND_LOOK_UP },
  { "connect", "1.1.1.1:443", FH_ATTEMPT_KIND_CONNECT },
  { "connect", "127.0.0.1:5432", FH_ATTEMPT_KIND_CONNECT_HERE },
  { "connect", "[::1]:80", FH_ATTEMPT_KIND_CONNECT_HERE },
  { "connect", "169.254.169.254:80", FH_ATTEMPT_KIND_CONNECT_METADATA },
  { "connect", "192.168.1.1:80", FH_ATTEMPT_KIND_CONNECT_NEAR },
  { "connect", "172.16.0.1:80", FH_ATTEMPT_KIND_CONNECT_NEAR },
  { "connect", "172.32.0.1:80", FH_ATTEMPT_KIND_CONNECT },
  { "send to", "8.8.8.8:53", FH_ATTEMPT_KIND_CONNECT },
  { "bind", "0.0.0.0:8000", FH_ATTEMPT_KIND_SERVE },
  { "socket", "AF_ALG", FH_ATTEMPT_KIND_SOCKET },
  { "process_vm_readv", "", FH_ATTEMPT_KIND_INSPECT },
  { "sched_setaffinity", "1", FH_ATTEMPT_KIND_INSPECT },
  { "umount2", "/proc", FH_ATTEMPT_KIND_MOUNT },
  { "clone", "CLONE_NEWUSER", FH_ATTEMPT_KIND_NAMESPACES },
  { "io_uring_setup", "", FH_ATTEMPT_KIND_KERNEL },
  { "kexec_file_load", "", FH_ATTEMPT_KIND_MACHINE },
  { "ioctl", "TIOCSTI", FH_ATTEMPT_KIND_TERMINAL },
  { "vmsplice", "", FH_ATTEMPT_KIND_SYSTEM_CALL },
};

static void
test_kinds (void)
{
  for (gsize i = 0; i < G_N_ELEMENTS (kinds); i++)
    {
      g_autoptr (FhAttempt) attempt = new_attempt (FH_GUARD_SYSTEM_CALLS,
                                                   FH_VERDICT_DENIED,
                                                   kinds[i].operation,
                                                   kinds[i].object);

      g_test_message ("%s %s", kinds[i].operation, kinds[i].object);
      g_assert_cmpint (fh_attempt_kind (fh_attempt_get_facts (attempt)), ==, kinds[i].kind);
    }
}

static void
check_words (FhGuard guard,
             FhVerdict verdict,
             const char *operation,
             const char *object,
             const char *title,
             const char *part)
{
  g_autoptr (FhAttempt) attempt = new_attempt (guard, verdict, operation, object);
  g_autofree char *title_got = fh_attempt_dup_title (attempt);
  g_autofree char *sentence = fh_attempt_dup_sentence (attempt);

  g_assert_cmpstr (title_got, ==, title);
  if (strstr (sentence, part) == NULL)
    g_error ("“%s” is not in “%s”", part, sentence);
}

static void
test_words (void)
{
  g_autofree char *own = g_build_filename (g_get_home_dir (), ".ssh/id_rsa", NULL);

  check_words (FH_GUARD_FILESYSTEM,
               FH_VERDICT_HIDDEN,
               "open",
               own,
               "Open ~/.ssh/id_rsa",
               "nothing of your home folder");
  check_words (FH_GUARD_FILESYSTEM,
               FH_VERDICT_HIDDEN,
               "open",
               "/workspace/.ssh/id_rsa",
               "Open ~/.ssh/id_rsa",
               "nothing of your home folder");
  check_words (FH_GUARD_FILESYSTEM,
               FH_VERDICT_HIDDEN,
               "open",
               "/home/somebody/x",
               "Open /home/somebody/x",
               "nothing of your home folder");
  check_words (FH_GUARD_FILESYSTEM,
               FH_VERDICT_OBSERVED,
               "write to",
               "/workspace/.bashrc",
               "Write to /workspace/.bashrc",
               "Your files were not touched");
  check_words (FH_GUARD_FILESYSTEM,
               FH_VERDICT_HIDDEN,
               "connect",
               "/run/docker.sock",
               "Connect to /run/docker.sock",
               "services of your computer");
}

static void
test_words_without_paths (void)
{
  check_words (FH_GUARD_NETWORK,
               FH_VERDICT_DENIED,
               "connect",
               "1.1.1.1:443",
               "Connect to 1.1.1.1:443",
               "reached nothing");
  check_words (FH_GUARD_NETWORK,
               FH_VERDICT_DENIED,
               "look up",
               "a.b",
               "Look up a.b",
               "no query left your computer");
  check_words (FH_GUARD_SYSTEM_CALLS,
               FH_VERDICT_DENIED,
               "mount",
               "/usr",
               "Change what is mounted (mount: /usr)",
               "was blocked because");
  check_words (FH_GUARD_SYSTEM_CALLS,
               FH_VERDICT_DENIED,
               "vmsplice",
               "",
               "vmsplice",
               "something unusual");
  check_words (FH_GUARD_PROCESSES,
               FH_VERDICT_LIMITED,
               "start a process",
               "",
               "Start one more process",
               "limit of processes and threads");
  check_words (FH_GUARD_TIME,
               FH_VERDICT_LIMITED,
               "run on",
               "",
               "Keep running after the time limit",
               "limit");
  /* A name may hold what a format would mean. */
  check_words (FH_GUARD_FILESYSTEM, FH_VERDICT_HIDDEN, "open", "%s%n", "Open %s%n", "hidden");
}

static void
test_origin (void)
{
  FhAttemptFacts facts = {
    .verdict = FH_VERDICT_DENIED,
    .operation = "import",
    .object = "socket",
    .is_reported = TRUE,
  };
  g_autoptr (FhAttempt) reported = fh_attempt_new (&facts);
  g_autofree char *sentence = fh_attempt_dup_sentence (reported);
  g_autoptr (FhAttempt) outside = NULL;
  g_autofree char *yours = NULL;
  g_autoptr (FhAttempt) own = NULL;
  g_autofree char *its = NULL;

  g_assert_nonnull (strstr (sentence, "not evidence"));
  outside = fh_attempt_new (&(FhAttemptFacts){
      .verdict = FH_VERDICT_HIDDEN,
      .operation = "delete",
      .object = "/home/x/y",
      .exists_outside = TRUE,
  });
  yours = fh_attempt_dup_sentence (outside);
  g_assert_nonnull (strstr (yours, "exists on your computer"));
  own = fh_attempt_new (&(FhAttemptFacts){
      .verdict = FH_VERDICT_OBSERVED,
      .operation = "create",
      .object = "/workspace/.bashrc",
      .exists_outside = TRUE,
  });
  its = fh_attempt_dup_sentence (own);
  g_assert_null (strstr (its, "exists on your computer"));
}

/* Whatever a runner of another version may call it, there is something to say. */
/* Never says that nothing was touched when something was. */
static void
test_lasting (void)
{
  g_autoptr (FhAttempt) own = fh_attempt_new (&(FhAttemptFacts){
      .verdict = FH_VERDICT_OBSERVED,
      .operation = "delete",
      .object = "/workspace/a.txt",
  });
  g_autofree char *gone = fh_attempt_dup_sentence (own);
  g_autofree char *stays = NULL;

  g_autoptr (FhAttempt) home = fh_attempt_new (&(FhAttemptFacts){
      .verdict = FH_VERDICT_OBSERVED,
      .operation = "create",
      .object = "/home/fumehood/x",
      .is_lasting = TRUE,
  });

  g_assert_cmpint (fh_attempt_kind (fh_attempt_get_facts (home)), ==, FH_ATTEMPT_KIND_FILE);
  g_assert_nonnull (strstr (gone, "Your files were not touched"));
  fh_attempt_set_lasting (own);
  stays = fh_attempt_dup_sentence (own);
  g_assert_nonnull (strstr (stays, "is permanent"));
  g_assert_null (strstr (stays, "not touched"));
}

static void
test_all_have_words (void)
{
  static const char *const operations[] = { "open", "create",  "look up", "signal", "mount",
                                            "call", "made up", "",        NULL };

  for (guint guard = 0; guard < FH_N_GUARDS; guard++)
    for (guint verdict = FH_VERDICT_DENIED; verdict <= FH_VERDICT_OBSERVED; verdict++)
      for (guint i = 0; operations[i] != NULL; i++)
        {
          g_autoptr (FhAttempt) attempt =
              new_attempt ((FhGuard) guard, (FhVerdict) verdict, operations[i], "x");
          g_autofree char *title = fh_attempt_dup_title (attempt);
          g_autofree char *sentence = fh_attempt_dup_sentence (attempt);

          g_assert_cmpint (strlen (title), >, 0);
          g_assert_true (g_str_has_suffix (sentence, "."));
          g_assert_cmpint (strlen (fh_attempt_get_why (attempt)), >, 0);
        }
}

/* A file that the program makes is not one that it looks for. */
static void
test_own_files (void)
{
  g_autoptr (FhAttempt) opened =
      new_attempt (FH_GUARD_FILESYSTEM, FH_VERDICT_HIDDEN, "open", "/workspace/a");
  g_autoptr (FhAttempt) created =
      new_attempt (FH_GUARD_FILESYSTEM, FH_VERDICT_OBSERVED, "create", "/workspace/a");

  g_assert_nonnull (strstr (fh_attempt_get_why (opened), "may not exist"));
  g_assert_nonnull (strstr (fh_attempt_get_why (created), "files of their own"));
}

/* What is not known is not claimed; the reason is told. */
static void
test_uncertain (void)
{
  static const struct
  {
    FhGuard guard;
    const char *operation;
    const char *object;
    const char *part;
  } cases[] = {
    { FH_GUARD_FILESYSTEM, "open", "", "could not be read" },
    { FH_GUARD_NETWORK, "send to", "", "could not be read" },
    { FH_GUARD_FILESYSTEM, "open", "../key", "folder that this name starts from is not known" },
    { FH_GUARD_FILESYSTEM,
      "rename",
      "/tmp/a -> /workspace/a",
      "or a guard blocked it, is not known" },
    { FH_GUARD_PROCESSES, "execute", "/workspace/a", "or a guard blocked it, is not known" },
    { FH_GUARD_NETWORK, "bind", "127.0.0.1:80", "No guard blocked it" },
    { FH_GUARD_PROCESSES, "signal", "1 (SIGKILL)", "protects process 1 of a sandbox" },
    { FH_GUARD_PROCESSES, "signal", "17 (SIGKILL)", "whether a process got it" },
  };

  for (gsize i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      const FhAttemptFacts facts = {
        .guard = cases[i].guard,
        .verdict = FH_VERDICT_OBSERVED,
        .operation = cases[i].operation,
        .object = cases[i].object,
        .is_uncertain = TRUE,
      };
      g_autoptr (FhAttempt) attempt = fh_attempt_new (&facts);
      g_autoptr (FhAttempt) certain =
          new_attempt (facts.guard, facts.verdict, facts.operation, facts.object);
      g_autofree char *sentence = fh_attempt_dup_sentence (attempt);

      g_assert_nonnull (strstr (sentence, cases[i].part));
      g_assert_null (strstr (sentence, "let through"));
      g_assert_false (fh_attempt_is_same (attempt, certain));
    }
}

/* The number is the process, not the signal. */
static void
test_signals (void)
{
  static const struct
  {
    FhVerdict verdict;
    const char *object;
    const char *title;
    const char *call;
  } cases[] = {
    { FH_VERDICT_OBSERVED,
      "1 (SIGKILL)",
      "Send SIGKILL to process 1, the sandbox’s own",
      "kill (1, SIGKILL)" },
    { FH_VERDICT_DENIED, "1 (SIGKILL)", "Send SIGKILL to process 1", "kill (1, SIGKILL)" },
    { FH_VERDICT_OBSERVED, "17 (34)", "Send signal 34 to process 17", "kill (17, 34)" },
    { FH_VERDICT_OBSERVED, "-1 (SIGTERM)", "Send SIGTERM to every process", "kill (-1, SIGTERM)" },
    { FH_VERDICT_OBSERVED,
      "-5 (SIGTERM)",
      "Send SIGTERM to the process group 5",
      "kill (-5, SIGTERM)" },
    { FH_VERDICT_DENIED, "1 (", "Send a signal: 1 (", "signal 1 (" },
    { FH_VERDICT_DENIED, "-2147483648 (SIGHUP)", "Send a signal: -2147483648 (SIGHUP)", NULL },
    { FH_VERDICT_DENIED, "", "Send a signal", "signal" },
  };

  for (gsize i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      g_autoptr (FhAttempt) attempt =
          new_attempt (FH_GUARD_PROCESSES, cases[i].verdict, "signal", cases[i].object);
      g_autofree char *title = fh_attempt_dup_title (attempt);
      g_autofree char *call = fh_attempt_dup_call (attempt);

      g_assert_cmpstr (title, ==, cases[i].title);
      if (cases[i].call != NULL)
        g_assert_cmpstr (call, ==, cases[i].call);
    }
}

/* What nobody has was not kept from the program, whatever guard would have stood before it. */
static void
test_missing (void)
{
  const FhAttemptFacts facts = {
    .guard = FH_GUARD_FILESYSTEM,
    .verdict = FH_VERDICT_OBSERVED,
    .is_missing = TRUE,
    .error = ENOENT,
    .operation = "open",
    .object = "/home/nobody-here/diary.txt",
  };
  const FhAttemptFacts end = { .verdict = FH_VERDICT_LIMITED, .ended_run = TRUE };
  const FhAttemptFacts denied = { .verdict = FH_VERDICT_DENIED };
  g_autoptr (FhAttempt) attempt = fh_attempt_new (&facts);
  g_autofree char *sentence = fh_attempt_dup_sentence (attempt);

  g_assert_nonnull (strstr (sentence, "There is nothing of that name on this computer"));
  g_assert_null (strstr (sentence, "hidden"));
  g_assert_cmpstr (fh_attempt_verdict_title (&facts), ==, "Tried");
  g_assert_false (fh_attempt_was_blocked (&facts));
  g_assert_false (fh_attempt_was_blocked (&end));
  g_assert_true (fh_attempt_was_blocked (&denied));
}

/* Raising the limit of memory does not help. */
static void
test_hidden_process (void)
{
  g_autoptr (FhAttempt) attempt =
      new_attempt (FH_GUARD_MEMORY, FH_VERDICT_LIMITED, "hide a process", "");
  g_autofree char *title = fh_attempt_dup_title (attempt);

  g_assert_cmpstr (title, ==, "Hide a process");
  g_assert_cmpint (fh_attempt_kind (fh_attempt_get_facts (attempt)), ==, FH_ATTEMPT_KIND_OTHER);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/attempt/strings-are-readable", test_strings_are_readable);
  g_test_add_func ("/attempt/count-and-line", test_count_and_line);
  g_test_add_func ("/attempt/verdicts", test_verdicts);
  g_test_add_func ("/attempt/kinds", test_kinds);
  g_test_add_func ("/attempt/words", test_words);
  g_test_add_func ("/attempt/words-without-paths", test_words_without_paths);
  g_test_add_func ("/attempt/origin", test_origin);
  g_test_add_func ("/attempt/lasting", test_lasting);
  g_test_add_func ("/attempt/all-have-words", test_all_have_words);
  g_test_add_func ("/attempt/own-files", test_own_files);
  g_test_add_func ("/attempt/uncertain", test_uncertain);
  g_test_add_func ("/attempt/signals", test_signals);
  g_test_add_func ("/attempt/missing", test_missing);
  g_test_add_func ("/attempt/hidden-process", test_hidden_process);
  return g_test_run ();
}
