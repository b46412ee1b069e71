import Foundation
import HeraldCompatibility
import Testing

/// Has a property of the name of each member that it inherits.
class EveryName: Object {
  @Persisted var attach = "a"
  @Persisted var binding = 1
  @Persisted var bindingReference = 1.5
  @Persisted var changes = true
  @Persisted var classTable = 0
  @Persisted var content = "a"
  @Persisted var core = 1
  @Persisted var debugDescription = "a"
  @Persisted var decoded = 1.5
  @Persisted var dictionaryWithValues = 0
  @Persisted var dynamicList = "a"
  @Persisted var dynamicMap = 1
  @Persisted var dynamicMutableSet = 1.5
  @Persisted var encode = true
  @Persisted var extra = "a"
  @Persisted var finder = 1
  @Persisted var freeze = 1.5
  @Persisted var frozen = true
  @Persisted var hash = "a"
  @Persisted var hashValue = 1
  @Persisted var id = 1.5
  @Persisted var isEqual = 1
  @Persisted var isFrozen = true
  @Persisted var isInvalidated = "a"
  @Persisted var isPart = 0
  @Persisted var isProbe = 1
  @Persisted var isRolledBack = 1.5
  @Persisted var isSameObject = true
  @Persisted var migration = 1
  @Persisted var nameInStore = "a"
  @Persisted var nameOfClass = 0
  @Persisted var note = 1
  @Persisted var notes = 1.5
  @Persisted var number = true
  @Persisted var object = "a"
  @Persisted var objectSchema = true
  @Persisted var observe = 1
  @Persisted var observedFinder = 1.5
  @Persisted var place = true
  @Persisted var projected = "a"
  @Persisted var realm = 1
  @Persisted var register = "a"
  @Persisted var rootObject = 1.5
  @Persisted var setLocal = true
  @Persisted var setValue = "a"
  @Persisted var setValuesForKeys = 1
  @Persisted var store = 1
  @Persisted var text = 1.5
  @Persisted var thaw = true
  @Persisted var value = "a"
}

class EveryNameOfPart: EmbeddedObject {
  @Persisted var attach = "a"
  @Persisted var binding = 1
  @Persisted var bindingReference = 1.5
  @Persisted var changes = true
  @Persisted var classTable = 0
  @Persisted var content = "a"
  @Persisted var core = 1
  @Persisted var debugDescription = "a"
  @Persisted var decoded = 1.5
  @Persisted var dictionaryWithValues = 0
  @Persisted var dynamicList = "a"
  @Persisted var dynamicMap = 1
  @Persisted var dynamicMutableSet = 1.5
  @Persisted var encode = true
  @Persisted var extra = "a"
  @Persisted var finder = 1
  @Persisted var freeze = 1.5
  @Persisted var frozen = true
  @Persisted var hash = "a"
  @Persisted var hashValue = 1
  @Persisted var id = 1.5
  @Persisted var isEqual = 1
  @Persisted var isFrozen = true
  @Persisted var isInvalidated = "a"
  @Persisted var isPart = 0
  @Persisted var isProbe = 1
  @Persisted var isRolledBack = 1.5
  @Persisted var isSameObject = true
  @Persisted var migration = 1
  @Persisted var nameInStore = "a"
  @Persisted var nameOfClass = 0
  @Persisted var note = 1
  @Persisted var notes = 1.5
  @Persisted var number = true
  @Persisted var object = "a"
  @Persisted var objectSchema = true
  @Persisted var observe = 1
  @Persisted var observedFinder = 1.5
  @Persisted var place = true
  @Persisted var projected = "a"
  @Persisted var realm = 1
  @Persisted var register = "a"
  @Persisted var rootObject = 1.5
  @Persisted var setLocal = true
  @Persisted var setValue = "a"
  @Persisted var setValuesForKeys = 1
  @Persisted var store = 1
  @Persisted var text = 1.5
  @Persisted var thaw = true
  @Persisted var value = "a"
}

class EveryField: Projection<EveryName> {
  @Projected(\EveryName.attach) var attach
  @Projected(\EveryName.binding) var binding
  @Projected(\EveryName.bindingReference) var bindingReference
  @Projected(\EveryName.changes) var changes
  @Projected(\EveryName.classTable) var classTable
  @Projected(\EveryName.content) var content
  @Projected(\EveryName.core) var core
  @Projected(\EveryName.debugDescription) var debugDescription
  @Projected(\EveryName.decoded) var decoded
  @Projected(\EveryName.encode) var encode
  @Projected(\EveryName.extra) var extra
  @Projected(\EveryName.finder) var finder
  @Projected(\EveryName.freeze) var freeze
  @Projected(\EveryName.frozen) var frozen
  @Projected(\EveryName.hash) var hash
  @Projected(\EveryName.hashValue) var hashValue
  @Projected(\EveryName.id) var id
  @Projected(\EveryName.isEqual) var isEqual
  @Projected(\EveryName.isFrozen) var isFrozen
  @Projected(\EveryName.isInvalidated) var isInvalidated
  @Projected(\EveryName.isPart) var isPart
  @Projected(\EveryName.isProbe) var isProbe
  @Projected(\EveryName.isRolledBack) var isRolledBack
  @Projected(\EveryName.isSameObject) var isSameObject
  @Projected(\EveryName.nameInStore) var nameInStore
  @Projected(\EveryName.nameOfClass) var nameOfClass
  @Projected(\EveryName.note) var note
  @Projected(\EveryName.notes) var notes
  @Projected(\EveryName.number) var number
  @Projected(\EveryName.object) var object
  @Projected(\EveryName.observe) var observe
  @Projected(\EveryName.observedFinder) var observedFinder
  @Projected(\EveryName.place) var place
  @Projected(\EveryName.projected) var projected
  @Projected(\EveryName.realm) var realm
  @Projected(\EveryName.register) var register
  @Projected(\EveryName.setLocal) var setLocal
  @Projected(\EveryName.setValue) var setValue
  @Projected(\EveryName.store) var store
  @Projected(\EveryName.text) var text
  @Projected(\EveryName.thaw) var thaw
  @Projected(\EveryName.value) var value
}

