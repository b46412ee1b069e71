import HeraldModel

/// The losses of a repair so far: all are counted, the first ones are listed.
struct LossList {
  private struct Kind: Hashable {
    let className: String?
    let property: String?
  }

  private(set) var lost: [RepairReport.Loss] = []
  private var order: [Kind] = []
  private var numbers: [Kind: Int] = [:]

  mutating func add(_ loss: RepairReport.Loss) {
    let kind = Kind(className: loss.className, property: loss.property)
    if numbers[kind] == nil { order.append(kind) }
    numbers[kind, default: 0] += 1
    if lost.count < RepairReport.listLimit { lost.append(loss) }
  }

  var counts: [RepairReport.Count] {
    order.map {
      RepairReport.Count(
        className: $0.className, property: $0.property, count: numbers[$0] ?? 0)
    }
  }
}
