/*
 * The parties of a mail, an event, a file: who has it already, as the data
 * itself says. A mail's sender and recipients are its readers (the FIDES
 * paper, §4.1, labels it so), and a rule of a policy names the members that
 * say who they are.
 */
#ifndef STRANDLINE_MODEL_FLOW_PARTIES_H
#define STRANDLINE_MODEL_FLOW_PARTIES_H

#include "model/flow/label.h"

/*
 * Reads a result: JSON, the texts of MCP's content blocks, or the plain YAML of
 * mappings that many servers print. Each item in it must name somebody; the
 * readers are those who are parties of every item, which may be nobody. False
 * where anything in the result is no such item: then nothing is known, since
 * what stands beside the items would be read by others too. Members are
 * strings, lists of strings or of objects with an `email`, or mappings whose
 * names are the readers.
 *
 * Whoever wrote a mail may name whom he likes in it, but only among the
 * parties of that mail: text inside a value is never taken for a member.
 */
bool parties_read(struct label_pool *pool, struct span body, const struct span *members,
                  size_t member_count, set_id *readers);

#endif
