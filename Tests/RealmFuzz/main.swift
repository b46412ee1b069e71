// Damages samples and reads them: RealmFuzz FOLDER SECONDS SEED [ONLY]
// Prints the seed of an execution that is slow; with ONLY, executes that one.
@preconcurrency import Glibc
import HeraldRealmFiles

setvbuf(stdout, nil, _IOLBF, 0)
let arguments = CommandLine.arguments
guard arguments.count >= 4, let duration = Double(arguments[2]), let seed = UInt64(arguments[3])
else {
  fputs("usage: RealmFuzz FOLDER SECONDS SEED [ONLY]\n", stderr)
  exit(64)
}
let samples = SampleFiles.files(below: arguments[1], suffix: ".realm").compactMap {
  path -> Mutation.Sample? in
  guard let content = SampleFiles.bytes(ofFile: path) else { return nil }
  let key = SampleFiles.bytes(ofFile: String(path.dropLast(6)) + ".key.hex").map(
    SampleFiles.hexadecimalBytes)
  return Mutation.Sample(path: path, bytes: content, key: key)
}
guard !samples.isEmpty else {
  fputs("no samples in \(arguments[1])\n", stderr)
  exit(66)
}
print(samples.count, "samples, seed", seed)
let start = SampleFiles.seconds()
var reading = Reading()
var executions = 0
var slowest = 0.0
var nextReport = start + 60
var execution = seed << 32
if arguments.count > 4, let only = UInt64(arguments[4]) {
  var mutation = Mutation(seed: only, samples: samples)
  let (content, key) = mutation.next()
  reading.read(content, key: key)
  print(reading, content.count, "bytes,", SampleFiles.seconds() - start, "s")
  exit(0)
}
while SampleFiles.seconds() < start + duration {
  var mutation = Mutation(seed: execution, samples: samples)
  let (content, key) = mutation.next()
  // A crash leaves this seed behind.
  withUnsafeBytes(of: execution) { bytes in
    guard let file = fopen("realm-fuzz-\(seed).last", "wb") else { return }
    fwrite(bytes.baseAddress, 1, 8, file)
    fclose(file)
  }
  let before = SampleFiles.seconds()
  reading.read(content, key: key)
  let elapsed = SampleFiles.seconds() - before
  if elapsed > max(slowest, 0.5) {
    print("slow:", elapsed, "s, execution", execution, content.count, "bytes")
  }
  slowest = max(slowest, elapsed)
  executions += 1
  execution += 1
  if SampleFiles.seconds() > nextReport {
    nextReport += 60
    print(
      executions, "executions,", Int(Double(executions) / (SampleFiles.seconds() - start)),
      "a second")
  }
}
var usage = rusage()
getrusage(__rusage_who_t(RUSAGE_SELF.rawValue), &usage)
print(
  executions, "executions in", Int(SampleFiles.seconds() - start), "s,", reading, "slowest",
  slowest,
  "s, largest memory", usage.ru_maxrss / 1024, "MB")
