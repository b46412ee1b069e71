import Herald
import TestSupport
import Testing

/// Stores on disk: opening, and what opening must not do.
@Suite struct StoreFileTests {
  /// Fills a store with a few objects of every type and closes it.
  private func makeStore(_ path: String) throws {
    let store = try DynamicStore(path: path)
    for definition in Kennel.definitions { try store.declare(definition) }
    let kennel = Kennel(store)
    try kennel.write {
      try kennel.addPerson(1, [("name", .value(.string("Ann")))])
      try kennel.addDog(
        1,
        [
          ("name", .value(.string("Max"))), ("owner", .value(.link(try kennel.person(1).id))),
          ("tags", .list([.string("a"), .string("b")])),
        ])
    }
    store.close()
  }

  /// Opens the file and expects an error, which leaves the file as it was.
  private func expectFailure(
    _ path: String, readOnly: Bool = false, _ isExpected: (HeraldError) -> Bool
  ) throws {
    let before = FileTree.read(path)
    do {
      let store = try DynamicStore(path: path, readOnly: readOnly)
      store.close()
      Issue.record("\(path) was opened")
    } catch let error as HeraldError {
      #expect(isExpected(error), "\(error)")
    }
    #expect(FileTree.read(path) == before)
  }

  @Test func `reopening keeps everything`() throws {
    try withFolder { folder in
      let path = "\(folder)/a.hdb"
      try makeStore(path)
      let kennel = Kennel(try DynamicStore(path: path))
      #expect(kennel.store.path == path)
      #expect(try kennel.dog(1).value("name") == .string("Max"))
      #expect(try kennel.dog(1).value("owner") == .link(try kennel.person(1).id))
      #expect(try kennel.dog(1).collection("tags").values == [.string("a"), .string("b")])
      #expect(kennel.store.schema.classSchema(named: "Dog")?.primaryKey?.name == "id")
      let version = kennel.store.version
      try kennel.write { try kennel.addDog(2) }
      #expect(kennel.store.version == version + 1)
      // Numbers are never reused, also across openings.
      let number = try kennel.dog(2).id.number
      try kennel.write { try kennel.store.delete(try kennel.dog(2)) }
      kennel.store.close()
      let again = Kennel(try DynamicStore(path: path))
      try again.write { try again.addDog(3) }
      #expect(try again.dog(3).id.number > number)
      #expect(again.store.check().isEmpty)
      again.store.close()
    }
  }

