package import HeraldModel
package import HeraldQuery

// What the fields of a projection, or the properties of an object, read before the changes of the last report.

extension Observatory {
  /// Returns what fields read of an object before the last report: also of one that was deleted. Nothing if no changes
  /// were reported. O(objects on the paths).
  package func previousContents(
    of fields: [ProjectionField], of object: ObjectID, _ reader: any ObjectReader
  ) -> [NamedContent] {
    guard let reported else { return [] }
    let before = PreviousReader(reader, before: reported.record)
    return fields.map { ($0.name, before.content(at: $0.path, of: object)) }
  }

  /// Returns the fields that read something else of an object than before the last report, of a collection the name
  /// alone. O(objects on the paths).
  package func changes(
    of fields: [ProjectionField], of object: ObjectID, _ reader: any ObjectReader
  ) -> [DynamicPropertyChange] {
    guard let reported else { return [] }
    let before = PreviousReader(reader, before: reported.record)
    return fields.compactMap { field in
      before.hasReadUnknownValue = false
      let old = before.content(at: field.path, of: object)
      let new = reader.content(at: field.path, of: object)
      if old == new, !before.hasReadUnknownValue { return nil }
      guard case .value(let oldValue) = old, case .value(let newValue) = new else {
        return DynamicPropertyChange(name: field.name, hasValues: false)
      }
      return DynamicPropertyChange(name: field.name, old: oldValue, new: newValue)
    }
  }
}

extension ObjectReader {
  /// What a path reads: nil where a link on it is nil, and a list of the values where it leads through collections.
  fileprivate func content(at path: PropertyPath, of object: ObjectID) -> PropertyContent {
    let found = ProjectedContents(path, of: object, self)
    let contents = found.contents ?? CollectionContents()
    guard path.isCollection(schema) else { return .value(contents.elements.first ?? .null) }
    return found.isMap
      ? .map(MapEntries(zip(contents.keys, contents.elements))) : .list(contents.elements)
  }
}
