/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "container-evidence.h"

#include <glib.h>

#define ENGINE_MOUNTS                                                                              \
  "101 100 0:42 / /proc rw,nosuid,nodev,noexec,relatime - proc proc rw\n"                          \
  "102 100 0:43 / /dev rw,nosuid - tmpfs tmpfs rw,size=65536k,mode=755\n"                          \
  "115 102 0:41 / /dev/mqueue rw,nosuid,nodev - mqueue mqueue rw\n"                                \
  "117 100 0:48 / /tmp rw,nosuid,nodev,relatime - tmpfs tmpfs rw,size=1024k\n"                     \
  "118 100 254:0 /x/resolv.conf /etc/resolv.conf rw,relatime - ext4 /dev/vda rw\n"                 \
  "119 100 254:0 /x/runner /opt/fumehood/runner ro,relatime - ext4 /dev/vda rw\n"                  \
  "120 100 254:0 /x /opt/fumehood rw,relatime - ext4 /dev/vda rw\n"

static struct container_evidence
mounts (const char *text)
{
  struct container_evidence evidence = { 0 };

  container_evidence_take_mounts (&evidence, text);
  return evidence;
}

static void
test_plain (void)
{
  struct container_evidence evidence = mounts (
      "100 74 0:39 / / ro,relatime master:2 - overlay overlay rw,lowerdir=/a:/b\n" ENGINE_MOUNTS);

  g_assert_true (evidence.has_read_only_root);
  g_assert_cmpuint (evidence.writable_folders, ==, 0);
}

static void
test_writable (void)
{
  struct container_evidence evidence =
      mounts ("100 74 0:39 / / rw,relatime master:2 - overlay overlay rw\n" ENGINE_MOUNTS
              "130 100 254:0 /home/me /workspace rw,relatime - ext4 /dev/vda rw\n"
              "131 100 254:0 /home/me/data /data ro,relatime - ext4 /dev/vda rw\n"
              "132 100 0:60 / /net rw - fuse.sshfs me@there: rw");

  g_assert_false (evidence.has_read_only_root);
  g_assert_cmpuint (evidence.writable_folders, ==, 2);
}

/* "ro" is a word, and not a part of one. */
static void
test_words (void)
{
  g_assert_false (mounts ("1 2 0:3 / / root,rw - x y z\n").has_read_only_root);
  g_assert_true (mounts ("1 2 0:3 / / ro - x y z\n").has_read_only_root);
  g_assert_false (mounts ("1 2 0:3 / /other ro - x y z\n").has_read_only_root);
  g_assert_cmpuint (mounts ("1 2 0:3 / /opt/fumehood2 rw - ext4 y z\n").writable_folders, ==, 1);
}

static gboolean
places (const char *programs, const char *workspace, const char *home, guint32 flags)
{
  char *own[] = { (char *) "HOME=/home/fumehood", NULL };
  char *none[] = { (char *) "HOME=/workspace", NULL };
  const struct fh_policy policy = { .flags = flags, .env = home != NULL ? own : none };
  g_autofree char *text =
      g_strdup_printf ("100 74 0:39 / / ro - overlay overlay ro\n%s%s%s"
                       "117 100 0:48 / /tmp rw,nosuid,nodev,relatime - tmpfs tmpfs rw\n",
                       programs,
                       workspace,
                       home != NULL ? home : "");

  return container_places_are_ours (text, &policy);
}

#define RUNNER_MOUNT "101 100 8:1 /x /opt/fumehood/runner ro - ext4 /dev/vda rw\n"
#define GUEST_MOUNT  "102 100 8:1 /x /opt/fumehood/guest ro - ext4 /dev/vda rw\n"
#define VOLUME_MOUNT "103 100 8:1 /x /opt/fumehood rw - ext4 /dev/vda rw\n"
#define WORK_MOUNT   "104 100 8:1 /x /workspace rw - ext4 /dev/vda rw\n"
#define HOME_MOUNT   "105 100 8:1 /x /home/fumehood rw - ext4 /dev/vda rw\n"

