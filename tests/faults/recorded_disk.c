/* A record of what a process changes on the disk, and its death at a chosen change.
 *
 * A program that is started with this library preloaded appends a record to the file named by
 * DISK_RECORD for each successful change below the folder DISK_ROOT: see `recorded_disk.py`. A
 * record is a `struct head`, a path and data. If there is a file DISK_KILL, with a number N and
 * a number of microseconds, the process is killed that long after its Nth change since then begins.
 */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <signal.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/types.h>
#include <sys/uio.h>
#include <time.h>
#include <unistd.h>

#define REAL(name) ((__typeof__(&name))dlsym(RTLD_NEXT, #name))

#define INDEX_HEAD_SIZE 136 /* of https://sqlite.org/walformat.html, 2.1 */

struct head {
    uint64_t kind; /* a letter */
    uint64_t inode;
    int64_t at; /* offset or size in the file */
    uint32_t path_size, data_size;
};

static int is_below(const char *path)
{
    const char *root = getenv("DISK_ROOT");
    return root && path && !strncmp(path, root, strlen(root));
}

/* Return whether `fd` is a file below the root, and its path in `path`. */
static int is_recorded(int fd, char path[PATH_MAX])
{
    char link[64];
    snprintf(link, sizeof link, "/proc/self/fd/%d", fd);
    ssize_t size = readlink(link, path, PATH_MAX - 1);
    path[size < 0 ? 0 : size] = 0;
    return is_below(path);
}

static uint64_t inode_of(int fd)
{
    struct stat found;
    return fstat(fd, &found) ? 0 : found.st_ino;
}

static uint64_t inode_at(const char *path)
{
    struct stat found;
    return lstat(path, &found) ? 0 : found.st_ino;
}

static void record(char kind, uint64_t inode, int64_t at, const char *path, const void *data,
                   size_t size)
{
    int before = errno;
    int log = REAL(open)(getenv("DISK_RECORD"), O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0600);
    struct head head = {kind, inode, at, path ? strlen(path) : 0, size};
    struct iovec parts[] = {
        {&head, sizeof head}, {(void *)path, head.path_size}, {(void *)data, size}};
    if (writev(log, parts, 3) < 0)
        abort();
    close(log);
    errno = before;
}

/* Count a change, and have the process killed if it is the chosen one. */
static void count(void)
{
    static atomic_int changes;
    int before = errno, chosen, after_us;
    FILE *file = fopen(getenv("DISK_KILL"), "re");
    if (file && fscanf(file, "%d %d", &chosen, &after_us) == 2 && ++changes == chosen) {
        struct sigevent event = {.sigev_notify = SIGEV_SIGNAL, .sigev_signo = SIGKILL};
        struct itimerspec when = {.it_value.tv_nsec = 1 + 1000L * after_us};
        timer_t timer;
        if (!after_us)
            raise(SIGKILL);
        timer_create(CLOCK_MONOTONIC, &event, &timer);
        timer_settime(timer, 0, &when, NULL);
    }
    if (file)
        fclose(file);
    errno = before;
}

/* Hold the record, from before a change until it is recorded: see `RecordedDisk.between_changes`. */
static int hold(void)
{
    int before = errno, held = REAL(open)(getenv("DISK_RECORD"), O_RDONLY | O_CLOEXEC);
    flock(held, LOCK_SH);
    errno = before;
    return held;
}

static void let_go(int held)
{
    int before = errno;
    close(held);
    errno = before;
}

/* The beginning of the index of a log, which SQLite maps into memory. */
static struct {
    void *content;
    uint64_t inode;
} shared;

/* Count a change below the root, and record it if it succeeds; `result` is that of the call. */
#define CHANGE(is_below_root, call, ...)                                                           \
    if (!(is_below_root))                                                                          \
        return call;                                                                               \
    count();                                                                                       \
    int held = hold();                                                                             \
    __typeof__(call) result = call;                                                                \
    if (result >= 0)                                                                               \
        record(__VA_ARGS__);                                                                       \
    let_go(held);                                                                                  \
    return result;

#define OF_FILE(type, name, declared, passed, ...)                                                 \
    type name declared                                                                             \
    {                                                                                              \
        char path[PATH_MAX];                                                                       \
        CHANGE(is_recorded(fd, path), REAL(name) passed, __VA_ARGS__)                              \
    }

OF_FILE(ssize_t, write, (int fd, const void *from, size_t size), (fd, from, size), 'w',
        inode_of(fd), lseek(fd, 0, SEEK_CUR) - result, NULL, from, result)
