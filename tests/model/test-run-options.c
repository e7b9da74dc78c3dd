/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Every row of the table of options: what is typed is understood, kept and written in one way. */
#include "run-options.h"

#include <string.h>

#include "json-guard.h"
#include "json-text.h"
#include "run-error.h"
#include "run-request.h"

/* What may be typed, how that is shown, and what is refused. */
typedef struct
{
  const char *key;
  const char *typed;
  const char *shown;
  const char *refused; /* NULL: nothing is */
} Sample;

static const Sample samples[] = {
  { "in_container", "yes", "yes", "maybe" },
  { "interpreter", "/usr/bin/python3", "/usr/bin/python3", "./python3" },
  { "cwd", "data/in", "data/in", "../x" },
  { "no_history", "yes", "yes", "1" },
  { "show_bytes", "8192", "8 KiB", "15" },
  { "limits.wall_ms", "1.5", "1500 ms", "99ms" },
  { "limits.cpu_ms", "2m", "2 min", "25h" },
  { "limits.memory_bytes", "1.5 GiB", "1536 MiB", "15M" },
  { "limits.disk_bytes", "1000b", "1000 B", "2T" },
  { "limits.output_bytes", "none", "none", "" },
  { "limits.processes", "17", "17", "100001" },
  { "limits.open_files", "64", "64", "401" },
  { "guards.watch", "files", "files", "all" },
  { "guards.allow_hosts",
    "Example.COM., bücher.example",
    "example.com xn--bcher-kva.example",
    "1.1.1.1" },
  { "guards.without", "time, network", "network,time", "network filesystem" },
  { "work_dir", "/srv/v", "/srv/v", "w" },
  { "project", "/srv/p", "/srv/p", "p" },
  { "notebook", "yes", "yes", "" },
  { "guards.no_sockets", "yes", "yes", "" },
  { "guards.unprotected", "yes", "yes", "" },
  { "guards.tier", "B", "B", "none" },
  { "guards.no_files", "yes", "yes", "" },
  { "guards.report_lines", "yes", "yes", "" },
  { "guards.limit_functions", "yes", "yes", "" },
  { "guards.imports", "xml.dom,json  numpy.*", "xml.dom json numpy", "a..b" },
  { "guards.max_operations", "10 000 000 000", "10000000000", "0" },
  { "container.engine", "podman", "podman", "lxc" },
  { "container.image", " python:3.12 ", "python:3.12", "--privileged" },
  { "container.no_pull", "yes", "yes", "" },
  { "container.kept", "yes", "yes", "" },
  { "container.name", "lab", "lab", "-lab" },
  { "container.after", "stop", "stop", "explode" },
  { "container.init", "pip install six", "pip install six", NULL },
  { "container.work_dir", "/srv/w", "/srv/w", "w" },
  { "container.bind_dir", "/data/w", "/data/w", "/etc/../w" },
  { "container.files", "copy", "copy", "move" },
  { "container.volumes", "/a:/b\n /c:/d:rw\n\n", "/a:/b\n/c:/d:rw", "/a:/b:x" },
  { "container.network", "bridge", "bridge", "container:other" },
  { "container.hosts", "db:192.0.2.7", "db:192.0.2.7", "db" },
  { "container.environment", "A=b c\nB=", "A=b c\nB=", "A" },
  { "container.milli_cpus", "1,5", "1.5", "0.001" },
  { "container.gpus", "device=0,1", "device=0,1", "--all" },
  { "container.writable", "yes", "yes", "" },
  { "container.root", "yes", "yes", "" },
};

static const Sample *
sample_for (const FhRunOption *option)
{
  for (guint i = 0; i < G_N_ELEMENTS (samples); i++)
    {
      if (g_str_equal (samples[i].key, option->key))
        return &samples[i];
    }
  g_error ("There is no sample for %s", option->key);
}

static void
parse (FhRunOptions *options, const char *key, const char *text)
{
  g_autoptr (GError) error = NULL;

  g_assert_true (fh_run_option_parse (fh_run_option_find (key), options, text, &error));
  g_assert_no_error (error);
}

static void
assert_shown (const FhRunOption *option, const FhRunOptions *options, const char *expected)
{
  g_autofree char *shown = fh_run_option_format (option, options);

  g_assert_cmpstr (shown, ==, expected);
}

static FhRunOptions *
typed_options (const FhRunOption *option)
{
  FhRunOptions *options = fh_run_options_new ();

  parse (options, option->key, sample_for (option)->typed);
  return options;
}

