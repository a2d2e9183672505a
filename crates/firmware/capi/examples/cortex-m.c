/* What a C program needs around main on a Cortex-M board in the emulator: vectors, memory, and
 * newlib's semihosting. The linker script is cortex-m.ld. */
#include <stdint.h>

extern uint32_t stack_top, data_load, data_start, data_end, bss_start, bss_end;
extern int main(void);
extern void exit(int status);
extern void initialise_monitor_handles(void);

void reset(void) {
    const uint32_t *from = &data_load;
    for (uint32_t *to = &data_start; to < &data_end;) *to++ = *from++;
    for (uint32_t *to = &bss_start; to < &bss_end;) *to++ = 0;
    initialise_monitor_handles();
    exit(main());
}

/* newlib calls these around main; there is nothing to do. */
void _init(void) {}
void _fini(void) {}

static void fault(void) { exit(1); }

__attribute__((section(".vectors"), used)) const void *const vectors[] = {
    &stack_top, (void *)reset, (void *)fault, (void *)fault,
};
