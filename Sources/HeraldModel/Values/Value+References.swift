// A list or a map nested in a value of type `any` is stored apart, as an object of a hidden class with a
// number of its own. What contains it holds a reference, a link to that object. References are in columns,
// lists and commit records; whatever else reads a value gets it whole.

/// The maximum depth of nested lists and maps, checked before a value is stored and when it is read.
package let nestingLimit = 100

extension Value {
  /// The nested collection that the value refers to; nil for every other value.
  package var nestedCollection: ObjectID? {
    if case .link(let target) = self, target.classID.isNested { target } else { nil }
  }

  /// Returns the value with lists and maps in place of references. `contents` returns the elements of a
  /// nested collection, and the keys of a map; deeper than the limit, where only damage leads, are none.
  package func whole(
    depth: Int = 0, _ contents: (ObjectID) -> (elements: [Value], keys: [String])
  ) -> Value {
    guard let collection = nestedCollection else { return self }
    guard depth < nestingLimit else { return .null }
    let (elements, keys) = contents(collection)
    let values = elements.map { $0.whole(depth: depth + 1, contents) }
    return collection.classID == .nestedMaps ? .map(MapEntries(zip(keys, values))) : .list(values)
  }
}
