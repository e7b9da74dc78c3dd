/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "pull-progress.h"

#include <glib/gi18n-lib.h>
#include <string.h>

#include "valid-text.h"

#define MAX_LINE  1024
#define MAX_WORDS 16
#define ID_LENGTH 12

/* Docker downloads a layer and then unpacks it; the download takes most of the time. Podman does
 * both at once and reports "done". */
#define DOWNLOAD_SHARE 0.8

/* Larger than any image. */
#define MAX_SIZE 1e15

typedef enum
{
  LAYER_WAITING,
  LAYER_DOWNLOADING,
  LAYER_DOWNLOADED,
  LAYER_UNPACKING,
  LAYER_DONE,
  LAYER_WAS_HERE,
} LayerState;

typedef struct
{
  char id[ID_LENGTH + 1];
  LayerState state; /* never decreases */
  double size;      /* bytes; 0 while unknown */
  double here;      /* bytes downloaded */
  double unpacked;  /* 0…1 */
} Layer;

typedef enum
{
  IN_TEXT,
  AFTER_ESCAPE,
  IN_SEQUENCE, /* after CSI */
} Scan;

struct _FhPullProgress
{
  GArray *layers;
  GString *line;
  Scan scan;
  GQueue words;
  double fraction;
};

FhPullProgress *
fh_pull_progress_new (void)
{
  FhPullProgress *self = g_new0 (FhPullProgress, 1);

  self->layers = g_array_new (FALSE, TRUE, sizeof (Layer));
  self->line = g_string_new (NULL);
  self->fraction = -1;
  g_queue_init (&self->words);
  return self;
}

