public import Foundation

/// The owner of a table view, and the source of its rows.
@MainActor
open class UITableViewController {
  public let tableView = UITableView()

  public init() { tableView.controller = self }

  open func viewDidLoad() {}

  open func tableView(_ tableView: UITableView, numberOfRowsInSection section: Int) -> Int { 0 }

  open func tableView(
    _ tableView: UITableView, cellForRowAt indexPath: IndexPath
  ) -> UITableViewCell {
    UITableViewCell()
  }
}

extension IndexPath {
  /// The index path of a row of a table view.
  public init(row: Int, section: Int) { self.init(indexes: [section, row]) }

  public var row: Int { self[1] }
  public var section: Int { self[0] }
}
