// libedit for Swift. Swift cannot call variadic C functions, so each form of `el_set`, `el_get` and
// `history` that Herald uses has a wrapper with fixed arguments here. What Glibc's Swift module hides
// (`wcwidth`, `eventfd`, the C streams) is declared below and defined in CEditLine.c, where the feature
// macros can be set.
#ifndef CEDITLINE_H
#define CEDITLINE_H

#include <histedit.h>
#include <stddef.h>

typedef char *(*ce_prompt_function)(EditLine *editor);

/// Sets the prompt; `mark` brackets zero-width text, such as colours.
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

/// Removes a flag such as "-isig" from a mode of the terminal: "-d", in which lines are edited, or "-x",
/// which applies between lines.
static inline int ce_set_terminal(EditLine *editor, const char *mode, const char *flag) {
  return el_set(editor, EL_SETTY, mode, flag, NULL);
}

/// Sets a capability of the terminal by its name in termcap(5).
static inline int ce_set_capability(EditLine *editor, const char *name, const char *value) {
  return el_set(editor, EL_SETTC, name, value, NULL);
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

/// Binds a key of vi's command mode to a sequence of keys.
static inline int ce_bind_command_key(EditLine *editor, const char *key, const char *keys) {
  return el_set(editor, EL_BIND, "-a", "-s", key, keys, NULL);
}

typedef unsigned char (*ce_command_function)(EditLine *editor, int key);

/// Defines a command that keys can be bound to by `name`.
static inline int ce_add_command(EditLine *editor, const char *name, const char *help,
                                 ce_command_function command) {
  return el_set(editor, EL_ADDFN, name, help, command);
}

/// Returns the key bindings in use: "emacs" or "vi".
static inline const char *ce_editor_name(EditLine *editor) {
  const char *name = NULL;
  el_get(editor, EL_EDITOR, &name);
  return name;
}

/// Returns whether a key is bound to a command; `is_vi_command` selects the keys of vi's command mode.
int ce_is_bound(EditLine *editor, int is_vi_command, const char *key, const char *command);

/// Returns whether a key that is a sequence of characters, such as "\\e[A", is bound to any command.
int ce_has_binding(EditLine *editor, const char *key);

/// Redraws prompt and line from the cursor's position, which must be the start of an empty row.
static inline int ce_refresh(EditLine *editor) { return el_set(editor, EL_REFRESH); }

/// Returns whether editing is on: 0 if the user's editrc has switched it off.
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

/// Opens an editor on a terminal's two descriptors, through C's standard streams if they are 0 and 1; NULL
/// with `errno` on failure.
EditLine *ce_open(const char *program, int input, int output);

/// Frees the editor and leaves the terminal as it is.
void ce_close(EditLine *editor);

/// Writes and flushes through the stream that libedit writes to, which keeps the order.
void ce_write(EditLine *editor, const char *bytes, size_t count);

/// Returns the columns of a character on the screen: 0 for combining marks, -1 for unprintable characters.
int ce_width(wchar_t character);

/// Creates a descriptor that becomes readable when 8 bytes are written to it; -1 with `errno` on failure.
int ce_event(void);

#endif
