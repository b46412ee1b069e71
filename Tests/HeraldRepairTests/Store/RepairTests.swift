import Herald
import HeraldRepair
import TestSupport
import Testing

/// Repairs, compared with a plain model: whatever was damaged, each value of the new store is the one that
/// was there, or is listed as lost.
@Suite struct RepairTests {
  @Test func `A store without damage is copied as it is`() throws {
    try withFolder { folder in
      let path = folder + "/world.hdb"
      let world = try RepairWorld(path)
      let report = try Store.repair(path: path, to: folder + "/new.hdb")
      #expect(report.lost == [] && report.lossCount == 0)
      #expect(report.version == world.newest.version)
      #expect(report.objects == world.newest.objectCount)
      let new = try DynamicStore(path: folder + "/new.hdb")
      #expect(try RepairModel(new).values == world.newest.values)
      #expect(new.check() == [])
      #expect(FileTree.permissions(folder + "/new.hdb") == 0o600)
    }
  }

  @Test func `Numbers are kept, and those of deleted objects are not given again`() throws {
    try withFolder { folder in
      let path = folder + "/world.hdb"
      do {
        let store = try DynamicStore(path: path)
        try store.declare(
          ClassDefinition(name: "Note", properties: [.init(name: "text", element: .string)]))
        try store.write {
          for text in ["a", "b", "c", "d"] {
            _ = try store.add("Note", [("text", .value(.string(text)))])
          }
        }
        try store.write {
          for object in try store.objects("Note").objects.suffix(2) { try store.delete(object) }
          try store.delete(try #require(store.objects("Note").objects.first))
        }
      }
      _ = try Store.repair(path: path, to: folder + "/new.hdb")
      let new = try DynamicStore(path: folder + "/new.hdb")
      #expect(try new.objects("Note").objects.map(\.id.number) == [2])
      let added = try new.write { try new.add("Note", [("text", .value(.string("e")))]) }
      #expect(added.id.number == 5)
    }
  }

  @Test(arguments: PageDamage.allCases)
  func `Whatever page is damaged, the repaired values are right and the lost ones are listed`(
    damage: PageDamage
  ) throws {
    try withFolder { folder in
      let path = folder + "/world.hdb"
      let world = try RepairWorld(path)
      let bytes = FileTree.read(path)
      // Every page in 32 runs, or in one that `HERALD_TIMES` makes as long.
      let step = 32 / min(32, environmentNumber("HERALD_TIMES") ?? 1)
      let first = (PageDamage.allCases.firstIndex(of: damage) ?? 0) * 7 % step
      for page in stride(from: first, to: bytes.count / 4096, by: step) {
        let damaged = damage.applied(to: bytes, page)
        try world.expectRepaired(damaged, in: folder, "\(damage) page \(page)")
      }
    }
  }

  @Test(arguments: seeds(2))
  func `After much damage the repaired values are right and the lost ones are listed`(seed: UInt64)
    throws
  {
    var random = SplitMix64(seed: seed)
    try withFolder { folder in
      let path = folder + "/world.hdb"
      let world = try RepairWorld(path)
      let bytes = FileTree.read(path)
      for number in 0..<10 {
        var damaged = bytes
        for _ in 0..<1 + random.below(6) {
          let damage = PageDamage.allCases[random.below(PageDamage.allCases.count)]
          damaged = damage.applied(to: damaged, random.below(bytes.count / 4096))
        }
        if random.below(4) == 0 { damaged = Array(damaged.prefix(random.below(damaged.count))) }
        try world.expectRepaired(damaged, in: folder, "seed \(seed) number \(number)")
      }
    }
  }

  @Test func `Both first pages may be lost`() throws {
    try withFolder { folder in
      let path = folder + "/world.hdb"
      let world = try RepairWorld(path)
      var bytes = FileTree.read(path)
      bytes.replaceSubrange(0..<8192, with: [UInt8](repeating: 0, count: 8192))
      try FileTree.save(bytes, to: path)
      let report = try Store.repair(path: path, to: folder + "/new.hdb")
      #expect(report.lost == [])
      let new = try DynamicStore(path: folder + "/new.hdb")
      #expect(try RepairModel(new).values == world.newest.values)
    }
  }

  @Test func `A path that is taken, and a file that is not a store, are refused`() throws {
    try withFolder { folder in
      let path = folder + "/world.hdb"
      _ = try RepairWorld(path)
      #expect(throws: HeraldError.cannotWrite(path: path, reason: "it exists already")) {
        try Store.repair(path: path, to: path)
      }
      let other = folder + "/notes.txt"
      try FileTree.save([UInt8](repeating: 65, count: 20_000), to: other)
      #expect(throws: HeraldError.notAStore(path: other)) {
        try Store.repair(path: other, to: folder + "/new.hdb")
      }
      let interruption = Interruption()
      interruption.request()
      #expect(throws: HeraldError.interrupted) {
        try Store.repair(path: path, to: folder + "/new.hdb", interruption: interruption)
      }
      #expect(FileTree.names(in: folder) == ["notes.txt", "world.hdb", "world.hdb-lock"])
    }
  }
}

/// What becomes of a page.
enum PageDamage: CaseIterable {
  case zeroed, garbage, swapped, older, bits

  func applied(to bytes: [UInt8], _ page: Int) -> [UInt8] {
    var bytes = bytes
    let pages = bytes.count / 4096
    let place = page * 4096
    var random = SplitMix64(seed: page)
    switch self {
    case .zeroed:
      bytes.replaceSubrange(place..<place + 4096, with: repeatElement(0, count: 4096))
    case .garbage:
      bytes.replaceSubrange(
        place..<place + 4096, with: (0..<4096).map { _ in UInt8(random.below(256)) })
    case .swapped:
      let other = (page + 1) % pages * 4096
      let content = bytes[place..<place + 4096]
      bytes.replaceSubrange(place..<place + 4096, with: bytes[other..<other + 4096])
      bytes.replaceSubrange(other..<other + 4096, with: content)
    case .older:
      // The content of another page under the number of this one.
      let other = random.below(pages) * 4096
      bytes.replaceSubrange(place + 8..<place + 4096, with: bytes[other + 8..<other + 4096])
    case .bits:
      for _ in 0..<8 { bytes[place + random.below(4096)] ^= 1 << UInt8(random.below(8)) }
    }
    return bytes
  }
}
