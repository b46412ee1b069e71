import HeraldEngine
package import HeraldModel
import HeraldObservation

/// A list, a set or a map of a new object, which is not in a store yet. Observers of the property receive
/// each change as for a stored object (observation 8.2, 8.4).
///
/// Its edits need no transaction; they also throw the first error of an observer's block.
package struct NewCollection: EditableCollection {
  let object: NewObject
  /// The property whose collection it is.
  package let property: PropertySchema

  /// Whether it is a list, a set or a map.
  package var shape: PropertyShape { property.type.shape }

  /// The elements: of a list in order, of a map its values in key order.
  package var values: [Value] {
    switch object.content(of: property) {
    case .value: []
    case .list(let values): values
    case .map(let entries): entries.inKeyOrder.map(\.value)
    }
  }

  /// The number of elements.
  package var count: Int { values.count }

  /// Edits the collection. Errors: `rowOutOfRange`, `wrongType`.
  package func apply(_ edit: CollectionEdit) throws {
    guard edit.fits(shape) else {
      throw HeraldError.notACollection(property: property.name, className: object.className)
    }
    let old = object.content(of: property)
    let new = try edit.applied(to: old)
    guard old != new || edit.isReportedIfEqual else { return }
    let (kind, rows) = shape == .list ? edit.listChange(count: count) : (.setting, [])
    try object.put(new, into: property) { .rows(name: property.name, kind: kind, rows: rows) }
  }
}

extension CollectionEdit {
  /// Whether observers of a property receive it even if the collection is equal afterwards, as every
  /// assignment (observation 8.1).
  fileprivate var isReportedIfEqual: Bool {
    switch self {
    case .replace, .setKey: true
    case .move(let from, let to): from != to
    case .insert, .remove, .removeAll, .insertValue, .removeValue, .removeKey: false
    }
  }

  /// What observers of a list property receive (observation 8.4).
  fileprivate func listChange(count: Int) -> (ListChangeKind, rows: [Int]) {
    switch self {
    case .insert(let values, let index): (.insertion, Array(index..<index + values.count))
    case .remove(let index): (.removal, [index])
    case .replace(let index, _): (.replacement, [index])
    case .move(let from, let to): (.replacement, Array(min(from, to)...max(from, to)))
    case .removeAll: (.removal, Array(0..<count))
    case .insertValue, .removeValue, .setKey, .removeKey: (.setting, [])
    }
  }
}

extension NewObject {
  /// Returns a collection property; nil if the property is single-valued. Errors: `unknownProperty`.
  package func collection(_ name: String) throws -> NewCollection? {
    let property = try checked(name)
    return property.type.isCollection ? NewCollection(object: self, property: property) : nil
  }
}
