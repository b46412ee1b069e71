import Herald

@testable import TestModel

/// A random condition on rows or owners of a `PlanWorld`: its text, and its obvious evaluation.
indirect enum PlanQuery {
  enum Class { case row, owner }

  /// Where values come from, from an object.
  enum Path {
    case own(Int)
    /// `owner.p`, of a row.
    case owner(Int)
    /// `ANY pals.p`, of a row.
    case pals(Int)
    /// `ANY pals.owner.p`, of a row.
    case palsOwner(Int)
    /// `ANY @links.Row.owner.p`, of an owner.
    case rows(Int)
  }

  enum Sign: String, CaseIterable {
    case equal = "=="
    case unequal = "!="
    case less = "<"
    case atMost = "<="
    case greater = ">"
    case atLeast = ">="
  }

  case compare(Path, Sign, Value)
  case among(Path, [Value])
  case between(Path, Value, Value)
  case begins(Path, String)
  case key(Sign, Int)
  case both(PlanQuery, PlanQuery)
  case either(PlanQuery, PlanQuery)
  case not(PlanQuery)
}

// MARK: Text

extension PlanQuery {
  func text(_ world: PlanWorld, of type: Class) -> String {
    switch self {
    case .compare(let path, let sign, let value):
      "\(text(path, world, type)) \(sign.rawValue) \(value.literal)"
    case .among(let path, let values):
      "\(text(path, world, type)) IN {\(values.map(\.literal).joined(separator: ", "))}"
    case .between(let path, let low, let high):
      "\(text(path, world, type)) BETWEEN {\(low.literal), \(high.literal)}"
    case .begins(let path, let prefix):
      "\(text(path, world, type)) BEGINSWITH \(Value.string(prefix).literal)"
    case .key(let sign, let key): "id \(sign.rawValue) \(key)"
    case .both(let a, let b): "(\(a.text(world, of: type)) AND \(b.text(world, of: type)))"
    case .either(let a, let b): "(\(a.text(world, of: type)) OR \(b.text(world, of: type)))"
    case .not(let a): "NOT (\(a.text(world, of: type)))"
    }
  }

  private func text(_ path: Path, _ world: PlanWorld, _ type: Class) -> String {
    switch path {
    case .own(let place):
      (type == .row ? world.rowProperties : world.ownerProperties)[place].name
    case .owner(let place): "owner." + world.ownerProperties[place].name
    case .pals(let place): "ANY pals." + world.rowProperties[place].name
    case .palsOwner(let place): "ANY pals.owner." + world.ownerProperties[place].name
    case .rows(let place): "ANY @links.Row.owner." + world.rowProperties[place].name
    }
  }
}

// MARK: Evaluation

extension PlanQuery {
  func holds(_ member: PlanWorld.Member, _ world: PlanWorld, key: Int) -> Bool {
    switch self {
    case .compare(let path, let sign, let value):
      values(path, member, world).contains { sign.holds($0, value) }
    case .among(let path, let wanted):
      values(path, member, world).contains { value in
        wanted.contains { Sign.equal.holds(value, $0) }
      }
    case .between(let path, let low, let high):
      values(path, member, world).contains {
        Sign.atLeast.holds($0, low) && Sign.atMost.holds($0, high)
      }
    case .begins(let path, let prefix):
      values(path, member, world).contains { value in
        if case .string(let text) = value {
          text.unicodeScalars.starts(with: prefix.unicodeScalars)
        } else {
          false
        }
      }
    case .key(let sign, let wanted): sign.holds(.int(key), .int(wanted))
    case .both(let a, let b): a.holds(member, world, key: key) && b.holds(member, world, key: key)
    case .either(let a, let b): a.holds(member, world, key: key) || b.holds(member, world, key: key)
    case .not(let a): !a.holds(member, world, key: key)
    }
  }

  /// One value for a path of single links, nil where a link leads nowhere; of others, each.
  private func values(
    _ path: Path, _ member: PlanWorld.Member, _ world: PlanWorld
  ) -> [Value] {
    func ownerValue(_ row: PlanWorld.Member, _ place: Int) -> Value {
      row.owner.map { world.owners[$0].values[place] } ?? .null
    }
    switch path {
    case .own(let place): return [member.values[place]]
    case .owner(let place): return [ownerValue(member, place)]
    case .pals(let place): return member.pals.map { world.rows[$0].values[place] }
    case .palsOwner(let place): return member.pals.map { ownerValue(world.rows[$0], place) }
    case .rows(let place):
      return world.rows.filter { row in
        row.owner.map { world.owners[$0].object == member.object } ?? false
      }
      .map { $0.values[place] }
    }
  }
}

extension PlanQuery.Sign {
  func holds(_ a: Value, _ b: Value) -> Bool {
    switch self {
    case .equal: return a.isNull && b.isNull || order(a, b) == 0
    case .unequal: return !(a.isNull && b.isNull || order(a, b) == 0)
    case .less: return order(a, b).map { $0 < 0 } ?? false
    case .atMost: return order(a, b).map { $0 <= 0 } ?? false
    case .greater: return order(a, b).map { $0 > 0 } ?? false
    case .atLeast: return order(a, b).map { $0 >= 0 } ?? false
    }
  }

  /// nil where either value is.
  private func order(_ a: Value, _ b: Value) -> Int? {
    func order<T: Comparable>(_ a: T, _ b: T) -> Int { a < b ? -1 : a > b ? 1 : 0 }
    switch (a, b) {
    case (.bool(let a), .bool(let b)): return order(a ? 1 : 0, b ? 1 : 0)
    case (.int(let a), .int(let b)): return order(a, b)
    case (.float(let a), .float(let b)): return order(a, b)
    case (.double(let a), .double(let b)): return order(a, b)
    case (.decimal(let a), .decimal(let b)): return order(a, b)
    case (.date(let a), .date(let b)): return order(a, b)
    case (.uuid(let a), .uuid(let b)): return order(a, b)
    case (.objectID(let a), .objectID(let b)): return order(a, b)
    case (.string(let a), .string(let b)):
      let (x, y) = (Array(a.unicodeScalars), Array(b.unicodeScalars))
      return x == y ? 0 : x.lexicographicallyPrecedes(y) ? -1 : 1
    default: return nil
    }
  }
}
