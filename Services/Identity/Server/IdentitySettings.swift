import Ambient
import IdentityMail
import ServiceRuntime

/// The settings of identity beyond those of every service.
enum IdentitySettings {
  static let publicURL = Setting<String>(
    "public-url", .webAddress, default: "https://tandem.example/verify",
    meaning: "the page that verifies addresses; mailed links are this with ?token=… behind it")

  static let mail = Setting<MailDestination>.required(
    "mail", .mailDestination,
    meaning: "where mail goes: folder:PATH for .eml files, smtp://user@host:587, or smtps://user@host:465")

  static let mailFrom = Setting<MailAddress>(
    "mail-from", .mailAddress, default: "no-reply@tandem.example", meaning: "whom mail comes from")

  static let mailPassword = Setting<String?>.optional(
    "mail-password", .text, meaning: "the password of the user in mail", secrecy: .secret)

  static let mailStartTLS = Setting<StartTLS>(
    "mail-starttls", .choice, default: "required",
    meaning: "whether smtp:// insists on TLS; off only for a server on the same machine")

  static let mailAuthorities = Setting<String?>.optional(
    "mail-ca", .path, meaning: "PEM file of the authorities that the mail server's certificate must come from")

  static let all: [SettingDescription] = [
    publicURL.description, mail.description, mailFrom.description, mailPassword.description, mailStartTLS.description,
    mailAuthorities.description, SealSettings.key.description,
  ]

  /// What sends mail as the settings say.
  static func mailer(_ settings: Settings, clock: any WallClock) throws(StartRefusal) -> any Mailer {
    switch settings[mail] {
    case .folder(let path):
      do { return try FolderMailer(folder: path, from: settings[mailFrom], clock: clock) } catch {
        throw StartRefusal(usage: "setting mail: \(error.reason)")
      }
    case .smtp(var server):
      server.password = settings[mailPassword]
      server.authorities = settings[mailAuthorities]
      if server.protection != .implicit { server.protection = settings[mailStartTLS].protection }
      return SMTPMailer(server, from: settings[mailFrom], clock: clock)
    }
  }
}

/// The `mail-starttls` setting.
enum StartTLS: String, Sendable, CaseIterable {
  case required
  case optional
  case off

  fileprivate var protection: SMTPServer.Protection {
    switch self {
    case .required: .required
    case .optional: .optional
    case .off: .none
    }
  }
}

extension SettingKind where Value == MailDestination {
  fileprivate static let mailDestination = SettingKind(
    "mail", expected: "folder:PATH, smtp://user@host:587 or smtps://user@host:465 without a password"
  ) { text in
    do { return try MailDestination(setting: text) } catch { return nil }
  }
}

extension SettingKind where Value == MailAddress {
  fileprivate static let mailAddress = SettingKind("address", expected: "a mail address", parse: MailAddress.init)
}

extension SettingKind where Value == String {
  /// An address that may stand in a mail.
  fileprivate static let webAddress = SettingKind("URL", expected: "a URL such as https://tandem.example/verify") {
    text in
    let isPlain = text.utf8.allSatisfy { (0x21...0x7E).contains($0) }
    return isPlain && ["https://", "http://"].contains { text.hasPrefix($0) } && !text.contains("#") ? text : nil
  }
}
