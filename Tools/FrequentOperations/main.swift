import Glibc

// Performs an operation a number of times, for Benchmarks/instructions to count instructions; --list prints the
// names, each with a number that takes a profiler about a second. --traced performs the commit of TracedCommit.

let words = CommandLine.arguments.dropFirst()
if words == ["--list"] {
  for operation in FrequentOperation.allCases {
    print("\(operation.rawValue)\t\(operation.repetitions)")
  }
} else if words == ["--traced"] {
  try TracedCommit().perform(afterOthers: 3)
} else if words.count == 2, let operation = FrequentOperation(rawValue: words.first ?? ""),
  let times = Int(words.last ?? "")
{
  if case .setInFile = operation {
    var folder = Array("/tmp/herald-operations-XXXXXX".utf8CString)
    guard mkdtemp(&folder) != nil else { exit(1) }
    let path = String(decoding: folder.dropLast().map(UInt8.init(bitPattern:)), as: UTF8.self)
    defer {
      unlink(path + "/patients.hdb")
      unlink(path + "/patients.hdb-lock")
      rmdir(path)
    }
    try OperationStore(path: path + "/patients.hdb").perform(operation, times)
  } else {
    try OperationStore().perform(operation, times)
  }
} else {
  let usage = "usage: FrequentOperations --list | --traced | NAME NUMBER\n"
  _ = usage.withCString { write(2, $0, usage.utf8.count) }
  exit(2)
}
