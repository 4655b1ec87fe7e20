import ArgumentParser
import TTRPC

/// The options of a call: deadline, metadata, credentials.
struct CallSettings: ParsableArguments {
  @Option(
    name: [.customShort("H"), .customLong("header")],
    help: ArgumentHelp("Metadata to send; may be repeated.", valueName: "name: value"))
  var headers: [String] = []

  @Option(help: ArgumentHelp("An access token, sent as `authorization: Bearer …` (TANDEM_TOKEN).", valueName: "token"))
  var token: String?

  #if DEVELOPMENT
    @Option(
      help: ArgumentHelp(
        "A user of the suite for tests that TANDEM_HOME names, with a token of now.", valueName: "user"))
    var tokenOf: String?
  #endif

  @Option(
    help: ArgumentHelp(
      "How long the call may take; 30 when nothing is said, a stream as long as the server lets it.",
      valueName: "seconds"))
  var maxTime: Double?

  /// For a call that a user waits for.
  private static let defaultMaxTime = 30.0

  func validate() throws {
    guard maxTime.map({ $0 > 0 && $0 <= 86_400 }) ?? true else {
      throw ValidationError("--max-time is a number of seconds above 0, at most 86400")
    }
    for header in headers where Self.pair(header) == nil {
      throw ValidationError("the header \"\(header)\" is not of the form 'name: value'")
    }
  }

  /// Makes the token of the user who is named.
  mutating func findToken(in place: HomeOption) async throws {
    #if DEVELOPMENT
      guard let tokenOf else { return }
      guard token == nil else { throw Complaint(usage: "--token and --token-of are both given; keep one") }
      token = try await TestAccess(folder: try TestFolder.running(place)).token(of: tokenOf)
    #endif
  }

  var options: CallOptions { options(unlessSaid: Self.defaultMaxTime) }

  /// - Parameter seconds: the deadline if the command line has none; `nil` for no deadline.
  func options(unlessSaid seconds: Double?) -> CallOptions {
    var metadata = Metadata()
    if let token = token ?? environment("TANDEM_TOKEN") { metadata.append("authorization", "Bearer \(token)") }
    for (name, value) in headers.compactMap(Self.pair) { metadata.append(name, value) }
    return CallOptions(timeout: (maxTime ?? seconds).map { .microseconds(Int64($0 * 1_000_000)) }, metadata: metadata)
  }

  private static func pair(_ header: String) -> (String, String)? {
    guard let colon = header.firstIndex(of: ":"), colon != header.startIndex else { return nil }
    let name = header[..<colon]
    guard !name.contains(where: \.isWhitespace) else { return nil }
    let value = header[header.index(after: colon)...].drop { $0 == " " }
    return (name.lowercased(), String(value))
  }
}
