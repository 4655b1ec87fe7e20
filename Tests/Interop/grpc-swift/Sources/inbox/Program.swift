import Foundation
import GRPCCore
import GRPCNIOTransportHTTP2Posix
import GRPCProtobuf
import Synchronization

typealias Transport = HTTP2ClientTransport.Posix
typealias Accounts = Tandem_Identity_V1_Accounts.Client<Transport>
typealias Notifications = Tandem_Notification_V1_Notifications.Client<Transport>

/// A login, whose access token is renewed when the gateway does not take it any more.
actor Session {
  private let accounts: Accounts
  private var tokens = Tokens()
  private var refreshing: Task<Tokens, any Error>?

  private struct Tokens {
    var access = ""
    var refresh = ""
  }

  init(_ accounts: Accounts) { self.accounts = accounts }

  func logIn(_ name: String, password: String) async throws {
    let request = Tandem_Identity_V1_LoginRequest.with {
      $0.emailOrUsername = name
      $0.password = password
    }
    let login = try await accounts.login(request, options: Self.options)
    tokens = Tokens(access: login.accessToken, refresh: login.refreshToken)
  }

  /// What the gateway says to a token that it does not take any more.
  func spoil() { tokens.access = "expired" }

  /// A call with a deadline, once more with a new token where the old one has expired.
  func call<Answer: Sendable>(
    _ act: @Sendable (Metadata, CallOptions) async throws -> Answer
  ) async throws -> Answer {
    do {
      return try await act(metadata, Self.options)
    } catch let error as RPCError where error.code == .unauthenticated {
      try await refresh()
      return try await act(metadata, Self.options)
    }
  }

  /// New tokens; calls that need them at once share them.
  func refresh() async throws {
    let task = refreshing ?? Task { [accounts, tokens] in try await Self.refreshed(tokens, accounts) }
    refreshing = task
    defer { refreshing = nil }
    tokens = try await task.value
  }

  private static func refreshed(_ tokens: Tokens, _ accounts: Accounts) async throws -> Tokens {
    let request = Tandem_Identity_V1_RefreshRequest.with {
      $0.refreshToken = tokens.refresh
      // The same id gives the same tokens again: a lost answer does not end the session.
      $0.requestID = UUID().uuidString.lowercased()
    }
    let answer: Tandem_Identity_V1_RefreshResponse
    do {
      answer = try await accounts.refresh(request, options: options)
    } catch let error as RPCError where error.code == .unavailable {
      answer = try await accounts.refresh(request, options: options)
    }
    return Tokens(access: answer.accessToken, refresh: answer.refreshToken)
  }

  private var metadata: Metadata { ["authorization": "Bearer \(tokens.access)"] }

  private static var options: CallOptions {
    var options = CallOptions.defaults
    options.timeout = .seconds(10)
    return options
  }
}

/// The notifications of a user, in order and without a gap, over connections that are lost.
struct Inbox {
  let session: Session
  let notifications: Notifications

  /// Passes on what came after a position, each once, until `isWanted` says no.
  func follow(
    after start: Int64, _ isWanted: @escaping @Sendable (Tandem_Notification_V1_Notification) -> Bool
  ) async throws {
    let position = Position(start)
    while true {
      do {
        if try await once(after: position, isWanted) { return }
      } catch let error as RPCError where error.code == .unavailable {
        // A gateway that starts anew is not asked without a pause.
        try await Task.sleep(for: .seconds(1))
      }
    }
  }

  /// What the end of a stream says whose deadline is over before anything new comes.
  func deadline() async throws -> String {
    do {
      _ = try await once(after: Position(nil), within: .milliseconds(500)) { _ in true }
      return "nothing"
    } catch let error as RPCError {
      return "\(error.code)"
    }
  }

  /// One stream; returns whether no more is wanted.
  private func once(
    after position: Position, within time: Duration? = nil,
    _ isWanted: @escaping @Sendable (Tandem_Notification_V1_Notification) -> Bool
  ) async throws -> Bool {
    try await session.call { metadata, options in
      var options = options
      options.timeout = time
      let request = Tandem_Notification_V1_StreamNotificationsRequest.with { request in
        if let after = position.last { request.after = after }
      }
      return try await notifications.streamNotifications(request, metadata: metadata, options: options) { response in
        for try await message in response.messages {
          position.last = message.position
          if message.hasNotification, !isWanted(message.notification) { return true }
        }
        return false
      }
    }
  }
}

/// How far a stream has come: what a lost connection has brought is not asked for again.
private final class Position: Sendable {
  private let kept: Mutex<Int64?>

  /// - Parameter start: `nil` for what comes from now on.
  init(_ start: Int64?) { kept = Mutex(start) }

  var last: Int64? {
    get { kept.withLock { $0 } }
    set { kept.withLock { $0 = newValue } }
  }
}

@main
struct Program {
  /// Each line that it writes is one thing that went well, and `test_inbox.py` waits for them.
  static func main() async throws {
    let environment = ProcessInfo.processInfo.environment
    let port = Int(environment["TANDEM_PORT"] ?? "") ?? 7480
    let authority = environment["TANDEM_CA"] ?? ""
    let transport = try Transport(
      target: .dns(host: "localhost", port: port),
      transportSecurity: .tls { $0.trustRoots = .certificates([.file(path: authority, format: .pem)]) })
    try await withGRPCClient(transport: transport) { client in
      let session = Session(Accounts(wrapping: client))
      try await session.logIn(environment["TANDEM_USER"] ?? "", password: environment["TANDEM_PASSWORD"] ?? "")
      await session.spoil()
      let accounts = Accounts(wrapping: client)
      let own = try await session.call { try await accounts.getOwnAccount(.init(), metadata: $0, options: $1) }
      say("renewed: \(own.username)")
      let inbox = Inbox(session: session, notifications: Notifications(wrapping: client))
      say("too late: \(try await inbox.deadline())")
      say("refused: \(try await refusal(of: client))")
      // Its connection is lost meanwhile.
      try await inbox.follow(after: 0) { notification in
        say("notified: \(notification.title)")
        return notification.kind != .bookRequested
      }
    }
  }

  /// What an error says: its code, and the reason among its details.
  private static func refusal(of client: GRPCClient<Transport>) async throws -> String {
    do {
      _ = try await Accounts(wrapping: client).getOwnAccount(.init())
      return "nothing"
    } catch let error as RPCError {
      let details = try error.unpackGoogleRPCStatus()?.details ?? []
      return "\(error.code) \(details.compactMap(\.errorInfo?.reason).joined())"
    }
  }

  /// A line that is written at once, also into a pipe.
  private static func say(_ line: String) { FileHandle.standardOutput.write(Data("\(line)\n".utf8)) }
}
