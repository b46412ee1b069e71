/// What a token must receive at a delivery: as text, and as a check of what it receives, which
/// returns what is wrong or nil.
struct ModelExpectation {
  var text: String
  var fault: (ModelEvent) -> String?
  /// Whether it need not be received.
  var isOptional = false

  static func notified(_ text: String, _ fault: @escaping (ModelEvent) -> String?)
    -> ModelExpectation
  {
    ModelExpectation(text: text, fault: fault)
  }

  static func initial(count: Int) -> ModelExpectation {
    .notified("initial \(count)") { event in
      if case .initial(count, _) = event { nil } else { "kind" }
    }
  }

  /// Exactly this, of a property observer.
  static func notified(_ expected: ModelEvent) -> ModelExpectation {
    ModelExpectation(text: expected.text) { event in
      switch (expected, event) {
      case (.invalidated, .invalidated): nil
      case (.assigned(let name, let notified), .assigned(let seen, let assignment)):
        name == seen && notified == assignment ? nil : "assignment"
      case (_, _): "kind"
      }
    }
  }
}
