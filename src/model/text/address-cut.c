/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "address-cut.h"

#include <string.h>

/* In characters: of a word, and of all words. */
#define WORD_MAX 48
#define TEXT_MAX 96
/* Likewise: no two names of a host and a port are longer. */
#define HOST_MAX 140
/* Names such as “co” in “co.uk” are as short, and what is registered stands before them. */
#define SUFFIX_MAX 3

/* Finds the beginning of the part of a host that somebody has registered: the last two names of it,
 * or three. The name and password of a user may be before it, and a port behind it. NULL if there
 * is one name at most. */
static const char *
find_registered (const char *host)
{
  const char *user = strrchr (host, '@');
  const char *end;
  const char *last;
  guint n = 0;

  host = user != NULL ? user + 1 : host;
  end = host + strcspn (host, ":");
  while (end > host && end[-1] == '.')
    end--;
  last = end;
  for (const char *at = end; at > host; at--)
    {
      if (at[-1] != '.')
        continue;
      n++;
      if (n > 2 || (n == 2 && last - at > SUFFIX_MAX))
        return at;
      last = at - 1;
    }
  return n > 0 ? host : NULL;
}

/* `head`: how many characters of the beginning are kept. */
static char *
cut_middle (const char *text, glong max, glong head)
{
  const glong length = g_utf8_strlen (text, -1);
  g_autofree char *beginning = NULL;

  if (length <= max)
    return g_strdup (text);
  beginning = g_utf8_substring (text, 0, head);
  return g_strconcat (beginning,
                      "…",
                      g_utf8_offset_to_pointer (text, length - max + head + 1),
                      NULL);
}

/* Keeps the end: from a name of the host on, if there is one to begin with. What is no host loses
 * its end. */
static char *
cut_host (const char *host, glong max)
{
  const glong length = g_utf8_strlen (host, -1);
  const char *registered = find_registered (host);
  const char *start;
  const char *dot;

  if (length <= max || registered == NULL || g_utf8_strlen (registered, -1) > HOST_MAX)
    return cut_middle (host, max, max - 1);
  start = g_utf8_offset_to_pointer (host, length - max + 1);
  dot = strchr (start, '.');
  if (start >= registered)
    start = registered;
  else if (dot != NULL && dot < registered)
    start = dot + 1;
  return g_strconcat (start > host ? "…" : "", start, NULL);
}

/* `host`: in `address`, where its scheme is over. */
static char *
cut_web_address (const char *address, const char *host)
{
  const char *rest = host + strcspn (host, "/?#");
  g_autofree char *scheme = g_strndup (address, (gsize) (host - address));
  g_autofree char *whole_host = g_strndup (host, (gsize) (rest - host));
  g_autofree char *shown_scheme = cut_middle (scheme, WORD_MAX / 4, 0);
  g_autofree char *shown_host = cut_host (whole_host, WORD_MAX - g_utf8_strlen (shown_scheme, -1));
  g_autofree char *front = g_strconcat (shown_scheme, shown_host, NULL);
  const glong room = MAX (WORD_MAX - g_utf8_strlen (front, -1), 2);
  g_autofree char *shown_rest = cut_middle (rest, room, room - 1);

  return g_strconcat (front, shown_rest, NULL);
}

static char *
cut_word (const char *word)
{
  const char *scheme = strstr (word, "://");

  if (g_utf8_strlen (word, -1) <= WORD_MAX)
    return g_strdup (word);
  if (scheme != NULL)
    return cut_web_address (word, scheme + strlen ("://"));
  return strchr (word, '/') != NULL ? cut_middle (word, WORD_MAX, WORD_MAX / 4)
                                    : cut_host (word, WORD_MAX);
}

char *
fh_address_cut (const char *text)
{
  g_auto (GStrv) words = NULL;
  GString *shown = g_string_new (NULL);
  glong length = 0;

  g_return_val_if_fail (text != NULL, g_string_free (shown, FALSE));

  /* There may be spaces in a path. */
  words = g_strsplit (text, " ", *text == '/' || *text == '~' ? 1 : 0);
  for (guint i = 0; words[i] != NULL; i++)
    {
      g_autofree char *word = cut_word (words[i]);

      length += g_utf8_strlen (word, -1) + 1;
      if (i > 0)
        g_string_append_c (shown, ' ');
      if (i > 0 && length > TEXT_MAX)
        {
          g_string_append (shown, "…");
          break;
        }
      g_string_append (shown, word);
    }
  return g_string_free (shown, FALSE);
}
