import Foundation
import HeraldCompatibility
import Testing

private final class Dog: Object {
  @Persisted(primaryKey: true) var name: String
  @Persisted var age: Int
}
private final class Address: EmbeddedObject { @Persisted var city: String }
private final class Person: Object {
  @Persisted(primaryKey: true) var _id: ObjectId
  @Persisted var iRenamed: Int
  @Persisted var iN: Int?
  @Persisted var iL: List<Int>
  @Persisted var iNL: List<Int?>
  @Persisted var iS: MutableSet<Int?>
  @Persisted var iD: Map<String, Int?>
  @Persisted var b: Bool
  @Persisted var bN: Bool?
  @Persisted var bL: List<Bool>
  @Persisted var bNL: List<Bool?>
  @Persisted var bS: MutableSet<Bool?>
  @Persisted var bD: Map<String, Bool?>
  @Persisted var fN: Float?
  @Persisted var fL: List<Float>
  @Persisted var fNL: List<Float?>
  @Persisted var fS: MutableSet<Float?>
  @Persisted var fD: Map<String, Float?>
  @Persisted var d: Double
  @Persisted var dN: Double?
  @Persisted var dL: List<Double>
  @Persisted var dNL: List<Double?>
  @Persisted var dS: MutableSet<Double?>
  @Persisted var dD: Map<String, Double?>
  @Persisted var s: String
  @Persisted var sN: String?
  @Persisted var sL: List<String>
  @Persisted var sNL: List<String?>
  @Persisted var sS: MutableSet<String?>
  @Persisted var sD: Map<String, String?>
  @Persisted var bin: Data
  @Persisted var binN: Data?
  @Persisted var binL: List<Data>
  @Persisted var binNL: List<Data?>
  @Persisted var binS: MutableSet<Data?>
  @Persisted var binD: Map<String, Data?>
  @Persisted var ts: Date
  @Persisted var tsN: Date?
  @Persisted var tsL: List<Date>
  @Persisted var tsNL: List<Date?>
  @Persisted var tsS: MutableSet<Date?>
  @Persisted var tsD: Map<String, Date?>
  @Persisted var dec: Decimal128
  @Persisted var decN: Decimal128?
  @Persisted var decL: List<Decimal128>
  @Persisted var decNL: List<Decimal128?>
  @Persisted var decS: MutableSet<Decimal128?>
  @Persisted var decD: Map<String, Decimal128?>
  @Persisted var oid: ObjectId
  @Persisted var oidN: ObjectId?
  @Persisted var oidL: List<ObjectId>
  @Persisted var oidNL: List<ObjectId?>
  @Persisted var oidS: MutableSet<ObjectId?>
  @Persisted var oidD: Map<String, ObjectId?>
  @Persisted var uuid: UUID
  @Persisted var uuidN: UUID?
  @Persisted var uuidL: List<UUID>
  @Persisted var uuidNL: List<UUID?>
  @Persisted var uuidS: MutableSet<UUID?>
  @Persisted var uuidD: Map<String, UUID?>
  @Persisted var m: AnyRealmValue
  @Persisted var mL: List<AnyRealmValue>
  @Persisted var mS: MutableSet<AnyRealmValue>
  @Persisted var mD: Map<String, AnyRealmValue>
  @Persisted var dog: Dog?
  @Persisted var dogs: List<Dog>
  @Persisted var dogSet: MutableSet<Dog>
  @Persisted var dogMap: Map<String, Dog?>
  @Persisted var home: Address?
  @Persisted var addrs: List<Address>
  @Persisted var enumS: String?
  @Persisted var dead: Int
}

struct ZZTemporary {
  func show(_ value: Any) -> String {
    let mirror = Mirror(reflecting: value)
    if mirror.displayStyle == .optional {
      guard let child = mirror.children.first else { return "nil" }
      return show(child.value)
    }
    switch value {
    case let v as Data: return v.base64EncodedString()
    case let v as Date: return "\((v.timeIntervalSince1970 * 1000).rounded())"
    case let v as Dog: return "dog " + v.name
    case let v as Address: return "address " + v.city
    case let v as Double: return "\(v)"
    case let v as Float: return "\(v)"
    case let v as UUID: return v.uuidString.lowercased()
    case let v as AnyRealmValue:
      switch v {
      case .none: return "nil"
      case .int(let x): return show(x)
      case .bool(let x): return show(x)
      case .float(let x): return show(x)
      case .double(let x): return show(x)
      case .string(let x): return show(x)
      case .data(let x): return show(x)
      case .date(let x): return show(x)
      case .decimal(let x): return show(x)
      case .objectId(let x): return show(x)
      case .uuid(let x): return show(x)
      case .object(let x): return show(x)
      default: return "\(v)"
      }
    default: return "\(value)"
    }
  }
  func list(_ x: [String]) -> Any { x }
  func sorted(_ x: [String]) -> Any { x.sorted() }
  func dict(_ x: [(String, String)]) -> Any { Dictionary(x, uniquingKeysWith: { a, _ in a }) }

