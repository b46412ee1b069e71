import Foundation
import HeraldCompatibility
import Testing

private final class Plot: Object {
  @Persisted var title = ""
  @Persisted var area = 0
  @Persisted var trees: List<Tree>

  override class func propertiesMapping() -> [String: String] {
    ["title": "stored_title", "area": "stored_area", "trees": "stored_trees"]
  }
}

private final class Tree: Object {
  @Persisted var kind = ""
  @Persisted(originProperty: "trees") var plots: LinkingObjects<Plot>

  override class func propertiesMapping() -> [String: String] { ["kind": "stored_kind"] }
}

/// Names of the program, in queries in text, of properties that have other names in the store.
@Suite(.serialized) @MainActor struct MappedNamesTests {
  private let realm: Realm
  private var plots: Results<Plot> { realm.objects(Plot.self) }

  init() throws {
    realm = try Realm(configuration: Realm.Configuration(inMemoryIdentifier: "plots"))
    try realm.write {
      realm.deleteAll()
      realm.create(Plot.self, value: ["title": "a", "area": 3, "trees": [["kind": "oak"]]])
      realm.create(Plot.self, value: ["title": "b", "area": 1])
      realm.create(Plot.self, value: ["title": "b", "area": 2])
    }
  }

  @Test func `a query has the names of the program, and those of the store`() throws {
    #expect(plots.filter("title == 'a'").count == 1 && plots.filter("stored_area > 1").count == 2)
    #expect(plots.filter("%K == %@ AND area < 2", "title", "b").map(\.area) == [1])
    #expect(plots.filter("ANY trees.kind == 'oak'").map(\.title) == ["a"])
    #expect(plots.filter("SUBQUERY(trees, $t, $t.kind == 'oak').@count == 1").count == 1)
    #expect(realm.objects(Tree.self).filter("ANY plots.title == 'a'").count == 1)
    #expect(plots.index(matching: "title == 'b'") == 1)
    #expect(plots[0].trees.filter("kind == 'oak'").count == 1)
  }

  @Test func `an order, an aggregate and what is observed have them, too`() throws {
    #expect(plots.sorted(byKeyPath: "area").map(\.area) == [1, 2, 3])
    let sorted = plots.sorted(by: ["title", SortDescriptor(keyPath: "area", ascending: false)])
    #expect(sorted.map(\.area) == [3, 2, 1])
    #expect(plots.distinct(by: ["title"]).count == 2)
    #expect(plots.sum(ofProperty: "area") == 6 && plots.max(ofProperty: "area") == 3)
    var calls: [String] = []
    let live = plots.filter("area > 1").observe(keyPaths: ["title", "trees.kind"]) { change in
      if case .update(_, _, _, let modified) = change { calls.append("\(modified)") }
      if case .error(let error) = change { calls.append("\(error)") }
    }
    let token = plots[0].observe(keyPaths: ["title"]) { change in
      if case .change(_, let properties) = change { calls += properties.map(\.name) }
    }
    realm.refresh()
    try realm.write { plots[0].trees[0].kind = "ash" }
    realm.refresh()
    try realm.write { plots[0].title = "c" }
    realm.refresh()
    try realm.write { plots[1].area = 9 }
    realm.refresh()
    #expect(Set(calls) == ["[0]", "title", "[]"] && calls.count == 4)
    live.invalidate()
    token.invalidate()
  }

  @Test func `objects by name have the names of the program, and those of the store`() throws {
    let plot = try #require(realm.dynamicObjects("Plot").first)
    #expect(plot["title"] as? String == "a" && plot["stored_area"] as? Int == 3)
    #expect(plot.dynamicList("trees").map { $0["kind"] as? String } == ["oak"])
    #expect(plot.objectSchema.properties.map(\.name) == ["title", "area", "trees"])
    var names: [String] = []
    let token = plot.observe { change in
      if case .change(_, let properties) = change { names += properties.map(\.name) }
    }
    realm.refresh()
    try realm.write {
      plot["title"] = "z"
      plot["stored_area"] = 8
      realm.dynamicCreate("Plot", value: ["title": "new", "trees": [["kind": "elm"]]])
    }
    realm.refresh()
    token.invalidate()
    #expect(names == ["title", "area"] && plots[0].title == "z" && plots[0].area == 8)
    #expect(plots.last?.title == "new" && plots.last?.trees.first?.kind == "elm")
  }
}
