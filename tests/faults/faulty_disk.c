/* A disk that fails on demand, for a server that is started with this library preloaded.
 *
 * Only the files of the database are affected. The file named by FAULTY_DISK holds the fault:
 * "write 28" makes every write fail with that errno (ENOSPC here), "sync 5" every sync, "any 5"
 * both; "hang 0" makes them wait until the file says something else. With a third word, "once",
 * only the first call fails. Without the file no call fails.
 */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/types.h>
#include <unistd.h>

/* Whether `fd` is one of the database's files. */
static int is_database(int fd)
{
    char link[64], path[PATH_MAX];
    snprintf(link, sizeof link, "/proc/self/fd/%d", fd);
    ssize_t size = readlink(link, path, sizeof path - 1);
    if (size < 0)
        return 0;
    path[size] = 0;
    return strstr(path, "/boxroom.db") != NULL;
}

/* Return the errno with which an operation of that kind on `fd` fails now; 0 for none. */
static int fault(int fd, const char *kind)
{
    int before = errno, error = 0;
    const char *control = getenv("FAULTY_DISK");
    while (control && is_database(fd)) {
        char what[16] = "", times[16] = "";
        FILE *file = fopen(control, "re");
        if (!file)
            break;
        int words = fscanf(file, "%15s %d %15s", what, &error, times);
        fclose(file);
        if (words >= 2 && !strcmp(what, "hang")) {
            usleep(1000);
            continue;
        }
        if (words < 2 || (strcmp(what, kind) && strcmp(what, "any")))
            error = 0;
        else if (!strcmp(times, "once"))
            unlink(control);
        break;
    }
    errno = before;
    return error;
}

#define REAL(name) ((__typeof__(&name))dlsym(RTLD_NEXT, #name))

#define FAULTY(kind, result, name, declared, passed)                                              \
    result name declared                                                                          \
    {                                                                                             \
        int error = fault(fd, kind);                                                              \
        if (error) {                                                                              \
            errno = error;                                                                        \
            return -1;                                                                            \
        }                                                                                         \
        return REAL(name) passed;                                                                 \
    }

FAULTY("write", ssize_t, write, (int fd, const void *from, size_t size), (fd, from, size))
FAULTY("write", ssize_t, pwrite, (int fd, const void *from, size_t size, off_t at),
       (fd, from, size, at))
FAULTY("write", ssize_t, pwrite64, (int fd, const void *from, size_t size, off64_t at),
       (fd, from, size, at))
FAULTY("write", int, ftruncate, (int fd, off_t size), (fd, size))
FAULTY("write", int, ftruncate64, (int fd, off64_t size), (fd, size))
FAULTY("sync", int, fsync, (int fd), (fd))
FAULTY("sync", int, fdatasync, (int fd), (fd))
