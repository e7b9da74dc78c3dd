/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What a container is shown of the host, and where it can write. */
#include "container-parts.h"

#include <string.h>

static void
test_folders (void)
{
  Parts parts;

  parts_set_up (&parts, FH_ENGINE_DOCKER);
  parts.made_from.workspace = "/home/u/work";
  parts_assert_word (&parts, "--mount=type=bind,source=/home/u/work,target=/workspace");
  g_assert_cmpuint (parts_count (&parts, "--tmpfs=/workspace"), ==, 0);
  parts_assert_word (&parts, "--security-opt=label=disable");
  parts.options.is_kept = TRUE;
  parts_assert_word (&parts, "--mount=type=volume,target=/home/fumehood,volume-nocopy");
  parts.made_from.home = "/cache/home";
  parts_assert_word (&parts, "--mount=type=bind,source=/cache/home,target=/home/fumehood");
  g_assert_cmpuint (parts_count (&parts, "--mount=type=volume"), ==, 0);
}

/* The user's files keep their labels; our folders are given the container's. */
static void
test_labels (void)
{
  Parts parts;

  parts_set_up (&parts, FH_ENGINE_PODMAN);
  parts.options.is_kept = TRUE;
  parts.made_from.workspace = "/cache/workspace";
  parts.made_from.home = "/cache/home";
  parts_assert_word (&parts,
                     "--mount=type=bind,source=/cache/workspace,target=/workspace,relabel=private");
  parts_assert_word (&parts,
                     "--mount=type=bind,source=/cache/home,target=/home/fumehood,relabel=private");
  g_assert_false (parts_has (&parts, "--security-opt=label=disable"));
  parts.options.work_dir = parts.made_from.workspace = "/home/u/work";
  parts_assert_word (&parts, "--mount=type=bind,source=/home/u/work,target=/workspace");
  parts_assert_word (&parts, "--security-opt=label=disable");
}

static void
test_copied (void)
{
  Parts parts;

  parts_set_up (&parts, FH_ENGINE_DOCKER);
  parts.made_from.by_copy = TRUE;
  parts.options.is_kept = TRUE;
  parts_assert_word (&parts, "--mount=type=volume,target=/opt/fumehood");
  /* Outlasts a stop. */
  parts_assert_word (&parts, "--mount=type=volume,target=/workspace,volume-nocopy");
  parts_assert_word (&parts, "--mount=type=volume,target=/home/fumehood,volume-nocopy");
  g_assert_cmpuint (parts_count (&parts, "--mount="), ==, 3);
  g_assert_cmpuint (parts_count (&parts, "--tmpfs="), ==, 1);
  g_assert_false (parts_has (&parts, "--security-opt=label=disable"));
  parts.options.is_kept = FALSE;
  g_assert_cmpuint (parts_count (&parts, "--mount="), ==, 1);
  g_assert_cmpuint (parts_count (&parts, "--tmpfs="), ==, 2);
  parts.options.is_kept = TRUE;
  /* A folder that only the engine's machine knows. */
  parts.made_from.workspace = "/home/u/work";
  parts_assert_word (&parts, "--mount=type=bind,source=/home/u/work,target=/workspace");
  parts_set_up (&parts, FH_ENGINE_PODMAN);
  parts.made_from.by_copy = TRUE;
  parts_assert_word (&parts, "--mount=type=volume,target=/opt/fumehood,ro");
  parts.options.is_kept = TRUE;
  parts_assert_word (&parts, "--mount=type=volume,target=/workspace");
}

static void
test_volumes (void)
{
  const char *const volumes[] = { "/data:/data", "/out:/mnt/out:rw", "/a:b:/c:ro", NULL };
  Parts parts;

  parts_set_up (&parts, FH_ENGINE_DOCKER);
  parts.options.volumes = volumes;
  parts_assert_word (&parts, "--mount=type=bind,source=/data,target=/data,readonly");
  parts_assert_word (&parts, "--mount=type=bind,source=/out,target=/mnt/out");
  parts_assert_word (&parts, "--security-opt=label=disable");
}