  @Test func `a repeated declaration has no effect, a different one is an error`() throws {
    try withFolder { folder in
      let path = "\(folder)/a.hdb"
      try makeStore(path)
      let store = try DynamicStore(path: path)
      defer { store.close() }
      let schema = store.schema
      for definition in Kennel.definitions { try store.declare(definition) }
      #expect(store.schema == schema)
      #expect(throws: HeraldError.self) {
        try store.declare(
          ClassDefinition(name: "Dog", properties: [.init(name: "id", element: .string)]))
      }
      #expect(store.schema == schema)
    }
  }

  @Test(arguments: [
    "this is no store\n", "x", String(repeating: "0123456789abcdef", count: 4096),
    String(repeating: "\0", count: 16384),
  ])
  func `a file that is not a store is refused and left alone`(content: String) throws {
    try withFolder { folder in
      let path = "\(folder)/notes.txt"
      try FileTree.save(content, to: path)
      try expectFailure(path) { if case .notAStore(path) = $0 { true } else { false } }
      try expectFailure(path, readOnly: true) {
        if case .notAStore(path) = $0 { true } else { false }
      }
    }
  }

  @Test func `a store of a newer format is refused and left alone`() throws {
    try withFolder { folder in
      let path = "\(folder)/a.hdb"
      try makeStore(path)
      // The entry by which a store is known: its name, two bytes of zero, and the format's number.
      var bytes = FileTree.read(path)
      let name = Array("HERALD\0\0".utf8)
      for place in 0..<(bytes.count - 12) where bytes[place] == name[0] {
        if Array(bytes[place..<(place + 8)]) == name { bytes[place + 8] = 77 }
      }
      try FileTree.save(bytes, to: path)
      try expectFailure(path) {
        if case .newerFormat(path, found: 77, _) = $0 { true } else { false }
      }
    }
  }

  @Test func `a directory is refused`() throws {
    try withFolder { (folder) throws in
      #expect(throws: HeraldError.self) { _ = try DynamicStore(path: folder) }
      #expect(FileTree.names(in: folder).isEmpty)
    }
  }

  @Test func `a store in a missing directory cannot be opened`() throws {
    try withFolder { folder in
      let path = "\(folder)/no/a.hdb"
      #expect(throws: HeraldError.self) { _ = try DynamicStore(path: path) }
      #expect(!FileTree.exists(path))
    }
  }

  @Test func `a missing store is not made by opening it read-only`() throws {
    try withFolder { (folder) throws in
      let path = "\(folder)/a.hdb"
      #expect(throws: HeraldError.self) { _ = try DynamicStore(path: path, readOnly: true) }
      #expect(FileTree.names(in: folder).isEmpty)
    }
  }

  @Test func `a store that was cut short is refused, or passes its check`() throws {
    try withFolder { folder in
      let whole = "\(folder)/whole.hdb"
      try makeStore(whole)
      let bytes = FileTree.read(whole)
      for length in [100, 4095, 4096, 8192, bytes.count / 2, bytes.count - 4096] {
        let path = "\(folder)/cut\(length).hdb"
        try FileTree.save(Array(bytes.prefix(length)), to: path)
        do {
          let store = try DynamicStore(path: path)
          #expect(store.check().isEmpty, "\(length) of \(bytes.count) bytes")
          store.close()
        } catch let error as HeraldError {
          switch error {
          case .notAStore, .damaged: break
          default: Issue.record("\(length) of \(bytes.count) bytes: \(error)")
          }
          #expect(FileTree.read(path) == Array(bytes.prefix(length)), "\(length)")
        }
      }
    }
  }

  @Test func `a read-only store reads, observes, and writes nothing`() throws {
    try withFolder { folder in
      let path = "\(folder)/a.hdb"
      try makeStore(path)
      let before = FileTree.read(path)
      let kennel = Kennel(try DynamicStore(path: path, readOnly: true))
      #expect(kennel.store.isReadOnly)
      try kennel.observe(kennel.dogs(), as: "dogs")
      #expect(try kennel.turn() == ["dogs: initial 1"])
      #expect(throws: HeraldError.readOnly) { try kennel.write { try kennel.addDog(2) } }
      #expect(throws: HeraldError.readOnly) { try kennel.store.beginWrite() }
      #expect(throws: HeraldError.readOnly) { try kennel.store.writeAsync {} }
      #expect(throws: HeraldError.readOnly) {
        try kennel.store.declare(ClassDefinition(name: "Cat", properties: []))
      }
      #expect(kennel.store.check().isEmpty)
      kennel.store.close()
      #expect(FileTree.read(path) == before)
    }
  }

  @Test func `a store opened read-only writes nothing where others write the same file`() throws {
    try withFolder { folder in
      let path = "\(folder)/a.hdb"
      try makeStore(path)
      let kennel = Kennel(try DynamicStore(path: path))
      let reading = try DynamicStore(path: path, readOnly: true)
      #expect(reading.isReadOnly && !kennel.store.isReadOnly)
      for store in [reading, try reading.newSession(), try reading.address.newSession()] {
        #expect(throws: HeraldError.readOnly) { try store.beginWrite() }
        #expect(throws: HeraldError.readOnly) { try store.writeAsync {} }
      }
      try kennel.write { try kennel.addDog(2) }
      #expect(try reading.refresh())
      #expect(throws: HeraldError.readOnly) { try reading.beginWrite() }
    }
  }

  @Test func `two stores on one path in one process share it`() throws {
    try withFolder { folder in
      let path = "\(folder)/a.hdb"
      try makeStore(path)
      let one = Kennel(try DynamicStore(path: path))
      // Another spelling of the same path.
      let other = Kennel(
        try DynamicStore(
          path: "\(folder)/./../\(FileTree.name(of: folder))/a.hdb"))
      try other.observe(other.dogs(), as: "dogs")
      #expect(try other.turn() == ["dogs: initial 1"])
      try one.write { try one.addDog(2) }
      #expect(try other.turn() == ["dogs: insertions [1]"])
      try one.store.beginWrite()
      #expect(throws: HeraldError.writerBusy) { try other.store.write(waiting: false) {} }
      try one.store.rollbackWrite()
      one.store.close()
      try other.write { try other.addDog(3) }
      #expect(try other.dogs().count == 3)
      #expect(other.store.check().isEmpty)
      other.store.close()
    }
  }

  @Test func `commits that do not wait for the disk are there for others, and later`() throws {
    try withFolder { folder in
      let path = folder + "/pets.hdb"
      do {
        let store = try DynamicStore(path: path)
        defer { store.close() }
        #expect(store.durability == .full)
        store.durability = .normal
        try store.declare(
          ClassDefinition(name: "Dog", properties: [.init(name: "n", element: .int)]))
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
