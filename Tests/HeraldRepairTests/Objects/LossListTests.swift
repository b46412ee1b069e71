import Testing

@testable import HeraldRepair

@Suite struct LossListTests {
  @Test func `losses are counted by class and property, in the order in which they were found`() {
    var losses = LossList()
    for (className, property) in [("B", "x"), ("A", nil), ("B", "x"), ("B", nil), ("A", nil)] {
      losses.add(RepairReport.Loss(className: className, property: property, reason: "r"))
    }
    #expect(
      losses.counts == [
        RepairReport.Count(className: "B", property: "x", count: 2),
        RepairReport.Count(className: "A", property: nil, count: 2),
        RepairReport.Count(className: "B", property: nil, count: 1),
      ])
    #expect(losses.lost.count == 5)
  }
}
