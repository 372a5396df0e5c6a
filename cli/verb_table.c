#include "cli/verbs.h"

static const struct verb *const verbs[] = {
#define X(name) &verb_##name,
    VERBS(X)
#undef X
};

size_t verb_count(void)
{
    return COUNT_OF(verbs);
}

const struct verb *verb_at(size_t index)
{
    return verbs[index];
}

const struct verb *verb_find(const char *name)
{
    for (size_t i = 0; i < COUNT_OF(verbs); i++)
        if (strcmp(verbs[i]->name, name) == 0)
            return verbs[i];
    return NULL;
}

/* How many letters have to be left out, put in, changed or swapped with their neighbour to make one
 * word of the other (optimal string alignment). Verbs are short; so is what is compared. */
static size_t word_distance(const char *a, const char *b)
{
    enum { LONGEST = 15 };
    size_t rows[LONGEST + 1][LONGEST + 1], len_a = strlen(a), len_b = strlen(b);
    if (len_a > LONGEST || len_b > LONGEST)
        return LONGEST;
    for (size_t i = 0; i <= len_a; i++)
        for (size_t j = 0; j <= len_b; j++) {
            if (i == 0 || j == 0) {
                rows[i][j] = i + j;
                continue;
            }
            size_t least = rows[i - 1][j - 1] + (a[i - 1] != b[j - 1]);
            if (rows[i - 1][j] + 1 < least)
                least = rows[i - 1][j] + 1;
            if (rows[i][j - 1] + 1 < least)
                least = rows[i][j - 1] + 1;
            if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1] &&
                rows[i - 2][j - 2] + 1 < least)
                least = rows[i - 2][j - 2] + 1;
            rows[i][j] = least;
        }
    return rows[len_a][len_b];
}

const char *verb_meant(const char *name)
{
    const char *best = NULL;
    size_t least = strlen(name) < 5 ? 2 : 3; /* below this it is worth a word */
    for (size_t i = 0; i < COUNT_OF(verbs); i++) {
        size_t distance = word_distance(name, verbs[i]->name);
        if (distance < least) {
            least = distance;
            best = verbs[i]->name;
        }
    }
    return best;
}

int verb_failed(const struct err *err)
{
    err_print(err);
    return err->kind == ERR_NONE ? ERR_INTERNAL : (int)err->kind;
}

int worse_status(int a, int b)
{
    static const int rank[] = {[0] = 0, [1] = 1, [2] = 5, [3] = 2, [4] = 3, [5] = 4};
    return rank[a] >= rank[b] ? a : b;
}
