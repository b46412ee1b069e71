import ArgumentParser
import Glibc
import HeraldServeOptions
import HeraldServer

/// Writes a line to standard output, or to standard error, at once.
func say(_ message: String, to descriptor: Int32) {
  let line = "herald: \(message)\n"
  _ = write(descriptor, line, line.utf8.count)
}

/// Reads the settings of a command line; ends the program if they are wrong.
func settings(_ options: ServeOptions) throws(ServerFailure) -> ServerSettings {
  let address = try ListenAddress(options.listen)
  var settings = ServerSettings(store: options.store)
  (settings.host, settings.port) = (address.host, address.port)
  settings.isReadOnly = options.readOnly
  settings.origins = options.origin
  settings.limits.connections = options.maxConnections
  settings.limits.statement = Int(min(options.timeout, 86_400) * 1_000)
  settings.token = try options.tokenFile.map { path throws(ServerFailure) in
    try TokenFile(path).token
  }
  guard address.isLoopback || settings.token != nil else {
    throw ServerFailure(
      "others can reach \(options.listen), which needs a token: '--token-file' names its file")
  }
  return settings
}

var stops = sigset_t()
sigemptyset(&stops)
sigaddset(&stops, SIGINT)
sigaddset(&stops, SIGTERM)
// Threads inherit the mask, so that only this one receives the signals.
pthread_sigmask(SIG_BLOCK, &stops, nil)
signal(SIGPIPE, SIG_IGN)

let options = ServeOptions.parseOrExit()
let server: Server
do throws(ServerFailure) {
  let settings = try settings(options)
  Server.raiseFileLimit()
  server = try Server(settings)
} catch {
  say(error.message, to: STDERR_FILENO)
  exit(4)
}
let host = server.host.contains(":") ? "[\(server.host)]" : server.host
say("serving \(options.store) at http://\(host):\(server.port)/", to: STDOUT_FILENO)
var received: Int32 = 0
sigwait(&stops, &received)
server.stop()
