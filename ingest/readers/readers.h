/* The readers, those that are certain of their format first: detection asks them in this order. */
#ifndef STRANDLINE_INGEST_READERS_READERS_H
#define STRANDLINE_INGEST_READERS_READERS_H

#include "ingest/reader.h"

#define READERS(X)                                                                                 \
    X(claude_code_result)                                                                          \
    X(capture)                                                                                     \
    X(claude_code)                                                                                 \
    X(claude_code_stream)                                                                          \
    X(claude_code_array)                                                                           \
    X(claude_desktop)                                                                              \
    X(codex)                                                                                       \
    X(cline)                                                                                       \
    X(opencode)                                                                                    \
    X(opencode_stream)                                                                             \
    X(har)                                                                                         \
    X(cassette)                                                                                    \
    X(inspector)                                                                                   \
    X(vscode)                                                                                      \
    X(vscode_chat)                                                                                 \
    X(cursor)                                                                                      \
    X(tool_events)                                                                                 \
    X(mitmproxy)                                                                                   \
    X(pcap)                                                                                        \
    X(mcp_remote)                                                                                  \
    X(supergateway)                                                                                \
    X(mcp_proxy)                                                                                   \
    X(agentgateway)                                                                                \
    X(access_log)                                                                                  \
    X(otel)                                                                                        \
    X(langfuse)                                                                                    \
    X(langsmith)                                                                                   \
    X(inspect)                                                                                     \
    X(inspect_json)                                                                                \
    X(claude_ai)                                                                                   \
    X(pi)                                                                                          \
    X(openhands)                                                                                   \
    X(openhands_trajectory)                                                                        \
    X(openhands_events)                                                                            \
    X(swe_agent)                                                                                   \
    X(swe_agent_history)                                                                           \
    X(managed_agents)                                                                              \
    X(goose)                                                                                       \
    X(gemini)                                                                                      \
    X(gemini_json)                                                                                 \
    X(gemini_stream)                                                                               \
    X(jsonrpc_lines)                                                                               \
    X(jsonrpc_envelope)                                                                            \
    X(jsonrpc_values)                                                                              \
    X(agentdojo)                                                                                   \
    X(invariant)                                                                                   \
    X(model_calls)                                                                                 \
    X(messages_json)                                                                               \
    X(messages_history)                                                                            \
    X(messages_output)                                                                             \
    X(messages_array)                                                                              \
    X(messages_jsonl)                                                                              \
    X(messages_display)                                                                            \
    X(fallback)

#define X(id) extern const struct reader reader_##id;
READERS(X)
#undef X

/* Is a file of that path a part of another one, to be read after it? */
bool reader_is_side_file(struct span path);

/* Reads a line or a value of a wire log; what several readers fall back on. */
void jsonrpc_read(void *state, const struct unit *unit, struct outlet *out);

#endif
