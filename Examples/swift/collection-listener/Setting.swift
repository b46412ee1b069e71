import ExampleSupport
import Foundation
import HeraldCompatibility

class Dog: Object {
  @Persisted var name = ""
  convenience init(_ name: String) {
    self.init()
    self.name = name
  }
}

final class DogsViewController: CollectionNotificationExampleViewController {
  let dogs = try! Realm().objects(Dog.self)

  override func tableView(_ tableView: UITableView, numberOfRowsInSection section: Int) -> Int {
    dogs.count
  }

  override func tableView(
    _ tableView: UITableView, cellForRowAt indexPath: IndexPath
  ) -> UITableViewCell {
    let cell = tableView.dequeueReusableCell(withIdentifier: "cell", for: indexPath)
    cell.textLabel?.text = dogs[indexPath.row].name
    return cell
  }
}

func showDogs() {
  MainActor.assumeIsolated {
    let realm = try! Realm()
    try! realm.write { realm.add([Dog("Max"), Dog("Rex"), Dog("Ace")]) }
    let controller = DogsViewController()
    controller.viewDidLoad()
    settle()
    print(controller.tableView.rows)
    try! realm.write {
      realm.delete(controller.dogs[1])
      realm.add([Dog("Fido"), Dog("Bello")])
      controller.dogs[0].name = "Maximilian"
    }
    settle()
    print(controller.tableView.rows)
    try! realm.write { realm.deleteAll() }
    settle()
    print(controller.tableView.rows)
  }
}
