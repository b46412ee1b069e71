import Synchronization

/// The statements typed in earlier runs and in this one, oldest first and each once.
final class StatementHistory: Sendable {
  /// The file that keeps them between runs; nil for none.
  private let file: HistoryFile?
  private let contents: Mutex<Contents>

  private struct Contents {
    var entries: [String] = []
    /// Those that the line editor does not know yet.
    var added: [String] = []
    var isKept = true
  }

  init(file: HistoryFile?) {
    self.file = file
    contents = Mutex(Contents())
  }

  var entries: [String] { contents.withLock { $0.entries } }

  /// Returns the entries that were added since the last call, oldest first.
  func takeAdded() -> [String] {
    contents.withLock { contents in
      defer { contents.added = [] }
      return contents.added
    }
  }

  /// Reads the entries of earlier runs.
  func load() {
    let loaded = file?.load() ?? []
    contents.withLock { $0.entries = loaded }
  }

  /// Adds an entry and saves it for later runs. After a failure, which is thrown once, nothing more is saved.
  func add(_ entry: String) throws(SystemFailure) {
    let isKept = contents.withLock { contents in
      contents.entries = HistoryFile.merge(contents.entries, with: entry)
      contents.added.append(entry)
      return contents.isKept
    }
    guard isKept else { return }
    do {
      try file?.add(entry)
    } catch {
      contents.withLock { $0.isKept = false }
      throw error
    }
  }
}
