import HeraldModel
import HeraldObservation
import TestSupport

// What property observers receive at once (8): of each statement of their session's write, and when
// it is rolled back.

/// What one of them must receive.
struct ModelNotification {
  let token: ModelToken
  let event: ModelEvent
}

extension ModelRun {
  /// Sets the contents of a property of the twin, and returns what is delivered of that.
  func assign(
    _ content: ModelGiven.Content, to place: Int, of id: ObjectID, _ session: ModelSession,
    _ transaction: ModelTransaction
  ) -> [ModelNotification] {
    let before = transaction.state
    transaction.set(id, place, content)
    let assignment: ModelAssignment =
      if case .value(let new) = content {
        .value(old: before.content(place, of: id).value, new: new)
      } else { .setting }
    return notifications(assignment, place, of: id, from: before, to: transaction.state, session)
  }

  /// What is delivered of one assignment, and of the parts that it deletes, in the order in which
  /// the observers were registered (1.8).
  func notifications(
    _ assignment: ModelAssignment?, _ place: Int, of id: ObjectID, from old: ModelStore,
    to new: ModelStore, _ session: ModelSession
  ) -> [ModelNotification] {
    let name = schema.name([place], from: schema.place(of: id.classID) ?? 0)
    return session.tokens.filter(\.isLive).compactMap { token in
      if case .property(id, place) = token.target, let assignment {
        return ModelNotification(token: token, event: .assigned(property: name, assignment))
      }
      return notifications(token, ofEndFrom: old, to: new)
    }
  }

  /// What is delivered of everything that differs: of a deletion (8.6).
  func differences(
    from old: ModelStore, to new: ModelStore, _ session: ModelSession
  ) -> [ModelNotification] {
    session.tokens.filter(\.isLive).compactMap { token in
      guard case .property(let id, let place) = token.target,
        let assignment = old.assignment(place, of: id, to: new)
      else { return notifications(token, ofEndFrom: old, to: new) }
      let name = schema.name([place], from: schema.place(of: id.classID) ?? 0)
      return ModelNotification(token: token, event: .assigned(property: name, assignment))
    }
  }

  /// Rule 8.5.
  func reversals(of transaction: ModelTransaction, _ session: ModelSession) -> [ModelNotification] {
    differences(from: transaction.state, to: transaction.before, session)
  }

  private func notifications(
    _ token: ModelToken, ofEndFrom old: ModelStore, to new: ModelStore
  ) -> ModelNotification? {
    guard case .end(let id, _) = token.target, old.exists(id) != new.exists(id) else { return nil }
    let isBack = ModelAssignment.value(old: .bool(true), new: .bool(false))
    return ModelNotification(
      token: token,
      event: new.exists(id) ? .assigned(property: "invalidated", isBack) : .invalidated)
  }

  // MARK: - Comparing

  /// Has the library carry out a statement, of which these must be notified before it is done.
  func notifying<R>(
    _ notifications: [ModelNotification], _ session: ModelSession, _ body: () throws -> R
  ) throws -> R {
    beginNotifying(notifications, session)
    let result = try body()
    try endNotifying(session)
    return result
  }

  func beginNotifying(_ notifications: [ModelNotification], _ session: ModelSession) {
    session.statements += 1
    if level.abilities.contains(.notifiesAtOnce) { session.notifications += notifications }
  }

  /// Nothing may be pending that had to be delivered, of earlier statements neither.
  func endNotifying(_ session: ModelSession) throws {
    if let fault = faults.first { throw failure(fault) }
    if let left = nextNotification(session) {
      throw failure("\(left.token.name) did not receive at once: \(left.event.text)")
    }
    session.statements -= 1
  }

  /// An observer that was stopped meanwhile is not notified.
  private func nextNotification(_ session: ModelSession) -> ModelNotification? {
    session.notifications.removeAll { !$0.token.isLive }
    return session.notifications.first
  }

  func compareNotification(_ name: String, _ event: ModelEvent, _ session: ModelSession) throws {
    guard let next = nextNotification(session) else {
      throw ModelFailure(description: "\(name) received an event without cause: \(event.text)")
    }
    session.notifications.removeFirst()
    guard next.token.name == name, ModelExpectation.notified(next.event).fault(event) == nil else {
      throw ModelFailure(
        description: """
          notified at once
          expected: \(next.token.name): \(next.event.text)
          seen: \(name): \(event.text)
          """)
    }
  }

