/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <gio/gio.h>

/* Defines a final type that is a GListModel of the objects in `items`, a GPtrArray of its
 * structure, and name_get, which borrows an item or returns NULL behind the last one. */
#define FH_DEFINE_OBJECT_LIST(Type, name, ItemType, ITEM_TYPE)                                     \
  static GType name##_get_item_type (GListModel *model) { return ITEM_TYPE; }                      \
                                                                                                   \
  static guint name##_get_n_items (GListModel *model) { return ((Type *) model)->items->len; }     \
                                                                                                   \
  static gpointer name##_get_item (GListModel *model, guint position)                              \
  {                                                                                                \
    ItemType *item = name##_get ((Type *) model, position);                                        \
                                                                                                   \
    return item != NULL ? g_object_ref (item) : NULL;                                              \
  }                                                                                                \
                                                                                                   \
  static void name##_list_model_init (GListModelInterface *iface)                                  \
  {                                                                                                \
    iface->get_item_type = name##_get_item_type;                                                   \
    iface->get_n_items = name##_get_n_items;                                                       \
    iface->get_item = name##_get_item;                                                             \
  }                                                                                                \
                                                                                                   \
  G_DEFINE_FINAL_TYPE_WITH_CODE (                                                                  \
      Type,                                                                                        \
      name,                                                                                        \
      G_TYPE_OBJECT,                                                                               \
      G_IMPLEMENT_INTERFACE (G_TYPE_LIST_MODEL, name##_list_model_init))                           \
                                                                                                   \
  ItemType *name##_get (Type *self, guint position)                                                \
  {                                                                                                \
    g_return_val_if_fail (G_TYPE_CHECK_INSTANCE_TYPE (self, name##_get_type ()), NULL);            \
                                                                                                   \
    return position < self->items->len ? g_ptr_array_index (self->items, position) : NULL;         \
  }
