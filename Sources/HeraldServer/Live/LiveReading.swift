/// One reader of a topic.
struct LiveReading {
  let topic: LiveTopic
  let number: Int
}
