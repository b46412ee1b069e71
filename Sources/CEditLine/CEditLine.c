#define _GNU_SOURCE
#include "CEditLine.h"

#include <stdio.h>
#include <sys/eventfd.h>
#include <wchar.h>

EditLine *ce_open(const char *program) { return el_init(program, stdin, stdout, stderr); }

void ce_write(const char *bytes, size_t count) { fwrite(bytes, 1, count, stdout); }

void ce_flush(void) { fflush(stdout); }

int ce_width(wchar_t character) { return wcwidth(character); }

int ce_event(void) { return eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK); }
