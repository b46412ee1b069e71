/// Objects by key that others keep. The entries of released objects are removed as the table grows.
struct WeakTable<Key: Hashable, Object: AnyObject> {
  private struct Entry { weak var object: Object? }

  private var entries: [Key: Entry] = [:]
  /// The number of entries at which those of released objects are removed.
  private var limit = 16

  /// The number of entries, of which some may be of released objects.
  var count: Int { entries.count }

  /// O(1) on average.
  subscript(key: Key) -> Object? {
    get { entries[key]?.object }
    set {
      guard let newValue else {
        entries[key] = nil
        return
      }
      if entries.count >= limit {
        entries = entries.filter { $0.value.object != nil }
        limit = Swift.max(16, 2 * entries.count)
      }
      entries[key] = Entry(object: newValue)
    }
  }

  /// The keys of the objects that still exist. O(count).
  var keys: [Key] { entries.compactMap { $0.value.object == nil ? nil : $0.key } }
}
