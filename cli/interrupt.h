/* Ctrl-C: noticed by long work, which then ends with what it has. */
#ifndef STRANDLINE_CLI_INTERRUPT_H
#define STRANDLINE_CLI_INTERRUPT_H

#include <stdbool.h>

/* From here on the first one is only remembered; the second one ends the program. */
void interrupt_catch(void);
/* Was there one? */
bool interrupt_came(void);
/* The same, for work that asks a `stop`. */
bool interrupt_stop(void *nothing);

#endif
