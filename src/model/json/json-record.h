/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <json-glib/json-glib.h>

/* A table of members of a JSON object and their places in a structure. It serves both ways: what is
 * written in its order is read from it again. */

typedef enum
{
  FH_JSON_TEXT,    /* const char *; what is read belongs to the JSON object */
  FH_JSON_STRING,  /* char *, which may hold any bytes; what is read belongs to the structure */
  FH_JSON_STRINGS, /* GStrv, likewise */
  FH_JSON_BYTES,   /* GBytes *, likewise */
  FH_JSON_BOOL,    /* gboolean */
  FH_JSON_WORD,    /* an enumeration: `words` by value */
  FH_JSON_COUNT,   /* guint or guint64, read up to `maximum` or what both ways can hold */
  FH_JSON_INT,     /* int, read from 0 on, or gint64 */
  FH_JSON_DOUBLE,  /* double, only written */
} FhJsonKind;

typedef enum
{
  FH_JSON_NULLABLE = 1 << 0,  /* null stands for NULL, or a number that is not above `none` */
  FH_JSON_NEW = 1 << 1,       /* earlier versions did not write it: the structure is left alone */
  FH_JSON_SPARSE = 1 << 2,    /* likewise, and it is not written if it would be null */
  FH_JSON_WITH_LAST = 1 << 3, /* written and read if the member before it is */
  FH_JSON_WRITTEN = 1 << 4,   /* for people and scripts: not read back */
} FhJsonFlags;

typedef struct
{
  const char *name; /* NULL ends a table */
  FhJsonKind kind;
  gsize offset;
  gsize size;
  FhJsonFlags flags;
  const char *const *words; /* "" for a value that is null */
  guint64 maximum;          /* of a count or the length of a list; 0: what fits */
  int none;
} FhJsonMember;

/* The beginning of a row. */
#define FH_JSON_MEMBER(Type, name_, kind_, member)                                                 \
  .name = name_, .kind = FH_JSON_##kind_, .offset = G_STRUCT_OFFSET (Type, member),                \
  .size = sizeof (((Type *) 0)->member)

void
fh_json_write_record (JsonObject *object, const FhJsonMember *members, gconstpointer structure);

/* One member alone. (transfer full) */
JsonNode *fh_json_member_to_node (const FhJsonMember *member, gconstpointer structure);
gboolean fh_json_read_member (const FhJsonMember *member,
                              JsonObject *object,
                              gpointer structure,
                              GError **error);

/* The structure's strings must be NULL. FALSE with FH_RUN_ERROR_INVALID naming a member; then as
 * well, fh_json_clear_record is due. */
gboolean fh_json_read_record (JsonObject *object,
                              const FhJsonMember *members,
                              gpointer structure,
                              GError **error);

/* Frees what was read and belongs to the structure. */
void fh_json_clear_record (const FhJsonMember *members, gpointer structure);

/* Calls `read` for each element of an array of objects, until one is refused. */
typedef gboolean (*FhJsonReadElement) (JsonObject *element, gpointer list, GError **error);
gboolean fh_json_read_list (JsonObject *object,
                            const char *name,
                            guint max_length,
                            FhJsonReadElement read,
                            gpointer list,
                            GError **error);
