import HeraldModel

// What an observer ends with, when it is dropped or gets another type.

extension ModelTarget {
  func depends(on commit: ModelCommit, _ schema: ModelSchema) -> Bool {
    if commit.losses.isEmpty && commit.lostClasses.isEmpty { return false }
    var columns: Set<ModelColumn> = []
    var classes: Set<ClassID> = []
    func note(_ query: ModelQuery) {
      columns.formUnion(query.columns(schema))
      classes.insert(schema.ids[query.type])
    }
    switch self {
    case .store, .object, .projection, .property, .end, .inside: return false
    case .results(let query, _): note(query)
    case .collection(let owner, let property, _):
      columns.insert(ModelColumn(classID: owner.classID, property: property))
    case .collectionResults(let owner, let property, let query, _):
      columns.insert(ModelColumn(classID: owner.classID, property: property))
      note(query)
    }
    classes.formUnion(columns.map(\.classID))
    return !classes.isDisjoint(with: commit.lostClasses)
      || columns.contains { commit.losses[$0] != nil }
  }
}

extension ModelQuery {
  /// The properties that it selects, orders or compares rows by.
  fileprivate func columns(_ schema: ModelSchema) -> Set<ModelColumn> {
    var columns = predicate?.columns(schema, type) ?? []
    for stage in stages {
      switch stage {
      case .sort(let keys): for key in keys { columns.formUnion(key.path.columns(schema, type)) }
      case .distinct(let paths): for path in paths { columns.formUnion(path.columns(schema, type)) }
      case .limit, .offset: break
      case .filter(let predicate): columns.formUnion(predicate.columns(schema, type))
      }
    }
    return columns
  }
}

extension ModelPredicate {
  fileprivate func columns(_ schema: ModelSchema, _ type: Int) -> Set<ModelColumn> {
    switch self {
    case .always: []
    case .compare(let left, _, let right, _):
      left.columns(schema, type).union(right.columns(schema, type))
    case .between(let operand, _, _): operand.columns(schema, type)
    case .and(let parts), .or(let parts):
      parts.reduce(into: []) { $0.formUnion($1.columns(schema, type)) }
    case .not(let part): part.columns(schema, type)
    }
  }
}

extension ModelOperand {
  fileprivate func columns(_ schema: ModelSchema, _ type: Int) -> Set<ModelColumn> {
    switch expression {
    case .constant, .variable, .list, .extent: []
    case .path(let path), .arithmetic(let path, _, _): path.columns(schema, type)
    case .subquery(let path, let element, let predicate):
      path.columns(schema, type).union(predicate.columns(schema, element))
    }
  }
}

extension ModelPath {
  /// Of properties of objects on the way; none of them are backlinks.
  fileprivate func columns(_ schema: ModelSchema, _ type: Int) -> Set<ModelColumn> {
    var path = ModelPath(from: type)
    var columns: Set<ModelColumn> = []
    for step in steps {
      switch step {
      case .property(let index), .links(let index), .aggregate(_, let index?):
        if let place = path.place {
          columns.insert(ModelColumn(classID: schema.ids[place], property: index))
        }
      case .row, .first, .last, .key, .keyName, .keys, .values, .type, .aggregate(_, nil): break
      }
      path.append(step, schema)
    }
    return columns
  }
}
