/*
 * Where hosts keep their logs on this system, as patterns: glob(7), with "~/" for the home folder
 * and "${NAME:-DEFAULT}" for a variable of the environment, both at the start alone.
 */
#ifndef STRANDLINE_INGEST_PLACES_H
#define STRANDLINE_INGEST_PLACES_H

#include <stdbool.h>
#include <stddef.h>

#include "base/buf.h"

#ifdef __APPLE__
#define PLACE_CONFIG      "~/Library/Application Support"
#define PLACE_CLAUDE_LOGS "~/Library/Logs/Claude"
#else
#define PLACE_CONFIG      "${XDG_CONFIG_HOME:-~/.config}"
#define PLACE_CLAUDE_LOGS PLACE_CONFIG "/Claude/logs"
#endif
#define PLACE_DATA "${XDG_DATA_HOME:-~/.local/share}"

/* Appends the pattern with variables put in; "~" stays, so that it can be read and pasted. */
void place_text(const char *pattern, struct buf *out);
/* Appends the pattern as glob takes it. False, and nothing appended, where there is no home. */
bool place_pattern(const char *pattern, struct buf *out);
/* How many files are there now; 0 too where the folder can't be looked into. */
size_t place_files(const char *pattern);

#endif