static void
test_typed (gconstpointer data)
{
  const FhRunOption *option = data;
  const Sample *sample = sample_for (option);
  g_autoptr (FhRunOptions) options = typed_options (option);
  g_autoptr (FhRunOptions) again = fh_run_options_new ();
  g_autofree char *described = fh_run_option_describe (option, options);

  g_assert_true (fh_run_option_find (option->key) == option);
  assert_shown (option, options, sample->shown);
  parse (again, option->key, sample->shown);
  g_assert_true (fh_run_option_equal (option, options, again));
  g_assert_true (fh_run_options_equal (options, again));
  g_assert_false (fh_run_option_is_default (option, options));
  g_assert_true (g_utf8_validate (described, -1, NULL));
}

static void
test_default (gconstpointer data)
{
  const FhRunOption *option = data;
  g_autoptr (FhRunOptions) options = fh_run_options_new ();
  g_autoptr (FhRunOptions) again = typed_options (option);
  g_autofree char *shown = fh_run_option_format (option, options);

  g_assert_true (fh_run_option_is_default (option, options));
  parse (again, option->key, shown);
  g_assert_true (fh_run_option_is_default (option, again));
}

static void
test_copy (gconstpointer data)
{
  const FhRunOption *option = data;
  g_autoptr (FhRunOptions) options = typed_options (option);
  g_autoptr (FhRunOptions) defaults = fh_run_options_new ();
  g_autoptr (FhRunOptions) copy = fh_run_options_copy (options);

  g_assert_true (fh_run_options_equal (copy, options));
  g_assert_false (fh_run_options_equal (copy, defaults));
  fh_run_option_copy (option, copy, defaults);
  g_assert_true (fh_run_options_equal (copy, defaults));
  fh_run_option_copy (option, copy, options);
  fh_run_options_reset (copy);
  g_assert_true (fh_run_options_equal (copy, defaults));
}

static void
assert_refused (const FhRunOption *option, const char *text)
{
  g_autoptr (FhRunOptions) options = typed_options (option);
  g_autofree char *escaped = g_strescape (text, NULL);
  g_autoptr (GError) error = NULL;

  g_test_message ("%s: %s", option->key, escaped);
  g_assert_false (fh_run_option_parse (option, options, text, &error));
  g_assert_nonnull (error);
  g_assert_true (error->domain == FH_RUN_ERROR);
  g_assert_true (g_utf8_validate (error->message, -1, NULL));
  assert_shown (option, options, sample_for (option)->shown);
}

static void
assert_number_refused (const FhRunOption *option, guint64 number)
{
  g_autoptr (FhRunOptions) options = fh_run_options_new ();
  g_autofree char *text = NULL;

  options->in_container = TRUE;
  fh_run_option_set_number (option, options, number);
  g_assert_false (fh_run_options_check (options, NULL));
  text = fh_run_option_format (option, options);
  assert_refused (option, text);
}

static void
test_refused (gconstpointer data)
{
  const FhRunOption *option = data;
  const char *refused = sample_for (option)->refused;

  if (refused != NULL)
    assert_refused (option, refused);
  if (option->kind > FH_OPTION_CPUS)
    return;
  assert_refused (option, "");
  assert_refused (option, "-1");
  assert_refused (option, "1e3");
  assert_refused (option, "5 potatoes\xff");
  if (option->minimum > 1)
    assert_number_refused (option, option->minimum - 1);
  assert_number_refused (option, option->maximum + 1);
}

/* Options that others need are set, so that the whole can be run. */
static FhRunOptions *
complete_options (const FhRunOption *option)
{
  FhRunOptions *options = typed_options (option);

  if (option->place != FH_OPTION_IN_CONTAINER)
    return options;
  parse (options, "in_container", "yes");
  if (g_str_equal (option->key, "container.after") || g_str_equal (option->key, "container.init"))
    parse (options, "container.kept", "yes");
  if (g_str_equal (option->key, "container.bind_dir"))
    parse (options, "container.work_dir", "/srv/w");
  return options;
}

static void
test_request (gconstpointer data)
{
  const FhRunOption *option = data;
  g_autoptr (FhRunOptions) options = complete_options (option);
  g_autoptr (GBytes) source = g_bytes_new_static ("x", 1);
  g_autoptr (GError) error = NULL;
  g_autoptr (FhRunRequest) request = fh_run_request_new (
      &(FhRunRequestInit){
          .language = fh_language_lookup ("python"),
          .source = source,
          .options = options,
      },
      &error);

  g_assert_no_error (error);
  g_assert_true (fh_run_options_equal (fh_run_request_get_parts (request)->options, options));
}

static JsonObject *
through_text (JsonObject *object)
{
  g_autoptr (JsonNode) node = json_node_init_object (json_node_alloc (), object);
  g_autofree char *text = fh_json_to_text (node, FALSE);
  JsonObject *read = fh_json_guard_parse (text, strlen (text), 1 << 20, NULL);

  g_assert_nonnull (read);
  return read;
}

