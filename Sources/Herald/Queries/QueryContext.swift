import HeraldModel
import HeraldQuery
import Synchronization

/// What the parts of one query share: the store, and the first thing that is wrong.
package final class QueryContext {
  let core: StoreCore?
  package private(set) var error: (any Error)?
  /// The objects that a query without a store compares with, each as a link whose number is its index here.
  package private(set) var objects: [ObjectBase] = []

  package init(_ core: StoreCore?) { self.core = core }

  func note(_ error: any Error) { self.error = self.error ?? error }

  /// Returns the value that a query compares with; null after an error.
  func encode(_ value: some Storable) -> Value {
    // Without a store only links, and values that hold them, cannot be encoded.
    if let value = try? value._encode(LinkEncoder(nil)) { return value }
    guard let core else {
      var object = value as? ObjectBase
      if case .object(let held)? = value as? AnyValue { object = held }
      guard let object else { return .null }
      objects.append(object)
      return .link(ObjectID(ClassID(0), objects.count - 1))
    }
    do {
      return try value._encode(LinkEncoder(core, unmanaged: .isLinkedByNone))
    } catch {
      note(error)
      return .null
    }
  }

  /// Returns the steps of a key path.
  func steps<Root: ResultElement, Value>(of path: KeyPath<Root, Value>) -> [PathSyntax.Step] {
    do {
      return try QueryKeyPaths.shared.steps(of: path)
    } catch {
      note(error)
      return []
    }
  }
}

/// The steps of the key paths that queries were written with, each found once.
///
/// `@unchecked Sendable`: key paths of properties hold no values, and `steps` is used under the lock.
private final class QueryKeyPaths: @unchecked Sendable {
  static let shared = QueryKeyPaths()

  private let lock = Mutex<Void>(())
  /// By identity: a key path in a program's text is one object, which is faster to find than an equal one.
  private var steps: [ObjectIdentifier: (path: AnyKeyPath, steps: [PathSyntax.Step])] = [:]

  func steps<Root: ResultElement, Value>(
    of path: KeyPath<Root, Value>
  ) throws -> [PathSyntax.Step] {
    let key = ObjectIdentifier(path)
    if let known = lock.withLock({ _ in steps[key]?.steps }) { return known }
    let found = PathSyntax.steps(try Root._path(of: Root._name(of: path)))
    lock.withLock { _ in
      // Key paths that a program makes as it runs are not kept forever.
      if steps.count >= 4096 { steps.removeAll() }
      steps[key] = (path, found)
    }
    return found
  }
}

extension SourceSpan {
  /// The span of what was written in Swift.
  static let none = SourceSpan(start: 0, end: 0)
}

extension PathSyntax {
  /// The steps of a dotted name.
  static func steps(_ name: String) -> [Step] {
    name.utf8.contains(UInt8(ascii: "."))
      ? name.split(separator: ".").map { Step(kind: .name(String($0)), span: .none) }
      : [Step(kind: .name(name), span: .none)]
  }

  /// A path of the object under evaluation.
  init(_ steps: [Step]) {
    self.init(start: .root, startSpan: .none, steps: steps, span: .none)
  }
}
