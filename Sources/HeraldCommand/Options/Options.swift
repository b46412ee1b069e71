/// What a run of the program is to do.
struct Options: Equatable {
  /// The store's file; nil for a store in memory.
  var store: String?
  /// What `-f` and `-c` name, in the order in which they were given.
  var sources: [ScriptArgument.Kind] = []
  var settings: [VariableSetting] = []
  var json = false
  var readOnly = false
  var fileMode = FileMode()
  var sizeLimit: StoreSize?
  var writeLimit: StoreSize?
  var keepGoing = false
  var echo = false
  var color = ColorChoice.auto
  var skipsStartupFile = false
  var quiet = false
}

/// When to colour what is written for people.
enum ColorChoice: String, CaseIterable {
  case auto, always, never
}

/// This program's version, in one place.
enum Version {
  static let current = "0.1.0"
}
