/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "picture-decoder.h"

#include <signal.h>
#include <string.h>

#include "fake-backend.h"
#include "fh-test.h"

/* With the real runner and the real decoder: what is promised is what both do together. */

#define SVG "<svg xmlns='http://www.w3.org/2000/svg' xmlns:xlink='http://www.w3.org/1999/xlink' "

/* One red pixel. */
static const guint8 gif[] = {
  'G', 'I', 'F', '8', '9', 'a', 1, 0, 1, 0, 0x80, 0, 0, 0xff, 0, 0, 0,    0,
  0,   ',', 0,   0,   0,   0,   1, 0, 1, 0, 0,    2, 2, 0x44, 1, 0, 0x3b,
};

/* 30000 × 30000, as its header says, and no pixels. */
static const guint8 bomb[] = {
  0x89, 'P',  'N', 'G', '\r', '\n', 0x1a, '\n', 0, 0, 0, 13,   'I',  'H',  'D',  'R',  0,    0,
  0x75, 0x30, 0,   0,   0x75, 0x30, 8,    2,    0, 0, 0, 0xe9, 0x45, 0x6f, 0xed, 0,    0,    0,
  8,    'I',  'D', 'A', 'T',  0x78, 0x9c, 3,    0, 0, 0, 0,    1,    0x48, 6,    0x89, 0xd2,
};

typedef struct
{
  FhPicture *picture;
  GError *error;
  gboolean is_done;
} Answer;

static void
answer_clear (Answer *answer)
{
  g_clear_pointer (&answer->picture, fh_picture_unref);
  g_clear_error (&answer->error);
}

static void
decoded_cb (GObject *source, GAsyncResult *result, gpointer user_data)
{
  Answer *answer = user_data;

  answer->picture =
      fh_picture_decoder_decode_finish (FH_PICTURE_DECODER (source), result, &answer->error);
  answer->is_done = TRUE;
}

static FhPictureDecoder *
decoder_new (void)
{
  g_autoptr (FhProbes) probes = fh_probes_new (NULL);

  return fh_picture_decoder_new (probes);
}

static void
decode (FhPictureDecoder *decoder, const void *data, gsize size, Answer *answer)
{
  g_autoptr (GBytes) image = g_bytes_new (data, size);

  *answer = (Answer){ 0 };
  fh_picture_decoder_decode_async (decoder, image, FALSE, NULL, decoded_cb, answer);
  while (!answer->is_done)
    g_main_context_iteration (NULL, TRUE);
}

/* Where no sandbox can be made, nothing is decoded, and that is said. */
static gboolean
may_decode (FhPictureDecoder *decoder)
{
  g_auto (GStrv) environment = g_get_environ ();
  Answer answer;
  gboolean ok;

  decode (decoder, gif, sizeof gif, &answer);
  ok = !g_error_matches (answer.error, FH_PICTURE_ERROR, FH_PICTURE_ERROR_UNAVAILABLE);
  if (!ok && g_environ_getenv (environment, "FH_MUST_SANDBOX") != NULL)
    g_error ("%s", answer.error->message);
  if (!ok)
    g_test_skip (answer.error->message);
  answer_clear (&answer);
  return ok;
}

static void
test_pictures (void)
{
  static const char drawing[] = SVG "width='40' height='20'><rect width='40' height='20' "
                                    "fill='#00ff00'/></svg>";
  g_autoptr (FhPictureDecoder) decoder = decoder_new ();
  const guint8 *pixels;
  Answer answer;

  if (!may_decode (decoder))
    return;
  decode (decoder, gif, sizeof gif, &answer);
  g_assert_no_error (answer.error);
  g_assert_cmpuint (answer.picture->width, ==, 1);
  g_assert_cmpuint (answer.picture->original_height, ==, 1);
  g_assert_false (answer.picture->is_animated);
  pixels = g_bytes_get_data (answer.picture->pixels, NULL);
  g_assert_cmpmem (pixels, 4, "\xff\0\0\xff", 4);
  answer_clear (&answer);

  decode (decoder, drawing, strlen (drawing), &answer);
  g_assert_no_error (answer.error);
  g_assert_cmpuint (answer.picture->original_width, ==, 40);
  g_assert_cmpuint (answer.picture->width, ==, 1024);
  pixels = g_bytes_get_data (answer.picture->pixels, NULL);
  g_assert_cmpmem (pixels + 4 * 1024 * 200 + 4 * 500, 4, "\0\xff\0\xff", 4);
  answer_clear (&answer);
}

