import ExampleSupport
import Foundation
import HeraldCompatibility

class DemoObject: Object {
  @Persisted var title = ""
  @Persisted var date = Date()
}

func showTable() {
  MainActor.assumeIsolated {
    let realm = try! Realm()
    let add = { (title: String, seconds: Double) in
      let object = realm.create(DemoObject.self)
      object.title = title
      object.date = Date(timeIntervalSince1970: seconds)
    }
    try! realm.write {
      add("second", 2)
      add("first", 1)
      add("fourth", 4)
    }
    let controller = TableViewController()
    controller.viewDidLoad()
    settle()
    print(controller.tableView.rows)
    try! controller.delete(at: 1)
    print("after delete: \(controller.tableView.rows)")
    settle { controller.tableView.rows.count == 2 }
    print(controller.tableView.rows)
    try! realm.write {
      add("third", 3)
      controller.results[0].title = "the first"
    }
    settle()
    print(controller.tableView.rows)
  }
}
