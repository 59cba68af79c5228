/* Runs a program and lets one of its system calls fail.
 *
 *     injector FAULT NUMBER REPORT PROGRAM ARGUMENTS...
 *
 * The injector counts the calls that FAULT can happen to, in all threads, from shortly before `main` on, and lets the
 * call with this NUMBER fail; with "+" after NUMBER, this call and all later ones. The file REPORT gets the name of
 * the first call that failed and its path or descriptor. If there were fewer calls, it gets a line with their number
 * for each fault. The exit status is that of the program, or 128 + the number of the signal that ended it. It is 125 if
 * the system allows no tracing.
 *
 * A seccomp filter stops only the calls of the list below. A library that is preloaded would not see all of them: some
 * crates call the kernel without the C library.
 *
 * FAULT is a list of words, with commas between them:
 *
 *     EINTR, ENOSPC, EIO, EACCES, EAGAIN    the call fails with this error and has no effect
 *     short                                 the call moves half of its bytes
 *     kill                                  SIGKILL ends the program before the call
 *     other                                 before the call, the same program runs as a whole with the same arguments,
 *                                           or the shell runs the command of the environment variable OTHER
 *     none                                  no fault
 *     =NAME                                 beside another word: only calls of this name count, and after the fault
 *                                           with "+" all calls
 *     named                                 beside another word: the file system has no unnamed files (O_TMPFILE),
 *                                           and cannot refuse to replace a file (RENAME_NOREPLACE)
 */
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <linux/audit.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <signal.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/ptrace.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <sys/user.h>
#include <sys/wait.h>
#include <unistd.h>

#ifndef __x86_64__
int main(void) { return 125; }
#else

enum { CANNOT_TRACE = 125 };

/* What can happen to a call. */
enum { INTR = 1, SPACE = 2, IO = 4, ACCESS = 8, AGAIN = 16, SHORT = 32, KILL = 64, OTHER = 128 };

struct call {
    int number;
    const char *name;
    int faults;
    /* The argument that is a path, or -1 if the first argument is a descriptor. */
    int path;
    /* The argument that is a length, or 0. */
    int length;
};