  /// What a block does that is notified at once: it stops others, and does statements of its own.
  func actInWrite(_ session: ModelSession) throws {
    guard actionsLeft > 0, depth < 3, random.chance(45) else { return }
    actionsLeft -= 1
    depth += 1
    defer { depth -= 1 }
    let stoppable = session.tokens.filter { $0.isLive && $0.target.shared == nil }
    guard let transaction = session.transaction, random.chance(80) else {
      if let token = stoppable.randomElement(using: &random) { try stop(token, session) }
      return
    }
    switch random.below(6) {
    case 0:
      note("  \(session.name): a turn, a refresh and a write inside a write")
      if try session.answer(.endTurn) { throw failure("a turn ended inside a write") }
      if try session.answer(.refresh) { throw failure("refresh answered true inside a write") }
      do {
        _ = try session.perform(.write(without: []))
        throw failure("a write was begun inside another")
      } catch let refusal as ModelRefusal where refusal.reason == .writeInProgress {}
    case 1: try compareAll(session, transaction.state)
    default: try step(session, transaction)
    }
  }
}

extension ModelOperation {
  /// What is delivered at once of it (8.2); nil where it does nothing.
  func assignment(_ content: ModelContent) -> ModelAssignment? {
    switch self {
    case .insert(let values, let row):
      values.isEmpty ? nil : .insertion(Array(row..<row + values.count))
    case .remove(let row): .removal([row])
    case .move(let from, let to):
      from == to ? nil : .replacement(Array(min(from, to)...max(from, to)))
    case .replace(let row, _): .replacement([row])
    case .insertValue(let value): content.values.contains(value) ? nil : .setting
    case .removeValue(let value): content.values.contains(value) ? .setting : nil
    case .setKey: .setting
    case .removeKey(let key): content.entries[key] == nil ? nil : .setting
    case .removeAll:
      switch content {
      case .list(let elements): elements.isEmpty ? nil : .removal(Array(elements.indices))
      case .set, .map: content.values.isEmpty ? nil : .setting
      case .value, .backlinks: nil
      }
    }
  }
}

extension ModelStore {
  /// What leads from a property here to the same at another version, end to end (8.1, 8.2); nil for
  /// nothing.
  func assignment(_ place: Int, of id: ObjectID, to new: ModelStore) -> ModelAssignment? {
    guard let before = self[id]?.contents[place], let after = new[id]?.contents[place] else {
      return nil
    }
    switch after {
    case .value(let value):
      return value == before.value ? nil : .value(old: before.value, new: value)
    case .set, .map: return before.equals(after) ? nil : .setting
    case .list(let elements):
      return before.equals(after) ? nil : Self.rows(before.elements, elements)
    case .backlinks: return nil
    }
  }

  /// Elements are known again by their serial numbers (4.3).
  private static func rows(
    _ old: [ModelElement], _ new: [ModelElement]
  ) -> ModelAssignment? {
    let (before, after) = (Set(old.map(\.serial)), Set(new.map(\.serial)))
    let values = Dictionary(uniqueKeysWithValues: old.map { ($0.serial, $0.value) })
    let isReplaced = { (element: ModelElement) in
      values[element.serial].map { $0 != element.value } ?? false
    }
    if before == after {
      let rows = new.indices.filter { old[$0].serial != new[$0].serial || isReplaced(new[$0]) }
      return rows.isEmpty ? nil : .replacement(rows)
    }
    let stayed = old.map(\.serial).filter(after.contains)
    let isPlain =
      stayed == new.map(\.serial).filter(before.contains)
      && !new.contains { before.contains($0.serial) && isReplaced($0) }
    if isPlain && stayed.count == old.count {
      return .insertion(new.indices.filter { !before.contains(new[$0].serial) })
    }
    if isPlain && stayed.count == new.count {
      return .removal(old.indices.filter { !after.contains(old[$0].serial) })
    }
    return .setting
  }
}
