/* A plugin of qemu's user mode that counts the instructions of a program, predicts its branches, and writes some of its
 * instructions to a file.
 *
 * The program calls sched_yield three times: it does something twice, once between the first two calls, and once
 * between the last two. The instructions and the wrong guesses of the first time are counted. Of the second time, some
 * instructions are written as assembly language, and then a line with the two counts of the first time.
 *
 * Conditional branches are guessed by a hashed perceptron (D. Tarjan and K. Skadron, "Merging Path and Gshare Indexing
 * in Perceptron Branch Prediction", 2005): each of some tables has a weight for the branch together with the outcomes
 * of more and more branches before it, and the sign of the sum of the weights is the guess. Indirect branches are not
 * guessed.
 *
 * The declarations are those of qemu-plugin.h, which Debian has in no package. Version 1 of the interface is that of
 * qemu 6 to 8. */
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
uint64_t qemu_plugin_insn_vaddr(const struct qemu_plugin_insn *insn);
uint64_t qemu_plugin_tb_vaddr(const struct qemu_plugin_tb *tb);

EXPORT int qemu_plugin_version = 1;

/* The number of sched_yield on aarch64. */
#define SCHED_YIELD 124
/* Instructions are written from this many places, at equal distances. */
#define PLACES 32
/* The number of instructions that are written from each place. */
#define TRACED 1000

/* Instructions that are executed one after the other. */
struct block {
    uint64_t start;
    uint64_t length;
    char *text;
    /* The address of the conditional branch at the end of the block; 0 if it has none. */
    uint64_t branch;
};

static FILE *output;
static enum { OUTSIDE, COUNTING, TRACING } phase;
/* The instructions of the program, before this time, and of the first time. */
static uint64_t executed, begun, counted;
/* The wrong guesses of the program, before this time, and of the first time. */
static uint64_t guessed_wrongly, wrong_before, wrong;
static const struct block *previous;

/* The outcomes of the last 64 conditional branches, the last one in the lowest bit. */
static uint64_t history;

/* Guesses a branch, learns its outcome, and returns whether the guess was right. */
static int guess(uint64_t branch, int is_taken) {
    enum { TABLES = 8, WEIGHTS = 16384, LEARN_BELOW = 40, GREATEST = 127 };
    /* How many of the last outcomes each table looks at. */
    static const int lengths[TABLES] = {0, 3, 6, 10, 16, 26, 42, 63};
    static int8_t weights[TABLES][WEIGHTS];
    int8_t *own[TABLES];
    int sum = 0;
    for (int table = 0; table < TABLES; table++) {
        uint64_t key = (branch >> 2) * 0x9E3779B97F4A7C15 ^ (history & ((UINT64_C(1) << lengths[table]) - 1));
        key = (key ^ key >> 29) * 0xBF58476D1CE4E5B9;
        own[table] = &weights[table][(key >> 40) % WEIGHTS];
        sum += *own[table];
    }
    int is_right = (sum >= 0) == is_taken;
    if (!is_right || abs(sum) < LEARN_BELOW) {
        for (int table = 0; table < TABLES; table++) {
            if (is_taken && *own[table] < GREATEST) ++*own[table];
            if (!is_taken && *own[table] > -GREATEST) --*own[table];
        }
    }
    history = history << 1 | is_taken;
    return is_right;
}

static void execute(unsigned int vcpu, void *data) {
    const struct block *block = data;
    (void)vcpu;
    if (previous && previous->branch) guessed_wrongly += !guess(previous->branch, block->start != previous->branch + 4);
    previous = block;
    if (phase == TRACING) {
        uint64_t distance = counted / PLACES + 1;
        if ((executed - begun + distance / 2) % distance < TRACED) fputs(block->text, output);
    }
    executed += block->length;
}

static int is_conditional(const char *text) {
    return !strncmp(text, "b.", 2) || !strncmp(text, "cbz", 3) || !strncmp(text, "cbnz", 4) || !strncmp(text, "tbz", 3) ||
           !strncmp(text, "tbnz", 4);
}

static void translate(qemu_plugin_id_t id, struct qemu_plugin_tb *tb) {
    struct block *block = calloc(1, sizeof *block);
    size_t size = 1;
    (void)id;
    block->start = qemu_plugin_tb_vaddr(tb);
    block->length = qemu_plugin_tb_n_insns(tb);
    block->text = calloc(1, 1);
    for (size_t place = 0; place < block->length; place++) {
        const struct qemu_plugin_insn *instruction = qemu_plugin_tb_get_insn(tb, place);
        char *text = qemu_plugin_insn_disas(instruction);
        block->branch = is_conditional(text) ? qemu_plugin_insn_vaddr(instruction) : 0;
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
    if (phase == COUNTING) {
        counted = executed - begun;
        wrong = guessed_wrongly - wrong_before;
    }
    if (phase == TRACING) fprintf(output, "= %" PRIu64 " %" PRIu64 "\n", counted, wrong);
    phase = (phase + 1) % 3;
    begun = executed;
    wrong_before = guessed_wrongly;
    fflush(output);
}

EXPORT int qemu_plugin_install(qemu_plugin_id_t id, const void *info, int argc, char **argv) {
    (void)info;
    if (argc != 1 || !strchr(argv[0], '=') || !(output = fopen(strchr(argv[0], '=') + 1, "w"))) return -1;
    qemu_plugin_register_vcpu_tb_trans_cb(id, translate);
    qemu_plugin_register_vcpu_syscall_cb(id, call);
    return 0;
}
