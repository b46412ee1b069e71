import HeraldModel
import HeraldObservation

// What the record of a write takes of memory, by estimate: entries of dictionaries, with the room that
// these leave free, and the contents of what is not held in place.

extension Value {
  /// Of an old value that is kept under its object's number.
  var memoryOfRecord: Int { 64 + contentSize }

  /// The bytes that the value holds elsewhere.
  private var contentSize: Int {
    switch self {
    case .null, .bool, .int, .float, .double, .date, .decimal, .uuid, .objectID, .link: 0
    case .string(let text): text.utf8.count > 15 ? 32 + text.utf8.count : 0
    case .data(let bytes): 32 + bytes.count
    case .list(let values): values.reduce(32) { $0 + 32 + $1.contentSize }
    case .map(let entries): entries.reduce(32) { $0 + 64 + $1.value.contentSize }
    }
  }
}

extension DeletedObject {
  /// Of one that held nothing.
  static let memory = 256

  /// Of what it held.
  var memory: Int {
    let held = values.values.reduce(0) { $0 + $1.memoryOfRecord }
    let inside = collections.values.reduce(0) { memory, contents in
      contents.elements.reduce(memory + 128 + contents.keys.count * 48) { $0 + $1.memoryOfRecord }
    }
    return held + inside + links.count * 32
  }
}
