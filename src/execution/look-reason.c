/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "look-reason.h"

#include <glib/gi18n-lib.h>

/* Translators: these follow the name of a call: “os.remove: deletes files”. */
static const FhLookReason reasons[] = {
  { FH_LOOK_FAULT, "syntax", N_ ("it cannot be run as it is") },
  { FH_LOOK_FAULT, "nested", N_ ("too deeply nested to be looked at; the rest was not seen") },

  { FH_LOOK_SIGN, "decoded-code", N_ ("code that is decoded is run") },
  { FH_LOOK_SIGN, "packed", N_ ("a long text that looks like encoded data") },
  { FH_LOOK_SIGN, "numbers", N_ ("text is put together from many character numbers") },
  { FH_LOOK_SIGN, "escapes", N_ ("many characters that are written as numbers") },
  { FH_LOOK_SIGN, "long-line", N_ ("a very long line") },
  { FH_LOOK_SIGN, "bidi", N_ ("characters that change the order in which text is shown") },
  { FH_LOOK_SIGN, "unseen", N_ ("characters that cannot be seen") },
  { FH_LOOK_SIGN, "control", N_ ("control characters") },
  { FH_LOOK_SIGN, "twins", N_ ("letters of another alphabet that look like Latin ones") },
  { FH_LOOK_SIGN, "lookalikes", N_ ("names of characters that look alike") },
  { FH_LOOK_SIGN, "encoding", N_ ("an encoding in which code can look like something else") },

  { FH_LOOK_CALL, "dynamic-code", N_ ("runs code that is made while it runs") },
  { FH_LOOK_CALL, "dynamic-import", N_ ("imports a module that is chosen while it runs") },
  { FH_LOOK_CALL, "dynamic-member", N_ ("uses a member that is chosen while it runs") },
  { FH_LOOK_CALL, "downloaded-code", N_ ("runs what was downloaded") },
  { FH_LOOK_CALL, "unpickles", N_ ("reads objects whose making can run code") },
  { FH_LOOK_CALL, "starts-program", N_ ("starts a program") },
  { FH_LOOK_CALL, "makes-process", N_ ("makes a process") },
  { FH_LOOK_CALL, "fork-bomb", N_ ("starts itself again and again until nothing else can run") },
  { FH_LOOK_CALL, "ends-processes", N_ ("ends processes, or signals them") },
  { FH_LOOK_CALL, "deletes-everything", N_ ("deletes everything it can reach") },
  { FH_LOOK_CALL, "deletes-folders", N_ ("deletes folders with everything in them") },
  { FH_LOOK_CALL, "deletes-files", N_ ("deletes files") },
  { FH_LOOK_CALL, "loses-file", N_ ("moves a file to where it is lost") },
  { FH_LOOK_CALL, "changes-files", N_ ("moves or changes files") },
  { FH_LOOK_CALL, "overwrites-disk", N_ ("overwrites a disk") },
  { FH_LOOK_CALL, "writes-raw", N_ ("copies raw data, which can fill or overwrite a disk") },
  { FH_LOOK_CALL, "writes-file", N_ ("writes a file") },
  { FH_LOOK_CALL, "may-write-file", N_ ("may write a file") },
  { FH_LOOK_CALL, "outside", N_ ("a file or folder outside of its own folder") },
  { FH_LOOK_CALL, "names-secret", N_ ("a place where secrets are kept") },
  { FH_LOOK_CALL, "opens-connection", N_ ("opens a connection") },
  { FH_LOOK_CALL, "gets-rights", N_ ("asks for more rights") },
  { FH_LOOK_CALL, "stays", N_ ("arranges to be run again later") },
  { FH_LOOK_CALL, "native-code", N_ ("loads native code") },
  { FH_LOOK_CALL, "interpreter", N_ ("watches or changes the interpreter") },
  { FH_LOOK_CALL, "reads-environment", N_ ("reads environment variables") },
  { FH_LOOK_CALL, "runs-later", N_ ("runs code at a signal, or when the program ends") },

  { FH_LOOK_PACKAGE, "installs", N_ ("would be installed") },
  { FH_LOOK_IMPORT, "import", N_ ("is imported") },
};

const char *const fh_look_kind_words[] = { "fault", "sign", "call", "package", "import", NULL };

const char *const fh_look_reach_words[] = { "network", "processes", "files",
                                            "native",  "dynamic",   NULL };

static const char *const reach_titles[] = {
  N_ ("the network"),           N_ ("processes"), N_ ("files"), N_ ("native code"),
  N_ ("code made at run time"),
};

const FhLookReason *
fh_look_reason_find (FhLookKind kind, const char *id)
{
  for (guint i = 0; i < G_N_ELEMENTS (reasons); i++)
    {
      if (reasons[i].kind == kind && g_str_equal (reasons[i].id, id))
        return &reasons[i];
    }
  return NULL;
}

const char *
fh_look_reach_title (FhLookReach reach)
{
  g_return_val_if_fail (reach < G_N_ELEMENTS (reach_titles), "");

  return _ (reach_titles[reach]);
}

const char *
fh_look_kind_title (FhLookKind kind)
{
  switch (kind)
    {
    case FH_LOOK_FAULT:
      return _ ("Not readable as a program");
    case FH_LOOK_SIGN:
      return _ ("Hard to read, or not what it looks like");
    case FH_LOOK_CALL:
      return _ ("Worth a look");
    case FH_LOOK_PACKAGE:
      return _ ("Packages it would install");
    case FH_LOOK_IMPORT:
    default:
      return _ ("Imports");
    }
}
