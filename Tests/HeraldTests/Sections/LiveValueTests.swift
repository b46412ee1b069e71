import Herald
import TestSupport
import Testing

private class Sale: Object {
  @Persisted(primaryKey: true) var id = 0
  @Persisted var price = 0.0
  @Persisted var amount: Int?
  @Persisted var small: Int8 = 0
  @Persisted var isPaid = false
}

private class Buyer: Object {
  @Persisted(primaryKey: true) var id = 0
  @Persisted var sales: List<Sale>
}

struct LiveValueTests {
  /// Each value, as long as its observer is, beside the same value read after each commit.
  @Test(arguments: seeds(20))
  func `observed values are those that are read`(seed: UInt64) throws {
    var random = SplitMix64(seed: seed)
    let store = try Store()
    let sales = store.objects(Sale.self)
    let unpaid = sales.where { !$0.isPaid }
    let buyer = try store.write { store.create(Buyer.self, value: ["id": 1]) }
    var seen: [String: (count: Int, last: String)] = [:]
    func note<Value>(_ name: String, _ old: Value?, _ new: Value) {
      if let known = seen[name] { #expect("\(old.map { "\($0)" } ?? "nil")" == known.last) }
      seen[name] = ((seen[name]?.count ?? 0) + 1, "\(new)")
    }
    let tokens = [
      sales.count.observe { old, new in note("count", old, new) },
      unpaid.count.observe { old, new in note("unpaid", old, new) },
      unpaid.sum(\.price).observe { old, new in note("sum", old, new) },
      sales.sum(\.amount).observe { old, new in note("amount", old, new) },
      buyer.sales.sum(\.price).observe { old, new in note("list", old, new) },
      sales.average(\.amount).observe { old, new in note("average", .some(old), new) },
      sales.max(\.price).observe { old, new in note("max", .some(old), new) },
      unpaid.min(\.amount).observe { old, new in note("min", .some(old), new) },
    ]
    store.refresh()
    var differences = 0
    for step in 0..<40 {
      let counts = seen.mapValues(\.count)
      try store.write {
        for _ in 0...random.below(3) {
          let all = Array(sales)
          switch all.isEmpty ? 0 : random.below(5) {
          case 0:
            let sale = store.create(
              Sale.self, value: ["id": step * 10 + all.count, "price": Double(random.below(9))],
              update: .modified)
            if random.chance(50) { buyer.sales.append(sale) }
          case 1: random.pick(all).price = Double(random.below(9))
          case 2: random.pick(all).amount = random.chance(30) ? nil : random.below(5)
          case 3: random.pick(all).isPaid.toggle()
          default: store.delete(random.pick(all))
          }
        }
      }
      store.refresh()
      func check(_ name: String, _ value: some Any) {
        #expect(seen[name]?.last == "\(value)", "seed \(seed), step \(step), \(name)")
      }
      check("count", sales.count as Int)
      check("unpaid", unpaid.count as Int)
      check("sum", unpaid.sum(\.price) as Double)
      check("amount", sales.sum(\.amount) as Int)
      check("list", buyer.sales.sum(\.price) as Double)
      check("average", sales.average(\.amount) as Double?)
      check("max", sales.max(\.price) as Double?)
      check("min", unpaid.min(\.amount) as Int?)
      for (name, known) in seen {
        let new = known.count - (counts[name] ?? 0)
        #expect(new <= 1, "seed \(seed), step \(step): \(name) was notified \(new) times")
        differences += new
      }
    }
    #expect(differences > 60, "seed \(seed): \(differences)")
    for token in tokens { token.invalidate() }
  }

  @Test func `a value is read as a number, and observed by the same name`() throws {
    let store = try Store()
    try store.write { store.create(Sale.self, value: ["id": 1, "price": 2.5]) }
    let sales = store.objects(Sale.self)
    let count = sales.count
    let sum = sales.sum(\.price)
    #expect(count + 1 == 2 && sum * 2 == 5 && (0..<sales.count).count == 1)
    #expect(sales.average(\.price) == 2.5 && sales.min(\.price) == 2.5)
  }

  @Test func `what goes wrong reaches the block that takes changes`() throws {
    let store = try Store()
    var log: [String] = []
    func note<Value>(_ change: LiveValueChange<Value>) {
      switch change {
      case .initial(let value): log.append("\(value)")
      case .changed(let old, let new): log.append("\(old) -> \(new)")
      case .error: log.append("error")
      }
    }
    try store.write { store.create(Buyer.self, value: ["id": 1]) }
    let buyer = try #require(store.objects(Buyer.self).first)
    let tokens = [
      store.objects(Sale.self).sum(\.small).observe { note($0) },
      store.objects(Sale.self).freeze().count.observe { note($0) },
      List<Sale>().count.observe { note($0) },
      buyer.sales.count.observe { note($0) },
    ]
    store.refresh()
    #expect(log.sorted() == ["0", "0", "error", "error"])
    log = []
    try store.write {
      for id in 1...2 {
        buyer.sales.append(store.create(Sale.self, value: ["id": id, "small": 100]))
      }
    }
    store.refresh()
    #expect(log == ["error", "0 -> 2"])
    log = []
    try store.write { buyer.sales[0].small = 20 }
    store.refresh()
    #expect(log == ["0 -> 120"])
    log = []
    try store.write { store.delete(buyer) }
    store.refresh()
    #expect(log == ["2 -> 0"])
    withExtendedLifetime(tokens) {}
  }

  @Test @MainActor func `the changes of a value are a sequence`() async throws {
    let folder = try TemporaryFolder()
    let store = try Store(path: folder.path + "/values.hdb")
    try store.write { store.create(Sale.self, value: ["id": 1, "price": 2]) }
    var changes = store.objects(Sale.self).sum(\.price).changes().makeAsyncIterator()
    if case .initial(2)? = await changes.next() {} else { Issue.record("no initial") }
    try store.write { store.create(Sale.self, value: ["id": 2, "price": 3]) }
    if case .changed(old: 2, new: 5)? = await changes.next() {} else { Issue.record("no change") }
  }
}
