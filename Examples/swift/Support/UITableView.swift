@_exported public import Foundation

/// A table view in a terminal, for programs written for UIKit: it shows one line for each row, applies batch updates
/// as UIKit does, and traps on an inconsistent one.
@MainActor
public final class UITableView {
  public enum RowAnimation { case automatic, fade, none }

  /// The object that has the rows.
  weak var controller: UITableViewController?
  /// The rows that are shown.
  public private(set) var rows: [String] = []
  private var depth = 0
  private var deletions: [Int] = []
  private var insertions: [Int] = []
  private var reloads: [Int] = []

  init() {}

  public func register(_ cell: AnyClass, forCellReuseIdentifier identifier: String) {}

  public func dequeueReusableCell(
    withIdentifier identifier: String, for indexPath: IndexPath
  ) -> UITableViewCell {
    UITableViewCell()
  }

  /// Reads every row anew.
  public func reloadData() { rows = (0..<count).map(text) }

  public func beginUpdates() { depth += 1 }

  public func endUpdates() {
    depth -= 1
    if depth == 0 { apply() }
  }

  public func performBatchUpdates(_ updates: (() -> Void)?, completion: ((Bool) -> Void)? = nil) {
    beginUpdates()
    updates?()
    endUpdates()
    completion?(true)
  }

  /// Deletes rows, by their indices before the updates.
  public func deleteRows(at paths: [IndexPath], with animation: RowAnimation) {
    update { deletions += paths.map(\.row) }
  }

  /// Inserts rows, by their indices after the updates.
  public func insertRows(at paths: [IndexPath], with animation: RowAnimation) {
    update { insertions += paths.map(\.row) }
  }

  /// Reads rows anew, by their indices before the updates.
  public func reloadRows(at paths: [IndexPath], with animation: RowAnimation) {
    update { reloads += paths.map(\.row) }
  }

  private func update(_ note: () -> Void) {
    beginUpdates()
    note()
    endUpdates()
  }

  private var count: Int { controller?.tableView(self, numberOfRowsInSection: 0) ?? 0 }

  private func text(_ row: Int) -> String {
    let path = IndexPath(row: row, section: 0)
    return controller?.tableView(self, cellForRowAt: path).textLabel?.text ?? ""
  }

  private func apply() {
    let expected = rows.count - deletions.count + insertions.count
    guard expected == count else {
      fatalError(
        "invalid update: the table had \(rows.count) rows, \(deletions.count) were deleted and "
          + "\(insertions.count) inserted, and there are \(count)")
    }
    var kept = rows.indices.filter { !deletions.contains($0) }.map { Int?.some($0) }
    for row in insertions.sorted() { kept.insert(nil, at: row) }
    let reloaded = Set(reloads)
    let old = rows
    rows = kept.enumerated().map { row, source in
      source.flatMap { reloaded.contains($0) ? nil : old[$0] } ?? text(row)
    }
    (deletions, insertions, reloads) = ([], [], [])
    for row in rows.indices where rows[row] != text(row) {
      fatalError("invalid update: row \(row) shows '\(rows[row])' and is '\(text(row))'")
    }
  }
}

/// One row.
@MainActor
public final class UITableViewCell {
  public let textLabel: UILabel? = UILabel()

  init() {}
}

/// A line of text.
@MainActor
public final class UILabel {
  public var text: String?

  init() {}
}