/* As Go's encoding/csv reads it: values of --mount are comma-separated. */
static void
test_hostile_paths (void)
{
  g_autofree char *name = g_strnfill (255, 'x');
  g_autofree char *whole = g_strconcat ("/", name, NULL);
  g_autofree char *expected = g_strdup_printf ("source=%s", whole);
  const struct
  {
    const char *path;
    const char *field;
  } cases[] = {
    { "/a,b", "\"source=/a,b\"" },
    { "/a\"b", "\"source=/a\"\"b\"" },
    { "/\"\"", "\"source=/\"\"\"\"\"" },
    { "/a=b", "source=/a=b" },
    { "/a\nb", "\"source=/a\nb\"" },
    { "/a,readonly,target=/etc", "\"source=/a,readonly,target=/etc\"" },
    { "/-a --b", "source=/-a --b" },
    { "/a:b", "source=/a:b" },
    { "/ä€𝄞", "source=/ä€𝄞" },
    { "/ $(x) `y` \\", "source=/ $(x) `y` \\" },
    { whole, expected },
  };

  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      g_autofree char *word =
          g_strdup_printf ("--mount=type=bind,%s,target=/workspace", cases[i].field);
      Parts parts;

      parts_set_up (&parts, FH_ENGINE_DOCKER);
      parts.made_from.workspace = cases[i].path;
      parts_assert_word (&parts, word);
    }
}

/* What the image calls a volume is nothing to write to, wherever it is, unless something else is
 * there. */
static void
test_image_volumes (void)
{
  const char *const declared[] = {
    "/data",      "/var/lib/x/",  "relative",       "/a:b",  "/a,b",   "/",
    "/workspace", "/workspace/x", "/opt/fumehood",  "/tmp/", "/tmp/x", "/shown",
    "/shown/in",  "/dev/shm",     "/home/fumehood", "/opt",  NULL,
  };
  const char *const there[] = { "/", "/workspace", "/tmp", "/shown", NULL };
  const char *const volumes[] = { "/a:/shown", NULL };
  Parts parts;

  parts_set_up (&parts, FH_ENGINE_DOCKER);
  parts.made_from.image_volumes = declared;
  parts.options.volumes = volumes;
  for (guint i = 0; declared[i] != NULL; i++)
    {
      g_autofree char *path = g_canonicalize_filename (declared[i], "/");
      g_autofree char *word =
          g_strdup_printf (strchr (path, ',') != NULL
                               ? "--mount=type=tmpfs,\"target=%s\",tmpfs-mode=755,tmpfs-size=65536"
                               : "--mount=type=tmpfs,target=%s,tmpfs-mode=755,tmpfs-size=65536",
                           path);

      g_assert_cmpint (parts_has (&parts, word), ==, !g_strv_contains (there, path));
    }
  parts.options.is_kept = TRUE;
  g_assert_cmpuint (parts_count (&parts, "--mount=type=tmpfs,target=/home/fumehood,"), ==, 0);
  g_assert_cmpuint (parts_count (&parts, "--mount=type=tmpfs,target=/opt/fumehood,"), ==, 1);
  parts.made_from.by_copy = TRUE;
  g_assert_cmpuint (parts_count (&parts, "--mount=type=tmpfs,target=/opt/fumehood,"), ==, 0);
  parts.options.is_writable = TRUE;
  g_assert_cmpuint (parts_count (&parts, "--mount=type=tmpfs,"), ==, 0);
  parts_set_up (&parts, FH_ENGINE_PODMAN);
  parts.made_from.image_volumes = declared;
  g_assert_cmpuint (parts_count (&parts, "--mount=type=tmpfs,"), ==, 0);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/container-mounts/folders", test_folders);
  g_test_add_func ("/container-mounts/labels", test_labels);
  g_test_add_func ("/container-mounts/copied", test_copied);
  g_test_add_func ("/container-mounts/volumes", test_volumes);
  g_test_add_func ("/container-mounts/hostile-paths", test_hostile_paths);
  g_test_add_func ("/container-mounts/image-volumes", test_image_volumes);
  return g_test_run ();
}
