import HeraldReplication

/// What an observer of all dogs receives.
final class Changes {
  private(set) var texts: [String] = []
  private var token: ObservationToken?

  init(of store: DynamicStore) throws {
    token = try store.objects("Dog").observe { [unowned self] _, change in
      switch change {
      case .initial(let count): texts.append("initial \(count)")
      case .update(let changes, _):
        var parts: [String] = []
        if !changes.deletions.isEmpty { parts.append("-\(changes.deletions)") }
        if !changes.insertions.isEmpty { parts.append("+\(changes.insertions)") }
        if !changes.modifications.isEmpty { parts.append("~\(changes.modifications)") }
        texts.append(parts.joined(separator: " "))
      case .mapUpdate: texts.append("map")
      case .error(let error): texts.append("error \(error)")
      }
    }
    _ = try store.endTurn()
  }
}
