import Environment
import CCurl
import Cryptography
import Synchronization
import WorkerPool

/// Sends mail to an SMTP server (RFC 5321, RFC 3207, RFC 8314) through libcurl, on its own threads.
///
/// Connections are kept for later mail. A mail that finds the queue full fails at once and can be sent later.
package final class SMTPMailer: Mailer {
  private let server: SMTPServer
  private let sender: MailAddress
  private let clock: any WallClock
  private let timeout: Duration
  private let pool = BoundedPool(label: "tandem.smtp", workers: SMTPMailer.connections, places: 1_024)
  private let idle = Mutex<[SMTPConnection]>([])

  /// Mail servers commonly allow about ten connections from one client; a few are enough.
  package static let connections = 4
  /// Long enough for a server that checks each mail. Together with the statements before it, of at most 12 s each, it
  /// is shorter than the minute after which `TakeDueDeliveries` takes a delivery again.
  package static let timeout: Duration = .seconds(30)

  /// - Parameter timeout: for one mail, from connecting to the server's last reply.
  package init(
    _ server: SMTPServer, from sender: MailAddress, timeout: Duration = SMTPMailer.timeout, clock: any WallClock
  ) {
    self.server = server
    self.sender = sender
    self.timeout = timeout
    self.clock = clock
  }

  package func send(_ mail: Mail) async throws(MailFailure) {
    let message = Message(mail, from: sender, at: clock.now)
    do {
      try await pool.run { try self.send(message, to: mail.to) }
    } catch let failure as MailFailure {
      throw failure
    } catch {
      throw .temporary("\(error)")
    }
  }

  private func send(_ message: Message, to recipient: MailAddress) throws(MailFailure) {
    let connection: SMTPConnection
    if let kept = idle.withLock({ $0.popLast() }) {
      connection = kept
    } else {
      connection = try SMTPConnection(server, timeout: timeout)
    }
    defer { if connection.isReusable { idle.withLock { $0.append(connection) } } }
    try connection.send(message, from: sender, to: recipient)
  }
}

/// One libcurl handle, which keeps its connection open between mails.
///
/// `@unchecked Sendable`: the thread that took it out of `SMTPMailer.idle` has it alone, and a handle may be used by
/// any one thread at a time.
private final class SMTPConnection: @unchecked Sendable {
  private let handle: UnsafeMutableRawPointer
  /// The buffer for libcurl's error message; libcurl keeps the pointer for as long as the handle lives.
  private let complaint = UnsafeMutablePointer<CChar>.allocate(capacity: Int(CURL_ERROR_SIZE))

  /// Whether the last attempt ended with the server's answer to it. One that comes later would be taken for that to the
  /// next mail.
  private(set) var isReusable = true

  private static let isPrepared: Bool = tandem_curl_global_init() == CURLE_OK

  init(_ server: SMTPServer, timeout: Duration) throws(MailFailure) {
    guard Self.isPrepared, let handle = curl_easy_init() else { throw .temporary("libcurl does not start") }
    self.handle = handle
    let scheme = server.protection == .implicit ? "smtps" : "smtp"
    let host = server.host.contains(":") && !server.host.hasPrefix("[") ? "[\(server.host)]" : server.host
    let milliseconds = Int(timeout.components.seconds) * 1_000
    let encryption =
      switch server.protection {
      case .implicit, .required: CURLUSESSL_ALL
      case .optional: CURLUSESSL_TRY
      case .none: CURLUSESSL_NONE
      }
    let isSet = [
      tandem_curl_set_text(handle, CURLOPT_URL, "\(scheme)://\(host):\(server.port)"),
      tandem_curl_set_text(handle, CURLOPT_PROTOCOLS_STR, "smtp,smtps"),
      tandem_curl_set_long(handle, CURLOPT_USE_SSL, Int(encryption.rawValue)),
      tandem_curl_set_long(handle, CURLOPT_CONNECTTIMEOUT_MS, min(10_000, milliseconds)),
      tandem_curl_set_long(handle, CURLOPT_TIMEOUT_MS, milliseconds),
      // Servers close connections that are idle for minutes; an attempt on a closed connection would fail.
      tandem_curl_set_long(handle, CURLOPT_MAXAGE_CONN, 30),
      // Timeouts by signals are not safe in programs with threads.
      tandem_curl_set_long(handle, CURLOPT_NOSIGNAL, 1),
      tandem_curl_set_long(handle, CURLOPT_UPLOAD, 1),
      tandem_curl_set_reader(handle, readMessage),
      server.user.map { tandem_curl_set_text(handle, CURLOPT_USERNAME, $0) } ?? CURLE_OK,
      server.password.map { tandem_curl_set_text(handle, CURLOPT_PASSWORD, $0) } ?? CURLE_OK,
      server.authorities.map { tandem_curl_set_text(handle, CURLOPT_CAINFO, $0) } ?? CURLE_OK,
    ]
    guard isSet.allSatisfy({ $0 == CURLE_OK }) else {
      throw .temporary("libcurl refuses the settings of the mail server")
    }
  }

