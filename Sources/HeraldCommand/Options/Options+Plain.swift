extension Options {
  /// Parses a plain command line: options in full, each value a separate argument, at most one store. Nil
  /// for everything else, valid or not, which is left to the argument parser.
  ///
  /// Nearly every command line is plain, and the parser, which finds the options by reflection, takes longer
  /// than all the rest of a short run. The meaning is the same as there.
  init?(plain arguments: [String]) {
    // The parser treats it specially even where a value is expected.
    if arguments.contains("--") { return nil }
    self.init()
    var words = arguments[...]
    while let word = words.popFirst() {
      guard take(flag: word) || take(store: word) || take(word, valueFrom: &words) else {
        return nil
      }
    }
  }

  private mutating func take(flag word: String) -> Bool {
    switch word {
    case "--json": json = true
    case "--answers": answers = true
    case "--read-only": readOnly = true
    case "--keep-going": keepGoing = true
    case "--echo": echo = true
    case "--no-rc": readsStartupFile = false
    case "--rc": readsStartupFile = readsStartupFile ?? true
    case "--quiet": quiet = true
    case _: return false
    }
    return true
  }

  private mutating func take(store word: String) -> Bool {
    let isCommand = word == "help" || CommandWord(rawValue: word) != nil
    guard store == nil, !isCommand, let first = word.first, first != "-" else { return false }
    store = word
    return true
  }

  private mutating func take(_ option: String, valueFrom words: inout ArraySlice<String>) -> Bool {
    guard let value = words.popFirst() else { return false }
    switch option {
    case "-c": sources.append(.commands(value))
    case "-f": sources.append(.file(value))
    case "--key": key = value
    case "--set":
      guard let setting = try? VariableSetting(value) else { return false }
      settings.append(setting)
    case "--mode":
      guard let mode = try? FileMode(value) else { return false }
      fileMode = mode
    case "--max-size":
      guard let size = try? StoreSize(value) else { return false }
      sizeLimit = size
    case "--max-write":
      guard let size = try? StoreSize(value) else { return false }
      writeLimit = size
    case "--color":
      guard let choice = ColorChoice(rawValue: value) else { return false }
      color = choice
    case _: return false
    }
    return true
  }
}
