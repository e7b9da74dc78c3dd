/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "clients.h"

#include <glib/gi18n-lib.h>
#include <string.h>

#include "engine-advice.h"
#include "readable-text.h"

/* How much of the engine's own message is quoted, in bytes. */
#define MAX_QUOTED 600

/* Messages of Docker 20–28 and Podman 4–5 in lower case, as regular expressions; the first match
 * decides, so special ones come first. `sentence` is the meaning in plain words; NULL when the code
 * has its own advice. */
static const struct
{
  FhEngineError code;
  const char *pattern;
  const char *sentence;
} meanings[] = {
  { FH_ENGINE_ERROR_NOT_ALLOWED,
    "permission denied while trying to connect to the docker|connect: permission denied",
    NULL },
  { FH_ENGINE_ERROR_NOT_RUNNING,
    "cannot connect to the docker daemon|failed to connect to the docker api|"
    "is the docker daemon running|error during connect",
    NULL },
  { FH_ENGINE_ERROR_NOT_RUNNING,
    "unable to resolve docker endpoint",
    N_ ("Docker’s current context does not exist; “docker context ls” lists the contexts.") },
  { FH_ENGINE_ERROR_NOT_RUNNING,
    "cannot connect to podman|unable to connect to podman|failed to connect: dial|"
    "docker desktop is unable to start",
    NULL },
  { FH_ENGINE_ERROR_NO_CONTAINER,
    "no such container|no container with name or id|no container with id|no such object",
    N_ ("There is no such container.") },
  { FH_ENGINE_ERROR_NAME_TAKEN,
    "is already in use by|name is already in use",
    N_ ("A container of that name exists.") },
  { FH_ENGINE_ERROR_NO_IMAGE,
    "no matching manifest for|no image found in manifest list for|"
    "no image found in image index for|does not match the specified platform",
    N_ ("There is no such image for this architecture.") },
  { FH_ENGINE_ERROR_NO_IMAGE,
    "unauthorized:|no basic auth credentials",
    N_ ("The registry requires a login: use “docker login” or “podman login”.") },
  { FH_ENGINE_ERROR_NO_IMAGE,
    "pull access denied|requested access to the resource is denied|repository does not exist",
    N_ ("The registry has no such image, or requires a login.") },
  { FH_ENGINE_ERROR_NO_IMAGE,
    "did not resolve to an alias",
    N_ ("Podman does not know which registry is meant. Name it as well, such as "
        "“docker.io/library/python:3-slim”.") },
  { FH_ENGINE_ERROR_NO_IMAGE,
    "manifest unknown|name unknown|not known to registry|not found: manifest",
    N_ ("The registry has no such image.") },
  { FH_ENGINE_ERROR_NO_IMAGE,
    "no such image|image not known",
    N_ ("There is no such image here.") },
  { FH_ENGINE_ERROR_FAILED, "invalid reference format", N_ ("That is not a valid image name.") },
  { FH_ENGINE_ERROR_FAILED,
    "repository name must be lowercase",
    N_ ("That is not a valid image name: it must be in lower case.") },
  { FH_ENGINE_ERROR_FAILED,
    "toomanyrequests",
    N_ ("There were too many requests to the registry. Try again later, or log in.") },
  { FH_ENGINE_ERROR_FAILED,
    "no space left on device",
    N_ ("The disk on which the engine keeps its images is full.") },
  { FH_ENGINE_ERROR_FAILED,
    "server gave http response to https client",
    N_ ("The registry has no encryption, so the engine does not trust it.") },
  { FH_ENGINE_ERROR_FAILED, "x509:", N_ ("The engine does not trust the registry’s certificate.") },
  { FH_ENGINE_ERROR_FAILED,
    "no such host|server misbehaving",
    N_ ("The registry could not be found. Check the network connection.") },
  { FH_ENGINE_ERROR_FAILED,
    "network is unreachable|no route to host",
    N_ ("The registry could not be reached. Check the network connection.") },
  { FH_ENGINE_ERROR_FAILED, "connection refused", N_ ("The registry refused the connection.") },
  { FH_ENGINE_ERROR_FAILED,
    "connection reset by peer|unexpected eof",
    N_ ("The connection was interrupted.") },
  { FH_ENGINE_ERROR_FAILED,
    "i/o timeout|tls handshake timeout|client\\.timeout exceeded|context deadline exceeded",
    N_ ("The connection timed out.") },
  { FH_ENGINE_ERROR_NO_IMAGE, "failed to resolve reference", N_ ("There is no such image.") },
  { FH_ENGINE_ERROR_FAILED, "exec format error", N_ ("The image is for another architecture.") },
};

