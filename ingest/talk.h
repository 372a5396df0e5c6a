/*
 * What readers of transcripts share: messages with content blocks, as the APIs
 * of Anthropic, OpenAI and their like shape them, made into records.
 */
#ifndef STRANDLINE_INGEST_TALK_H
#define STRANDLINE_INGEST_TALK_H

#include "ingest/outlet.h"

enum speaker { SPEAKER_USER, SPEAKER_SYSTEM, SPEAKER_ASSISTANT, SPEAKER_TOOL };

/* "user", "human", "system", "developer", "assistant", "model", "tool", "function"; false for
 * other words. */
bool talk_speaker(struct span role, enum speaker *speaker);

/* A record whose text is a JSON value: a string's text, anything else as it is written. */
struct record *talk_value(struct outlet *out, enum record_kind kind, struct span value,
                          const struct record *base);

/* A record of a line that is no step. */
void talk_other(struct outlet *out, struct span payload, struct span type,
                const struct record *base);

/*
 * One message of a conversation. Content: a string, an array of blocks (text,
 * tool_use, tool_result, thinking, images, …) or null. Returns how many records
 * it made; what brings nothing (the model's thinking) makes none.
 */
size_t talk_message(struct outlet *out, struct span message, const struct record *base);
/* The content of a message alone, said by `speaker`. */
size_t talk_content(struct outlet *out, struct span content, enum speaker speaker,
                    const struct record *base);

/*
 * JSON that stands in a string: its text where `literal` is a string that holds an object or an
 * array, valid; else `literal` as it is. Records that are made of that text must be told, by
 * talk_inside, from the first of them on, that they rest on the literal.
 */
struct span talk_open(struct span literal, struct arena *arena);
void talk_inside(struct outlet *out, size_t first, struct span literal, struct span text);

/* Does an answer begin with the words in which a host tells the model that the person, or a rule of
 * theirs, said no? Only of a text that the host wrote: a server could write the same. */
bool talk_tells_refusal(struct span text);

/* For formats of a conversation a line: a reader's state that is the path, as text, to be freed
 * with mem_free; and the name of the session that a line is, where it has none of its own. */
void *talk_path_open(struct span path);
struct span talk_line_session(const char *path, const struct unit *unit, struct arena *arena);

/* A host's name for an MCP tool, taken apart: mcp__SERVER__TOOL, SERVER__TOOL. False for the host's
 * own tools, whose name is all in `tool`. */
bool talk_tool_name(struct span name, struct span *server, struct span *tool);
/* SERVER and TOOL with `between` in the middle, in front of which there may be `front`. */
bool talk_split_name(struct span name, const char *front, const char *between, struct span *server,
                     struct span *tool);

#endif
