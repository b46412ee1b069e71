// swift-tools-version: 6.2
import PackageDescription

let package = Package(
  name: "herald",
  products: [
    .library(name: "Herald", targets: ["Herald"]),
    .library(name: "HeraldCompatibility", targets: ["HeraldCompatibility"]),
    .library(name: "HeraldRealmFiles", targets: ["HeraldRealmFiles"]),
    .library(name: "HeraldRepair", targets: ["HeraldRepair"]),
    .library(name: "HeraldReplication", targets: ["HeraldReplication"]),
    .executable(name: "herald", targets: ["HeraldCommand"]),
    .executable(name: "herald-serve", targets: ["HeraldServeCommand"]),
  ],
  dependencies: [
    .package(url: "https://github.com/apple/swift-argument-parser", from: "1.8.2"),
    // Of 'herald-serve' alone: nothing else builds it.
    .package(url: "https://github.com/apple/swift-nio", from: "2.101.2"),
  ],
  targets: [
    .systemLibrary(
      name: "CLMDB", pkgConfig: "lmdb", providers: [.apt(["liblmdb-dev"])]),
    // Of the shell alone: programs that import Herald need no zlib.
    .systemLibrary(name: "CZlib", providers: [.apt(["zlib1g-dev"])]),
    .target(name: "CEditLine", linkerSettings: [.linkedLibrary("edit")]),
    .target(name: "HeraldModel"),
    .target(name: "HeraldStorage", dependencies: ["CLMDB", "HeraldModel"]),
    .target(name: "HeraldQuery", dependencies: ["HeraldModel"]),
    .target(name: "HeraldObservation", dependencies: ["HeraldModel", "HeraldQuery"]),
    .target(
      name: "HeraldEngine",
      dependencies: ["HeraldModel", "HeraldQuery", "HeraldObservation", "HeraldStorage"]),
    // Checks and copies of whole stores.
    .target(
      name: "HeraldMaintenance",
      dependencies: [
        "CLMDB", "HeraldModel", "HeraldQuery", "HeraldObservation", "HeraldStorage", "HeraldEngine",
      ]),
    // Reads files of the documented system; depends on no other target.
    .target(name: "HeraldRealmFiles"),
    .target(
      name: "Herald",
      dependencies: [
        "HeraldModel", "HeraldQuery", "HeraldObservation", "HeraldEngine", "HeraldMaintenance",
        "HeraldRealmFiles",
      ]),
    // Realm's names.
    .target(name: "HeraldCompatibility", dependencies: ["Herald"]),
    // New stores from what can be read of damaged ones.
    .target(
      name: "HeraldRepair",
      dependencies: [
        "HeraldModel", "HeraldQuery", "HeraldObservation", "HeraldStorage", "HeraldEngine",
        "HeraldMaintenance", "Herald",
      ]),
    // Stores that follow a stream. The client library is loaded when one is opened; only its header is needed here.
    .target(name: "CNATS", linkerSettings: [.linkedLibrary("dl")]),
    .target(
      name: "HeraldReplication",
      dependencies: [
        "HeraldModel", "HeraldQuery", "HeraldObservation", "HeraldStorage", "HeraldEngine",
        "HeraldMaintenance", "Herald", "CNATS",
      ]),
    .target(name: "HeraldShell", dependencies: ["Herald", "HeraldRepair", "CZlib"]),
    .executableTarget(
      name: "HeraldCommand",
      dependencies: [
        "Herald", "HeraldReplication", "HeraldShell", "HeraldServeOptions", "CEditLine",
        .product(name: "ArgumentParser", package: "swift-argument-parser"),
      ]),
    // The command line of 'herald serve', for the program and for the server that it starts.
    .target(
      name: "HeraldServeOptions",
      dependencies: [.product(name: "ArgumentParser", package: "swift-argument-parser")]),
    // A store over HTTP.
    .target(
      name: "HeraldServer",
      dependencies: [
        "Herald", "HeraldShell",
        .product(name: "NIOCore", package: "swift-nio"),
        .product(name: "NIOPosix", package: "swift-nio"),
        .product(name: "NIOHTTP1", package: "swift-nio"),
        .product(name: "NIOWebSocket", package: "swift-nio"),
      ],
      resources: [.embedInCode("Page")]),
    .executableTarget(
      name: "HeraldServeCommand",
      dependencies: [
        "HeraldServer", "HeraldServeOptions",
        .product(name: "ArgumentParser", package: "swift-argument-parser"),
      ]),
    // Not a product: the other process of the tests, which some of them kill.
    .executableTarget(
      name: "OtherProcess",
      dependencies: ["Herald", "HeraldReplication", "TestModel", "TestSupport"],
      path: "Tests/OtherProcess"),
    // Not a product: draws the picture in README.md.
    .executableTarget(
      name: "SessionPicture", dependencies: ["HeraldShell"], path: "Tools/SessionPicture"),
    // Not a product: the operations whose instructions Benchmarks/instructions counts.
    .executableTarget(
      name: "FrequentOperations", dependencies: ["Herald"], path: "Tools/FrequentOperations"),
    // Not a product: the program in README.md, which Examples/run starts.
    .executableTarget(
      name: "LibraryExample", dependencies: ["Herald"], path: "Examples/library",
      exclude: ["main.out"]),
    // Not a product: the table view of the examples.
    .target(name: "ExampleSupport", path: "Examples/swift/Support"),
    // Not a product: kills, cuts, damages and floods the program; see Tests/Faults/run.
    .executableTarget(
      name: "HeraldFaults",
      dependencies: [
        "Herald", "HeraldShell", "HeraldQuery", "HeraldStorage", "CFuzzer", "TestSupport",
        .product(name: "ArgumentParser", package: "swift-argument-parser"),
      ],
      path: "Tests/Faults", exclude: ["CFuzzer", "Corpus", "run", "shim.c"]),
    // Not a product: calls libFuzzer, where it is linked.
    .target(name: "CFuzzer", path: "Tests/Faults/CFuzzer"),
    // Not a product: what the test targets share.
    .target(name: "TestSupport", path: "Tests/Support"),
    // Not a product: a store of plain arrays, with which random tests compare Herald.
    .target(
      name: "TestModel",
      dependencies: ["HeraldModel", "HeraldQuery", "HeraldObservation", "TestSupport"],
      path: "Tests/Model"),
    // Not a product: makes files of the documented system byte by byte.
    .target(name: "RealmFileBuilder", path: "Tests/RealmFileBuilder"),
    // Not a product: damages such files and reads them.
    .executableTarget(
      name: "RealmFuzz", dependencies: ["HeraldRealmFiles", "TestSupport"], path: "Tests/RealmFuzz"),
    .testTarget(
      name: "HeraldRealmFilesTests", dependencies: ["HeraldRealmFiles", "RealmFileBuilder"],
      exclude: ["expected"]),
    .testTarget(name: "HeraldModelTests", dependencies: ["HeraldModel", "TestSupport"]),
    .testTarget(
      name: "HeraldStorageTests",
      dependencies: ["HeraldModel", "HeraldStorage", "HeraldMaintenance", "CLMDB", "TestSupport"]),
    .testTarget(
      name: "HeraldQueryTests",
      dependencies: ["HeraldModel", "HeraldQuery", "TestModel", "TestSupport"]),
    .testTarget(
      name: "HeraldObservationTests",
      dependencies: [
        "HeraldModel", "HeraldQuery", "HeraldObservation", "TestModel", "TestSupport",
      ]),
    .testTarget(
      name: "HeraldEngineTests",
      dependencies: [
        "HeraldModel", "HeraldQuery", "HeraldObservation", "HeraldStorage", "HeraldEngine",
        "HeraldMaintenance", "TestSupport",
      ]),
    .testTarget(
      name: "HeraldMaintenanceTests",
      dependencies: ["HeraldStorage", "HeraldMaintenance", "CLMDB", "TestSupport"]),
    .testTarget(
      name: "HeraldTests",
      dependencies: [
        "HeraldQuery", "Herald", "HeraldEngine", "HeraldMaintenance", "HeraldStorage",
        "HeraldReplication", "OtherProcess", "RealmFileBuilder", "TestModel", "TestSupport",
      ]),
    .testTarget(
      name: "HeraldRepairTests",
      dependencies: ["HeraldStorage", "Herald", "HeraldRepair", "TestSupport"]),
    .testTarget(
      name: "HeraldReplicationTests",
      dependencies: [
        "HeraldEngine", "HeraldQuery", "HeraldStorage", "Herald", "HeraldReplication",
        "HeraldCommand", "OtherProcess", "TestSupport",
      ]),
    .testTarget(
      name: "HeraldCompatibilityTests",
      dependencies: ["HeraldCompatibility", "RealmFileBuilder", "TestSupport"]),
    // What the guide says: its listings, and its tables of misuse.
    .testTarget(name: "GuideTests", dependencies: ["Herald", "TestSupport"]),
    .testTarget(
      name: "HeraldShellTests",
      dependencies: [
        "HeraldQuery", "Herald", "HeraldShell", "RealmFileBuilder", "SessionPicture", "TestModel",
        "TestSupport",
      ]),
    .testTarget(
      name: "HeraldServerTests",
      dependencies: ["Herald", "HeraldShell", "HeraldServer", "HeraldServeCommand", "TestSupport"]),
    .testTarget(
      name: "HeraldCommandTests",
      dependencies: [
        "Herald", "HeraldStorage", "HeraldCommand", "HeraldShell", "CEditLine", "SessionPicture",
        "TestSupport",
      ]),
  ],
  swiftLanguageModes: [.v6]
)