static void
test_history (gconstpointer data)
{
  const FhRunOption *option = data;
  g_autoptr (FhRunOptions) options = complete_options (option);
  g_autoptr (JsonObject) object = json_object_new ();
  g_autoptr (JsonObject) read = NULL;
  g_autoptr (FhRunOptions) again = NULL;
  g_autoptr (GError) error = NULL;

  fh_run_options_to_json (options, object);
  read = through_text (object);
  again = fh_run_options_from_json (read, &error);
  g_assert_no_error (error);
  if (g_str_equal (option->key, "in_container") || !(option->flags & FH_OPTION_NOT_IN_HISTORY))
    g_assert_true (fh_run_options_equal (again, options));
  else
    g_assert_true (fh_run_option_is_default (option, again));
}

static void
test_draft (gconstpointer data)
{
  const FhRunOption *option = data;
  g_autoptr (FhRunOptions) options = typed_options (option);
  g_autoptr (JsonObject) object = json_object_new ();
  g_autoptr (JsonObject) read = NULL;
  g_autoptr (FhRunOptions) again = NULL;

  fh_run_options_to_draft (options, object);
  read = through_text (object);
  again = fh_run_options_from_draft (read);
  if (option->flags & FH_OPTION_NOT_IN_DRAFTS)
    g_assert_true (fh_run_option_is_default (option, again));
  else
    g_assert_true (fh_run_options_equal (again, options));
}

/* What a window and a command line rely on. */
static void
test_row (gconstpointer data)
{
  const FhRunOption *option = data;
  guint n;
  const FhRunOption *all = fh_run_option_list (&n);

  for (guint i = 0; i < n; i++)
    {
      if (&all[i] == option)
        continue;
      g_assert_cmpstr (all[i].key, !=, option->key);
      g_assert_true (option->flag == NULL || g_strcmp0 (all[i].flag, option->flag) != 0);
      g_assert_true (option->short_flag == 0 || all[i].short_flag != option->short_flag);
    }
  /* The flag of a work folder is that of "work_dir", in containers too. */
  g_assert_true ((option->flag != NULL) + (option->without != NULL) ==
                 !g_str_equal (option->key, "container.work_dir"));
  g_assert_nonnull (option->help);
  if (option->kind == FH_OPTION_SWITCH)
    g_assert_true ((option->argument != NULL) == (option->argument_key != NULL));
  else
    g_assert_nonnull (option->argument);
  if (option->argument_key != NULL)
    g_assert_nonnull (fh_run_option_find (option->argument_key));
  g_assert_true ((option->kind == FH_OPTION_WORD) == (option->words != NULL));
  for (guint i = 0; option->words != NULL && i <= option->maximum; i++)
    g_assert_true (option->words[i] != NULL && (option->names == NULL || option->names[i] != NULL));
}

static void
test_imports (void)
{
  const FhRunOption *option = fh_run_option_find ("guards.imports");
  g_autoptr (FhRunOptions) options = fh_run_options_new ();

  g_assert_null (options->guards.imports);
  parse (options, option->key, "");
  g_assert_cmpuint (g_strv_length ((GStrv) options->guards.imports), ==, 0);
  assert_shown (option, options, "none");
  parse (options, option->key, "all");
  g_assert_null (options->guards.imports);
  parse (options, option->key, "default, numpy");
  g_assert_cmpuint (g_strv_length ((GStrv) options->guards.imports), ==, 29);
  parse (options, option->key, "json, *");
  g_assert_null (options->guards.imports);
  parse (options, option->key, "none");
  g_assert_cmpuint (g_strv_length ((GStrv) options->guards.imports), ==, 0);
}

/* Beside the guards, --without knows words that turn on an option of their own. */
static void
test_without (void)
{
  const FhRunOption *option = fh_run_option_find ("guards.without");
  g_autoptr (FhRunOptions) options = fh_run_options_new ();

  parse (options, option->key, "sockets,memory");
  g_assert_true (options->guards.no_sockets);
  g_assert_cmpuint (options->guards.without, ==, 1u << FH_GUARD_MEMORY);
  assert_shown (option, options, "memory");
}

/* The value of a variable may have line breaks and blanks at its ends. */
static void
test_list (void)
{
  static const char *const variables[] = { "A=one\ntwo ", "B= ", NULL };
  static const char *const hosts[] = { "a.example,b.example", "c.example", NULL };
  g_autoptr (FhRunOptions) options = fh_run_options_new ();
  g_autoptr (GError) error = NULL;

  g_assert_true (fh_run_option_parse_list (fh_run_option_find ("container.environment"),
                                           options,
                                           variables,
                                           &error));
  g_assert_cmpstrv (options->container.environment, variables);
  g_assert_true (
      fh_run_option_parse_list (fh_run_option_find ("guards.allow_hosts"), options, hosts, &error));
  g_assert_cmpuint (g_strv_length ((GStrv) options->guards.allow_hosts), ==, 3);
}

