/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <gtksourceview/gtksource.h>

/* The text of one tab, the file that it belongs to, and its title.
 *
 * What others read out of the text is computed when it is first asked for and kept until the text
 * changes: one copy of it, its blocks if it is an answer, and its cells. So a press of Run copies
 * and parses the text once, however many parts of the tab look at it.
 *
 * Properties, read-only: file (a GFile, or NULL), title.
 * Signals:
 *   edited (): a person has changed the text. "changed" of the buffer tells of every change.
 *   replaced (): the whole text is another one, and the cursor is at its beginning
 *   saved (): the text was written to the file */
#define FH_TYPE_DOCUMENT (fh_document_get_type ())
G_DECLARE_FINAL_TYPE (FhDocument, fh_document, FH, DOCUMENT, GtkSourceBuffer)

/* The text as it is now, valid until it changes. */
const char *fh_document_get_text (FhDocument *self);
/* The same bytes, which outlive a change for whoever takes a reference. */
GBytes *fh_document_get_source (FhDocument *self);
gboolean fh_document_is_empty (FhDocument *self);
/* The size of the text in characters. */
guint fh_document_get_size (FhDocument *self);

/* The blocks of the answer that the text is, or NULL if it is a program: see fh_answer_parse. They
 * belong to the document; whoever changes them makes copies by fh_answer_blocks_copy.
 * (element-type FhAnswerBlock) */
GPtrArray *fh_document_get_blocks (FhDocument *self);
/* Whether they are read as they stand there, and not as they are meant. Ends with another text. */
gboolean fh_document_is_as_written (FhDocument *self);
void fh_document_set_as_written (FhDocument *self, gboolean as_written);
/* See fh_cell_splitter_split. (element-type FhCellPlace) */
GArray *fh_document_get_cells (FhDocument *self);

/* Replaces the text, which cannot be undone. The new one counts as saved, and belongs to a person.
 * `title`: one that does not come from it, or NULL. */
void fh_document_set_text (FhDocument *self, const char *text, const char *title);
/* The same with a text that a paste replaces, as long as a person has neither changed nor saved it.
 */
void fh_document_set_example (FhDocument *self, const char *text, const char *title);
gboolean fh_document_is_example (FhDocument *self);

/* The name of the file, else the given title, else one found in the text, else "New Snippet". The
 * last two follow the text when fh_document_update_title is called, not at each key. */
const char *fh_document_get_title (FhDocument *self);
void fh_document_update_title (FhDocument *self);
/* A title that does not come from the text, or NULL. */
const char *fh_document_get_given_title (FhDocument *self);
/* The title under which a run is kept, or NULL if the run shall choose one from its source. */
const char *fh_document_get_run_title (FhDocument *self);

GFile *fh_document_get_file (FhDocument *self);
void fh_document_set_file (FhDocument *self, GFile *file);
/* The name of the file without its folder. (nullable) (transfer full) */
char *fh_document_dup_file_name (FhDocument *self);
/* Whether the file is a notebook of Jupyter, whose cells the text is, see notebook-file.h.
 * `is_reduced` (out): it had more than them when it was loaded, such as outputs. */
gboolean fh_document_is_notebook (FhDocument *self, gboolean *is_reduced);
/* Whether the file has another text. FALSE without a file, whose text is kept as a draft. */
gboolean fh_document_is_unsaved (FhDocument *self);

/* Loads the file and belongs to it from then on. */
void fh_document_load_async (FhDocument *self,
                             GFile *file,
                             GCancellable *cancellable,
                             GAsyncReadyCallback callback,
                             gpointer user_data);
gboolean fh_document_load_finish (FhDocument *self, GAsyncResult *result, GError **error);

/* Saves the text as it is now, and belongs to the file from then on. `file`: NULL for the one that
 * it has: G_IO_ERROR_INVALID_DATA if its text is repaired, and G_IO_ERROR_WRONG_ETAG if it has not
 * the version that was read or written here. The text may be edited meanwhile. */
void fh_document_save_async (FhDocument *self,
                             GFile *file,
                             GCancellable *cancellable,
                             GAsyncReadyCallback callback,
                             gpointer user_data);
gboolean fh_document_save_finish (FhDocument *self, GAsyncResult *result, GError **error);
/* The version of the file that the text is of, see fh_text_file_dup_version. NULL: whatever the
 * file has become, it is replaced. */
const char *fh_document_get_version (FhDocument *self);
void fh_document_set_version (FhDocument *self, const char *version);
/* Whether the file had bytes that are not text: they were replaced, so that saving would change the
 * file. FALSE allows that. */
gboolean fh_document_is_repaired (FhDocument *self);
void fh_document_set_repaired (FhDocument *self, gboolean repaired);
