/// How output is written: for people, or one JSON object a line.
package enum OutputMode: Sendable {
  case text, json
}