#define CALL(name) SYS_##name, #name
static const struct call calls[] = {
    {CALL(open), INTR | SPACE | IO | ACCESS, 0, 0},
    {CALL(openat), INTR | SPACE | IO | ACCESS, 1, 0},
    {CALL(creat), INTR | SPACE | IO | ACCESS, 0, 0},
    {CALL(read), INTR | IO | SHORT, -1, 2},
    {CALL(pread64), INTR | IO | SHORT, -1, 2},
    {CALL(readv), INTR | IO | SHORT, -1, 0},
    {CALL(write), INTR | SPACE | IO | SHORT | KILL, -1, 2},
    {CALL(pwrite64), INTR | SPACE | IO | SHORT | KILL, -1, 2},
    {CALL(writev), INTR | SPACE | IO | SHORT | KILL, -1, 0},
    {CALL(copy_file_range), SPACE | IO | SHORT | KILL, -1, 4},
    {CALL(sendfile), SPACE | IO | SHORT | KILL, -1, 3},
    {CALL(splice), SPACE | IO | SHORT | KILL, -1, 4},
    {CALL(fsync), INTR | SPACE | IO | KILL, -1, 0},
    {CALL(fdatasync), INTR | SPACE | IO | KILL, -1, 0},
    {CALL(syncfs), INTR | SPACE | IO | KILL, -1, 0},
    {CALL(close), INTR | IO, -1, 0},
    {CALL(rename), SPACE | IO | ACCESS | KILL, 0, 0},
    {CALL(renameat), SPACE | IO | ACCESS | KILL, 1, 0},
    {CALL(renameat2), SPACE | IO | ACCESS | KILL, 1, 0},
    {CALL(link), SPACE | IO | ACCESS | KILL, 0, 0},
    {CALL(linkat), SPACE | IO | ACCESS | KILL, 3, 0},
    {CALL(unlink), IO | ACCESS | KILL, 0, 0},
    {CALL(unlinkat), IO | ACCESS | KILL, 1, 0},
    {CALL(mkdir), SPACE | IO | ACCESS | KILL, 0, 0},
    {CALL(mkdirat), SPACE | IO | ACCESS | KILL, 1, 0},
    {CALL(truncate), INTR | SPACE | IO | ACCESS | KILL, 0, 0},
    {CALL(ftruncate), INTR | SPACE | IO | KILL, -1, 0},
    {CALL(fallocate), INTR | SPACE | IO | KILL, -1, 0},
    {CALL(fchmod), SPACE | IO | ACCESS | KILL, -1, 0},
    {CALL(fchown), SPACE | IO | ACCESS | KILL, -1, 0},
    {CALL(utimensat), SPACE | IO | ACCESS | KILL, 1, 0},
    {CALL(listxattr), IO | ACCESS, 0, 0},
    {CALL(flistxattr), IO | ACCESS, -1, 0},
    {CALL(fgetxattr), IO | ACCESS, -1, 0},
    {CALL(fsetxattr), SPACE | IO | ACCESS | KILL, -1, 0},
    {CALL(fremovexattr), SPACE | IO | ACCESS | KILL, -1, 0},
    {CALL(stat), IO | ACCESS, 0, 0},
    {CALL(lstat), IO | ACCESS, 0, 0},
    {CALL(fstat), IO, -1, 0},
    {CALL(newfstatat), IO | ACCESS, 1, 0},
    {CALL(statx), IO | ACCESS, 1, 0},
    {CALL(access), IO | ACCESS, 0, 0},
    {CALL(readlink), IO | ACCESS, 0, 0},
    {CALL(readlinkat), IO | ACCESS, 1, 0},
    {CALL(getcwd), IO | ACCESS, -1, 0},
    {CALL(fstatfs), INTR | IO, -1, 0},
    {CALL(getdents64), IO, -1, 0},
    {CALL(lseek), IO, -1, 0},
    {CALL(flock), INTR | AGAIN | IO | KILL, -1, 0},
    {CALL(fcntl), AGAIN, -1, 0},
    {CALL(poll), INTR, -1, 0},
    {CALL(ppoll), INTR, -1, 0},
    {CALL(clone), AGAIN, -1, 0},
    {CALL(clone3), AGAIN, -1, 0},
    {CALL(exit_group), KILL, -1, 0},
};
enum { CALLS = sizeof calls / sizeof *calls };

static const struct { const char *word; int fault, error; } words[] = {
    {"EINTR", INTR, EINTR},    {"ENOSPC", SPACE, ENOSPC}, {"EIO", IO, EIO},   {"EACCES", ACCESS, EACCES},
    {"EAGAIN", AGAIN, EAGAIN}, {"short", SHORT, 0},       {"kill", KILL, 0}, {"other", OTHER, 0},
};
enum { WORDS = sizeof words / sizeof *words };

static int wanted = -1;      /* the fault: its index in `words`, or -1 */
static int named;            /* whether no file is unnamed */
static const char *only;     /* the name of the calls that count, or NULL */
static long number;          /* of the call that fails */
static int persists;         /* whether later calls fail, too */
static long counted[WORDS];  /* the calls so far that each fault can happen to */
static int in_main;          /* whether the runtime of Rust calls `main` next */
static const char *report;
static char **command;       /* the program and its arguments */

static int add_word(const char *word) {
    for (int i = 0; i < WORDS; i++)
        if (strcmp(word, words[i].word) == 0) {
            wanted = i;
            return 1;
        }
    if (*word == '=') only = word + 1;
    else if (strcmp(word, "named") == 0) named = 1;
    else return strcmp(word, "none") == 0;
    return 1;
}

static const struct call *find(long number) {
    for (int i = 0; i < CALLS; i++)
        if (calls[i].number == number) return &calls[i];
    return NULL;
}

/* Lets the calls of the list, and sigaltstack, stop for the tracer. */
static int filter(void) {
    struct sock_filter code[CALLS + 4];
    int at = 0;
    code[at++] = (struct sock_filter)BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, nr));
    for (int i = 0; i <= CALLS; i++) {
        int call = i < CALLS ? calls[i].number : SYS_sigaltstack;
        code[at++] = (struct sock_filter)BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, call, CALLS + 1 - i, 0);
    }
    code[at++] = (struct sock_filter)BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW);
    code[at++] = (struct sock_filter)BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_TRACE);
    struct sock_fprog program = {at, code};
    return prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) == 0 && prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &program) == 0;
}