  deinit {
    tandem_curl_stop_reading(handle)
    curl_easy_cleanup(handle)
    complaint.deallocate()
  }

  /// Blocks until the server has accepted the mail or the attempt has failed.
  func send(_ message: Message, from sender: MailAddress, to recipient: MailAddress) throws(MailFailure) {
    let recipients = curl_slist_append(nil, "<\(recipient)>")
    defer { curl_slist_free_all(recipients) }
    var source = MessageSource(rest: message.bytes[...])
    complaint[0] = 0
    _ = tandem_curl_set_text(handle, CURLOPT_MAIL_FROM, "<\(sender)>")
    _ = tandem_curl_set_pointer(handle, CURLOPT_MAIL_RCPT, recipients)
    _ = tandem_curl_set_pointer(handle, CURLOPT_ERRORBUFFER, complaint)
    let outcome = withUnsafeMutablePointer(to: &source) { source in
      _ = tandem_curl_set_pointer(handle, CURLOPT_READDATA, source)
      defer { _ = tandem_curl_set_pointer(handle, CURLOPT_READDATA, nil) }
      return curl_easy_perform(handle)
    }
    _ = tandem_curl_set_pointer(handle, CURLOPT_MAIL_RCPT, nil)
    guard outcome != CURLE_OK else { return }
    isReusable = (400...599).contains(tandem_curl_response_code(handle))
    let reason = String(cString: complaint[0] == 0 ? curl_easy_strerror(outcome) : UnsafePointer(complaint))
    let code = tandem_curl_response_code(handle)
    // libcurl's message does not always contain the reply code.
    let answer = (400...599).contains(code) && !reason.contains("\(code)") ? " (answer \(code))" : ""
    throw failure(outcome, code: code, hasSentAll: source.isExhausted, reason + answer)
  }

  /// The failure that a transfer error means for the mail.
  ///
  /// - Parameter code: the server's last reply code; 354 if it waited for the mail's end and sent nothing after it.
  private func failure(_ outcome: CURLcode, code: Int, hasSentAll: Bool, _ reason: String) -> MailFailure {
    if hasSentAll, !(400...599).contains(code) { return .unsure(reason) }
    // The operator has to fix a refused connection, login or certificate, so the mail is retried.
    let isAboutTheMail = outcome == CURLE_SEND_ERROR || (outcome == CURLE_WEIRD_SERVER_REPLY && hasSentAll)
    let isRefusal = (500...599).contains(code) && !Self.codesOfLogin.contains(code)
    return isAboutTheMail && isRefusal ? .refused(reason) : .temporary(reason)
  }

  /// Reply codes for a missing, wrong or too weak login (RFC 4954, section 6).
  private static let codesOfLogin: Set<Int> = [530, 534, 535, 538]
}

/// The rest of a message that libcurl has not read yet.
private struct MessageSource {
  var rest: ArraySlice<UInt8>
  /// Whether libcurl has been given the end of the message: from then on the server may have all of it.
  var isExhausted = false
}

/// Copies the next part of the `MessageSource` for libcurl.
private func readMessage(
  buffer: UnsafeMutablePointer<CChar>, size: Int, count: Int, source: UnsafeMutableRawPointer?
) -> Int {
  guard let source = source?.assumingMemoryBound(to: MessageSource.self) else { return 0 }
  let part = source.pointee.rest.prefix(size * count)
  UnsafeMutableRawBufferPointer(start: buffer, count: part.count).copyBytes(from: part)
  source.pointee.rest = source.pointee.rest.dropFirst(part.count)
  source.pointee.isExhausted = part.isEmpty
  return part.count
}