static void
assert_refused (FhPictureDecoder *decoder, const void *data, gsize size, FhPictureError code)
{
  Answer answer;

  decode (decoder, data, size, &answer);
  g_assert_null (answer.picture);
  g_assert_error (answer.error, FH_PICTURE_ERROR, (int) code);
  g_assert_cmpstr (answer.error->message, !=, "");
  answer_clear (&answer);
}

static void
test_refusals (void)
{
  g_autoptr (FhPictureDecoder) decoder = decoder_new ();
  g_autofree char *huge = g_malloc0 (FH_PICTURE_MAX_FILE + 1);

  if (!may_decode (decoder))
    return;
  assert_refused (decoder, "hello", 5, FH_PICTURE_ERROR_UNKNOWN);
  assert_refused (decoder, "", 0, FH_PICTURE_ERROR_UNKNOWN);
  assert_refused (decoder, gif, 20, FH_PICTURE_ERROR_DAMAGED);
  assert_refused (decoder, bomb, sizeof bomb, FH_PICTURE_ERROR_TOO_LARGE);
  assert_refused (decoder, huge, FH_PICTURE_MAX_FILE + 1, FH_PICTURE_ERROR_TOO_LARGE);
}

static void
append_nested (GString *text, guint depth)
{
  for (guint i = 1; i <= depth; i++)
    {
      g_string_append_printf (text, "<g id='g%u'>", i);
      for (guint j = 0; j < 10; j++)
        g_string_append_printf (text, "<use xlink:href='#g%u'/>", i - 1);
      g_string_append (text, "</g>");
    }
}

/* Whatever a drawing does, there is an answer within the decoder's time. */
static void
test_endless_drawing (void)
{
  g_autoptr (FhPictureDecoder) decoder = decoder_new ();
  g_autoptr (GString) laughs =
      g_string_new (SVG "width='9' height='9'><g id='g0'><path d='M0 0h9v9z'/></g>");
  const gint64 begin = g_get_monotonic_time ();
  Answer answer;

  if (!may_decode (decoder))
    return;
  append_nested (laughs, 12);
  g_string_append (laughs, "</svg>");
  decode (decoder, laughs->str, laughs->len, &answer);
  /* librsvg counts what it draws, and stops. */
  g_assert_true (answer.picture != NULL || answer.error->domain == FH_PICTURE_ERROR);
  g_assert_cmpint (g_get_monotonic_time () - begin, <, 60 * G_USEC_PER_SEC);
  answer_clear (&answer);
}

static void
test_at_once (void)
{
  g_autoptr (FhPictureDecoder) decoder = decoder_new ();
  Answer answers[12] = { 0 };
  guint n_done = 0;

  if (!may_decode (decoder))
    return;
  for (guint i = 0; i < G_N_ELEMENTS (answers); i++)
    {
      g_autofree char *text = g_strdup_printf (SVG "width='%u' height='2'/>", i + 1);
      g_autoptr (GBytes) image = g_bytes_new (text, strlen (text));

      fh_picture_decoder_decode_async (decoder, image, FALSE, NULL, decoded_cb, &answers[i]);
    }
  while (n_done < G_N_ELEMENTS (answers))
    {
      g_main_context_iteration (NULL, TRUE);
      n_done = 0;
      for (guint i = 0; i < G_N_ELEMENTS (answers); i++)
        n_done += answers[i].is_done ? 1 : 0;
    }
  for (guint i = 0; i < G_N_ELEMENTS (answers); i++)
    {
      g_assert_no_error (answers[i].error);
      g_assert_cmpuint (answers[i].picture->original_width, ==, i + 1);
      answer_clear (&answers[i]);
    }
}