static unsigned long long *argument(struct user_regs_struct *registers, int index) {
    switch (index) {
    case 0: return &registers->rdi;
    case 1: return &registers->rsi;
    case 2: return &registers->rdx;
    case 3: return &registers->r10;
    case 4: return &registers->r8;
    default: return &registers->r9;
    }
}

static int copy(pid_t thread, unsigned long long from, void *to, size_t length) {
    struct iovec local = {to, length}, remote = {(void *)from, length};
    return process_vm_readv(thread, &local, 1, &remote, 1, 0) > 0;
}

/* Writes the name of the call that fails to the report. */
static void tell(pid_t thread, const struct call *call, struct user_regs_struct *registers) {
    FILE *file = fopen(report, "w");
    if (!file) exit(CANNOT_TRACE);
    char path[256] = "";
    /* A path shorter than this at the end of a page has fewer bytes to read. */
    if (call->path >= 0) {
        unsigned long long from = *argument(registers, call->path);
        size_t rest = 4096 - from % 4096;
        copy(thread, from, path, rest < sizeof path - 1 ? rest : sizeof path - 1);
        fprintf(file, "%s %s\n", call->name, path);
    } else {
        fprintf(file, "%s %d\n", call->name, (int)registers->rdi);
    }
    fclose(file);
}

/* Whether the descriptor leads to a regular file. The standard library panics if a directory cannot be closed. */
static int is_regular(pid_t thread, int descriptor) {
    char path[64];
    struct stat found;
    snprintf(path, sizeof path, "/proc/%d/fd/%d", (int)thread, descriptor);
    return stat(path, &found) == 0 && S_ISREG(found.st_mode);
}

/* Runs the program as it was called, without faults, or the command of OTHER. */
static void run_other(void) {
    pid_t other = fork();
    if (other == 0) {
        int null = open("/dev/null", O_RDWR);
        for (int descriptor = 0; descriptor < 3; descriptor++) dup2(null, descriptor);
        if (getenv("OTHER")) execl("/bin/sh", "sh", "-c", getenv("OTHER"), (char *)NULL);
        else execv(command[0], command);
        _exit(CANNOT_TRACE);
    }
    int status;
    while (waitpid(other, &status, 0) < 0 && errno == EINTR) {}
}

/* Whether a fault can happen to this call. */
static int applies(int fault, pid_t thread, const struct call *call, struct user_regs_struct *registers, int flags) {
    if (call->number == SYS_close && !is_regular(thread, (int)registers->rdi)) return 0;
    /* A fault that stays must not silence the messages. */
    if (persists && call->number == SYS_write && registers->rdi == 2) return 0;
    /* Opening a file for reading changes nothing, and takes no space. */
    if ((fault == KILL || fault == SPACE) && (call->number == SYS_open || call->number == SYS_openat))
        return (flags & (O_CREAT | O_TRUNC)) || (flags & O_TMPFILE) == O_TMPFILE;
    if (fault == SHORT && call->length) return *argument(registers, call->length) > 1;
    /* Nothing in the program waits for a lock or copies a descriptor but fcntl(F_DUPFD). */
    if (call->number == SYS_fcntl && registers->rsi != F_DUPFD && registers->rsi != F_DUPFD_CLOEXEC) return 0;
    /* The standard library does not try again to open a directory. */
    if (fault == INTR && (flags & O_DIRECTORY) && (flags & O_TMPFILE) != O_TMPFILE) return 0;
    return fault == OTHER || (call->faults & fault);
}

