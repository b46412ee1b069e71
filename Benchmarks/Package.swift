// swift-tools-version: 6.2
import PackageDescription

let package = Package(
  name: "herald-benchmarks",
  dependencies: [.package(name: "herald", path: "..")],
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
  ],
  swiftLanguageModes: [.v6]
)
