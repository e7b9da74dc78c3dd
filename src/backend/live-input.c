/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "live-input.h"

#include "signals.h"

struct _FhLiveInput
{
  GObject parent_instance;

  GByteArray *bytes;
  gboolean is_open;
  gboolean is_waiting;
  gint64 waits_since; /* monotonic */
  guint64 waited_us;  /* before that */
};

G_DEFINE_FINAL_TYPE (FhLiveInput, fh_live_input, G_TYPE_OBJECT)

enum
{
  PROP_OPEN = 1,
  PROP_WAITING,
  N_PROPS
};

static GParamSpec *properties[N_PROPS];
static guint sent_signal;

static void
fh_live_input_finalize (GObject *object)
{
  g_byte_array_unref (FH_LIVE_INPUT (object)->bytes);

  G_OBJECT_CLASS (fh_live_input_parent_class)->finalize (object);
}

static void
fh_live_input_get_property (GObject *object, guint id, GValue *value, GParamSpec *pspec)
{
  FhLiveInput *self = FH_LIVE_INPUT (object);

  g_value_set_boolean (value, id == PROP_OPEN ? self->is_open : self->is_waiting);
}

static void
fh_live_input_class_init (FhLiveInputClass *klass)
{
  GObjectClass *object_class = G_OBJECT_CLASS (klass);
  const GParamFlags flags = G_PARAM_READABLE | G_PARAM_STATIC_STRINGS;

  object_class->finalize = fh_live_input_finalize;
  object_class->get_property = fh_live_input_get_property;

  properties[PROP_OPEN] = g_param_spec_boolean ("open", NULL, NULL, FALSE, flags);
  properties[PROP_WAITING] = g_param_spec_boolean ("waiting", NULL, NULL, FALSE, flags);
  g_object_class_install_properties (object_class, N_PROPS, properties);

  sent_signal = fh_signal_new ("sent", G_TYPE_FROM_CLASS (klass), 1, G_TYPE_BYTES);
}

static void
fh_live_input_init (FhLiveInput *self)
{
  self->bytes = g_byte_array_new ();
}

gboolean
fh_live_input_is_open (FhLiveInput *self)
{
  g_return_val_if_fail (FH_IS_LIVE_INPUT (self), FALSE);

  return self->is_open;
}

gboolean
fh_live_input_is_waiting (FhLiveInput *self)
{
  g_return_val_if_fail (FH_IS_LIVE_INPUT (self), FALSE);

  return self->is_waiting;
}

guint64
fh_live_input_get_waited (FhLiveInput *self)
{
  g_return_val_if_fail (FH_IS_LIVE_INPUT (self), 0);

  if (!self->is_waiting)
    return self->waited_us;
  return self->waited_us + (guint64) (g_get_monotonic_time () - self->waits_since);
}

void
fh_live_input_set_waiting (FhLiveInput *self, gboolean is_waiting)
{
  g_return_if_fail (FH_IS_LIVE_INPUT (self));

  is_waiting = is_waiting && self->is_open;
  if (self->is_waiting == is_waiting)
    return;
  self->waited_us = fh_live_input_get_waited (self);
  self->waits_since = g_get_monotonic_time ();
  self->is_waiting = is_waiting;
  g_object_notify_by_pspec (G_OBJECT (self), properties[PROP_WAITING]);
}

void
fh_live_input_set_open (FhLiveInput *self, gboolean is_open)
{
  g_return_if_fail (FH_IS_LIVE_INPUT (self));

  if (self->is_open == is_open)
    return;
  self->is_open = is_open;
  g_object_notify_by_pspec (G_OBJECT (self), properties[PROP_OPEN]);
  fh_live_input_set_waiting (self, FALSE);
}

gboolean
fh_live_input_send (FhLiveInput *self, GBytes *bytes)
{
  gsize size;
  const void *data;

  g_return_val_if_fail (FH_IS_LIVE_INPUT (self) && bytes != NULL, FALSE);

  data = g_bytes_get_data (bytes, &size);
  if (!self->is_open || size > FH_LIVE_INPUT_MAX - self->bytes->len)
    return FALSE;
  if (size == 0)
    return TRUE;
  g_byte_array_append (self->bytes, data, (guint) size);
  g_signal_emit (self, sent_signal, 0, bytes);
  return TRUE;
}

void
fh_live_input_end (FhLiveInput *self)
{
  g_return_if_fail (FH_IS_LIVE_INPUT (self));

  if (!self->is_open)
    return;
  fh_live_input_set_open (self, FALSE);
  g_signal_emit (self, sent_signal, 0, NULL);
}

GBytes *
fh_live_input_dup_sent (FhLiveInput *self)
{
  g_return_val_if_fail (FH_IS_LIVE_INPUT (self), NULL);

  return self->bytes->len > 0 ? g_bytes_new (self->bytes->data, self->bytes->len) : NULL;
}
