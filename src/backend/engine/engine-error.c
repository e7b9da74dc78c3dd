/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "clients.h"

#include <glib/gi18n-lib.h>
#include <string.h>

#include "engine-advice.h"
#include "readable-text.h"
#include "valid-text.h"

/* How much of the engine's own message is quoted, in bytes. */
#define MAX_QUOTED 600

/* Messages of Docker 20–28 and Podman 4–5 in lower case; the first match decides, so special ones
 * come first. `sentence` is the meaning in plain words; NULL when the code has its own advice. */
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
    N_ ("Docker’s current context does not exist; “docker context ls” lists the contexts.") },
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
    N_ ("There is no such image for this architecture.") },
  { "no image found in manifest list for",
    FH_ENGINE_ERROR_NO_IMAGE,
    N_ ("There is no such image for this architecture.") },
  { "no image found in image index for",
    FH_ENGINE_ERROR_NO_IMAGE,
    N_ ("There is no such image for this architecture.") },
  { "does not match the specified platform",
    FH_ENGINE_ERROR_NO_IMAGE,
    N_ ("There is no such image for this architecture.") },
  { "unauthorized:",
    FH_ENGINE_ERROR_NO_IMAGE,
    N_ ("The registry requires a login: use “docker login” or “podman login”.") },
  { "no basic auth credentials",
    FH_ENGINE_ERROR_NO_IMAGE,
    N_ ("The registry requires a login: use “docker login” or “podman login”.") },
  { "pull access denied",
    FH_ENGINE_ERROR_NO_IMAGE,
    N_ ("The registry has no such image, or requires a login.") },
  { "requested access to the resource is denied",
    FH_ENGINE_ERROR_NO_IMAGE,
    N_ ("The registry has no such image, or requires a login.") },
  { "repository does not exist",
    FH_ENGINE_ERROR_NO_IMAGE,
    N_ ("The registry has no such image, or requires a login.") },
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

  { "invalid reference format", FH_ENGINE_ERROR_FAILED, N_ ("That is not a valid image name.") },
  { "repository name must be lowercase",
    FH_ENGINE_ERROR_FAILED,
    N_ ("That is not a valid image name: it must be in lower case.") },
  { "toomanyrequests",
    FH_ENGINE_ERROR_FAILED,
    N_ ("There were too many requests to the registry. Try again later, or log in.") },
  { "no space left on device",
    FH_ENGINE_ERROR_FAILED,
    N_ ("The disk on which the engine keeps its images is full.") },
  { "server gave http response to https client",
    FH_ENGINE_ERROR_FAILED,
    N_ ("The registry has no encryption, so the engine does not trust it.") },
  { "x509:", FH_ENGINE_ERROR_FAILED, N_ ("The engine does not trust the registry’s certificate.") },
  { "no such host",
    FH_ENGINE_ERROR_FAILED,
    N_ ("The registry could not be found. Check the network connection.") },
  { "server misbehaving",
    FH_ENGINE_ERROR_FAILED,
    N_ ("The registry could not be found. Check the network connection.") },
  { "network is unreachable",
    FH_ENGINE_ERROR_FAILED,
    N_ ("The registry could not be reached. Check the network connection.") },
  { "no route to host",
    FH_ENGINE_ERROR_FAILED,
    N_ ("The registry could not be reached. Check the network connection.") },
  { "connection refused", FH_ENGINE_ERROR_FAILED, N_ ("The registry refused the connection.") },
  { "connection reset by peer", FH_ENGINE_ERROR_FAILED, N_ ("The connection was interrupted.") },
  { "unexpected eof", FH_ENGINE_ERROR_FAILED, N_ ("The connection was interrupted.") },
  { "i/o timeout", FH_ENGINE_ERROR_FAILED, N_ ("The connection timed out.") },
  { "tls handshake timeout", FH_ENGINE_ERROR_FAILED, N_ ("The connection timed out.") },
  { "client.timeout exceeded", FH_ENGINE_ERROR_FAILED, N_ ("The connection timed out.") },
  { "context deadline exceeded", FH_ENGINE_ERROR_FAILED, N_ ("The connection timed out.") },
  { "failed to resolve reference", FH_ENGINE_ERROR_NO_IMAGE, N_ ("There is no such image.") },
  { "exec format error", FH_ENGINE_ERROR_FAILED, N_ ("The image is for another architecture.") },
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

gboolean
fh_engine_error_is_of_all (const GError *error)
{
  return error != NULL && error->domain == FH_ENGINE_ERROR &&
         error->code <= FH_ENGINE_ERROR_NOT_ALLOWED;
}
