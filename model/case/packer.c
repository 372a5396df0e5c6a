#include "model/case/packer.h"

#include <pthread.h>
#include <signal.h>

#include <openssl/evp.h>
#include <zstd.h>

#include "base/mem.h"
#include "model/case/source.h"

enum { PLACES = 4 };

/* A place goes from free to filled (by the caller) to packed (by the thread) to free. */
struct packer_place {
    char *bytes, *packed;
    size_t length, packed_size;
    uint64_t lines;
    const char *problem;
};

struct packer {
    int level;
    EVP_MD_CTX *hash;
    ZSTD_CCtx *zstd;
    struct packer_place places[PLACES];
    /* Counts of frames that went through each gate; a frame's place is its count modulo PLACES. */
    uint64_t filled, packed, released;
    bool threaded, stop;
    pthread_t thread;
    pthread_mutex_t lock;
    pthread_cond_t changed;
};

struct packer *packer_create(int level)
{
    struct packer *p = NEW(struct packer);
    p->level = level;
    p->hash = EVP_MD_CTX_new();
    p->zstd = ZSTD_createCCtx();
    if (!p->hash || !p->zstd || EVP_DigestInit_ex(p->hash, EVP_sha256(), NULL) != 1)
        mem_exhausted();
    pthread_mutex_init(&p->lock, NULL);
    pthread_cond_init(&p->changed, NULL);
    return p;
}

void packer_destroy(struct packer *p)
{
    if (!p)
        return;
    if (p->threaded) {
        pthread_mutex_lock(&p->lock);
        p->stop = true;
        pthread_cond_broadcast(&p->changed);
        pthread_mutex_unlock(&p->lock);
        pthread_join(p->thread, NULL);
    }
    for (size_t i = 0; i < PLACES; i++) {
        mem_free(p->places[i].bytes);
        mem_free(p->places[i].packed);
    }
    pthread_cond_destroy(&p->changed);
    pthread_mutex_destroy(&p->lock);
    EVP_MD_CTX_free(p->hash);
    ZSTD_freeCCtx(p->zstd);
    mem_free(p);
}

/* ---- the work ---- */

static uint64_t packer_count_lines(struct span bytes)
{
    uint64_t lines = 0;
    const char *at = bytes.at, *end = bytes.at + bytes.len;
    while (at < end && (at = memchr(at, '\n', (size_t)(end - at)))) {
        lines++;
        at++;
    }
    return lines;
}

static void work(struct packer *p, struct packer_place *place)
{
    if (EVP_DigestUpdate(p->hash, place->bytes, place->length) != 1)
        mem_exhausted();
    size_t room = ZSTD_compressBound(SOURCE_FRAME);
    if (!place->packed)
        place->packed = mem_resize(NULL, room);
    size_t size =
        ZSTD_compressCCtx(p->zstd, place->packed, room, place->bytes, place->length, p->level);
    place->problem = ZSTD_isError(size) ? ZSTD_getErrorName(size) : NULL;
    place->packed_size = size;
    place->lines = packer_count_lines((struct span){place->bytes, place->length});
}

static void *packer_run(void *arg)
{
    struct packer *p = arg;
    pthread_mutex_lock(&p->lock);
    for (;;) {
        while (p->packed == p->filled && !p->stop)
            pthread_cond_wait(&p->changed, &p->lock);
        if (p->stop)
            break;
        struct packer_place *place = &p->places[p->packed % PLACES];
        pthread_mutex_unlock(&p->lock);
        work(p, place);
        pthread_mutex_lock(&p->lock);
        p->packed++;
        pthread_cond_broadcast(&p->changed);
    }
    pthread_mutex_unlock(&p->lock);
    return NULL;
}

/* Signals are the caller's business: the thread takes none. */
static bool start(struct packer *p)
{
    sigset_t all, before;
    sigfillset(&all);
    if (pthread_sigmask(SIG_SETMASK, &all, &before) != 0)
        return false;
    p->threaded = pthread_create(&p->thread, NULL, packer_run, p) == 0;
    pthread_sigmask(SIG_SETMASK, &before, NULL);
    return p->threaded;
}

/* ---- the caller's side ---- */

char *packer_room(struct packer *p)
{
    if (p->filled - p->released == PLACES)
        return NULL;
    struct packer_place *place = &p->places[p->filled % PLACES];
    if (!place->bytes)
        place->bytes = mem_resize(NULL, SOURCE_FRAME);
    return place->bytes;
}

void packer_submit(struct packer *p, size_t length, bool last)
{
    struct packer_place *place = &p->places[p->filled % PLACES];
    place->length = length;
    if (!p->threaded && (last || !start(p))) {
        work(p, place);
        p->filled++;
        p->packed++;
        return;
    }
    pthread_mutex_lock(&p->lock);
    p->filled++;
    pthread_cond_broadcast(&p->changed);
    pthread_mutex_unlock(&p->lock);
}

bool packer_take(struct packer *p, bool wait, struct packed_frame *frame)
{
    if (p->released == p->filled)
        return false;
    if (p->threaded) {
        pthread_mutex_lock(&p->lock);
        while (wait && p->packed == p->released)
            pthread_cond_wait(&p->changed, &p->lock);
        bool finished = p->packed > p->released;
        pthread_mutex_unlock(&p->lock);
        if (!finished)
            return false;
    }
    const struct packer_place *place = &p->places[p->released % PLACES];
    *frame = (struct packed_frame){
        .packed = {place->packed, place->problem ? 0 : place->packed_size},
        .length = place->length,
        .lines = place->lines,
        .problem = place->problem,
    };
    return true;
}

void packer_release(struct packer *p)
{
    p->released++;
}

void packer_digest(struct packer *p, uint8_t digest[32])
{
    if (EVP_DigestFinal_ex(p->hash, digest, NULL) != 1)
        mem_exhausted();
}
