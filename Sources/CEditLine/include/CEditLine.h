// libedit for Swift. Swift cannot call C functions with variable arguments, so each way that
// `el_set`, `el_get` and `history` are called has a wrapper with fixed arguments here. What Glibc's
// Swift module hides (`wcwidth`, `eventfd`, the C streams) is declared below and defined in
// CEditLine.c, where the feature macros can be set.
#ifndef CEDITLINE_H
#define CEDITLINE_H

#include <histedit.h>
#include <stddef.h>

typedef char *(*ce_prompt_function)(EditLine *editor);

/// Sets the prompt; `mark` brackets what takes no room on the screen, such as colours.
static inline int ce_set_prompt(EditLine *editor, ce_prompt_function prompt, char mark) {
  return el_set(editor, EL_PROMPT_ESC, prompt, mark);
}

/// `EL_EDITOR`: "emacs" or "vi".
static inline int ce_set_editor(EditLine *editor, const char *name) {
  return el_set(editor, EL_EDITOR, name);
}

/// The settings that take one number: `EL_SIGNAL`, `EL_EDITMODE`, `EL_PREP_TERM`.
static inline int ce_set_number(EditLine *editor, int setting, int value) {
  return el_set(editor, setting, value);
}

/// Takes a flag such as "-isig" away from a mode of the terminal: "-d", in which lines are edited, or
/// "-x", in which the terminal is between two of them.
static inline int ce_set_terminal(EditLine *editor, const char *mode, const char *flag) {
  return el_set(editor, EL_SETTY, mode, flag, NULL);
}

static inline int ce_set_reader(EditLine *editor, el_rfunc_t reader) {
  return el_set(editor, EL_GETCFN, reader);
}

static inline int ce_set_context(EditLine *editor, void *context) {
  return el_set(editor, EL_CLIENTDATA, context);
}

static inline void *ce_context(EditLine *editor) {
  void *context = NULL;
  el_get(editor, EL_CLIENTDATA, &context);
  return context;
}

static inline int ce_set_history(EditLine *editor, History *past) {
  return el_set(editor, EL_HIST, history, past);
}

static inline int ce_bind(EditLine *editor, const char *key, const char *command) {
  return el_set(editor, EL_BIND, key, command, NULL);
}

/// Has a key of vi's commands do what other keys do.
static inline int ce_bind_command_key(EditLine *editor, const char *key, const char *keys) {
  return el_set(editor, EL_BIND, "-a", "-s", key, keys, NULL);
}

typedef unsigned char (*ce_command_function)(EditLine *editor, int key);

/// Makes `command` callable by keys that are bound to `name`.
static inline int ce_add_command(EditLine *editor, const char *name, const char *help,
                                 ce_command_function command) {
  return el_set(editor, EL_ADDFN, name, help, command);
}

/// The keys in use: "emacs" or "vi".
static inline const char *ce_editor_name(EditLine *editor) {
  const char *name = NULL;
  el_get(editor, EL_EDITOR, &name);
  return name;
}

/// Whether a key is bound to a command by that name; `is_vi_command` asks for the keys of vi's
/// commands.
int ce_is_bound(EditLine *editor, int is_vi_command, const char *key, const char *command);

/// Draws prompt and line again from the cursor's place, which must be the start of an empty row.
static inline int ce_refresh(EditLine *editor) { return el_set(editor, EL_REFRESH); }

/// 0 when the user's editrc has switched editing off.
static inline int ce_is_editing(EditLine *editor) {
  int mode = 0;
  el_get(editor, EL_EDITMODE, &mode);
  return mode;
}

static inline int ce_history_number(History *past, HistEvent *event, int verb, int number) {
  return history(past, event, verb, number);
}

static inline int ce_history_text(History *past, HistEvent *event, int verb, const char *text) {
  return history(past, event, verb, text);
}

/// An editor on a terminal's two descriptors, through C's standard streams where they are 0 and 1;
/// NULL with `errno` when there is no memory for one.
EditLine *ce_open(const char *program, int input, int output);

/// Frees the editor and leaves the terminal as it is.
void ce_close(EditLine *editor);

/// Writes and flushes through the stream that libedit writes through, so that order is kept.
void ce_write(EditLine *editor, const char *bytes, size_t count);

/// Columns of a character on the screen: 0 for combining marks, -1 for what cannot be shown.
int ce_width(wchar_t character);

/// A descriptor that becomes readable when 8 bytes are written to it; -1 with `errno` on failure.
int ce_event(void);

#endif
