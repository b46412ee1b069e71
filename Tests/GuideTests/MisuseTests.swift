import Herald
import Testing

@Suite struct MisuseTests {
  static let article = "What-stops-the-program"

  @Test(arguments: Misuse.allCases)
  func `misuse stops the program with the guide's sentence`(misuse: Misuse) async throws {
    let table = try GuideTable("What stops the program", of: Self.article)
    let sentence = try #require(table.sentences[misuse.rawValue])
    let result = await #expect(
      processExitsWith: .failure, observing: [\.standardErrorContent]
    ) { [misuse] in
      try await misuse.commit()
    }
    let printed = String(decoding: result?.standardErrorContent ?? [], as: UTF8.self)
    let lines = printed.split(separator: "\n").filter { $0.contains("atal error") }
    #expect(printed.contains(sentence), "\(misuse.rawValue): \(lines)")
  }

  @Test(arguments: Mistake.allCases)
  func `a mistake is an error that can be caught`(mistake: Mistake) throws {
    let table = try GuideTable("What is an error", of: Self.article)
    let sentence = try #require(table.sentences[mistake.rawValue])
    let text = try mistake.caught()
    #expect(text == sentence)
  }

  @Test func `the guide's tables have a row for each test`() throws {
    let stops = try GuideTable("What stops the program", of: Self.article)
    #expect(Set(stops.sentences.keys) == Set(Misuse.allCases.map(\.rawValue)))
    let errors = try GuideTable("What is an error", of: Self.article)
    #expect(Set(errors.sentences.keys) == Set(Mistake.allCases.map(\.rawValue)))
  }

  @Test func `an object whose adding was rolled back never becomes another one`() throws {
    let kennel = try GuideKennel()
    let lost = kennel.rolledBack()
    let next = GuideKennel.dog(2)
    try kennel.store.write { kennel.store.add(next) }
    #expect(lost.isInvalidated && !next.isInvalidated && lost != next)
    #expect(lost.description == "Dog { invalidated }")
    #expect(throws: HeraldError.self) { try kennel.store.write { next.friend = lost } }
    #expect(next.friend == nil)
  }

  @Test func `what is held of a closed store is invalidated`() throws {
    let kennel = try GuideKennel()
    let (dogs, tags) = (kennel.store.objects(Dog.self), kennel.dog.tags)
    let token = dogs.observe { _ in }
    kennel.store.close()
    #expect(kennel.dog.isInvalidated && dogs.isInvalidated && tags.isInvalidated)
    #expect(!kennel.store.refresh())
    #expect(kennel.dog.description == "Dog { invalidated }")
    token.invalidate()
  }
}
