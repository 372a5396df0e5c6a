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