/* A link in the image has led one of them elsewhere. */
static void
test_places (void)
{
  const guint32 python = FH_POLICY_GUEST_CHANNEL;

  g_assert_true (places (RUNNER_MOUNT GUEST_MOUNT, WORK_MOUNT, NULL, python));
  g_assert_true (places (VOLUME_MOUNT, WORK_MOUNT, NULL, python));
  g_assert_true (places (RUNNER_MOUNT, WORK_MOUNT, NULL, 0));
  g_assert_true (places (VOLUME_MOUNT, WORK_MOUNT, HOME_MOUNT, python));
  g_assert_false (places (RUNNER_MOUNT, WORK_MOUNT, NULL, python));
  g_assert_false (places (GUEST_MOUNT, WORK_MOUNT, NULL, python));
  g_assert_false (places ("", WORK_MOUNT, NULL, 0));
  g_assert_false (places (VOLUME_MOUNT, "", NULL, python));
  g_assert_false (places (VOLUME_MOUNT, WORK_MOUNT, "", python));
  g_assert_false (places ("101 100 8:1 /x /workspace/fumehood/runner ro - ext4 /dev/vda rw\n",
                          WORK_MOUNT,
                          NULL,
                          0));
  g_assert_false (
      places ("101 100 8:1 /x /opt/fumehood/runner2 ro - ext4 /dev/vda rw\n", WORK_MOUNT, NULL, 0));
}

static void
test_no_mounts (void)
{
  static const char *const texts[] = { "",      "\n\n", "1 2", "1 2 0:3 / /", "1 2 0:3 / / ro",
                                       " - \n", "x" };
  g_autofree char *endless = g_strnfill (10000, 'x');

  for (guint i = 0; i < G_N_ELEMENTS (texts); i++)
    g_assert_false (mounts (texts[i]).has_read_only_root);
  g_assert_false (mounts (endless).has_read_only_root);
}

/* A line that cannot be read, or is very long, must not hide a folder. */
static void
test_doubtful_mounts (void)
{
  g_autofree char *name = g_strnfill (5000, 'x');
  g_autofree char *long_place = g_strdup_printf ("1 2 0:3 / /%s rw - ext4 y z\n", name);
  g_autofree char *long_root = g_strdup_printf ("1 2 0:3 /%s /a rw - ext4 y z\n", name);
  g_autofree char *long_of_engine =
      g_strdup_printf ("1 2 0:3 / /opt/fumehood/%s rw - ext4 y z\n", name);
  g_autofree char *long_read_only =
      g_strdup_printf ("1 2 0:3 / /%s ro,%s shared:1 - ext4 y z\n", name, name);

  g_assert_cmpuint (mounts (long_place).writable_folders, ==, 1);
  g_assert_cmpuint (mounts (long_root).writable_folders, ==, 1);
  g_assert_cmpuint (mounts (long_of_engine).writable_folders, ==, 0);
  g_assert_cmpuint (mounts (long_read_only).writable_folders, ==, 0);
  g_assert_cmpuint (mounts ("1 2 0:3 / /a rw\n1 2\n1 2 0:3 / /b ro").writable_folders, ==, 3);
  g_assert_cmpuint (mounts ("\n\n").writable_folders, ==, 0);
}

static void
test_status (void)
{
  struct container_evidence evidence = { 0 };

  container_evidence_take_status (&evidence,
                                  "Name:\tCapEff:\nCapInh:\t0000000000000000\n"
                                  "CapEff:\t00000000a80425fb\nNoNewPrivs:\t0\nSeccomp:\t0\n");
  g_assert_cmphex (evidence.capabilities, ==, 0xa80425fb);
  g_assert_false (evidence.has_no_new_privileges || evidence.has_filter);
  container_evidence_take_status (&evidence, "Name:\tx\nCapEff:\t0\nNoNewPrivs:\t1\nSeccomp:\t2\n");
  g_assert_cmphex (evidence.capabilities, ==, 0);
  g_assert_true (evidence.has_no_new_privileges && evidence.has_filter);
}

/* Of this process, whatever it lives in. */
static void
test_read (void)
{
  struct container_evidence evidence;

  container_evidence_read (&evidence, -1);
  g_assert_cmpuint (evidence.space, ==, UINT64_MAX);
}

int
main (int argc, char *argv[])
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/container-evidence/plain", test_plain);
  g_test_add_func ("/container-evidence/writable", test_writable);
  g_test_add_func ("/container-evidence/words", test_words);
  g_test_add_func ("/container-evidence/places", test_places);
  g_test_add_func ("/container-evidence/no-mounts", test_no_mounts);
  g_test_add_func ("/container-evidence/doubtful-mounts", test_doubtful_mounts);
  g_test_add_func ("/container-evidence/status", test_status);
  g_test_add_func ("/container-evidence/read", test_read);
  return g_test_run ();
}