static void
test_remembers (void)
{
  g_autoptr (FhPictureDecoder) decoder = decoder_new ();
  Answer first;
  Answer second;

  if (!may_decode (decoder))
    return;
  decode (decoder, gif, sizeof gif, &first);
  decode (decoder, gif, sizeof gif, &second);
  g_assert_true (first.picture == second.picture);
  answer_clear (&first);
  answer_clear (&second);
}

static void
test_cancelled (void)
{
  g_autoptr (FhPictureDecoder) decoder = decoder_new ();
  g_autoptr (GCancellable) cancellable = g_cancellable_new ();
  g_autoptr (GBytes) image = g_bytes_new_static (bomb, sizeof bomb);
  Answer answers[4] = { 0 };

  if (!may_decode (decoder))
    return;
  /* Two of them run, and two wait. */
  for (guint i = 0; i < 4; i++)
    fh_picture_decoder_decode_async (decoder, image, FALSE, cancellable, decoded_cb, &answers[i]);
  g_cancellable_cancel (cancellable);
  for (guint i = 0; i < 4; i++)
    {
      while (!answers[i].is_done)
        g_main_context_iteration (NULL, TRUE);
      g_assert_error (answers[i].error, G_IO_ERROR, G_IO_ERROR_CANCELLED);
      answer_clear (&answers[i]);
    }
  /* And it goes on. */
  g_assert_true (may_decode (decoder));
}

static GBytes *
image_of_run (FakeBackend *backend)
{
  return fh_run_request_get_parts (fh_run_get_request (fake_backend_get_run (backend)))
      ->standard_input;
}

/* What a person opens does not wait for what a program has left. */
static void
test_goes_first (void)
{
  g_autoptr (FakeBackend) backend = fake_backend_new ();
  g_autoptr (FhProbes) probes = fh_probes_new (FH_BACKEND (backend));
  g_autoptr (FhPictureDecoder) decoder = fh_picture_decoder_new (probes);
  g_autoptr (GCancellable) cancellable = g_cancellable_new ();
  g_autoptr (GBytes) opened = g_bytes_new_static (gif, sizeof gif);
  Answer answers[6] = { 0 };

  for (guint i = 0; i < G_N_ELEMENTS (answers); i++)
    {
      g_autoptr (GBytes) image = i == 5 ? g_bytes_ref (opened) : g_bytes_new (bomb, 10 + i);

      fh_picture_decoder_decode_async (decoder,
                                       image,
                                       i == 5,
                                       cancellable,
                                       decoded_cb,
                                       &answers[i]);
    }
  g_assert_cmpuint (fake_backend_get_n_runs (backend), ==, 2);
  fake_backend_finish (backend, 1);
  while (fake_backend_get_n_runs (backend) == 2)
    g_main_context_iteration (NULL, TRUE);
  g_assert_true (g_bytes_equal (image_of_run (backend), opened));
  /* Of those that wait, none is begun. */
  g_cancellable_cancel (cancellable);
  for (guint i = 0; i < G_N_ELEMENTS (answers); i++)
    {
      while (!answers[i].is_done)
        g_main_context_iteration (NULL, TRUE);
      answer_clear (&answers[i]);
    }
  g_assert_cmpuint (fake_backend_get_n_runs (backend), ==, 3);
}

static void
test_no_decoder (void)
{
  g_autoptr (FhPictureDecoder) decoder = decoder_new ();
  g_autofree char *runner = g_strdup (g_getenv ("FH_RUNNER"));

  g_setenv ("FH_RUNNER", "/nonexistent/fumehood-runner", TRUE);
  assert_refused (decoder, gif, sizeof gif, FH_PICTURE_ERROR_UNAVAILABLE);
  g_setenv ("FH_RUNNER", runner, TRUE);
}

FH_TESTS ({ "/picture-decoder/pictures", test_pictures },
          { "/picture-decoder/refusals", test_refusals },
          { "/picture-decoder/endless-drawing", test_endless_drawing },
          { "/picture-decoder/at-once", test_at_once },
          { "/picture-decoder/remembers", test_remembers },
          { "/picture-decoder/cancelled", test_cancelled },
          { "/picture-decoder/goes-first", test_goes_first },
          { "/picture-decoder/no-decoder", test_no_decoder });
