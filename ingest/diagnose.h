/* Codes of diagnostics, of the PR family of findings: each list lives once. */
#ifndef STRANDLINE_INGEST_DIAGNOSE_H
#define STRANDLINE_INGEST_DIAGNOSE_H

#define PR_UNREADABLE   "PR01" /* bytes that could not be read */
#define PR_NO_REQUEST   "PR02" /* a response without its request */
#define PR_DUPLICATE_ID "PR03" /* an id that was used again before it was answered */
#define PR_MALFORMED    "PR04" /* a message that can be read, and breaks JSON-RPC */
#define PR_INCOMPLETE   "PR05" /* the reading ended before the file did */

#endif
