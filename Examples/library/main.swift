import Herald

let store = try DynamicStore()  // DynamicStore(path: "dogs.hdb") keeps it in a file
try store.declare(
  ClassDefinition(
    name: "Dog",
    properties: [.init(name: "name", element: .string), .init(name: "age", element: .int)]))
let token = try store.objects("Dog").observe { dogs, change in
  if case .update(let set, _) = change { print(try dogs.count, "dogs;", set.insertions) }
}
try store.endTurn()  // delivers what is pending: here, the rows that are there
try store.write {
  _ = try store.add("Dog", [("name", .value(.string("Max"))), ("age", .value(.int(3)))])
}
try store.endTurn()  // prints "1 dogs; [0]"
