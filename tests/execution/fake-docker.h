/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <gio/gio.h>

/* A folder in which fake-docker.py is `docker`, without a `podman`. */

void fake_docker_begin (void);
void fake_docker_end (void);

/* One of its files, see fake-docker.py; NULL: it is not there. */
void fake_docker_set (const char *name, const char *content);

/* How many calls there were that contain these words. */
guint fake_docker_count_calls (const char *words);
