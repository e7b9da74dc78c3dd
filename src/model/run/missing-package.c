/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "missing-package.h"

#include <glib/gi18n-lib.h>
#include <string.h>

/* Only the end of a long output is searched: pip and Python speak last. */
#define MAX_SEARCHED ((gsize) 16 << 10)
#define MAX_NAME     64

/* Names of packages consist of these characters. The program can write anything, but only these are
 * repeated. */
#define NAME "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-"

#define MANAGED "error: externally-managed-environment\n"

/* Modules that are not named like their package. */
static const struct
{
  const char *module;
  const char *package;
} packages[] = {
  { "Bio", "biopython" },
  { "Crypto", "pycryptodome" },
  { "PIL", "pillow" },
  { "attr", "attrs" },
  { "bs4", "beautifulsoup4" },
  { "cv2", "opencv-python-headless" },
  { "dateutil", "python-dateutil" },
  { "docx", "python-docx" },
  { "dotenv", "python-dotenv" },
  { "fitz", "pymupdf" },
  { "skimage", "scikit-image" },
  { "sklearn", "scikit-learn" },
  { "yaml", "pyyaml" },
};

/* Other installers write these words where they cannot reach their packages. */
static const struct
{
  const char *words;
  const char *installer;
} installers[] = {
  { "npm error code EAI_AGAIN", "npm" },
  { "npm ERR! code EAI_AGAIN", "npm" },
  { "npm error code ENOTFOUND", "npm" },
  { "npm ERR! code ENOTFOUND", "npm" },
  { "Temporary failure resolving '", "apt" },
  { "download of config.json failed", "cargo" },
  { "failed to fetch `https://github.com/rust-lang/crates.io-index`", "cargo" },
  { "\": dial tcp: lookup proxy.golang.org", "go" },
  { "ERROR:  Could not find a valid gem '", "gem" },
};

/* The name right behind the last occurrence of `words`, or NULL. */
static char *
name_behind (const char *text, const char *words)
{
  const char *found = g_strrstr (text, words);
  gsize size;

  if (found == NULL)
    return NULL;
  found += strlen (words);
  size = strspn (found, NAME);
  return size > 0 && size <= MAX_NAME ? g_strndup (found, size) : NULL;
}

static char *
package_of (const char *module)
{
  for (guint i = 0; i < G_N_ELEMENTS (packages); i++)
    {
      if (g_str_equal (packages[i].module, module))
        return g_strdup (packages[i].package);
    }
  return g_strdup (module);
}

/* The end of what a program that came to its end wrote to stderr; "" for others. (transfer full) */
static char *
dup_last_words (FhRunResult *result)
{
  g_autofree char *text = NULL;
  gsize size;

  if (fh_run_result_get_parts (result)->outcome->status != FH_RUN_STATUS_FAILED &&
      fh_run_result_get_parts (result)->outcome->status != FH_RUN_STATUS_OK)
    return g_strdup ("");
  text = fh_output_log_dup_text (fh_run_result_get_parts (result)->output, FH_STREAM_STDERR);
  size = strlen (text);
  return g_strdup (size > MAX_SEARCHED ? text + size - MAX_SEARCHED : text);
}

/* `end`: what dup_last_words returns. NULL: not known. */
static char *
find_package (FhRunResult *result, const char *end)
{
  g_autofree char *module = NULL;

  /* A program that ends well has done without the module, but a script goes on after pip. */
  if (fh_run_result_get_parts (result)->outcome->status == FH_RUN_STATUS_FAILED)
    module = name_behind (end, "\nModuleNotFoundError: No module named '");
  if (module != NULL)
    return package_of (module);
  return name_behind (end, "ERROR: No matching distribution found for ");
}

char *
fh_missing_package_find (FhRunResult *result)
{
  g_autofree char *end = NULL;

  g_return_val_if_fail (FH_IS_RUN_RESULT (result), NULL);

  end = dup_last_words (result);
  return find_package (result, end);
}

static gboolean
has_no_network (FhRunResult *result)
{
  const char *const ways[] = { "allowed-hosts", "network-allowed", "host-network", NULL };
  FhGuardState *network =
      fh_guard_states_find (fh_run_result_get_parts (result)->guards, FH_GUARD_NETWORK);
  const FhGuardFacts *facts = network != NULL ? fh_guard_state_get_facts (network) : NULL;

  return facts != NULL && facts->level <= FH_GUARD_LEVEL_DEGRADED &&
         (facts->reason == NULL || !g_strv_contains (ways, facts->reason));
}

/* NULL: none of them. */
static const char *
find_installer (const char *end)
{
  for (guint i = 0; i < G_N_ELEMENTS (installers); i++)
    {
      if (strstr (end, installers[i].words) != NULL)
        return installers[i].installer;
    }
  return NULL;
}

char *
fh_missing_package_advice (FhRunResult *result)
{
  g_autofree char *end = dup_last_words (result);
  g_autofree char *package = find_package (result, end);
  const char *installer = find_installer (end);

  if (g_str_has_prefix (end, MANAGED) || strstr (end, "\n" MANAGED) != NULL)
    return g_strdup (_ ("pip does not install into the Python of this system: choose a container "
                        "whose image has the package, or a kept container with the network "
                        "“bridge”, and run pip in it."));
  if ((package == NULL && installer == NULL) || !has_no_network (result))
    return NULL;
  if (package == NULL)
    /* Translators: the name of a program that installs packages, such as npm, twice */
    return g_strdup_printf (
        _ ("“%s” found no network to install from: choose a container whose image "
           "has what is needed, or a kept container with the network “bridge”, and "
           "run “%s” in it first."),
        installer,
        installer);
  if (g_str_equal (fh_run_result_get_parts (result)->backend, "container"))
    /* Translators: the name of a package of Python, twice */
    return g_strdup_printf (_ ("The package “%s” is not in the image, and the container has no "
                               "network to install it from: choose an image that has it, or a kept "
                               "container with the network “bridge”, and run “pip install %s” in "
                               "it first."),
                            package,
                            package);
  /* Translators: the name of a package of Python, twice */
  return g_strdup_printf (
      _ ("The package “%s” is not installed, and there is no network to install "
         "it from: choose an interpreter that has it, such as that of a virtual "
         "environment, or a container whose image has it. In a kept container with "
         "the network “bridge”, “pip install %s” installs it."),
      package,
      package);
}
