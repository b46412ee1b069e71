import HeraldModel
import HeraldObservation

// Estimates of the memory that the record of a write takes, in bytes: entries of dictionaries, with their
// unused capacity, and contents on the heap.

extension Value {
  /// The size of an old value that is stored under its object's number.
  var memoryOfRecord: Int { 64 + contentSize }

  /// The bytes that the value holds on the heap.
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
  /// The size of a deleted object without values.
  static let memory = 256

  /// The size of its values, collections and links.
  var memory: Int {
    let held = values.entries.reduce(0) { $0 + $1.value.memoryOfRecord }
    let nested = collections.values.reduce(0) { memory, contents in
      contents.elements.reduce(memory + 128 + contents.keys.count * 48) { $0 + $1.memoryOfRecord }
    }
    return held + nested + links.count * 32
  }
}
