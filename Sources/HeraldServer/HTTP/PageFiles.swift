import NIOCore
import NIOHTTP1

/// The files of the page, which are parts of the program.
enum PageFiles {
  static let page = HTTPAnswer(
    .ok, .page, ByteBuffer(bytes: PackageResources.index_html),
    headers: [
      "Content-Security-Policy":
        "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; img-src data:; "
        + "base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
    ])
  static let pageScript = HTTPAnswer(.ok, .script, ByteBuffer(bytes: PackageResources.page_js))
  static let style = HTTPAnswer(.ok, .style, ByteBuffer(bytes: PackageResources.page_css))
  static let script = HTTPAnswer(
    .ok, .script, ByteBuffer(bytes: PackageResources.live_js),
    headers: ["Cross-Origin-Resource-Policy": "cross-origin", "Access-Control-Allow-Origin": "*"])
}
