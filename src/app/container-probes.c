/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "container-probes.h"

#include "container-backend.h"
#include "container-options-json.h"

/* Whoever shows one holds it; the others can be found out again. */
#define MAX_KNOWN 64

struct _FhContainerProbes
{
  GObject parent_instance;

  GHashTable *known; /* key → FhProtection */
};

G_DEFINE_FINAL_TYPE (FhContainerProbes, fh_container_probes, G_TYPE_OBJECT)

static void
fh_container_probes_finalize (GObject *object)
{
  g_hash_table_unref (FH_CONTAINER_PROBES (object)->known);

  G_OBJECT_CLASS (fh_container_probes_parent_class)->finalize (object);
}

static void
fh_container_probes_class_init (FhContainerProbesClass *klass)
{
  G_OBJECT_CLASS (klass)->finalize = fh_container_probes_finalize;
}

static void
fh_container_probes_init (FhContainerProbes *self)
{
  self->known = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, g_object_unref);
}

FhContainerProbes *
fh_container_probes_new (void)
{
  return g_object_new (FH_TYPE_CONTAINER_PROBES, NULL);
}

char *
fh_container_probes_key (const FhContainerOptions *options)
{
  g_autoptr (JsonNode) node = fh_container_options_to_json (options);

  return json_to_string (node, FALSE);
}

/* How long it lives and what it is called changes no wall; and the container that is kept must not
 * be touched for a look at them. */
static FhContainerOptions
walls_of (const FhContainerOptions *options)
{
  FhContainerOptions walls = *options;

  walls.name = NULL;
  walls.is_kept = FALSE;
  walls.after = FH_CONTAINER_REMOVE;
  return walls;
}

FhProtection *
fh_container_probes_get (FhContainerProbes *self, const FhContainerOptions *options, gboolean again)
{
  FhContainerOptions walls;
  g_autofree char *key = NULL;
  FhProtection *protection;

  g_return_val_if_fail (FH_IS_CONTAINER_PROBES (self), NULL);
  g_return_val_if_fail (options != NULL, NULL);

  walls = walls_of (options);
  key = fh_container_probes_key (&walls);
  protection = g_hash_table_lookup (self->known, key);
  if (protection == NULL)
    {
      if (g_hash_table_size (self->known) >= MAX_KNOWN)
        g_hash_table_remove_all (self->known);
      protection = fh_protection_new ();
      g_hash_table_insert (self->known, g_steal_pointer (&key), protection);
      again = TRUE;
    }
  else if (fh_protection_get_state (protection) == FH_PROTECTION_CHECKING)
    again = FALSE;
  if (again)
    {
      g_autoptr (FhContainerBackend) backend = fh_container_backend_new (&walls);

      fh_protection_check (protection, FH_BACKEND (backend));
    }
  return g_object_ref (protection);
}