static const char *const prefixes[] = {
  "docker: ",
  "podman: ",
  "Error response from daemon: ",
  "Error: ",
};

/* Usage hints, useless to users who did not type the command. */
static const char *const hints[] = {
  "See 'docker ",
  "See 'podman ",
  "Run 'docker ",
  "Run 'podman ",
  "Usage: ",
  "Unable to find image ",
  "Emulate Docker CLI using podman.",
};

static gboolean
is_hint (const char *line)
{
  for (guint i = 0; i < G_N_ELEMENTS (hints); i++)
    if (g_str_has_prefix (line, hints[i]))
      return TRUE;
  return FALSE;
}

static const char *
skip_prefixes (const char *line)
{
  for (guint i = 0; i < G_N_ELEMENTS (prefixes); i++)
    if (g_str_has_prefix (line, prefixes[i]))
      return skip_prefixes (line + strlen (prefixes[i]));
  return line;
}

static void
append_printable (GString *text, const char *line)
{
  for (; *line != '\0'; line = g_utf8_next_char (line))
    {
      gunichar c = g_utf8_get_char (line);

      if (c == '\t')
        g_string_append_c (text, ' ');
      else if (!g_unichar_iscntrl (c))
        g_string_append_unichar (text, c);
    }
}

char *
fh_engine_words (const void *bytes, gsize size)
{
  g_autofree char *valid = fh_valid_text_new (bytes, size);
  g_auto (GStrv) lines = g_strsplit (valid, "\n", -1);
  GString *text = g_string_new (NULL);

  for (guint i = 0; lines[i] != NULL; i++)
    {
      const char *line = skip_prefixes (g_strstrip (lines[i]));

      if (*line == '\0' || is_hint (line))
        continue;
      if (text->len > 0)
        g_string_append_c (text, '\n');
      append_printable (text, line);
    }
  return g_string_free (text, FALSE);
}

/* Drops Podman's log lines ("time=… level=warning msg=…") unless there is nothing else; one
 * printable line of limited length. */
static char *
quotation (const char *words)
{
  g_auto (GStrv) lines = g_strsplit (words, "\n", -1);
  g_autoptr (GString) text = g_string_new (NULL);

  for (guint i = 0; lines[i] != NULL; i++)
    {
      if (g_str_has_prefix (lines[i], "time=\"") && strstr (lines[i], " level=error ") == NULL &&
          lines[1] != NULL)
        continue;
      if (text->len > 0)
        g_string_append_c (text, ' ');
      g_string_append (text, lines[i]);
    }
  if (text->len == 0)
    g_string_append (text, lines[0] != NULL ? lines[0] : "");
  if (text->len > MAX_QUOTED)
    {
      g_string_truncate (text, MAX_QUOTED - 4);
      /* A character may have been cut. */
      g_string_truncate (text,
                         g_utf8_find_prev_char (text->str, text->str + text->len) - text->str);
      g_string_append (text, "…");
    }
  return fh_readable_text_new (text->str, text->len);
}

static char *
plain_words (FhEngineKind kind, guint meaning)
{
  if (meanings[meaning].sentence != NULL)
    return g_strdup (_ (meanings[meaning].sentence));
  return fh_engine_advice (kind, meanings[meaning].code, NULL);
}

GError *
fh_engine_error_from_text (FhEngineKind kind, const char *text)
{
  g_autofree char *words = NULL;
  g_autofree char *quoted = NULL;
  g_autofree char *lower = NULL;

  g_return_val_if_fail (text != NULL, NULL);

  words = fh_engine_words (text, strlen (text));
  quoted = quotation (words);
  lower = g_ascii_strdown (words, -1);
  for (guint i = 0; i < G_N_ELEMENTS (meanings); i++)
    {
      g_autofree char *plain = NULL;

      if (!g_regex_match_simple (meanings[i].pattern, lower, 0, 0))
        continue;
      plain = plain_words (kind, i);
      return g_error_new (FH_ENGINE_ERROR,
                          meanings[i].code,
                          /* Translators: a sentence, "Docker", what it said */
                          _ ("%s %s said: “%s”"),
                          plain,
                          fh_engine_kind_name (kind),
                          quoted);
    }
  return g_error_new (FH_ENGINE_ERROR,
                      FH_ENGINE_ERROR_FAILED,
                      /* Translators: "Docker", what it said */
                      _ ("%s said: “%s”"),
                      fh_engine_kind_name (kind),
                      quoted);
}

gboolean
fh_engine_error_is_of_all (const GError *error)
{
  return error != NULL && error->domain == FH_ENGINE_ERROR &&
         error->code <= FH_ENGINE_ERROR_NOT_ALLOWED;
}
