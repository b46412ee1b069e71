import Herald
import TestSupport
import Testing

private final class Barge: Object {
  @Persisted(primaryKey: true) var id: Int
  @Persisted var name = ""
  @Persisted var tons: Int?
}

private final class Harbour: Object { @Persisted var name = "" }

private final class BargeCard: Projection<Barge> { @Projected(\Barge.name) var name }

/// A store that can take no class has no objects of those that it does not have.
@Suite(.serialized) @MainActor struct MissingClassTests {
  private func checkEmpty(_ store: Store) throws {
    let barges = store.objects(Barge.self)
    #expect(barges.isEmpty && barges.first == nil && barges.last == nil && Array(barges).isEmpty)
    #expect(barges.where { $0.tons > 3 }.count == 0 && barges.filter("tons > %@", 3).isEmpty)
    #expect(try barges.query("name = 'x'").sorted(by: \.name).distinct(by: [\.name]).isEmpty)
    #expect(barges.values(\.name).isEmpty && barges.sum(\.tons) == 0 && barges.max(\.tons) == nil)
    #expect(barges.average(\.tons) == nil && barges.description == "Results<Barge> []")
    #expect(store.objects(BargeCard.self).isEmpty)
    #expect(store.object(ofType: Barge.self, forPrimaryKey: 1) == nil)
    #expect(barges.freeze().isEmpty && barges.index(of: Barge()) == nil)
  }

  @Test func `a read-only store finds nothing until another program adds the class`() throws {
    let folder = try TemporaryFolder()
    let path = folder.path + "/port.hdb"
    let writer = try Store(path: path, objectTypes: [Harbour.self])
    let reader = try Store(path: path, readOnly: true)
    try checkEmpty(reader)
    let barges = reader.objects(Barge.self)
    let heavy = barges.where { $0.tons > 3 }
    #expect(barges.isEmpty && heavy.isEmpty)
    var text = ""
    let token = barges.observe { if case .error(let error) = $0 { text = "\(error)" } }
    reader.refresh()
    #expect(text == "the store has no class 'Barge', and cannot take it since it is read-only")
    token.invalidate()
    try writer.write { writer.create(Barge.self, value: ["id": 1, "tons": 4]) }
    reader.refresh()
    #expect(barges.map(\.tons) == [4] && heavy.count == 1)
  }

  @Test func `a frozen store finds nothing`() throws {
    let store = try Store(objectTypes: [Harbour.self])
    try checkEmpty(store.freeze())
  }
}
