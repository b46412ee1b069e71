import HeraldEngine
import HeraldModel
public import HeraldQuery

extension Store {
  /// Every inconsistency that a slow recount of the whole store finds; empty when all is well.
  ///
  /// Where `interruption` is requested, it returns what was found by then.
  public func check() -> [String] { session.check() }

  /// Every inconsistency of the store in a file, the one that keeps it from being opened included.
  ///
  ///     for problem in try Store.check(path: "pets.hdb") { print(problem) }
  ///
  /// The store is opened for reading; other sessions and programs go on using it. Errors:
  /// `cannotOpen`, `notAStore` and the other errors of opening, except `damaged`, which is returned as
  /// a problem; `interrupted` where `interruption` is requested.
  public static func check(
    path: String, interruption: Interruption? = nil
  ) throws -> [String] {
    let store: Store
    do {
      store = try Store(path: path, readOnly: true)
    } catch HeraldError.damaged(let path, let reason) {
      return Session.problems(ofDamaged: path, reason)
    }
    defer { store.close() }
    store.interruption = interruption
    let problems = store.check()
    if interruption?.isRequested == true { throw HeraldError.interrupted }
    return problems
  }
}
