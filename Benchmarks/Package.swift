// swift-tools-version: 6.2
import PackageDescription

// The other side of the comparison with GRDB. The benchmarks of Herald are a target of Herald's own package.

let package = Package(
  name: "herald-benchmarks",
  dependencies: [
    .package(url: "https://github.com/groue/GRDB.swift", from: "7.10.0")
  ],
  targets: [
    .executableTarget(
      name: "GRDBPeer",
      dependencies: [.product(name: "GRDB", package: "GRDB.swift")]),
  ],
  swiftLanguageModes: [.v6]
)
