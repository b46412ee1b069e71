import Observation
import TestSupport
import Testing

@testable import Herald

/// The word of a thread that says whether a closure is being tracked, against asking Observation.
struct TrackedThreadTests {
  private func expect(_ isTracking: Bool, _ location: SourceLocation = #_sourceLocation) {
    #expect(TrackedThread.ask() == isTracking, sourceLocation: location)
    #expect(TrackedThread.isTracking == isTracking, sourceLocation: location)
    #expect((TrackedThread.word.pointee != nil) == isTracking, sourceLocation: location)
  }

  @Test func `the word is found, also while a closure is being tracked`() {
    #expect(TrackedThread.findPlace() != nil)
    withObservationTracking {
      #expect(TrackedThread.findPlace() != nil)
    } onChange: {
    }
  }

  @Test func `the word says what Observation does`() {
    expect(false)
    withObservationTracking {
      expect(true)
      withObservationTracking {
        expect(true)
      } onChange: {
      }
      expect(true)
    } onChange: {
    }
    expect(false)
  }

  @Test func `a closure is tracked on its own thread`() {
    withObservationTracking {
      JoinableThread {
        expect(false)
        withObservationTracking {
          expect(true)
        } onChange: {
        }
        expect(false)
      }.join()
      expect(true)
    } onChange: {
    }
  }
}
