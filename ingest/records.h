/* Evidence records from files, without a case: for a verification that leaves no trace. */
#ifndef STRANDLINE_INGEST_RECORDS_H
#define STRANDLINE_INGEST_RECORDS_H

#include "base/err.h"
#include "model/evidence/record.h"

enum { RECORD_FILE_MOST = 256 * 1024 * 1024 }; /* bytes of one file */

/*
 * Adds what the paths hold: a file is a record, or a stream of them where it
 * ends in .jsonl or .ndjson; a folder is all files below it, in order of their
 * names, links not followed. Records are named by their path.
 */
bool records_load(struct records *records, const char *const *paths, size_t count, struct err *err);

#endif
