#define _GNU_SOURCE
#include "CEditLine.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
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
  // While editing is on, el_end discards type-ahead.
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

// libedit only prints its bindings: a line with the key, an arrow, and the command.
int ce_is_bound(EditLine *editor, int is_vi_command, const char *key, const char *command) {
  FILE *out = stream(editor, 1);
  char *line = NULL;
  size_t length = 0;
  FILE *memory = open_memstream(&line, &length);
  if (out == NULL || memory == NULL) return 0;
  el_set(editor, EL_SETFP, 1, memory);
  if (is_vi_command)
    el_set(editor, EL_BIND, "-a", key, NULL);
  else
    el_set(editor, EL_BIND, key, NULL);
  el_set(editor, EL_SETFP, 1, out);
  fclose(memory);
  line[strcspn(line, "\n")] = '\0';
  size_t wanted = strlen(command);
  size_t shown = strlen(line);
  int is_bound = shown >= wanted && strcmp(line + shown - wanted, command) == 0;
  free(line);
  return is_bound;
}

int ce_has_binding(EditLine *editor, const char *key) {
  FILE *out = stream(editor, 1);
  FILE *errors = stream(editor, 2);
  char *text = NULL;
  size_t length = 0;
  FILE *memory = open_memstream(&text, &length);
  if (out == NULL || errors == NULL || memory == NULL) return 0;
  el_set(editor, EL_SETFP, 1, memory);
  el_set(editor, EL_SETFP, 2, memory);
  el_set(editor, EL_BIND, key, NULL);
  el_set(editor, EL_SETFP, 1, out);
  el_set(editor, EL_SETFP, 2, errors);
  fclose(memory);
  int has_binding = strstr(text, "->") != NULL;
  free(text);
  return has_binding;
}

int ce_width(wchar_t character) { return wcwidth(character); }

int ce_event(void) { return eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK); }
