/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "exhibit.h"

#include <glib/gi18n-lib.h>
#include <string.h>

#include "data-folder.h"

#define ALWAYS_ON N_ ("This guard cannot be switched off.")

/* A guard, how hard it is, and the options with and without the guard. */
#define GUARD(guard, level, with, without) FH_GUARD_##guard, level, with, without

static const FhExhibit exhibits[] = {
  { "first-run.py",
    N_ ("A First Run"),
    N_ ("Looks around as curious code would, and leaves a note in a folder of its own."),
    N_ ("Nothing of yours is inside, so the program gets errors where it would find your "
        "files. It still has all that it needs to work."),
    N_ ("Which of these tries does a harmless program need?"),
    GUARD (FILESYSTEM, 1, "", NULL),
    ALWAYS_ON },
  { "curious-code.py",
    N_ ("Curious Code"),
    N_ ("Looks for keys, calls home, changes files and starts programs."),
    N_ ("Each guard stops its own part. “Attempts” lists what was tried, with the line "
        "and the guard."),
    N_ ("Which of these tries would you notice without the list?"),
    GUARD (NETWORK, 1, "", NULL),
    N_ ("It would reach the server on the internet that it calls.") },
  { "what-is-guarded.py",
    N_ ("What Is Guarded"),
    N_ ("Tries what careless or hostile code might try, and says what came of it."),
    N_ ("What is refused gives an error, and what is harmless is allowed. The program "
        "cannot become anyone else."),
    N_ ("Why is it safe to let the program see the names of its environment variables?"),
    GUARD (FILESYSTEM, 1, "", NULL),
    ALWAYS_ON },
  { "progress.py",
    N_ ("Colors and a Progress Bar"),
    N_ ("Writes in colors, and draws a bar that stays on one line."),
    N_ ("The output understands colors and lines that are written anew. Everything else "
        "that controls a terminal is taken out."),
    N_ ("What could a program do to you if it controlled your terminal?"),
    GUARD (OUTPUT, 1, "", NULL) },
  { "input.py",
    N_ ("Reading Standard Input"),
    N_ ("Waits for a text, and counts its words."),
    N_ ("A program that waits says so, and gets what you type under the output and "
        "nothing else. The time limit pauses meanwhile, but not for ever."),
    N_ ("What would become of a program whose input never ends?"),
    GUARD (TIME, 1, "", NULL) },
  { "surroundings.sh",
    N_ ("A Look Around"),
    N_ ("Lists what a shell script can see: folders, processes and networks."),
    N_ ("The script sees its own processes only, as if there were no others on this "
        "computer, and a network that leads nowhere."),
    N_ ("What could a program learn from the list of all your processes?"),
    GUARD (PROCESSES, 1, "", NULL),
    ALWAYS_ON },
  { "key-thief.py",
    N_ ("Key Thief"),
    N_ ("Reads SSH keys and access tokens from the usual places in your home folder."),
    N_ ("Your home folder is not inside the sandbox at all, so there is nothing to "
        "read and no permission to get wrong. A key that you do not have is only listed "
        "as tried."),
    N_ ("Which files in your own home folder would you least like a program to read?"),
    GUARD (FILESYSTEM, 1, "", NULL),
    ALWAYS_ON },
  { "password-reader.py",
    N_ ("Password Reader"),
    N_ ("Reads the list of accounts and the hashes of their passwords."),
    N_ ("The list has three invented accounts, because many programs need one. The "
        "hashes are not there."),
    N_ ("Why is an invented file sometimes better than an error?"),
    GUARD (FILESYSTEM, 1, "", NULL),
    ALWAYS_ON },
  { "device-prober.py",
    N_ ("Device Prober"),
    N_ ("Opens the disk, the memory, the camera and the keyboard as raw devices."),
    N_ ("Only a few harmless devices are inside, such as the one that swallows "
        "everything."),
    N_ ("What could a program do with the raw disk that it cannot do with files?"),
    GUARD (FILESYSTEM, 2, "", NULL),
    ALWAYS_ON },
  { "startup-writer.py",
    N_ ("Startup Writer"),
    N_ ("Writes to files that run by themselves at the next login."),
    N_ ("Its home folder is the workspace, which is empty and belongs to this run: it writes "
        "/workspace/.bashrc instead of yours. Nothing of it reaches you unless you save it."),
    N_ ("The program believes that it worked. Is that good or bad?"),
    GUARD (FILESYSTEM, 1, "", NULL),
    ALWAYS_ON },
  { "container-socket.py",
    N_ ("Container Socket"),
    N_ ("Asks the container engine of this computer for a container with the whole "
        "disk in it."),
    N_ ("Sockets of services are files, and they are not inside. A program that can "
        "talk to the engine is as good as root."),
    N_ ("Why is membership in the group “docker” as powerful as the root password?"),
    GUARD (NETWORK, 3, "", NULL),
    N_ ("Nothing would be different: the sockets are files, and those stay hidden.") },
  { "symlink-trap.py",
    N_ ("Link Trap"),
    N_ ("Leaves results that are links to your files, and one that can never be read "
        "to its end."),
    N_ ("Results are copied without following links, and only regular files are "
        "offered for saving."),
    N_ ("What would happen if you copied these results with “cp -r --dereference”?"),
    GUARD (FILESYSTEM, 2, "", NULL),
    ALWAYS_ON },
  { "fake-names.py",
    N_ ("Fake Names"),
    N_ ("Leaves files whose names look like something else."),
    N_ ("Invisible characters and those that turn a text round are shown as codes, "
        "letters that look alike are not. Files are never opened by a click."),
    N_ ("How can you tell which of the names is false without special tools?"),
    GUARD (FILESYSTEM, 1, "", NULL),
    ALWAYS_ON },
  { "environment-reader.py",
    N_ ("Environment Reader"),
    N_ ("Looks for passwords and tokens in the environment variables."),
    N_ ("The program starts with a fresh environment. Yours, with all that your shell "
        "knows, stays outside."),
    N_ ("Which of your programs put secrets into the environment, and who can read "
        "them there?"),
    GUARD (ENVIRONMENT, 1, "", "--without=environment") },
  { "call-home.py",
    N_ ("Call Home"),
    N_ ("Collects facts about the system and sends them to a server."),
    N_ ("The program is alone in a network namespace without any way out. The attempt "
        "is listed with its address."),
    N_ ("Which programs on your computer call home, and how would you notice?"),
    GUARD (NETWORK, 1, "", NULL),
    N_ ("It would send what it has collected to a server.") },
  { "dns-leak.py",
    N_ ("Leak Through Names"),
    N_ ("Hides a secret in a host name: looking it up is enough to send it away."),
    N_ ("Look-ups are answered inside the sandbox, and no query leaves the computer."),
    N_ ("Many networks block connections but answer look-ups. Who gets to see the "
        "names?"),
    GUARD (NETWORK, 2, "", NULL),
    N_ ("The look-up would leave this computer, with the secret in it.") },
  { "port-scan.py",
    N_ ("Port Scan"),
    N_ ("Knocks at the ports of this computer, where databases and printers listen."),
    N_ ("The address 127.0.0.1 inside the sandbox is another one: it belongs to the "
        "program’s own, empty network."),
    N_ ("Why do services that only listen on 127.0.0.1 often ask for no password?"),
    GUARD (NETWORK, 2, "", NULL),
    N_ ("It would knock at the real services of this computer.") },
  { "cloud-metadata.py",
    N_ ("Cloud Credentials"),
    N_ ("Asks for the credentials that machines of cloud providers get from a fixed "
        "address."),
    N_ ("That address is out of reach like any other, and the list of attempts names "
        "it for what it is."),
    N_ ("Why is it dangerous when a web server fetches any address that a visitor "
        "enters?"),
    GUARD (NETWORK, 3, "", NULL),
    N_ ("On a machine of a cloud provider it would get the credentials.") },
  { "own-address.py",
    N_ ("Own Address"),
    N_ ("Finds out the address of this computer without sending anything."),
    N_ ("Without a network there is no route, so even this question has no answer."),
    N_ ("What does the address of a computer reveal about the person who uses it?"),
    GUARD (NETWORK, 2, "", "--without=network") },
  { "curl-to-shell.sh",
    N_ ("Install Line"),
    N_ ("Fetches a script from a server and runs it at once, unread."),
    N_ ("The server cannot be reached. Even if it could, the script would run in this "
        "sandbox."),
    N_ ("The server can tell a browser from curl. What does that mean for reading the "
        "script first?"),
    GUARD (NETWORK, 1, "", NULL),
    N_ ("It would run whatever the server sends.") },
  { "fork-bomb.py",
    N_ ("Fork Bomb"),
    N_ ("Starts processes until the computer has no room for more."),
    N_ ("All processes of a run are counted together, and the kernel refuses those over the "
        "limit. It always tells the program, but not on every computer Fumehood: then the result "
        "says “perhaps”."),
    N_ ("Why is it hard to end a fork bomb that runs without a limit?"),
    GUARD (PROCESSES, 1, "--processes=32", NULL),
    ALWAYS_ON },
  { "process-killer.py",
    N_ ("Process Killer"),
    N_ ("Sends the signal that cannot be ignored to every other process."),
    N_ ("In a process namespace of its own the program sees only itself and its first "
        "process, which the kernel protects."),
    N_ ("Outside, which processes could an ordinary program of yours end?"),
    GUARD (PROCESSES, 2, "", NULL),
    ALWAYS_ON },
  { "background-daemon.py",
    N_ ("Runaway"),
    N_ ("Leaves a process behind that has cut all its ties to the program."),
    N_ ("When the first process of a namespace ends, the kernel ends all others with "
        "it, whatever ties they have cut."),
    N_ ("Why is it not enough to end the process that was started?"),
    GUARD (PROCESSES, 2, "", NULL),
    ALWAYS_ON },
  { "descriptor-hoarder.py",
    N_ ("Hoarder"),
    N_ ("Opens files and closes none, until there are no more to have."),
    N_ ("Each process may have only so many files open. The kernel tells just the "
        "program, so this is not among the attempts."),
    N_ ("What happens to other programs when the whole system runs out of open files?"),
    GUARD (PROCESSES, 2, "--file-limit=64", NULL),
    ALWAYS_ON },
  { "memory-hog.py",
    N_ ("Memory Hog"),
    N_ ("Takes 300 MiB of memory and uses all of it."),
    N_ ("The memory of all processes together is limited, and the program fails at the limit. "
        "Where the guard is weaker than usual, the result may only say “probably”."),
    N_ ("What does a computer do when a program takes all its memory?"),
    GUARD (MEMORY, 1, "--memory=128", "--without=memory") },
  { "disk-filler.py",
    N_ ("Disk Filler"),
    N_ ("Writes 24 MiB of zeros."),
    N_ ("The workspace is a file system of a fixed size. When it is full, only this "
        "program notices."),
    N_ ("What stops working first on a computer with a full disk?"),
    GUARD (DISK, 1, "--disk-limit=8", "--without=disk") },
  { "output-flood.py",
    N_ ("Flood"),
    N_ ("Prints 50,000 lines as fast as it can."),
    N_ ("The run ends when its output gets too large. What was printed until then is kept."),
    N_ ("How could a flood of harmless lines help an attacker?"),
    GUARD (OUTPUT, 1, "--output-limit=1M", "--without=output") },
  { "terminal-escapes.py",
    N_ ("Terminal Tricks"),
    N_ ("Prints sequences that set titles, fill the clipboard, erase lines and forge "
        "a message of Fumehood."),
    N_ ("Text from the program is only ever text: it can write over its own last line, "
        "all other sequences are taken out, and Fumehood’s own messages look different."),
    N_ ("Which of these would work in your own terminal?"),
    GUARD (OUTPUT, 2, "", NULL),
    N_ ("Nothing would be different: only the limit of the output would be gone.") },
  { "time-bomb.py",
    N_ ("Time Bomb"),
    N_ ("Looks harmless for a while and only then acts."),
    N_ ("Time is limited, so the bomb does not go off. But a short test proves "
        "little: it only shows what happened in that time."),
    N_ ("How long would you have to watch a program to trust it?"),
    GUARD (TIME, 1, "--timeout=1", "--without=time") },
  { "busy-loops.py",
    N_ ("Busy Loops"),
    N_ ("Computes in four processes at once."),
    N_ ("A limit of CPU time counts the work of all processes together, which the "
        "clock on the wall does not."),
    N_ ("When is CPU time the better limit, and when is wall time?"),
    GUARD (TIME, 2, "--cpu-time=2", "--without=time") },
  { "zombie-thread.py",
    N_ ("Thread That Stays"),
    N_ ("Its main part ends at once, but a thread keeps it alive."),
    N_ ("The time limit is about the whole process tree, and what was printed before "
        "the end is kept."),
    N_ ("When has a program ended?"),
    GUARD (TIME, 2, "--timeout=1", "--without=time") },
  { "stubborn.py",
    N_ ("Stubborn"),
    N_ ("Ignores all signals that politely ask it to end."),
    N_ ("After the polite signal comes one that no program can ignore."),
    N_ ("Why is there a polite signal at all?"),
    GUARD (TIME, 1, "--timeout=1", "--without=time") },
  { "debugger.py",
    N_ ("Debugger"),
    N_ ("Attaches to another process to read and change its memory."),
    N_ ("The seccomp filter refuses the system call before the kernel looks at its "
        "arguments."),
    N_ ("Debuggers need this. Who else should be able to read the memory of your "
        "browser?"),
    GUARD (SYSTEM_CALLS, 3, "", "--without=system-calls") },
  { "new-namespace.py",
    N_ ("Root in a Namespace"),
    N_ ("Makes itself root in a new user namespace, which opens parts of the kernel "
        "that need root."),
    N_ ("The seccomp filter refuses new namespaces, and a second limit refuses them "
        "even without it."),
    N_ ("Sandboxes are made of namespaces, and exploits start with them. How can both "
        "be true?"),
    GUARD (SYSTEM_CALLS, 3, "", NULL),
    N_ ("Nothing would be different: the second limit cannot be switched off.") },
  { "rare-kernel-parts.py",
    N_ ("Rare Kernel Parts"),
    N_ ("Calls parts of the kernel that few programs use and many exploits did."),
    N_ ("What ordinary programs do not need is refused, so faults in that code cannot "
        "be used."),
    N_ ("Why is code that is rarely used more likely to have faults?"),
    GUARD (SYSTEM_CALLS, 3, "", NULL),
    N_ ("It would reach the parts of the kernel in which many faults were found.") },
  { "mount-over.py",
    N_ ("Mount Over"),
    N_ ("Puts an empty file system over the folder with all settings."),
    N_ ("The filter refuses it. Without the filter the kernel still would, because "
        "the program has no privileges."),
    N_ ("Why have two guards for the same thing?"),
    GUARD (SYSTEM_CALLS, 3, "", NULL),
    N_ ("Nothing would be different: the program still has no privileges.") },
  { "keyring.py",
    N_ ("Kernel Keyring"),
    N_ ("Puts a key in the kernel’s key store."),
    N_ ("Key stores are shared in ways that namespaces do not cover, so the filter "
        "closes them."),
    N_ ("Which other things do processes share that are neither files nor network?"),
    GUARD (SYSTEM_CALLS, 3, "", "--without=system-calls") },
  { "become-root.py",
    N_ ("Become Root"),
    N_ ("Asks to be root, and leaves a program that makes its user root."),
    N_ ("There is no root in the sandbox to become, and no program can gain rights by "
        "being started. The kernel itself says so, without asking a guard: no attempt is "
        "listed. A file that you save from it does not have the mark."),
    N_ ("Why do programs with such a mark exist on every system?"),
    GUARD (PRIVILEGES, 2, "", NULL),
    ALWAYS_ON },
  { "hidden-eval.py",
    N_ ("Hidden Program"),
    N_ ("Carries its real program as text that cannot be read at a glance, and runs "
        "it."),
    N_ ("With limited functions, Python refuses to start a shell. That is only "
        "advice: the guards around Python are the wall."),
    N_ ("Decode the text yourself. What would a look at the source have told you?"),
    GUARD (INTERPRETER, 2, "--limit-functions", "") },
  { "import-trick.py",
    N_ ("Import Trick"),
    N_ ("Imports a module by a name that it puts together from numbers."),
    N_ ("The list of imports is checked when the module is imported, not by searching "
        "the text, so the trick fails."),
    N_ ("Why do lists of forbidden words fail so often?"),
    GUARD (INTERPRETER, 2, "--allow-imports=math", "") },
  { NULL },
};

