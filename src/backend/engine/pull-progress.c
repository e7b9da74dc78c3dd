/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "pull-progress.h"

#include <glib/gi18n-lib.h>
#include <string.h>

#include "clients.h"
#include "readable-text.h"

#define MAX_LINE  1024
#define MAX_WORDS 16
#define MAX_SHOWN 100 /* characters */
#define ID_LENGTH 12

struct _FhPullProgress
{
  GHashTable *layers; /* the short ids of all, */
  GHashTable *here;   /* and of those that have arrived */
  GQueue words;
  char *last; /* what is shown; nullable */
  double fraction;
};

FhPullProgress *
fh_pull_progress_new (void)
{
  FhPullProgress *self = g_new0 (FhPullProgress, 1);

  self->layers = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);
  self->here = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);
  self->fraction = -1;
  g_queue_init (&self->words);
  return self;
}

void
fh_pull_progress_free (FhPullProgress *self)
{
  if (self == NULL)
    return;
  g_hash_table_unref (self->layers);
  g_hash_table_unref (self->here);
  g_queue_clear_full (&self->words, g_free);
  g_free (self->last);
  g_free (self);
}

/* Moves `text` past an id and shortens the id, because engines abbreviate some of them. */
static gboolean
take_id (const char **text, char id[ID_LENGTH + 1])
{
  const char *c = *text;
  guint length = 0;

  if (g_str_has_prefix (c, "sha256:"))
    c += strlen ("sha256:");
  while (g_ascii_isxdigit (c[length]))
    length++;
  if (length < ID_LENGTH || length > 64)
    return FALSE;
  memcpy (id, c, ID_LENGTH);
  id[ID_LENGTH] = '\0';
  *text = c + length;
  return TRUE;
}

static guint
n_layers (const FhPullProgress *self)
{
  return g_hash_table_size (self->layers);
}

static guint
n_here (const FhPullProgress *self)
{
  return g_hash_table_size (self->here);
}

static void
note_layer (FhPullProgress *self, const char *id, gboolean is_here)
{
  if (n_layers (self) < FH_PULL_MAX_LAYERS)
    g_hash_table_add (self->layers, g_strdup (id));
  if (is_here && g_hash_table_contains (self->layers, id))
    g_hash_table_add (self->here, g_strdup (id));
}

/* Whether the line is about a layer. Docker: "a2abf6c4d29d: Downloading  5.3MB/29.1MB", "…: Pull
 * complete", "…: Already exists". Podman: "Copying blob a2abf6c4d29d [=>----] 5.3MiB / 29.1MiB",
 * "… done", "… skipped: already exists"; the configuration is copied after all layers. */
static gboolean
read_layer (FhPullProgress *self, const char *line)
{
  GHashTableIter layers;
  gpointer layer;
  char id[ID_LENGTH + 1];

  if (g_str_has_prefix (line, "Copying config "))
    {
      g_hash_table_iter_init (&layers, self->layers);
      while (g_hash_table_iter_next (&layers, &layer, NULL))
        g_hash_table_add (self->here, g_strdup (layer));
      return TRUE;
    }
  if (g_str_has_prefix (line, "Copying blob "))
    {
      line += strlen ("Copying blob ");
      if (take_id (&line, id))
        {
          line += strspn (line, " ");
          note_layer (self,
                      id,
                      g_str_has_prefix (line, "done") || g_str_has_prefix (line, "skipped"));
        }
      return TRUE;
    }
  if (!take_id (&line, id) || !g_str_has_prefix (line, ": "))
    return FALSE;
  note_layer (self,
              id,
              g_str_has_prefix (line, ": Pull complete") ||
                  g_str_has_prefix (line, ": Already exists"));
  return TRUE;
}

static gboolean
is_chatter (const char *line)
{
  static const char *const chatter[] = {
    "Using default tag: ",
    "Trying to pull ",
    "Getting image source signatures",
    "Writing manifest",
    "Storing signatures",
    "Digest: ",
    "Status: ",
    "Resolved ",
  };

  if (strstr (line, ": Pulling from ") != NULL)
    return TRUE;
  for (guint i = 0; i < G_N_ELEMENTS (chatter); i++)
    if (g_str_has_prefix (line, chatter[i]))
      return TRUE;
  return FALSE;
}

void
fh_pull_progress_add (FhPullProgress *self, const char *line, gsize size)
{
  g_autofree char *text = NULL;

  g_return_if_fail (self != NULL && line != NULL);

  text = fh_valid_text_new (line, MIN (size, MAX_LINE));
  if (*g_strchomp (text) == '\0')
    return;
  if (read_layer (self, text) && n_layers (self) > 0)
    self->fraction = MAX (self->fraction, (double) n_here (self) / n_layers (self));
  else if (!is_chatter (text))
    {
      g_queue_push_tail (&self->words, g_strdup (text));
      if (self->words.length > MAX_WORDS)
        g_free (g_queue_pop_head (&self->words));
    }
  g_free (self->last);
  self->last = g_steal_pointer (&text);
}

double
fh_pull_progress_get_fraction (const FhPullProgress *self)
{
  g_return_val_if_fail (self != NULL, -1);

  return self->fraction;
}

/* The engine's last line without a bar. */
static char *
last_words (const FhPullProgress *self)
{
  g_autofree char *plain = g_strdup (self->last != NULL ? self->last : "");
  char *bar = strchr (plain, '[');
  char *after = bar != NULL ? strchr (bar, ']') : NULL;
  g_autofree char *words = NULL;

  if (after != NULL)
    memmove (bar, after + 1, strlen (after + 1) + 1);
  words = fh_engine_words (plain, strlen (plain));
  return g_utf8_strlen (words, -1) > MAX_SHOWN ? g_utf8_substring (words, 0, MAX_SHOWN)
                                               : g_steal_pointer (&words);
}

char *
fh_pull_progress_get_text (const FhPullProgress *self)
{
  g_autofree char *layers = NULL;
  g_autofree char *words = NULL;

  g_return_val_if_fail (self != NULL, NULL);

  words = last_words (self);
  if (n_layers (self) == 0)
    return g_steal_pointer (&words);
  layers = g_strdup_printf (
      /* Translators: how many of them have arrived */
      ngettext ("%u of %u layer", "%u of %u layers", n_layers (self)),
      n_here (self),
      n_layers (self));
  /* Translators: "3 of 5 layers", then the engine's own words */
  return g_strdup_printf (_ ("%s (%s)"), layers, words);
}

char *
fh_pull_progress_get_words (const FhPullProgress *self)
{
  g_autoptr (GString) text = g_string_new (NULL);
  GList *first;

  g_return_val_if_fail (self != NULL, NULL);

  first = self->words.head;
  for (GList *link = first; link != NULL; link = link->next)
    if (g_str_has_prefix (link->data, "Error"))
      first = link;
  for (GList *link = first; link != NULL; link = link->next)
    g_string_append_printf (text, "%s\n", (const char *) link->data);
  return g_string_free (g_steal_pointer (&text), FALSE);
}
