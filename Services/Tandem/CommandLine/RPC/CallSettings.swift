import ArgumentParser
import TTRPC

/// What goes along with a call.
struct CallSettings: ParsableArguments {
  @Option(
    name: [.customShort("H"), .customLong("header")],
    help: ArgumentHelp("Metadata to send; may be repeated.", valueName: "name: value"))
  var headers: [String] = []

  @Option(help: ArgumentHelp("An access token, sent as `authorization: Bearer …` (TANDEM_TOKEN).", valueName: "token"))
  var token: String?

  @Option(help: ArgumentHelp("How long the call may take.", valueName: "seconds"))
  var maxTime = 30.0

  func validate() throws {
    guard maxTime > 0, maxTime <= 86_400 else {
      throw ValidationError("--max-time is a number of seconds above 0, at most 86400")
    }
    for header in headers where Self.pair(header) == nil {
      throw ValidationError("the header \"\(header)\" is not of the form 'name: value'")
    }
  }

  var options: CallOptions {
    var metadata = Metadata()
    if let token = token ?? environment("TANDEM_TOKEN") { metadata.append("authorization", "Bearer \(token)") }
    for (name, value) in headers.compactMap(Self.pair) { metadata.append(name, value) }
    return CallOptions(timeout: .milliseconds(Int64(maxTime * 1_000)), metadata: metadata)
  }

  private static func pair(_ header: String) -> (String, String)? {
    guard let colon = header.firstIndex(of: ":"), colon != header.startIndex else { return nil }
    let name = header[..<colon].filter { $0 != " " }
    let value = header[header.index(after: colon)...].drop { $0 == " " }
    return (name.lowercased(), String(value))
  }
}
