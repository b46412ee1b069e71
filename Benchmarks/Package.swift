// swift-tools-version: 6.2
import PackageDescription

let package = Package(
  name: "herald-benchmarks",
  dependencies: [
    .package(name: "herald", path: ".."),
    .package(url: "https://github.com/groue/GRDB.swift", from: "7.10.0"),
  ],
  targets: [
    .systemLibrary(name: "CMalloc"),
    .systemLibrary(
      name: "CSQLite", pkgConfig: "sqlite3", providers: [.apt(["libsqlite3-dev"])]),
    .executableTarget(
      name: "HeraldBenchmarks",
      dependencies: ["CMalloc", "CSQLite", .product(name: "Herald", package: "herald")],
      swiftSettings: [
        .enableUpcomingFeature("ExistentialAny"),
        .enableUpcomingFeature("InternalImportsByDefault"),
        .enableUpcomingFeature("MemberImportVisibility"),
        .treatAllWarnings(as: .error),
      ]),
    .executableTarget(
      name: "GRDBPeer",
      dependencies: [.product(name: "GRDB", package: "GRDB.swift")]),
  ],
  swiftLanguageModes: [.v6]
)
