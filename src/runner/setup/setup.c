/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "setup.h"

#include "capabilities.h"
#include "channels.h"
#include "container-folders.h"
#include "descriptors.h"
#include "devices.h"
#include "entry.h"
#include "etc-files.h"
#include "landlock.h"
#include "mounts.h"
#include "namespaces.h"
#include "project-folder.h"
#include "resource-limits.h"
#include "seccomp-filter.h"
#include "seccomp-shared.h"

#include <errno.h>
#include <string.h>

/* The sandboxes that a step belongs to; see enum fh_wire_tier. */
#define A  (1u << FH_WIRE_TIER_NAMESPACES)
#define A2 (1u << FH_WIRE_TIER_BUBBLEWRAP)
#define F  (1u << FH_WIRE_TIER_PORTAL)
#define B  (1u << FH_WIRE_TIER_LANDLOCK)
#define U  (1u << FH_WIRE_TIER_UNPROTECTED)
#define D  (1u << FH_WIRE_TIER_CONTAINER)
/* A forked sandbox is one of tier A in two parts: the namespaces and the root in which the warm
 * interpreter waits, and those of each run, inside of them. N is a run that makes its own network.
 */
#define N (1u << 29)
#define W (1u << 30)
#define R (1u << 31)

#define NETWORK      (1u << FH_WIRE_GUARD_NETWORK)
#define SYSTEM_CALLS (1u << FH_WIRE_GUARD_SYSTEM_CALLS)

enum need
{
  REQUIRED, /* if it fails, nothing runs */
  OPTIONAL, /* if it fails, the run starts; guard-report.c says what is weaker then */
};

/* THE order in which a sandbox is built. Read this first.
 *
 * In tier A it begins in a process that clone3 has just put into new namespaces, with every
 * capability over them and with the host's files in sight; it ends in one that can only start the
 * guest. In tier A2 bubblewrap has made the namespaces and mounts and dropped the capabilities
 * before this begins. In tier B there are no namespaces: it begins in an ordinary process of the
 * user, and Landlock and the filters must do everything. U is no protection, at the user's request.
 *
 * In tier F Flatpak's portal has made the namespaces and mounts, and the runner is in them together
 * with the guest, which is guarded as in tier B: see plan.c.
 *
 * In tier D this happens in a container, whose engine has made the namespaces, the mounts and the
 * control group. Here is done what an engine leaves undone; guard-report.c checks the rest. The
 * mounts are the image's and the user's, so Landlock has no rules for files; the network is the
 * container's own, so sockets stay; it has its own session keyring. But the runner and the guest
 * are in there together, as one user: see seccomp-shared.c.
 *
 * W ends in a process that can only start the user's interpreter, with no capability, and runs
 * nothing of a guest. It has no Landlock rules, which would forbid the mounts of the runs. R begins
 * in its child, in new namespaces, of users too: that has every capability over them, and none over
 * the warm interpreter's. Each makes anew what a run can change, and leaves the read-only rest of
 * the root as it is. The network of W is complete, too: a run stays in it as long as no run has
 * ever touched it, and otherwise makes its own, as N says; see warm-interpreter.h. */
