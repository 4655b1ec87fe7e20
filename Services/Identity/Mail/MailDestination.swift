import CCurl

/// The destination of mail in the setting `mail`: `folder:PATH`, `smtp://[user@]host[:port]` or `smtps://…`.
package enum MailDestination: Sendable, Equatable {
  /// Each mail is written to this folder as an `.eml` file.
  case folder(String)
  case smtp(SMTPServer)

  /// - Throws: a sentence for the operator with the error and an example of a valid value.
  package init(setting: String) throws(MailSettingError) {
    if setting.hasPrefix("folder:") {
      let path = String(setting.dropFirst("folder:".count))
      guard !path.isEmpty, !path.contains("\0") else { throw MailSettingError("it names no folder") }
      self = .folder(path)
    } else {
      self = .smtp(try SMTPServer(url: setting))
    }
  }
}

/// The mail server that mail is sent to.
package struct SMTPServer: Sendable, Equatable {
  /// How the connection is encrypted.
  package enum Protection: String, Sendable, CaseIterable {
    /// TLS from the first byte (`smtps://`).
    case implicit
    /// STARTTLS; nothing is sent without it.
    case required
    /// STARTTLS if the server offers it; an attacker on the network can remove the offer.
    case optional
    /// No encryption, for a server on the same machine.
    case none
  }

  package var host: String
  package var port: Int
  package var protection: Protection
  package var user: String?
  package var password: String?
  /// A PEM file with the certificate authorities to trust instead of the system's.
  package var authorities: String?

  package init(
    host: String, port: Int, protection: Protection, user: String? = nil, password: String? = nil,
    authorities: String? = nil
  ) {
    self.host = host
    self.port = port
    self.protection = protection
    self.user = user
    self.password = password
    self.authorities = authorities
  }

  /// Parses `smtp://[user@]host[:port]` (port 587, STARTTLS required) or `smtps://…` (port 465).
  init(url text: String) throws(MailSettingError) {
    guard let url = curl_url() else { throw MailSettingError("out of memory") }
    defer { curl_url_cleanup(url) }
    guard curl_url_set(url, CURLUPART_URL, text, UInt32(CURLU_NON_SUPPORT_SCHEME)) == CURLUE_OK else {
      throw MailSettingError("it is not a URL")
    }
    func part(_ part: CURLUPart) -> String? {
      var value: UnsafeMutablePointer<CChar>?
      guard curl_url_get(url, part, &value, UInt32(CURLU_URLDECODE)) == CURLUE_OK, let value else { return nil }
      defer { curl_free(value) }
      return String(cString: value)
    }
    let schemes: [String: (Int, Protection)] = ["smtp": (587, .required), "smtps": (465, .implicit)]
    guard let (port, protection) = schemes[part(CURLUPART_SCHEME) ?? ""] else {
      throw MailSettingError("it begins with none of folder:, smtp:// and smtps://")
    }
    guard let host = part(CURLUPART_HOST), !host.isEmpty else { throw MailSettingError("it names no host") }
    guard part(CURLUPART_PASSWORD) == nil else {
      throw MailSettingError("a password belongs into the setting mail-password, which can be read from a file")
    }
    guard part(CURLUPART_PATH) ?? "/" == "/", part(CURLUPART_QUERY) == nil, part(CURLUPART_FRAGMENT) == nil else {
      throw MailSettingError("nothing may follow the port")
    }
    self.init(
      host: host, port: part(CURLUPART_PORT).flatMap { Int($0) } ?? port, protection: protection,
      user: part(CURLUPART_USER))
  }
}

/// The error in the setting `mail`.
package struct MailSettingError: Error, Sendable, Equatable, CustomStringConvertible {
  package let description: String

  init(_ reason: String) {
    description = "\(reason); it looks like folder:PATH, smtp://user@host:587 or smtps://user@host:465"
  }
}