  @Test func `typed`() throws {
    let store = try Store(realmFile: "/work/shared/reference/realm-samples/all-types.realm")
    var out: [[String: Any]] = []
    for p in store.objects(Person.self) {
    var r: [String: Any] = [:]
    r["_id"] = show(p._id as Any)
    r["iRenamed"] = show(p.iRenamed as Any)
    r["iN"] = show(p.iN as Any)
    r["iL"] = list(p.iL.map { show($0 as Any) })
    r["iNL"] = list(p.iNL.map { show($0 as Any) })
    r["iS"] = sorted(p.iS.map { show($0 as Any) })
    r["iD"] = dict(p.iD.map { ($0.key, show($0.value as Any)) })
    r["b"] = show(p.b as Any)
    r["bN"] = show(p.bN as Any)
    r["bL"] = list(p.bL.map { show($0 as Any) })
    r["bNL"] = list(p.bNL.map { show($0 as Any) })
    r["bS"] = sorted(p.bS.map { show($0 as Any) })
    r["bD"] = dict(p.bD.map { ($0.key, show($0.value as Any)) })
    r["fN"] = show(p.fN as Any)
    r["fL"] = list(p.fL.map { show($0 as Any) })
    r["fNL"] = list(p.fNL.map { show($0 as Any) })
    r["fS"] = sorted(p.fS.map { show($0 as Any) })
    r["fD"] = dict(p.fD.map { ($0.key, show($0.value as Any)) })
    r["d"] = show(p.d as Any)
    r["dN"] = show(p.dN as Any)
    r["dL"] = list(p.dL.map { show($0 as Any) })
    r["dNL"] = list(p.dNL.map { show($0 as Any) })
    r["dS"] = sorted(p.dS.map { show($0 as Any) })
    r["dD"] = dict(p.dD.map { ($0.key, show($0.value as Any)) })
    r["s"] = show(p.s as Any)
    r["sN"] = show(p.sN as Any)
    r["sL"] = list(p.sL.map { show($0 as Any) })
    r["sNL"] = list(p.sNL.map { show($0 as Any) })
    r["sS"] = sorted(p.sS.map { show($0 as Any) })
    r["sD"] = dict(p.sD.map { ($0.key, show($0.value as Any)) })
    r["bin"] = show(p.bin as Any)
    r["binN"] = show(p.binN as Any)
    r["binL"] = list(p.binL.map { show($0 as Any) })
    r["binNL"] = list(p.binNL.map { show($0 as Any) })
    r["binS"] = sorted(p.binS.map { show($0 as Any) })
    r["binD"] = dict(p.binD.map { ($0.key, show($0.value as Any)) })
    r["ts"] = show(p.ts as Any)
    r["tsN"] = show(p.tsN as Any)
    r["tsL"] = list(p.tsL.map { show($0 as Any) })
    r["tsNL"] = list(p.tsNL.map { show($0 as Any) })
    r["tsS"] = sorted(p.tsS.map { show($0 as Any) })
    r["tsD"] = dict(p.tsD.map { ($0.key, show($0.value as Any)) })
    r["dec"] = show(p.dec as Any)
    r["decN"] = show(p.decN as Any)
    r["decL"] = list(p.decL.map { show($0 as Any) })
    r["decNL"] = list(p.decNL.map { show($0 as Any) })
    r["decS"] = sorted(p.decS.map { show($0 as Any) })
    r["decD"] = dict(p.decD.map { ($0.key, show($0.value as Any)) })
    r["oid"] = show(p.oid as Any)
    r["oidN"] = show(p.oidN as Any)
    r["oidL"] = list(p.oidL.map { show($0 as Any) })
    r["oidNL"] = list(p.oidNL.map { show($0 as Any) })
    r["oidS"] = sorted(p.oidS.map { show($0 as Any) })
    r["oidD"] = dict(p.oidD.map { ($0.key, show($0.value as Any)) })
    r["uuid"] = show(p.uuid as Any)
    r["uuidN"] = show(p.uuidN as Any)
    r["uuidL"] = list(p.uuidL.map { show($0 as Any) })
    r["uuidNL"] = list(p.uuidNL.map { show($0 as Any) })
    r["uuidS"] = sorted(p.uuidS.map { show($0 as Any) })
    r["uuidD"] = dict(p.uuidD.map { ($0.key, show($0.value as Any)) })
    r["m"] = show(p.m as Any)
    r["mL"] = list(p.mL.map { show($0 as Any) })
    r["mS"] = sorted(p.mS.map { show($0 as Any) })
    r["mD"] = dict(p.mD.map { ($0.key, show($0.value as Any)) })
    r["dog"] = show(p.dog as Any)
    r["dogs"] = list(p.dogs.map { show($0 as Any) })
    r["dogSet"] = sorted(p.dogSet.map { show($0 as Any) })
    r["dogMap"] = dict(p.dogMap.map { ($0.key, show($0.value as Any)) })
    r["home"] = show(p.home as Any)
    r["addrs"] = list(p.addrs.map { show($0 as Any) })
    r["enumS"] = show(p.enumS as Any)
    r["dead"] = show(p.dead as Any)
    out.append(r)
    }
    let data = try JSONSerialization.data(withJSONObject: out)
    try data.write(to: URL(filePath: "/tmp/typed/out.json"))
  }
}
