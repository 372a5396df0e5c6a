#include "model/case/packer.h"

#include <pthread.h>
#include <signal.h>

#include <openssl/evp.h>
#include <zstd.h>

#include "base/mem.h"
#include "model/case/source.h"

enum { PLACES_MOST = 2 * PACKER_WORKERS_MOST + 2 };

/* A place goes from free to filled (by the caller) to hashed and packed (by the workers, in any
 * order of the two) to free. */
struct packer_place {
    char *bytes, *packed;
    size_t length, packed_size;
    uint64_t lines;
    const char *problem;
    bool is_packed;
};

struct packer_worker {
    struct packer *packer;
    pthread_t thread;
    ZSTD_CCtx *zstd;
};

struct packer {
    int level;
    EVP_MD_CTX *hash;
    struct packer_place places[PLACES_MOST];
    size_t place_count;
    /* Counts of frames that went through each gate; a frame's place is its count modulo
     * place_count. Frames are hashed in order, one at a time; packed in any order. */
    uint64_t filled, hashed, to_pack, released;
    bool hashing, stop;
    struct packer_worker workers[PACKER_WORKERS_MOST + 1]; /* the last one is the caller */
    size_t wanted, running;
    pthread_mutex_t lock;
    pthread_cond_t changed;
};

static ZSTD_CCtx *packer_context(struct packer_worker *worker)
{
    if (!worker->zstd && !(worker->zstd = ZSTD_createCCtx()))
        mem_exhausted();
    return worker->zstd;
}

struct packer *packer_create(int level, unsigned workers)
{
    struct packer *p = NEW(struct packer);
    p->level = level;
    p->wanted = workers < PACKER_WORKERS_MOST ? workers : PACKER_WORKERS_MOST;
    p->place_count = 2 * p->wanted + 2;
    p->hash = EVP_MD_CTX_new();
    if (!p->hash || EVP_DigestInit_ex(p->hash, EVP_sha256(), NULL) != 1)
        mem_exhausted();
    pthread_mutex_init(&p->lock, NULL);
    pthread_cond_init(&p->changed, NULL);
    return p;
}

void packer_destroy(struct packer *p)
{
    if (!p)
        return;
    pthread_mutex_lock(&p->lock);
    p->stop = true;
    pthread_cond_broadcast(&p->changed);
    pthread_mutex_unlock(&p->lock);
    for (size_t i = 0; i < p->running; i++)
        pthread_join(p->workers[i].thread, NULL);
    for (size_t i = 0; i <= PACKER_WORKERS_MOST; i++)
        ZSTD_freeCCtx(p->workers[i].zstd);
    for (size_t i = 0; i < p->place_count; i++) {
        mem_free(p->places[i].bytes);
        mem_free(p->places[i].packed);
    }
    pthread_cond_destroy(&p->changed);
    pthread_mutex_destroy(&p->lock);
    EVP_MD_CTX_free(p->hash);
    mem_free(p);
}

/* ---- the work ---- */

static void hash_place(struct packer *p, const struct packer_place *place)
{
    if (EVP_DigestUpdate(p->hash, place->bytes, place->length) != 1)
        mem_exhausted();
}

static void pack_place(struct packer *p, struct packer_worker *worker, struct packer_place *place)
{
    size_t room = ZSTD_compressBound(SOURCE_FRAME);
    if (!place->packed)
        place->packed = mem_resize(NULL, room);
    size_t size = ZSTD_compressCCtx(packer_context(worker), place->packed, room, place->bytes,
                                    place->length, p->level);
    place->problem = ZSTD_isError(size) ? ZSTD_getErrorName(size) : NULL;
    place->packed_size = size;
    place->lines = span_count_byte((struct span){place->bytes, place->length}, '\n');
}

static struct packer_place *place_of(struct packer *p, uint64_t frame)
{
    return &p->places[frame % p->place_count];
}

/* One job, under the lock but while it is done. False: there is none now. The hash comes first, as
 * it can't be done by two at once. */
