#include "model/case/packer.h"

#include <pthread.h>
#include <signal.h>

#include <zstd.h>

#include "base/mem.h"
#include "base/sha256.h"
#include "model/case/source.h"

/* Enough that the threads have work while the caller writes rows, and it needn't be woken for each
 * frame that they have done. */
#define PLACES(workers) (4 * (workers) + 4)

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
    struct sha256 hash;
    struct packer_place places[PLACES(PACKER_WORKERS_MOST)];
    size_t place_count;
    /* Counts of frames that went through each gate; a frame's place is its count modulo
     * place_count. Frames are hashed in order, one at a time; packed in any order, and counted as
     * packed once all before them are. */
    uint64_t filled, hashed, to_pack, packed, released;
    uint64_t awaited; /* the caller sleeps until so many are finished; 0: it doesn't */
    bool hashing, stop;
    size_t idle;                                           /* workers that sleep */
    struct packer_worker workers[PACKER_WORKERS_MOST + 1]; /* the last one is the caller */
    size_t wanted, running;
    pthread_mutex_t lock;
    pthread_cond_t work, done;
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
    p->place_count = PLACES(p->wanted);
    sha256_init(&p->hash);
    pthread_mutex_init(&p->lock, NULL);
    pthread_cond_init(&p->work, NULL);
    pthread_cond_init(&p->done, NULL);
    return p;
}

void packer_destroy(struct packer *p)
{
    if (!p)
        return;
    pthread_mutex_lock(&p->lock);
    p->stop = true;
    pthread_cond_broadcast(&p->work);
    pthread_mutex_unlock(&p->lock);
    for (size_t i = 0; i < p->running; i++)
        pthread_join(p->workers[i].thread, NULL);
    for (size_t i = 0; i <= PACKER_WORKERS_MOST; i++)
        ZSTD_freeCCtx(p->workers[i].zstd);
    for (size_t i = 0; i < p->place_count; i++) {
        mem_free(p->places[i].bytes);
        mem_free(p->places[i].packed);
    }
    pthread_cond_destroy(&p->work);
    pthread_cond_destroy(&p->done);
    pthread_mutex_destroy(&p->lock);
    sha256_finish(&p->hash);
    mem_free(p);
}

/* ---- the work ---- */

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

/* How many frames are through both gates. */
static uint64_t finished(const struct packer *p)
{
    return p->hashed < p->packed ? p->hashed : p->packed;
}

static bool may_hash(const struct packer *p)
{
    return !p->hashing && p->hashed < p->filled;
}

static bool may_pack(const struct packer *p)
{
    return p->to_pack < p->filled;
}

/* A job was taken, or more were brought: one that sleeps may be of use. */
static void call_worker(struct packer *p)
{
    if (p->idle && (may_hash(p) || may_pack(p)))
        pthread_cond_signal(&p->work);
}

static void pack_hash_next(struct packer *p)
{
    const struct packer_place *place = place_of(p, p->hashed);
    p->hashing = true;
    call_worker(p);
    pthread_mutex_unlock(&p->lock);
    sha256_add(&p->hash, (struct span){place->bytes, place->length});
    pthread_mutex_lock(&p->lock);
    p->hashing = false;
    p->hashed++;
}

static void pack_next(struct packer *p, struct packer_worker *worker)
{
    struct packer_place *place = place_of(p, p->to_pack++);
    call_worker(p);
    pthread_mutex_unlock(&p->lock);
    pack_place(p, worker, place);
    pthread_mutex_lock(&p->lock);
    place->is_packed = true;
    while (p->packed < p->to_pack && place_of(p, p->packed)->is_packed)
        p->packed++;
}

/* One job, under the lock but while it is done. False: there is none now. The hash comes first, as
 * it can't be done by two at once. */
static bool packer_job(struct packer *p, struct packer_worker *worker)
{
    if (may_hash(p))
        pack_hash_next(p);
    else if (may_pack(p))
        pack_next(p, worker);
    else
        return false;
    if (p->awaited && finished(p) >= p->awaited)
        pthread_cond_signal(&p->done);
    return true;
}

static void *packer_run(void *arg)
{
    struct packer_worker *worker = arg;
    struct packer *p = worker->packer;
    pthread_mutex_lock(&p->lock);
    while (!p->stop)
        if (!packer_job(p, worker)) {
            p->idle++;
            pthread_cond_wait(&p->work, &p->lock);
            p->idle--;
        }
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
        call_worker(p);
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
    pthread_mutex_lock(&p->lock);
    if (wait && finished(p) == p->released) {
        uint64_t some = p->released + p->place_count / 2;
        p->awaited = some < p->filled ? some : p->filled;
        while (finished(p) < p->awaited)
            pthread_cond_wait(&p->done, &p->lock);
        p->awaited = 0;
    }
    bool is_finished = finished(p) > p->released;
    pthread_mutex_unlock(&p->lock);
    if (is_finished)
        *frame = packed(place_of(p, p->released));
    return is_finished;
}

void packer_release(struct packer *p)
{
    p->released++;
}

void packer_skip(struct packer *p, struct span bytes)
{
    sha256_add(&p->hash, bytes);
}

void packer_peek(struct packer *p, size_t length, struct packed_frame *frame,
                 uint8_t digest[SHA256_BYTES])
{
    struct packer_place *place = place_of(p, p->filled);
    sha256_so_far(&p->hash, (struct span){place->bytes, length}, digest);
    if (!frame)
        return;
    place->length = length;
    pack_place(p, &p->workers[PACKER_WORKERS_MOST], place);
    *frame = packed(place);
}