static void
test_check (void)
{
  static const struct
  {
    const char *first;
    const char *first_text;
    const char *second;
    const char *second_text;
  } clashes[] = {
    { "guards.allow_hosts", "a.example", "guards.without", "network" },
    { "guards.without", "sockets", "guards.allow_hosts", "a.example" },
    { "guards.no_sockets", "yes", "guards.without", "network" },
    { "in_container", "yes", "guards.allow_hosts", "a.example" },
    { "in_container", "yes", "guards.without", "network" },
    { "in_container", "yes", "guards.without", "environment" },
    { "in_container", "yes", "guards.tier", "B" },
    { "in_container", "yes", "guards.unprotected", "yes" },
    { "in_container", "yes", "container.after", "leave" },
    { "in_container", "yes", "container.bind_dir", "/srv/b" },
  };

  for (guint i = 0; i < G_N_ELEMENTS (clashes); i++)
    {
      g_autoptr (FhRunOptions) options = fh_run_options_new ();
      g_autoptr (GError) error = NULL;

      parse (options, clashes[i].first, clashes[i].first_text);
      g_assert_true (fh_run_options_check (options, NULL));
      parse (options, clashes[i].second, clashes[i].second_text);
      g_assert_false (fh_run_options_check (options, &error));
      g_assert_error (error, FH_RUN_ERROR, FH_RUN_ERROR_INVALID);
    }
}

/* What is set for a container is kept, and does not count without one. */
static void
test_unused_container (void)
{
  g_autoptr (FhRunOptions) options = fh_run_options_new ();
  g_autoptr (JsonObject) object = json_object_new ();
  g_autoptr (FhRunOptions) again = NULL;

  parse (options, "container.after", "leave");
  g_assert_true (fh_run_options_check (options, NULL));
  parse (options, "interpreter", "");
  options->interpreter = g_strdup ("python3");
  g_assert_false (fh_run_options_check (options, NULL));
  fh_run_options_to_draft (options, object);
  again = fh_run_options_from_draft (object);
  g_assert_false (again->in_container);
  g_assert_cmpint (again->container.after, ==, FH_CONTAINER_LEAVE);
}

/* There is no such thing as a run with any number of open files. */
static void
test_always_limited (void)
{
  const FhRunOption *option = fh_run_option_find ("limits.open_files");
  g_autoptr (FhRunOptions) options = fh_run_options_new ();
  g_autoptr (GError) error = NULL;
  g_autofree char *text = fh_run_option_describe (option, options);

  g_assert_cmpstr (text, ==, "400");
  g_assert_false (fh_run_option_parse (option, options, "none", &error));
  g_assert_error (error, FH_RUN_ERROR, FH_RUN_ERROR_INVALID);
  g_assert_null (strstr (error->message, "none"));
  g_clear_error (&error);
  g_assert_false (fh_run_option_parse (option, options, "many", &error));
  g_assert_null (strstr (error->message, "none"));
  g_assert_cmpuint (options->limits.open_files, ==, 400);
  g_clear_error (&error);
  g_assert_false (
      fh_run_option_parse (fh_run_option_find ("limits.disk_bytes"), options, "0.99995b", &error));
  options->limits.open_files = 0;
  g_clear_pointer (&text, g_free);
  text = fh_run_option_describe (option, options);
  g_assert_cmpstr (text, ==, "400");
}

int
main (int argc, char **argv)
{
  static const struct
  {
    const char *name;
    GTestDataFunc function;
  } tests[] = {
    { "typed", test_typed },     { "default", test_default }, { "copy", test_copy },
    { "refused", test_refused }, { "request", test_request }, { "history", test_history },
    { "draft", test_draft },     { "row", test_row },
  };
  guint n;
  const FhRunOption *all = fh_run_option_list (&n);

  g_test_init (&argc, &argv, NULL);
  for (guint i = 0; i < n; i++)
    {
      for (guint j = 0; j < G_N_ELEMENTS (tests); j++)
        {
          g_autofree char *path = g_strdup_printf ("/run-options/%s/%s", all[i].key, tests[j].name);

          g_test_add_data_func (path, &all[i], tests[j].function);
        }
    }
  g_test_add_func ("/run-options/imports", test_imports);
  g_test_add_func ("/run-options/without", test_without);
  g_test_add_func ("/run-options/list", test_list);
  g_test_add_func ("/run-options/check", test_check);
  g_test_add_func ("/run-options/unused-container", test_unused_container);
  g_test_add_func ("/run-options/always-limited", test_always_limited);
  return g_test_run ();
}