void
fh_pull_progress_free (FhPullProgress *self)
{
  if (self == NULL)
    return;
  g_array_unref (self->layers);
  g_string_free (self->line, TRUE);
  g_queue_clear_full (&self->words, g_free);
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

/* NULL when there are too many. */
static Layer *
find_layer (FhPullProgress *self, const char *id)
{
  Layer fresh = { .state = LAYER_WAITING };

  for (guint i = 0; i < self->layers->len; i++)
    {
      Layer *layer = &g_array_index (self->layers, Layer, i);

      if (strcmp (layer->id, id) == 0)
        return layer;
    }
  if (self->layers->len >= FH_PULL_MAX_LAYERS)
    return NULL;
  memcpy (fresh.id, id, sizeof fresh.id);
  g_array_append_val (self->layers, fresh);
  return &g_array_index (self->layers, Layer, self->layers->len - 1);
}

/* Docker uses powers of 1000, Podman of 1024. */
static double
unit_of (const char *text)
{
  static const struct
  {
    const char *name;
    double bytes;
  } units[] = {
    { "KiB", 1024. },
    { "MiB", 1024. * 1024 },
    { "GiB", 1024. * 1024 * 1024 },
    { "TiB", 1024. * 1024 * 1024 * 1024 },
    { "kB", 1e3 },
    { "KB", 1e3 },
    { "MB", 1e6 },
    { "GB", 1e9 },
    { "TB", 1e12 },
    { "B", 1 },
    { "b", 1 },
  };

  for (guint i = 0; i < G_N_ELEMENTS (units); i++)
    if (g_str_has_prefix (text, units[i].name))
      return units[i].bytes;
  return 0;
}

/* Parses "5.3MB" and moves `text` past it. Negative when invalid. */
static double
take_size (const char **text)
{
  char *end = NULL;
  double number;
  double unit;

  while (**text == ' ')
    (*text)++;
  if (!g_ascii_isdigit (**text))
    return -1;
  number = g_ascii_strtod (*text, &end);
  while (*end == ' ')
    end++;
  unit = unit_of (end);
  if (unit == 0 || !(number >= 0) || !(number * unit <= MAX_SIZE))
    return -1;
  *text = end + strspn (end, "KkMGTiBb");
  return number * unit;
}

/* "[==>   ]  5.3MB/29.1MB" or "[=>---] 5.3MiB / 29.1MiB": skips the bar. FALSE without a total. */
static gboolean
take_ratio (const char *text, double *here, double *size)
{
  const char *bar = strchr (text, ']');

  if (bar != NULL)
    text = bar + 1;
  *here = take_size (&text);
  while (*text == ' ')
    text++;
  if (*here < 0 || *text != '/')
    return FALSE;
  text++;
  *size = take_size (&text);
  if (*size <= 0)
    return FALSE;
  *here = MIN (*here, *size);
  return TRUE;
}

static void
raise_state (Layer *layer, LayerState state)
{
  if (state > layer->state)
    layer->state = state;
  if (layer->state >= LAYER_DOWNLOADED)
    layer->here = layer->size;
}

static void
handle_download (Layer *layer, const char *text)
{
  double here;
  double size;

  raise_state (layer, LAYER_DOWNLOADING);
  if (layer->state == LAYER_DOWNLOADING && take_ratio (text, &here, &size))
    {
      layer->size = size;
      layer->here = here;
    }
}

static void
handle_unpacking (Layer *layer, const char *text)
{
  double here;
  double size;

  raise_state (layer, LAYER_UNPACKING);
  if (layer->state == LAYER_UNPACKING && take_ratio (text, &here, &size))
    layer->unpacked = MAX (layer->unpacked, here / size);
}

static gboolean
is_docker_status (const char *text)
{
  static const char *const statuses[] = {
    "Pulling fs layer",   "Waiting",           "Downloading",
    "Verifying Checksum", "Download complete", "Extracting",
    "Pull complete",      "Already exists",    "Retrying in ",
  };

  for (guint i = 0; i < G_N_ELEMENTS (statuses); i++)
    if (g_str_has_prefix (text, statuses[i]))
      return TRUE;
  return FALSE;
}

/* "a2abf6c4d29d: Downloading [=>     ]  5.3MB/29.1MB" */
static gboolean
handle_docker (FhPullProgress *self, const char *line)
{
  char id[ID_LENGTH + 1];
  Layer *layer;

  if (!take_id (&line, id) || !g_str_has_prefix (line, ": ") || !is_docker_status (line + 2))
    return FALSE;
  line += 2;
  layer = find_layer (self, id);
  if (layer == NULL)
    return TRUE;
  if (g_str_has_prefix (line, "Downloading"))
    handle_download (layer, line);
  else if (g_str_has_prefix (line, "Extracting"))
    handle_unpacking (layer, line);
  else if (g_str_has_prefix (line, "Verifying") || g_str_has_prefix (line, "Download complete"))
    raise_state (layer, LAYER_DOWNLOADED);
  else if (g_str_has_prefix (line, "Pull complete"))
    raise_state (layer, LAYER_DONE);
  else if (g_str_has_prefix (line, "Already exists") && layer->state < LAYER_DONE)
    raise_state (layer, LAYER_WAS_HERE);
  return TRUE;
}

/* The configuration is copied after all layers. */
static void
finish_layers (FhPullProgress *self)
{
  for (guint i = 0; i < self->layers->len; i++)
    raise_state (&g_array_index (self->layers, Layer, i), LAYER_DONE);
}

/* "Copying blob a2abf6c4d29d [=>----] 5.3MiB / 29.1MiB", "… done", "… skipped: already exists" */
static gboolean
handle_podman (FhPullProgress *self, const char *line)
{
  char id[ID_LENGTH + 1];
  Layer *layer;

  if (g_str_has_prefix (line, "Copying config "))
    {
      finish_layers (self);
      return TRUE;
    }
  if (!g_str_has_prefix (line, "Copying blob "))
    return FALSE;
  line += strlen ("Copying blob ");
  layer = take_id (&line, id) ? find_layer (self, id) : NULL;
  if (layer == NULL)
    return TRUE;
  while (*line == ' ')
    line++;
  if (g_str_has_prefix (line, "done"))
    raise_state (layer, LAYER_DONE);
  else if (g_str_has_prefix (line, "skipped"))
    raise_state (layer, layer->state < LAYER_DONE ? LAYER_WAS_HERE : layer->state);
  else if (*line == '[')
    handle_download (layer, line);
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

/* Unknown layers count as much as the known ones on average. */
static void
measure (FhPullProgress *self)
{
  double known = 0;
  double mean;
  double done = 0;
  double all = 0;
  guint sized = 0;

  for (guint i = 0; i < self->layers->len; i++)
    {
      const Layer *layer = &g_array_index (self->layers, Layer, i);

      known += layer->size;
      sized += layer->size > 0;
    }
  mean = sized > 0 ? known / sized : 1;
  for (guint i = 0; i < self->layers->len; i++)
    {
      const Layer *layer = &g_array_index (self->layers, Layer, i);
      double weight = layer->size > 0 ? layer->size : mean;
      double share = layer->state >= LAYER_DOWNLOADED ? 1
                     : layer->size > 0                ? layer->here / layer->size
                                                      : 0;

      if (layer->state == LAYER_WAS_HERE)
        continue;
      all += weight;
      done += layer->state >= LAYER_DONE
                  ? weight
                  : weight * (DOWNLOAD_SHARE * share + (1 - DOWNLOAD_SHARE) * layer->unpacked);
    }
  if (all > 0)
    self->fraction = CLAMP (done / all, MAX (self->fraction, 0), 1);
}

static void
keep_words (FhPullProgress *self, const char *line)
{
  if (is_chatter (line))
    return;
  g_queue_push_tail (&self->words, g_strdup (line));
  if (self->words.length > MAX_WORDS)
    g_free (g_queue_pop_head (&self->words));
}

static void
end_line (FhPullProgress *self)
{
  if (self->line->len == 0)
    return;
  if (handle_docker (self, self->line->str) || handle_podman (self, self->line->str))
    measure (self);
  else
    keep_words (self, self->line->str);
  g_string_truncate (self->line, 0);
}

static void
take_byte (FhPullProgress *self, guint8 byte)
{
  switch (self->scan)
    {
    case AFTER_ESCAPE:
      self->scan = byte == '[' ? IN_SEQUENCE : IN_TEXT;
      break;
    case IN_SEQUENCE:
      /* Skips parameter and intermediate bytes, ECMA-48 5.4; anything else ends the sequence. */
      if (byte < 0x20 || byte > 0x3f)
        self->scan = byte == 0x1b ? AFTER_ESCAPE : IN_TEXT;
      break;
    case IN_TEXT:
    default:
      if (byte == 0x1b)
        self->scan = AFTER_ESCAPE;
      else if (byte == '\n' || byte == '\r')
        end_line (self);
      else if (byte >= 0x20 && byte != 0x7f && self->line->len < MAX_LINE)
        g_string_append_c (self->line, (char) byte);
      break;
    }
}

void
fh_pull_progress_feed (FhPullProgress *self, const void *bytes, gsize size)
{
  const guint8 *byte = bytes;

  g_return_if_fail (self != NULL && (bytes != NULL || size == 0));

  for (gsize i = 0; i < size; i++)
    take_byte (self, byte[i]);
}

double
fh_pull_progress_get_fraction (const FhPullProgress *self)
{
  g_return_val_if_fail (self != NULL, -1);

  return self->fraction;
}

static char *
layers_text (guint done, guint count)
{
  return g_strdup_printf (
      /* Translators: how many of them have arrived */
      ngettext ("%u of %u layer", "%u of %u layers", count),
      done,
      count);
}

char *
fh_pull_progress_get_text (const FhPullProgress *self)
{
  g_autofree char *layers = NULL;
  g_autofree char *here_text = NULL;
  g_autofree char *size_text = NULL;
  double here = 0;
  double size = 0;
  guint done = 0;
  gboolean all_known = TRUE;

  g_return_val_if_fail (self != NULL, NULL);

  for (guint i = 0; i < self->layers->len; i++)
    {
      const Layer *layer = &g_array_index (self->layers, Layer, i);

      done += layer->state >= LAYER_DONE;
      here += layer->here;
      size += layer->size;
      all_known = all_known && (layer->size > 0 || layer->state >= LAYER_DOWNLOADED);
    }
  if (self->layers->len == 0)
    return g_strdup ("");
  layers = layers_text (done, self->layers->len);
  if (here <= 0)
    return g_steal_pointer (&layers);
  here_text = g_format_size_full ((guint64) here, G_FORMAT_SIZE_IEC_UNITS);
  size_text = g_format_size_full ((guint64) size, G_FORMAT_SIZE_IEC_UNITS);
  if (all_known)
    {
      /* Translators: "3 of 5 layers", "12.0 MiB", "28.1 MiB" */
      return g_strdup_printf (_ ("%s, %s of %s"), layers, here_text, size_text);
    }
  /* Translators: "3 of 5 layers", "12.0 MiB" */
  return g_strdup_printf (_ ("%s, %s so far"), layers, here_text);
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
  /* An unfinished last line counts, too. */
  g_string_append_len (text, self->line->str, (gssize) self->line->len);
  return fh_valid_text_new (text->str, text->len);
}
