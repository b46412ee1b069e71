#define _GNU_SOURCE
#include "CEditLine.h"

#include <stdio.h>
#include <sys/eventfd.h>
#include <unistd.h>
#include <wchar.h>

EditLine *ce_open(const char *program, int input, int output) {
  FILE *in = input == STDIN_FILENO ? stdin : fdopen(input, "r");
  FILE *out = output == STDOUT_FILENO ? stdout : fdopen(output, "w");
  if (in == NULL || out == NULL) return NULL;
  return el_init(program, in, out, stderr);
}

static FILE *stream(EditLine *editor, int number) {
  FILE *file = NULL;
  el_get(editor, EL_GETFP, number, &file);
  return file;
}

void ce_close(EditLine *editor) {
  FILE *in = stream(editor, 0);
  FILE *out = stream(editor, 1);
  // An editor that edits would throw away what was typed ahead.
  el_set(editor, EL_EDITMODE, 0);
  el_end(editor);
  if (in != NULL && in != stdin) fclose(in);
  if (out != NULL && out != stdout) fclose(out);
}

void ce_write(EditLine *editor, const char *bytes, size_t count) {
  FILE *out = stream(editor, 1);
  if (out == NULL) return;
  fwrite(bytes, 1, count, out);
  fflush(out);
}

int ce_width(wchar_t character) { return wcwidth(character); }

int ce_event(void) { return eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK); }
