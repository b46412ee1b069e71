/// The readers of one query. Only the loop of the connections uses it.
final class LiveTopic: @unchecked Sendable {
  let text: String
  /// By number.
  private(set) var readers: [Int: any LiveReader] = [:]

  init(_ text: String) { self.text = text }

  func insert(_ reader: any LiveReader, _ number: Int) { readers[number] = reader }

  /// Returns false if the reader was not there.
  func remove(_ number: Int) -> Bool { readers.removeValue(forKey: number) != nil }

  /// The version of the last event; 0 before the first.
  private(set) var version = 0

  func send(_ event: LiveEvent) {
    version = event.version
    for reader in readers.values { reader.receive(event) }
  }
}
