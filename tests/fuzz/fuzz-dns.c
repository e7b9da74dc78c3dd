/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A message at the name server's port, cut to what it reads: one of three answers or none, and a
 * name that is safe to print. What was understood is still understood in the answer's own words. */
#include "dns-question.h"
#include "fuzz-target.h"

#include <assert.h>
#include <string.h>

static void
check_answer (const uint8_t *answer, size_t size, const struct dns_question *question)
{
  uint8_t again[DNS_MESSAGE_MAX];
  struct dns_question echo;

  assert (size >= 12 && size <= DNS_MESSAGE_MAX && answer[2] & 0x80);
  if (question == NULL)
    return;
  assert (size == question->end && (answer[3] & 15) == 3);
  memcpy (again, answer, size);
  again[2] &= 0x7f;
  assert (dns_question_parse (&echo, again, size));
  assert (strcmp (echo.name, question->name) == 0 && echo.type == question->type);
}

int
LLVMFuzzerTestOneInput (const uint8_t *data, size_t size)
{
  uint8_t answer[DNS_MESSAGE_MAX];
  struct dns_question question;
  size_t read = size < DNS_MESSAGE_MAX ? size : DNS_MESSAGE_MAX;
  bool is_question = dns_question_parse (&question, data, read);
  size_t answered = dns_answer_write (answer, data, read, is_question ? &question : NULL);

  if (is_question)
    {
      assert (question.end <= read && question.name[0] != '\0');
      for (const char *at = question.name; *at != '\0'; at++)
        assert (*at > 0x20 && *at < 0x7f);
    }
  if (answered > 0)
    check_answer (answer, answered, is_question ? &question : NULL);
  else
    assert (!is_question);
  return 0;
}
