/// The options of one run of the program.
struct Options: Equatable {
  /// The store's file; nil for a store in memory.
  var store: String?
  /// The values of `-f` and `-c`, in the order in which they were given.
  var sources: [ScriptArgument.Kind] = []
  var settings: [VariableSetting] = []
  /// What stands after `--`, for the scripts.
  var arguments: [String] = []
  var json = false
  /// Whether each statement is answered, errors too, on standard output. Implies JSON.
  var answers = false
  var readOnly = false
  /// The file of a store that follows a stream; nil for a temporary one.
  var cache: String?
  /// The file of the key of an encrypted Realm file.
  var key: String?
  var fileMode = FileMode()
  var sizeLimit: StoreSize?
  var writeLimit: StoreSize?
  var keepGoing = false
  var echo = false
  var color = ColorChoice.auto
  /// Whether the start-up file is read; nil for at a prompt only.
  var readsStartupFile: Bool?
  var quiet = false
  /// What `herald live` shows while lines come from standard input; nil for other runs.
  var live: LiveOptions.Live?
}

/// When to colour output for people.
enum ColorChoice: String, CaseIterable {
  case auto, always, never
}

/// This program's version.
enum Version {
  static let current = "0.1.0"
}