// Not products: the programs of Realm's guide, which Examples/run starts.
let examples = [
  "by-name", "class-projection", "collection-listener", "key-paths", "object-listener",
  "on-an-actor", "partial-key-paths", "realm-listener", "siblings", "silent-write", "stop-watching",
  "table-view", "table-view-background", "table-view-refresh", "table-view-silent", "write-async",
]
for name in examples {
  package.targets.append(
    .executableTarget(
      name: "example-" + name, dependencies: ["HeraldCompatibility", "ExampleSupport"],
      path: "Examples/swift/" + name, exclude: ["main.out"]))
}

for target in package.targets where target.type != .system {
  target.swiftSettings = [
    .enableUpcomingFeature("ExistentialAny"),
    .enableUpcomingFeature("InternalImportsByDefault"),
    .enableUpcomingFeature("MemberImportVisibility"),
    .enableUpcomingFeature("NonisolatedNonsendingByDefault"),
    .enableUpcomingFeature("InferIsolatedConformances"),
    .treatAllWarnings(as: .error),
  ]
  // An optimized build of the tests is for what they test; to optimize the tests, too, takes as long again.
  if target.type == .test {
    target.swiftSettings?.append(.unsafeFlags(["-Onone"], .when(configuration: .release)))
  }
}

// Their authors write for language mode 5, and know no upcoming features.
for target in package.targets where target.name.hasPrefix("example-") {
  target.swiftSettings = [.swiftLanguageMode(.v5)]
  // A variable captured by a queue's block is a warning, in this mode as with Realm.
  if target.name != "example-table-view-background" {
    target.swiftSettings?.append(.treatAllWarnings(as: .error))
  }
}

// Not a product: what Benchmarks/run builds. It is a part of this package since it measures what the shell uses, which
// other packages do not see, and only there, since it needs SQLite.
if Context.environment["HERALD_BENCHMARKS"] != nil {
  package.targets += [
    .systemLibrary(name: "CMalloc", path: "Benchmarks/Sources/CMalloc"),
    .systemLibrary(
      name: "CSQLite", path: "Benchmarks/Sources/CSQLite", pkgConfig: "sqlite3",
      providers: [.apt(["libsqlite3-dev"])]),
    .executableTarget(
      name: "HeraldBenchmarks", dependencies: ["CMalloc", "CSQLite", "Herald"],
      path: "Benchmarks/Sources/HeraldBenchmarks",
      swiftSettings: [
        .enableUpcomingFeature("ExistentialAny"),
        .enableUpcomingFeature("InternalImportsByDefault"),
        .enableUpcomingFeature("MemberImportVisibility"),
        .treatAllWarnings(as: .error),
      ]),
  ]
}