static const struct
{
  const char *name;
  uint32_t tiers; /* the tiers that it belongs to */
  enum need need;
  setup_apply apply;
  uint32_t without; /* skipped if one of these is switched off, 1 << enum fh_wire_guard */
} steps[] = {
  /* Keep only the guest's pipes open, and die with the runner. */
  { "descriptors", A | A2 | F | B | U | D | W | R, REQUIRED, descriptors_apply },
  { "lifeline", A | A2 | W | R, REQUIRED, lifeline_apply },
  /* Without a pid namespace, adopt orphans; they must be killed before init exits. */
  { "orphans", F | B | U | D, REQUIRED, orphans_apply },

  /* Identity: a network, a host name and a user of its own. If the guest gets its own user id, the
   * runner maps the users meanwhile; wait for that as late as possible. */
  { "network-namespace", A | W | N, REQUIRED, namespaces_make_network, NETWORK },
  { "hostname", A | W | R, REQUIRED, namespaces_set_hostname },
  { "loopback", A | W | N, REQUIRED, namespaces_raise_loopback },
  { "dns-sink", A | D | W | N, OPTIONAL, loopback_make_dns_socket },
  { "proxy-listener", A | A2, OPTIONAL, loopback_make_proxy_socket },
  { "socket-list", A | A2 | W | N, OPTIONAL, loopback_make_socket_list },
  { "keyring", A | A2 | B | W | R, OPTIONAL, namespaces_join_keyring },
  /* What comes before costs it little, and the supervisor moves it meanwhile. */
  { "control-group", R, REQUIRED, namespaces_enter_box },
  { "private-mounts", A | W | R, REQUIRED, mounts_make_private },
  { "user-namespace-map", A | W | R, REQUIRED, namespaces_map_ids },

  /* Files: a private root, built from nothing. */
  { "root", A | W, REQUIRED, mounts_make_root },
  { "forked-root", R, REQUIRED, mounts_open_root },
  { "scratch-folders", A | W, REQUIRED, mounts_make_scratch_folders },
  { "scratch", A | R, REQUIRED, mounts_make_scratch },
  /* Makes the empty folder that overlays need. */
  { "proc", A | R, REQUIRED, proc_apply },
  { "open-proc", W, REQUIRED, proc_apply_open },
  { "system-folders", A | W, REQUIRED, mounts_bind_system },
  { "etc", A | W, REQUIRED, etc_files_apply },
  { "devices", A | W, REQUIRED, devices_apply },
  { "binds", A | W, REQUIRED, mounts_bind_policy },
  { "forked-binds", R, REQUIRED, mounts_find_shared },
  { "bubblewrap-entry", A2, REQUIRED, entry_bubblewrap },
  { "run-folder-entry", F | B | U, REQUIRED, run_folder_enter },
  { "container-entry", D, REQUIRED, entry_container },
  /* Before anything is written to them, and before there is a guest. */
  { "container-folders", D, REQUIRED, container_folders_check },
  { "channels", A | A2 | F | B | W | R, REQUIRED, channels_refuse },
  { "separate-folders", A | A2 | R, OPTIONAL, channels_are_separate },
  { "files", A | A2 | F | B | U | D, REQUIRED, mounts_write_files },
  /* Nothing is written to its layer past the overlay after this. */
  { "project-folder", A, REQUIRED, project_folder_apply },
  { "project-overlay", A, OPTIONAL, project_folder_try },

  /* Limits. Kernel files need the capabilities that are dropped below. */
  { "namespace-limit", A | R, REQUIRED, limits_forbid_namespaces },
  { "pid-limit", A | R, OPTIONAL, limits_set_pid_max },
  { "watch-limit", A | R, OPTIONAL, limits_set_watches },
  { "socket-buffers", A | W | N, OPTIONAL, limits_set_socket_buffers },
  { "core-dumps", A | A2 | F | B | D | R, REQUIRED, limits_forbid_core_dumps },
  { "resource-limits", A | A2 | F | B | D | W | R, REQUIRED, limits_set_rlimits },
  { "core-handler", A | A2 | F | B | D | R, OPTIONAL, limits_check_core_handler },

  /* From here on it can neither see the host nor change a mount. */
  { "proc-read-only", A | R, REQUIRED, proc_make_read_only },
  { "root-read-only", A | W, REQUIRED, mounts_make_root_read_only },
  { "pivot-root", A | W, REQUIRED, mounts_pivot },
  { "forked-workspace", R, REQUIRED, mounts_enter_workspace },
  /* On a kernel without Landlock this does nothing; the mounts are the guard that it doubles. */
  { "landlock", A | A2 | R, REQUIRED, landlock_apply },
  /* No file of the user is opened after this; from here on it runs as the guest's user. */
  { "guest-user", A | W, REQUIRED, guest_user_enter },
  { "capabilities", A | W | R, REQUIRED, capabilities_drop },
  { "no-new-privileges", A2 | F | B | D, REQUIRED, capabilities_forbid },
  { "landlock-rules", F | B, REQUIRED, landlock_prepare },
  { "signal-scope", F | B, REQUIRED, landlock_scope },
  { "container-signal-scope", D, OPTIONAL, landlock_scope_inside },
  { "privileges-check", A | A2 | F | B | D | R, REQUIRED, capabilities_verify },
  { "start-folder", A | A2 | F | B | U | D | R, REQUIRED, entry_start_folder },
  { "guest-files", A | A2 | W | R, REQUIRED, entry_check_files },
  { "handles", A | A2 | F | B | U | D | R, REQUIRED, descriptors_open_handles },
  { "shared-call-filter", A | A2 | F | B | D | R, REQUIRED, seccomp_shared_apply },
  { "warm-call-filter", W, REQUIRED, seccomp_filter_apply_warm, SYSTEM_CALLS },
  { "system-call-filter", A | A2 | F | B | D | R, REQUIRED, seccomp_filter_apply, SYSTEM_CALLS },
};