const FhExhibit *
fh_exhibit_list (void)
{
  return exhibits;
}

const FhExhibit *
fh_exhibit_lookup (const char *name)
{
  g_return_val_if_fail (name != NULL, NULL);

  for (const FhExhibit *exhibit = exhibits; exhibit->file_name != NULL; exhibit++)
    {
      gsize stem = strcspn (exhibit->file_name, ".");

      if (g_str_equal (name, exhibit->file_name) ||
          (strlen (name) == stem && strncmp (name, exhibit->file_name, stem) == 0))
        return exhibit;
    }
  return NULL;
}

char *
fh_exhibit_dup_path (const FhExhibit *exhibit)
{
  g_autofree char *folder = fh_data_folder_locate ("exhibits");

  g_return_val_if_fail (exhibit != NULL, NULL);

  return g_build_filename (folder, exhibit->file_name, NULL);
}

static const FhRunOption *
find_flag (const char *flag)
{
  for (const FhRunOption *row = fh_run_option_list (NULL); row->key != NULL; row++)
    {
      if (g_strcmp0 (row->flag, flag) == 0)
        return row;
    }
  return NULL;
}

FhRunOptions *
fh_exhibit_dup_options (const FhExhibit *exhibit, gboolean bare)
{
  FhRunOptions *options = fh_run_options_new ();
  g_auto (GStrv) words = NULL;

  g_return_val_if_fail (exhibit != NULL, options);
  g_return_val_if_fail (!bare || exhibit->without_guard != NULL, options);

  words = g_strsplit (bare ? exhibit->without_guard : exhibit->with_guard, " ", -1);
  for (guint i = 0; words[i] != NULL; i++)
    {
      g_auto (GStrv) parts = g_strsplit (words[i] + strlen ("--"), "=", 2);
      g_autoptr (GError) error = NULL;

      if (!fh_run_option_parse (find_flag (parts[0]),
                                options,
                                parts[1] != NULL ? parts[1] : "yes",
                                &error))
        g_critical ("%s: %s", exhibit->file_name, error->message);
    }
  return options;
}