OF_FILE(ssize_t, pwrite, (int fd, const void *from, size_t size, off_t at), (fd, from, size, at),
        'w', inode_of(fd), at, NULL, from, result)
OF_FILE(ssize_t, pwrite64, (int fd, const void *from, size_t size, off64_t at),
        (fd, from, size, at), 'w', inode_of(fd), at, NULL, from, result)
OF_FILE(int, ftruncate, (int fd, off_t size), (fd, size), 't', inode_of(fd), size, NULL, NULL, 0)
OF_FILE(int, ftruncate64, (int fd, off64_t size), (fd, size), 't', inode_of(fd), size, NULL, NULL,
        0)

/* Record a sync of `fd`; before one of a log, what the index is at this moment. */
static void record_sync(int fd, const char *path)
{
    size_t size = strlen(path);
    if (shared.content && size > 4 && !strcmp(path + size - 4, "-wal"))
        record('w', shared.inode, 0, NULL, shared.content, INDEX_HEAD_SIZE);
    record('s', inode_of(fd), 0, NULL, NULL, 0);
}

#define SYNC(name)                                                                                 \
    int name(int fd)                                                                               \
    {                                                                                              \
        char path[PATH_MAX];                                                                       \
        if (!is_recorded(fd, path))                                                                \
            return REAL(name)(fd);                                                                 \
        count();                                                                                   \
        int held = hold();                                                                         \
        int result = REAL(name)(fd);                                                               \
        if (!result)                                                                               \
            record_sync(fd, path);                                                                 \
        let_go(held);                                                                              \
        return result;                                                                             \
    }

SYNC(fsync)
SYNC(fdatasync)

#define OF_PATH(name, declared, passed, changed, ...)                                                 \
    int name declared                                                                              \
    {                                                                                              \
        CHANGE(is_below(changed), REAL(name) passed, __VA_ARGS__)                            \
    }

OF_PATH(unlink, (const char *path), (path), path, 'u', 0, 0, path, NULL, 0)
OF_PATH(rmdir, (const char *path), (path), path, 'u', 0, 0, path, NULL, 0)
OF_PATH(mkdir, (const char *path, mode_t mode), (path, mode), path, 'd', inode_at(path), 0, path,
        NULL, 0)
OF_PATH(rename, (const char *old, const char *new), (old, new), old, 'r', 0, 0, old, new,
        strlen(new))
OF_PATH(link, (const char *old, const char *new), (old, new), new, 'l', 0, 0, old, new,
        strlen(new))

/* Record that opening `path` has made the file, or emptied it. */
static void record_open(const char *path, int flags, int is_new, int fd)
{
    if (is_new)
        record('c', inode_of(fd), 0, path, NULL, 0);
    else if (flags & O_TRUNC)
        record('t', inode_of(fd), 0, NULL, NULL, 0);
}

#define OPEN(name)                                                                                 \
    int name(const char *path, int flags, ...)                                                     \
    {                                                                                              \
        va_list rest;                                                                              \
        va_start(rest, flags);                                                                     \
        mode_t mode = va_arg(rest, mode_t);                                                        \
        va_end(rest);                                                                              \
        if (!is_below(path) || !(flags & (O_CREAT | O_TRUNC)))                                     \
            return REAL(name)(path, flags, mode);                                                  \
        int is_new = access(path, F_OK);                                                           \
        if (is_new || flags & O_TRUNC)                                                             \
            count();                                                                               \
        int held = hold();                                                                         \
        int fd = REAL(name)(path, flags, mode);                                                    \
        if (fd >= 0)                                                                               \
            record_open(path, flags, is_new, fd);                                                  \
        let_go(held);                                                                              \
        return fd;                                                                                 \
    }

OPEN(open)
OPEN(open64)

#define MAP(name)                                                                                  \
    void *name(void *near, size_t size, int protection, int flags, int fd, off_t at)               \
    {                                                                                              \
        char path[PATH_MAX];                                                                       \
        void *content = REAL(name)(near, size, protection, flags, fd, at);                         \
        if (content != MAP_FAILED && fd >= 0 && !at && is_recorded(fd, path)) {                    \
            shared.content = content;                                                              \
            shared.inode = inode_of(fd);                                                           \
        }                                                                                          \
        return content;                                                                            \
    }

MAP(mmap)
MAP(mmap64)

int munmap(void *content, size_t size)
{
    if (content == shared.content)
        shared.content = NULL;
    return REAL(munmap)(content, size);
}