#define N_STEPS (sizeof steps / sizeof steps[0])
_Static_assert(N_STEPS <= 64, "struct setup keeps one bit per step");

static bool
must_fail (const struct setup *setup, const char *name)
{
#ifdef FH_RUNNER_TESTS
  return setup->plan->failing_step != NULL && strcmp (setup->plan->failing_step, name) == 0;
#else
  return false;
#endif
}

void
setup_init (struct setup *setup, const struct plan *plan)
{
  *setup = (struct setup){
    .plan = plan,
    .guest_channel = -1,
    .status = -1,
    .root = -1,
    .empty = -1,
    .proc = -1,
    .scratch = -1,
    .workspace = -1,
    .tmp = -1,
    .layer = -1,
    .proc_folder = -1,
    .root_handle = -1,
    .listener = -1,
    .dns = -1,
    .proxy = -1,
    .sockets = -1,
    .rules = -1,
  };
}

static uint32_t
tiers_of (const struct setup *setup)
{
  if (setup->is_forked)
    return setup->keeps_network ? R : R | N;
  return setup->plan->policy->kind == FH_POLICY_FORKED ? W : 1u << setup->plan->policy->tier;
}

bool
setup_run (struct setup *setup, struct fault *fault)
{
  const uint32_t tiers = tiers_of (setup);

  for (uint32_t i = 0; i < N_STEPS; i++)
    {
      int error;

      if (!(steps[i].tiers & tiers) || (steps[i].without & setup->plan->policy->without))
        continue;
      error = must_fail (setup, steps[i].name) ? -EIO : steps[i].apply (setup);
      if (error == 0)
        continue;
      if (steps[i].need == REQUIRED)
        {
          *fault = (struct fault){ .step = i, .error = -error };
          return false;
        }
      setup->skipped |= UINT64_C (1) << i;
    }
  return true;
}

bool
setup_was_skipped (uint64_t skipped, const char *name)
{
  for (uint32_t i = 0; i < N_STEPS; i++)
    {
      if (strcmp (steps[i].name, name) == 0)
        return skipped & (UINT64_C (1) << i);
    }
  return false;
}

const char *
fault_step_name (const struct fault *fault)
{
  static const char *const others[] = {
    [FAULT_STEP_EXEC - FAULT_STEP_EXEC] = "exec",
    [FAULT_STEP_START - FAULT_STEP_EXEC] = "start",
    [FAULT_STEP_LANDLOCK - FAULT_STEP_EXEC] = "landlock-rules",
    [FAULT_STEP_SIGNALS - FAULT_STEP_EXEC] = "shared-call-filter",
    [FAULT_STEP_HAND_OVER - FAULT_STEP_EXEC] = "descriptor-passing",
    [FAULT_STEP_WARM - FAULT_STEP_EXEC] = "warm-interpreter",
    [FAULT_STEP_FILES - FAULT_STEP_EXEC] = "resource-limits",
  };

  if (fault->step < N_STEPS)
    return steps[fault->step].name;
  return fault->step >= FAULT_STEP_EXEC && fault->step <= FAULT_STEP_FILES
             ? others[fault->step - FAULT_STEP_EXEC]
             : "start";
}
