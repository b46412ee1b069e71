import Herald
import TestSupport
import Testing

@Suite struct DurabilityTests {
  @Test func `commits that do not wait for the disk are there for other sessions, and later`() throws {
    try withFolder { folder in
      let path = folder + "/pets.hdb"
      do {
        let store = try DynamicStore(path: path)
        defer { store.close() }
        #expect(store.durability == .full)
        store.durability = .normal
        try store.declare(ClassDefinition(name: "Dog", properties: [.init(name: "n", element: .int)]))
        let dog = try store.write { try store.add("Dog", [("n", .value(.int(0)))]) }
        for number in 1...100 { try store.write { try dog.set("n", to: .value(.int(number))) } }
        let other = try store.newSession(named: "other")
        #expect(other.durability == .normal)
        #expect(try other.objects("Dog").objects[0].value("n") == .int(100))
        other.close()
      }
      let store = try DynamicStore(path: path)
      defer { store.close() }
      #expect(store.durability == .full)
      #expect(store.version == 102)
      #expect(try store.objects("Dog").objects[0].value("n") == .int(100))
    }
  }
}
