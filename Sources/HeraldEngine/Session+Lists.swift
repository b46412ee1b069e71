package import HeraldModel
import HeraldQuery
import HeraldStorage

/// One operation on a list property.
package enum ListOperation {
  case insert([Value], at: Int)
  case remove(at: Int)
  case replace(at: Int, with: Value)
  /// `to` is the place after the move.
  case move(from: Int, to: Int)
  case removeAll
}

extension Session {
  /// Changes a list of an object in the open write. Everything is checked first.
  package func change(
    _ property: PropertySchema, of object: ObjectID, _ operation: ListOperation
  ) throws {
    let write = try openWrite()
    let classSchema = try checkedClass(of: object)
    guard property.type.shape == .list else {
      throw HeraldError.notACollection(property: property.name, className: classSchema.name)
    }
    let count = reader.listCount(property.id, of: object)
    let checked = try check(operation, property, classSchema, count: count)
    try stored { () throws(StorageError) in
      switch checked {
      case .insert(let values, let index):
        try write.insert(values, into: property, of: object, at: index)
      case .remove(let index): try write.remove(at: index, from: property, of: object)
      case .replace(let index, let value):
        try write.replace(at: index, in: property, of: object, with: value)
      case .move(let old, let new): try write.move(from: old, to: new, in: property, of: object)
      case .removeAll: try write.clear(property, of: object)
      }
    }
  }

  private func check(
    _ operation: ListOperation, _ property: PropertySchema, _ classSchema: ClassSchema, count: Int
  ) throws(HeraldError) -> ListOperation {
    switch operation {
    case .insert(let values, let index):
      try checkRow(index, count: count + 1, shown: count)
      var fitted: [Value] = []
      for value in values { fitted.append(try fit(value, property, classSchema)) }
      return .insert(fitted, at: index)
    case .remove(let index):
      try checkRow(index, count: count, shown: count)
      return operation
    case .replace(let index, let value):
      try checkRow(index, count: count, shown: count)
      return .replace(at: index, with: try fit(value, property, classSchema))
    case .move(let old, let new):
      try checkRow(old, count: count, shown: count)
      try checkRow(new, count: count, shown: count)
      return operation
    case .removeAll: return operation
    }
  }

  private func checkRow(_ row: Int, count: Int, shown: Int) throws(HeraldError) {
    guard row >= 0, row < count else { throw .rowOutOfRange(row, count: shown) }
  }

  package func delete(_ object: ObjectID) throws {
    let write = try openWrite()
    let classSchema = try checkedClass(of: object)
    try stored { () throws(StorageError) in try write.delete(object, classSchema) }
  }
}