static bool packer_job(struct packer *p, struct packer_worker *worker)
{
    if (!p->hashing && p->hashed < p->filled) {
        struct packer_place *place = place_of(p, p->hashed);
        p->hashing = true;
        pthread_mutex_unlock(&p->lock);
        hash_place(p, place);
        pthread_mutex_lock(&p->lock);
        p->hashing = false;
        p->hashed++;
    } else if (p->to_pack < p->filled) {
        struct packer_place *place = place_of(p, p->to_pack++);
        pthread_mutex_unlock(&p->lock);
        pack_place(p, worker, place);
        pthread_mutex_lock(&p->lock);
        place->is_packed = true;
    } else {
        return false;
    }
    pthread_cond_broadcast(&p->changed);
    return true;
}

static void *packer_run(void *arg)
{
    struct packer_worker *worker = arg;
    struct packer *p = worker->packer;
    pthread_mutex_lock(&p->lock);
    while (!p->stop)
        if (!packer_job(p, worker))
            pthread_cond_wait(&p->changed, &p->lock);
    pthread_mutex_unlock(&p->lock);
    return NULL;
}

/* Signals are the caller's business: the threads take none. */
static bool start(struct packer *p)
{
    sigset_t all, before;
    sigfillset(&all);
    if (!p->wanted || pthread_sigmask(SIG_SETMASK, &all, &before) != 0)
        return false;
    for (; p->running < p->wanted; p->running++) {
        struct packer_worker *worker = &p->workers[p->running];
        worker->packer = p;
        if (pthread_create(&worker->thread, NULL, packer_run, worker) != 0)
            break;
    }
    pthread_sigmask(SIG_SETMASK, &before, NULL);
    return p->running;
}

/* ---- the caller's side ---- */

char *packer_room(struct packer *p)
{
    if (p->filled - p->released == p->place_count)
        return NULL;
    struct packer_place *place = place_of(p, p->filled);
    if (!place->bytes)
        place->bytes = mem_resize(NULL, SOURCE_FRAME);
    return place->bytes;
}

void packer_submit(struct packer *p, size_t length)
{
    struct packer_place *place = place_of(p, p->filled);
    place->length = length;
    place->is_packed = false;
    bool alone = !p->running && !start(p);
    pthread_mutex_lock(&p->lock);
    p->filled++;
    if (alone)
        while (packer_job(p, &p->workers[PACKER_WORKERS_MOST]))
            ;
    else
        pthread_cond_broadcast(&p->changed);
    pthread_mutex_unlock(&p->lock);
}

static struct packed_frame packed(const struct packer_place *place)
{
    return (struct packed_frame){
        .packed = {place->packed, place->problem ? 0 : place->packed_size},
        .length = place->length,
        .lines = place->lines,
        .problem = place->problem,
    };
}

bool packer_take(struct packer *p, bool wait, struct packed_frame *frame)
{
    if (p->released == p->filled)
        return false;
    const struct packer_place *place = place_of(p, p->released);
    pthread_mutex_lock(&p->lock);
    while (wait && !(place->is_packed && p->hashed > p->released))
        pthread_cond_wait(&p->changed, &p->lock);
    bool finished = place->is_packed && p->hashed > p->released;
    pthread_mutex_unlock(&p->lock);
    if (!finished)
        return false;
    *frame = packed(place);
    return true;
}

void packer_release(struct packer *p)
{
    p->released++;
}

void packer_skip(struct packer *p, struct span bytes)
{
    if (EVP_DigestUpdate(p->hash, bytes.at, bytes.len) != 1)
        mem_exhausted();
}

void packer_peek(struct packer *p, size_t length, struct packed_frame *frame, uint8_t digest[32])
{
    EVP_MD_CTX *hash = EVP_MD_CTX_new();
    struct packer_place *place = place_of(p, p->filled);
    if (!hash || EVP_MD_CTX_copy_ex(hash, p->hash) != 1 ||
        EVP_DigestUpdate(hash, length ? place->bytes : "", length) != 1 ||
        EVP_DigestFinal_ex(hash, digest, NULL) != 1)
        mem_exhausted();
    EVP_MD_CTX_free(hash);
    if (!frame)
        return;
    place->length = length;
    pack_place(p, &p->workers[PACKER_WORKERS_MOST], place);
    *frame = packed(place);
}
