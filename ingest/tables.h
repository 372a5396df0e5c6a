/*
 * Databases of agents (SQLite) as JSON lines: opencode's parts and messages,
 * Goose's messages. The original is never opened: a copy is, with its WAL, as
 * hardened as a case. Only tables are read, no views.
 */
#ifndef STRANDLINE_INGEST_TABLES_H
#define STRANDLINE_INGEST_TABLES_H

#include "base/err.h"

/* A descriptor of a private file with the lines, at its start; -1 and err where the database can't
 * be read; -2 where it holds no table that is known. */
int tables_open(const char *path, struct err *err);

#endif