@Suite(.serialized) @MainActor struct PropertyNameTests {
  private static var root: URL {
    URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
      .deletingLastPathComponent()
  }

  /// The members that objects and projections inherit, in the words of the sources, without underscores.
  private static func inheritedNames() throws -> Set<String> {
    let types =
      "ObjectBase|Object|EmbeddedObject|Projection|ObservableObjectBase|ProjectionElement|"
      + "ResultElement|Freezable|ThreadConfined|PersistableElement|Persistable"
    let type = try Regex("^([a-z]+ )*(class|extension|protocol) (\(types))[ :<]")
    let member = try Regex("^  (@[^ ]+ )*([a-z]+ )*(var|let|func) `?_*([A-Za-z]+)")
    let others = try Regex("(static|class|private|fileprivate) ")
    var names: Set<String> = []
    for folder in ["Herald", "HeraldCompatibility"] {
      let folder = root.appending(path: "Sources/\(folder)").path
      let files = FileManager.default.enumerator(atPath: folder)
      while let file = files?.nextObject() as? String {
        guard file.hasSuffix(".swift") else { continue }
        let text = try String(contentsOfFile: folder + "/" + file, encoding: .utf8)
        var isInside = false
        for line in text.split(separator: "\n") {
          if line.firstMatch(of: type) != nil {
            isInside = !line.hasSuffix("}")
          } else if line.hasPrefix("}") {
            isInside = false
          } else if isInside, let found = line.firstMatch(of: member),
            line[found.range].firstMatch(of: others) == nil
          {
            names.insert(String(found.output[4].substring ?? ""))
          }
        }
      }
    }
    return names
  }

  /// The words in backquotes of the guide's sentence about names.
  private static func reservedNames() throws -> Set<String> {
    let guide = root.appending(path: "Sources/Herald/Herald.docc/Getting-started.md")
    let text = try String(contentsOf: guide, encoding: .utf8)
    let sentence = text.split(separator: "\n\n").first { $0.contains("cannot be the name") }
    let list = try #require(sentence).prefix { $0 != ":" }
    return Set(list.matches(of: /`([a-zA-Z]+)`/).map { String($0.output.1) })
  }

  @Test func `a property can have the name of each member but for those that the guide lists`()
    throws
  {
    let names = try Self.inheritedNames()
    #expect(names.count > 30 && names.isSuperset(of: ["text", "object", "core", "store"]))
    let reserved = try Self.reservedNames()
    let realm = try Realm(configuration: Realm.Configuration(inMemoryIdentifier: "every name"))
    try realm.write { realm.add(EveryName()) }
    let schema = try #require(realm.store.untyped.schema.classSchema(named: "EveryName"))
    let declared = Set(schema.properties.map(\.name))
    #expect(names.subtracting(declared).isSubset(of: reserved))
    #expect(reserved == ["description", "rootObject"])
  }

  @Test func `properties named like members are stored, queried and observed`() throws {
    let realm = try Realm(configuration: Realm.Configuration(inMemoryIdentifier: "named"))
    let object = EveryName()
    try realm.write {
      realm.deleteAll()
      realm.add(object)
      object.text = 2.5
      object.store = 7
      object.core = 6
    }
    #expect(object.text == 2.5 && object.store == 7)
    #expect((object as ObjectBase).store == realm.store)
    let found = realm.objects(EveryName.self).where {
      $0.core == 6 && $0.store > 6 && $0.text == 2.5
    }
    #expect(found.count == 1 && found.first == object)
    let field = try #require(realm.objects(EveryField.self).first)
    #expect(field.store == 7 && field.object == object.object)
    #expect(field.text == 2.5)
    var changed: [String] = []
    let token = object.observed { changed += $0 }
    realm.refresh()
    try realm.write { object.core = 8 }
    realm.refresh()
    #expect(changed == ["core"])
    token.invalidate()
    let part = EveryNameOfPart(value: ["text": 3, "object": "o"])
    #expect(part.text == 3 && part["core"] as? Int == 1)
  }
}

/// Calls `observe`, for which the class has a property.
private protocol ObservedAsBase: ObservableObjectBase {}

extension EveryName: ObservedAsBase {}

extension ObservedAsBase {
  func observed(_ note: @escaping ([String]) -> Void) -> NotificationToken {
    observe(keyPaths: nil as [String]?) { (change: ObjectChange<Self>) in
      if case .change(_, let properties) = change { note(properties.map(\.name)) }
    }
  }
}
