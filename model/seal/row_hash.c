#include "model/seal/row_hash.h"

static void add_int(struct hasher *hasher, char letter, uint64_t value)
{
    char bytes[9] = {letter};
    for (int i = 8; i > 0; i--, value >>= 8)
        bytes[i] = (char)(value & 0xff);
    hasher_add(hasher, (struct span){bytes, sizeof bytes});
}

static void add_bytes(struct hasher *hasher, char letter, struct span bytes)
{
    add_int(hasher, letter, bytes.len);
    hasher_add(hasher, bytes);
}

void row_hash(struct hasher *hasher, struct stmt *row)
{
    for (int i = 0; i < stmt_columns(row); i++) {
        switch (stmt_type(row, i)) {
        case SQLITE_NULL:
            hasher_add(hasher, SPAN("N"));
            break;
        case SQLITE_INTEGER:
            add_int(hasher, 'I', (uint64_t)stmt_int(row, i));
            break;
        case SQLITE_BLOB:
            add_bytes(hasher, 'B', stmt_blob(row, i));
            break;
        default:
            add_bytes(hasher, 'T', stmt_text(row, i));
        }
    }
}
