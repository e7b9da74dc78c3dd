/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "probes.h"

/* Further ones are forgotten: those in use are kept by their users, the others can be probed again.
 */
#define MAX_KNOWN 64

struct _FhProbes
{
  GObject parent_instance;

  FhBackend *backend; /* of this computer */
  FhProtection *here;
  GHashTable *known; /* key → FhProtection */
};

G_DEFINE_FINAL_TYPE (FhProbes, fh_probes, G_TYPE_OBJECT)

static void
fh_probes_finalize (GObject *object)
{
  FhProbes *self = FH_PROBES (object);

  g_object_unref (self->backend);
  g_object_unref (self->here);
  g_hash_table_unref (self->known);

  G_OBJECT_CLASS (fh_probes_parent_class)->finalize (object);
}

static void
fh_probes_class_init (FhProbesClass *klass)
{
  G_OBJECT_CLASS (klass)->finalize = fh_probes_finalize;
}

static void
fh_probes_init (FhProbes *self)
{
  self->here = fh_protection_new ();
  self->known = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, g_object_unref);
}

FhProbes *
fh_probes_new (FhBackend *backend)
{
  FhProbes *self = g_object_new (FH_TYPE_PROBES, NULL);

  self->backend = backend != NULL ? g_object_ref (backend) : fh_backend_new (FH_TIER_AUTO, NULL);
  return self;
}

FhBackend *
fh_probes_dup_backend (FhProbes *self, const FhContainerOptions *container)
{
  g_return_val_if_fail (FH_IS_PROBES (self), NULL);

  return container != NULL ? fh_backend_new (FH_TIER_AUTO, container)
                           : g_object_ref (self->backend);
}

FhProtection *
fh_probes_get_here (FhProbes *self)
{
  g_return_val_if_fail (FH_IS_PROBES (self), NULL);

  return self->here;
}

void
fh_probes_check (FhProbes *self)
{
  g_return_if_fail (FH_IS_PROBES (self));

  fh_protection_check (self->here, self->backend);
}

char *
fh_probes_key (const FhContainerOptions *container)
{
  const FhRunOptions all = { .in_container = TRUE, .container = *container };
  g_autoptr (JsonNode) node = json_node_new (JSON_NODE_OBJECT);

  json_node_take_object (node, json_object_new ());
  fh_run_options_to_json (&all, json_node_get_object (node));
  return json_to_string (node, FALSE);
}

/* Name and lifetime of a container do not change its guards; and the container that is kept must
 * not be touched by a probe. */
static FhContainerOptions
guards_of (const FhContainerOptions *container)
{
  FhContainerOptions guards = *container;

  guards.name = NULL;
  guards.is_kept = FALSE;
  guards.after = FH_CONTAINER_REMOVE;
  return guards;
}

static FhProtection *
get_of_container (FhProbes *self, const FhContainerOptions *container, gboolean again)
{
  const FhContainerOptions guards = guards_of (container);
  g_autofree char *key = fh_probes_key (&guards);
  FhProtection *protection = g_hash_table_lookup (self->known, key);

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
      g_autoptr (FhBackend) backend = fh_probes_dup_backend (self, &guards);

      fh_protection_check (protection, backend);
    }
  return g_object_ref (protection);
}

FhProtection *
fh_probes_get (FhProbes *self, const FhRunOptions *options, gboolean again)
{
  g_return_val_if_fail (FH_IS_PROBES (self), NULL);
  g_return_val_if_fail (options != NULL, NULL);

  if (options->in_container)
    return get_of_container (self, &options->container, again);
  if (again)
    fh_probes_check (self);
  return g_object_ref (self->here);
}
