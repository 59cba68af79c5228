/* A plugin of qemu's user mode that counts the instructions of a program, and writes some of them to a file.
 *
 * The program calls sched_yield three times: it does something twice, once between the first two calls, and once between the
 * last two. The instructions of the first time are counted. Of the second time, instructions in the middle are written as
 * assembly language, and then a line with the count of the first time.
 *
 * The declarations are those of qemu-plugin.h, which Debian has in no package. Version 1 of the interface is that of qemu 6
 * to 8. */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define EXPORT __attribute__((visibility("default")))
typedef uint64_t qemu_plugin_id_t;
struct qemu_plugin_tb;
struct qemu_plugin_insn;
typedef void (*vcpu_udata_cb)(unsigned int vcpu, void *data);
typedef void (*tb_trans_cb)(qemu_plugin_id_t id, struct qemu_plugin_tb *tb);
typedef void (*syscall_cb)(qemu_plugin_id_t id, unsigned int vcpu, int64_t number, uint64_t, uint64_t, uint64_t, uint64_t,
                           uint64_t, uint64_t, uint64_t, uint64_t);
enum { NO_REGISTERS };
void qemu_plugin_register_vcpu_tb_trans_cb(qemu_plugin_id_t id, tb_trans_cb cb);
void qemu_plugin_register_vcpu_tb_exec_cb(struct qemu_plugin_tb *tb, vcpu_udata_cb cb, int flags, void *data);
void qemu_plugin_register_vcpu_syscall_cb(qemu_plugin_id_t id, syscall_cb cb);
size_t qemu_plugin_tb_n_insns(const struct qemu_plugin_tb *tb);
struct qemu_plugin_insn *qemu_plugin_tb_get_insn(const struct qemu_plugin_tb *tb, size_t place);
char *qemu_plugin_insn_disas(const struct qemu_plugin_insn *insn);

EXPORT int qemu_plugin_version = 1;

/* The number of sched_yield on aarch64. */
#define SCHED_YIELD 124
/* The number of instructions that are written. */
#define TRACED 2000

/* Instructions that are executed one after the other. */
struct block {
    uint64_t length;
    char *text;
};

static FILE *output;
static enum { OUTSIDE, COUNTING, TRACING } phase;
/* The instructions of the program, of the first time, and those that were written. */
static uint64_t executed, begun, counted, traced;

static void execute(unsigned int vcpu, void *data) {
    const struct block *block = data;
    (void)vcpu;
    if (phase == TRACING && executed - begun >= counted / 2 && traced < TRACED) {
        traced += block->length;
        fputs(block->text, output);
    }
    executed += block->length;
}

static void translate(qemu_plugin_id_t id, struct qemu_plugin_tb *tb) {
    struct block *block = calloc(1, sizeof *block);
    size_t size = 1;
    (void)id;
    block->length = qemu_plugin_tb_n_insns(tb);
    block->text = calloc(1, 1);
    for (size_t place = 0; place < block->length; place++) {
        char *text = qemu_plugin_insn_disas(qemu_plugin_tb_get_insn(tb, place));
        block->text = realloc(block->text, size + strlen(text) + 1);
        size += sprintf(block->text + size - 1, "%s\n", text);
        free(text);
    }
    qemu_plugin_register_vcpu_tb_exec_cb(tb, execute, NO_REGISTERS, block);
}

static void call(qemu_plugin_id_t id, unsigned int vcpu, int64_t number, uint64_t a, uint64_t b, uint64_t c, uint64_t d,
                 uint64_t e, uint64_t f, uint64_t g, uint64_t h) {
    (void)id, (void)vcpu, (void)a, (void)b, (void)c, (void)d, (void)e, (void)f, (void)g, (void)h;
    if (number != SCHED_YIELD) return;
    if (phase == COUNTING) counted = executed - begun;
    if (phase == TRACING) fprintf(output, "= %" PRIu64 "\n", counted);
    phase = (phase + 1) % 3;
    begun = executed;
    traced = 0;
    fflush(output);
}

EXPORT int qemu_plugin_install(qemu_plugin_id_t id, const void *info, int argc, char **argv) {
    (void)info;
    if (argc != 1 || !strchr(argv[0], '=') || !(output = fopen(strchr(argv[0], '=') + 1, "w"))) return -1;
    qemu_plugin_register_vcpu_tb_trans_cb(id, translate);
    qemu_plugin_register_vcpu_syscall_cb(id, call);
    return 0;
}
