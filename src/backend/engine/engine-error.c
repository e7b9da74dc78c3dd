/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "engine-call.h"

#include <glib/gi18n-lib.h>
#include <string.h>

#include "engine-advice.h"
#include "readable-text.h"
#include "valid-text.h"

/* Of the engine's own words, this much goes into a sentence, in bytes. */
#define MAX_QUOTED 600

/* What clients of Docker 20–28 and Podman 4–5 write, in lower case; the first one that is found
 * decides, so what is special stands before what is general. `sentence` is what it means in plain
 * words; NULL when the code has an advice of its own. */
static const struct
{
  const char *pattern;
  FhEngineError code;
  const char *sentence;
} meanings[] = {
  { "permission denied while trying to connect to the docker", FH_ENGINE_ERROR_NOT_ALLOWED, NULL },
  { "connect: permission denied", FH_ENGINE_ERROR_NOT_ALLOWED, NULL },
  { "cannot connect to the docker daemon", FH_ENGINE_ERROR_NOT_RUNNING, NULL },
  { "failed to connect to the docker api", FH_ENGINE_ERROR_NOT_RUNNING, NULL },
  { "is the docker daemon running", FH_ENGINE_ERROR_NOT_RUNNING, NULL },
  { "error during connect", FH_ENGINE_ERROR_NOT_RUNNING, NULL },
  { "unable to resolve docker endpoint",
    FH_ENGINE_ERROR_NOT_RUNNING,
    N_ ("Docker’s current context leads nowhere; “docker context ls” shows those there are.") },
  { "cannot connect to podman", FH_ENGINE_ERROR_NOT_RUNNING, NULL },
  { "unable to connect to podman", FH_ENGINE_ERROR_NOT_RUNNING, NULL },
  { "failed to connect: dial", FH_ENGINE_ERROR_NOT_RUNNING, NULL },
  { "docker desktop is unable to start", FH_ENGINE_ERROR_NOT_RUNNING, NULL },

  { "no such container", FH_ENGINE_ERROR_NO_CONTAINER, N_ ("There is no such container.") },
  { "no container with name or id",
    FH_ENGINE_ERROR_NO_CONTAINER,
    N_ ("There is no such container.") },
  { "no container with id", FH_ENGINE_ERROR_NO_CONTAINER, N_ ("There is no such container.") },
  { "no such object", FH_ENGINE_ERROR_NO_CONTAINER, N_ ("There is no such container.") },

  { "is already in use by", FH_ENGINE_ERROR_NAME_TAKEN, N_ ("A container of that name exists.") },
  { "name is already in use", FH_ENGINE_ERROR_NAME_TAKEN, N_ ("A container of that name exists.") },

  { "no matching manifest for",
    FH_ENGINE_ERROR_NO_IMAGE,
    N_ ("There is no such image for this kind of machine.") },
  { "no image found in manifest list for",
    FH_ENGINE_ERROR_NO_IMAGE,
    N_ ("There is no such image for this kind of machine.") },
  { "no image found in image index for",
    FH_ENGINE_ERROR_NO_IMAGE,
    N_ ("There is no such image for this kind of machine.") },
  { "does not match the specified platform",
    FH_ENGINE_ERROR_NO_IMAGE,
    N_ ("There is no such image for this kind of machine.") },
  { "unauthorized:",
    FH_ENGINE_ERROR_NO_IMAGE,
    N_ ("The registry wants to know who asks: log in with “docker login” or “podman login”.") },
  { "no basic auth credentials",
    FH_ENGINE_ERROR_NO_IMAGE,
    N_ ("The registry wants to know who asks: log in with “docker login” or “podman login”.") },
  { "pull access denied",
    FH_ENGINE_ERROR_NO_IMAGE,
    N_ ("The registry has no such image, or wants you to log in first.") },
  { "requested access to the resource is denied",
    FH_ENGINE_ERROR_NO_IMAGE,
    N_ ("The registry has no such image, or wants you to log in first.") },
  { "repository does not exist",
    FH_ENGINE_ERROR_NO_IMAGE,
    N_ ("The registry has no such image, or wants you to log in first.") },
  { "did not resolve to an alias",
    FH_ENGINE_ERROR_NO_IMAGE,
    N_ ("Podman does not know which registry is meant. Name it as well, such as "
        "“docker.io/library/python:3-slim”.") },
  { "manifest unknown", FH_ENGINE_ERROR_NO_IMAGE, N_ ("The registry has no such image.") },
  { "name unknown", FH_ENGINE_ERROR_NO_IMAGE, N_ ("The registry has no such image.") },
  { "not known to registry", FH_ENGINE_ERROR_NO_IMAGE, N_ ("The registry has no such image.") },
  { "not found: manifest", FH_ENGINE_ERROR_NO_IMAGE, N_ ("The registry has no such image.") },
  { "no such image", FH_ENGINE_ERROR_NO_IMAGE, N_ ("There is no such image here.") },
  { "image not known", FH_ENGINE_ERROR_NO_IMAGE, N_ ("There is no such image here.") },

  { "invalid reference format", FH_ENGINE_ERROR_FAILED, N_ ("That is no name of an image.") },
  { "repository name must be lowercase",
    FH_ENGINE_ERROR_FAILED,
    N_ ("That is no name of an image: it must be in lower case.") },
  { "toomanyrequests",
    FH_ENGINE_ERROR_FAILED,
    N_ ("The registry was asked too often. Try again later, or log in to it.") },
  { "no space left on device",
    FH_ENGINE_ERROR_FAILED,
    N_ ("The disk on which the engine keeps its images is full.") },
  { "server gave http response to https client",
    FH_ENGINE_ERROR_FAILED,
    N_ ("The registry does not encrypt, and the engine does not trust it.") },
  { "x509:", FH_ENGINE_ERROR_FAILED, N_ ("The engine does not trust the registry’s certificate.") },
  { "no such host",
    FH_ENGINE_ERROR_FAILED,
    N_ ("The registry cannot be found. Is there a network?") },
  { "server misbehaving",
    FH_ENGINE_ERROR_FAILED,
    N_ ("The registry cannot be found. Is there a network?") },
  { "network is unreachable",
    FH_ENGINE_ERROR_FAILED,
    N_ ("The registry cannot be reached. Is there a network?") },
  { "no route to host",
    FH_ENGINE_ERROR_FAILED,
    N_ ("The registry cannot be reached. Is there a network?") },
  { "connection refused", FH_ENGINE_ERROR_FAILED, N_ ("The registry refuses to be talked to.") },
  { "connection reset by peer", FH_ENGINE_ERROR_FAILED, N_ ("The connection was broken off.") },
  { "unexpected eof", FH_ENGINE_ERROR_FAILED, N_ ("The connection was broken off.") },
  { "i/o timeout", FH_ENGINE_ERROR_FAILED, N_ ("There was no answer in time.") },
  { "tls handshake timeout", FH_ENGINE_ERROR_FAILED, N_ ("There was no answer in time.") },
  { "client.timeout exceeded", FH_ENGINE_ERROR_FAILED, N_ ("There was no answer in time.") },
  { "context deadline exceeded", FH_ENGINE_ERROR_FAILED, N_ ("There was no answer in time.") },
  { "failed to resolve reference", FH_ENGINE_ERROR_NO_IMAGE, N_ ("There is no such image.") },
  { "exec format error", FH_ENGINE_ERROR_FAILED, N_ ("The image is for another kind of machine.") },
};

static const char *const prefixes[] = {
  "docker: ",
  "podman: ",
  "Error response from daemon: ",
  "Error: ",
};

/* Hints about the client itself, of no use to somebody who did not type its command. */
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

/* Without what Podman notes beside, "time=… level=warning msg=…", unless there is nothing else; one
 * line that is what it looks like, and not longer than a sentence can bear. */
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
      /* A character may have been cut in two. */
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

      if (strstr (lower, meanings[i].pattern) == NULL)
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
