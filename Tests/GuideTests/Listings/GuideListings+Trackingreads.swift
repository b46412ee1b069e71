// Written by scripts/listings from the article; change the listings there.

import Herald
import Observation
import Testing

extension GuideListings {
  @Test @MainActor func listingsOfTrackingreads() async throws {
    class Job: Object {
      @Persisted(primaryKey: true) var id: Int
      @Persisted var name = ""
      @Persisted var progress = 0
    }

    let store = try Store()
    let jobs = store.objects(Job.self).sorted(by: \.progress, ascending: false)
    try store.write {
      store.create(Job.self, value: ["id": 1, "name": "copy", "progress": 50])
      store.create(Job.self, value: ["id": 2, "name": "sort", "progress": 40])
    }
    withObservationTracking {
      print(jobs.first?.name ?? "none")  // prints "copy"
    } onChange: {
      print("another first job, or another name of it")
    }
    try store.write { jobs[1].name = "merge" }
    try store.write { jobs[0].progress = 60 }
    store.refresh()  // prints nothing: neither was read
    try store.write { jobs[1].progress = 90 }
    store.refresh()  // prints "another first job, or another name of it"

    let table = Observations { jobs.map { "\($0.name) \($0.progress) %" } }
    var frames = 0
    for await rows in table {
      print("\u{1B}[H\u{1B}[J")  // prints "\u{1B}[H\u{1B}[J", "merge 90 %", "copy 60 %"
      for row in rows { print(row) }
      frames += 1
      if frames == 2 { break }
      try store.write { jobs[1].progress = 100 }
    }  // prints "\u{1B}[H\u{1B}[J", "copy 100 %", "merge 90 %"
    withExtendedLifetime(store) {}
    withExtendedLifetime(jobs) {}
    withExtendedLifetime(table) {}
    withExtendedLifetime(frames) {}
    try await Transcript.expect(
      """
      copy
      another first job, or another name of it
      \u{1B}[H\u{1B}[J
      merge 90 %
      copy 60 %
      \u{1B}[H\u{1B}[J
      copy 100 %
      merge 90 %
      """)
  }
}
