import Herald
import TestSupport
import Testing

private final class Branch: Object {
  @Persisted var name = ""
  @Persisted var next: Branch?
  @Persisted var twigs: List<Branch>
  @Persisted var named: Map<String, Branch?>
}

private final class Keyed: Object {
  @Persisted(primaryKey: true) var id = 0
  @Persisted var note = ""
  @Persisted var next: Keyed?
}

/// The order in which the objects of one `add` come into the store: each before those that it links to.
@Suite struct AddingOrderTests {
  @Test func `an object is added before those that it links to`() throws {
    let store = try Store()
    try store.write {
      let leaf = Branch(name: "leaf")
      let first = Branch(name: "first", twigs: [leaf])
      let second = Branch(name: "second", twigs: [leaf])
      store.add(Branch(name: "root", next: first, twigs: [first, second]))
    }
    #expect(store.objects(Branch.self).map(\.name) == ["root", "first", "leaf", "second"])
  }

  @Test(arguments: seeds(20))
  func `cycles and shared objects keep their links`(seed: UInt64) throws {
    var random = SplitMix64(seed: seed)
    let store = try Store()
    let branches = (0..<Int.random(in: 1...40, using: &random)).map { Branch(name: "\($0)") }
    for branch in branches {
      branch.next = Bool.random(using: &random) ? branches.randomElement(using: &random) : nil
      for _ in 0..<Int.random(in: 0...3, using: &random) {
        guard let twig = branches.randomElement(using: &random) else { continue }
        branch.twigs.append(twig)
        branch.named[twig.name] = twig
      }
    }
    let expected = Dictionary(uniqueKeysWithValues: branches.map { ($0.name, Self.links($0)) })
    let order = Self.order(from: branches[0])
    try store.write { store.add(branches[0]) }
    let added = store.objects(Branch.self)
    #expect(added.map(\.name) == order)
    for branch in added { #expect(Self.links(branch) == expected[branch.name]) }
  }

  @Test func `a long chain is added`() throws {
    let store = try Store()
    let root = Branch(name: "0")
    var last = root
    for number in 1..<20_000 {
      let next = Branch(name: "\(number)")
      last.next = next
      last = next
    }
    last.next = root
    try store.write { store.add(root) }
    #expect(store.objects(Branch.self).count == 20_000 && last.next?.next?.name == "1")
  }

  @Test func `what an update finds gets its links after those are added`() throws {
    let store = try Store()
    try store.write { store.add(Keyed(id: 1, note: "old")) }
    for policy in [UpdatePolicy.all, .modified] {
      try store.write {
        let again = Keyed(id: 1, note: "back")
        store.add(
          Keyed(id: 1, note: "new", next: Keyed(id: 2, note: "two", next: again)), update: policy)
      }
      let first = try #require(store.object(ofType: Keyed.self, forPrimaryKey: 1))
      #expect(first.note == "back" && first.next?.id == 2 && store.objects(Keyed.self).count == 2)
      #expect(store.object(ofType: Keyed.self, forPrimaryKey: 2)?.next == first)
    }
  }

  private static func links(_ branch: Branch) -> String {
    let named = branch.named.keys.sorted().map { "\($0)=\(branch.named[$0]??.name ?? "nil")" }
    return "\(branch.next?.name ?? "nil") \(branch.twigs.map(\.name)) \(named)"
  }

  /// The order by a plain recursion.
  private static func order(from root: Branch) -> [String] {
    var names: [String] = []
    func visit(_ branch: Branch) {
      guard !names.contains(branch.name) else { return }
      names.append(branch.name)
      if let next = branch.next { visit(next) }
      for twig in branch.twigs { visit(twig) }
    }
    visit(root)
    return names
  }
}

extension Branch {
  fileprivate convenience init(name: String, next: Branch? = nil, twigs: [Branch] = []) {
    self.init()
    self.name = name
    self.next = next
    self.twigs.append(objectsIn: twigs)
  }
}

extension Keyed {
  fileprivate convenience init(id: Int, note: String, next: Keyed? = nil) {
    self.init()
    (self.id, self.note, self.next) = (id, note, next)
  }
}