/* Looks at a call before it happens, and lets it fail if it is its turn. */
static void look(pid_t program, pid_t thread) {
    struct user_regs_struct registers;
    if (ptrace(PTRACE_GETREGS, thread, 0, &registers) != 0) return;
    /* This is the last call of Rust's runtime before `main`. */
    if (registers.orig_rax == SYS_sigaltstack) {
        in_main = 1;
        return;
    }
    const struct call *call = find((long)registers.orig_rax);
    if (!in_main || !call) return;
    int flags = call->number == SYS_openat ? (int)registers.rdx : call->number == SYS_open ? (int)registers.rsi : 0;
    int fails_with = 0;
    if (named && (flags & O_TMPFILE) == O_TMPFILE) {
        fails_with = EOPNOTSUPP;
    } else if (named && call->number == SYS_renameat2 && registers.r8) {
        fails_with = EINVAL;
    } else {
        int has_begun = persists && wanted >= 0 && counted[wanted] >= number;
        if (only && !has_begun && strcmp(only, call->name) != 0) return;
        for (int i = 0; i < WORDS; i++)
            if ((wanted < 0 || i == wanted) && applies(words[i].fault, thread, call, &registers, flags)) counted[i]++;
            else if (i == wanted) return;
        if (wanted < 0 || counted[wanted] < number || (counted[wanted] > number && !persists)) return;
        if (counted[wanted] == number) tell(thread, call, &registers);
        switch (words[wanted].fault) {
        case KILL: kill(program, SIGKILL); return;
        case OTHER: run_other(); return;
        default: fails_with = words[wanted].error;
        }
    }
    if (fails_with) {
        registers.orig_rax = -1;
        registers.rax = -(long long)fails_with;
    } else if (call->length) {
        *argument(&registers, call->length) /= 2;
    } else {
        /* readv or writev: half of the first part. */
        struct iovec part = {0};
        if (!copy(thread, registers.rsi, &part, sizeof part) || part.iov_len < 2) return;
        registers.orig_rax = call->number == SYS_readv ? SYS_read : SYS_write;
        registers.rsi = (unsigned long long)part.iov_base;
        registers.rdx = part.iov_len / 2;
    }
    ptrace(PTRACE_SETREGS, thread, 0, &registers);
}

int main(int count, char **arguments) {
    if (count < 5) return CANNOT_TRACE;
    for (char *word = strtok(arguments[1], ","); word; word = strtok(NULL, ","))
        if (!add_word(word)) return CANNOT_TRACE;
    char *end;
    number = strtol(arguments[2], &end, 10);
    persists = *end == '+';
    report = arguments[3];
    command = arguments + 4;
    pid_t program = fork();
    if (program == 0) {
        /* The program dies with its tracer. */
        prctl(PR_SET_PDEATHSIG, SIGKILL);
        if (ptrace(PTRACE_TRACEME, 0, 0, 0) != 0) _exit(CANNOT_TRACE);
        raise(SIGSTOP);
        if (!filter()) _exit(CANNOT_TRACE);
        execv(command[0], command);
        _exit(CANNOT_TRACE);
    }
    int status;
    if (program < 0 || waitpid(program, &status, __WALL) != program || !WIFSTOPPED(status)) return CANNOT_TRACE;
    long options = PTRACE_O_TRACESECCOMP | PTRACE_O_TRACECLONE | PTRACE_O_TRACEFORK | PTRACE_O_TRACEVFORK |
                   PTRACE_O_TRACEEXEC | PTRACE_O_EXITKILL;
    if (ptrace(PTRACE_SETOPTIONS, program, 0, options) != 0) return CANNOT_TRACE;
    ptrace(PTRACE_CONT, program, 0, 0);
    for (;;) {
        pid_t thread = waitpid(-1, &status, __WALL);
        if (thread < 0 && errno == EINTR) continue;
        if (thread < 0) return CANNOT_TRACE;
        if (thread == program && (WIFEXITED(status) || WIFSIGNALED(status))) {
            FILE *file = wanted < 0 || counted[wanted] < number ? fopen(report, "w") : NULL;
            for (int i = 0; file && i < WORDS; i++) fprintf(file, "%s %ld calls\n", words[i].word, counted[i]);
            return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
        }
        if (!WIFSTOPPED(status)) continue;
        int signal = WSTOPSIG(status), event = status >> 16;
        if (event == PTRACE_EVENT_SECCOMP) look(program, thread);
        /* New threads begin with SIGSTOP; other signals reach the program. */
        if (event || signal == SIGTRAP || signal == SIGSTOP) signal = 0;
        ptrace(PTRACE_CONT, thread, 0, signal);
    }
}
#endif
