import Environment
import Cryptography
import IdentityBackground
import IdentityDomain
import IdentityFederation
import IdentityHandlers
import IdentityMail
import IdentityPush
import NIOCore
import OutboundHTTP
import PictureSettings
import ServiceRuntime

/// The settings of identity, in addition to those of every service.
enum IdentitySettings {
  static let publicURL = Setting<String>(
    "public-url", .pageAddress, default: "https://tandem.example/verify",
    meaning:
      "the page that verifies addresses; mailed links are this with ?token=… behind it; where it ends with #, with token=…"
  )

  static let resetURL = Setting<String>(
    "reset-url", .pageAddress, default: "https://tandem.example/reset",
    meaning:
      "the page where a new password is chosen; mailed links are this with ?token=… behind it; where it ends with #, with token=…"
  )

  static let emailChangeURL = Setting<String>(
    "email-change-url", .pageAddress, default: "https://tandem.example/email/confirm",
    meaning:
      "the page that confirms a new address; mailed links are this with ?token=… behind it; where it ends with #, with token=…"
  )

  static let emailUndoURL = Setting<String>(
    "email-undo-url", .pageAddress, default: "https://tandem.example/email/undo",
    meaning:
      "the page that undoes a change of the address; mailed links are this with ?token=… behind it; where it ends with #, with token=…"
  )

  static let reservedUsernames = Setting<[String]>(
    "reserved-usernames", .usernames, default: "",
    meaning: "usernames that no account gets, separated by commas, beside admin, root, support, tandem and the like; "
      + "names that look like one or join several are refused too, accounts that have one keep it")

  static let resetAnswer = Setting<ResetAnswer>(
    "reset-answer", .choice, default: "exact",
    meaning: "what who asks for a reset mail is told: exact, whether the address is registered, or always the same")

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

  static let mailTimeout = Setting<Duration>(
    "mail-timeout", .shortDuration, default: "30s",
    meaning: "how long one mail may take, from connecting to the mail server's last answer")

  static let unsubscribeURL = Setting<String?>.optional(
    "unsubscribe-url", .webAddress,
    meaning: "the page that ends mail of one kind; mailed links are this with ?token=… behind it, none without it")

  static let pushURL = Setting<String?>.optional(
    "push-url", .secureAddress, meaning: "the push gateway, https://…; without it nothing is pushed")

  static let pushToken = Setting<String?>.optional(
    "push-token", .text, meaning: "what the push gateway knows this service by, sent as a bearer token",
    secrecy: .secret)

  static let pushAuthorities = Setting<String?>.optional(
    "push-ca", .path, meaning: "PEM file of the authorities that the push gateway's certificate must come from")

  static let pushTimeout = Setting<Duration>(
    "push-timeout", .shortDuration, default: "10s",
    meaning: "how long one push may take, from connecting to the gateway's answer")

  static let passkeyDomain = Setting<String>(
    "passkey-domain", .domain, default: "tandem.example",
    meaning: "the domain that passkeys belong to, which no passkey outlives; the relying party's id")

  static let passkeyName = Setting<String>(
    "passkey-name", .text, default: "Tandem", meaning: "what people are shown when a passkey is made or used")

  static let passkeyOrigins = Setting<[String]>(
    "passkey-origins", .origins, default: "https://tandem.example",
    meaning: "the pages that may ask for passkeys, separated by commas")

  static let providers = Setting<String?>.optional(
    "providers", .path,
    meaning: "a JSON file of the providers that people can log in by (see federated-login.md of the handbook)")

  static let providerRedirectURIs = Setting<[String]>(
    "provider-redirect-uris", .redirectURIs, default: "https://tandem.example/login/callback",
    meaning: "where providers may send browsers back to, separated by commas; the first where a call names none")

  static let providerAuthorities = Setting<String?>.optional(
    "provider-ca", .path, meaning: "PEM file of the authorities that the providers' certificates must come from")

  static let providerTimeout = Setting<Duration>(
    "provider-timeout", .shortDuration, default: "10s",
    meaning: "how long one exchange with a provider may take, from connecting to the answer's last byte")

  static let passwordJudges = Setting<Int>(
    "password-judges", .number(1...64), default: "1",
    meaning: "new passwords whose strength is judged at a time, each for some milliseconds of a core")

  static let federation: [SettingDescription] = [
    providers.description, providerRedirectURIs.description, providerAuthorities.description,
    providerTimeout.description,
  ]

  static let passkeys: [SettingDescription] = [
    passkeyDomain.description, passkeyName.description, passkeyOrigins.description,
  ]

  static let all: [SettingDescription] =
    [
      publicURL.description, resetURL.description, emailChangeURL.description, emailUndoURL.description,
      reservedUsernames.description, resetAnswer.description, mail.description, mailFrom.description,
      mailPassword.description, mailStartTLS.description,
      mailAuthorities.description, mailTimeout.description, unsubscribeURL.description, pushURL.description,
      pushToken.description, pushAuthorities.description, pushTimeout.description, SealSettings.key.description,
      passwordJudges.description,
    ] + ThrottleSettings.all + PictureSettings.all + passkeys + federation

  /// The configured mailer.
  static func mailer(_ settings: Settings, clock: any WallClock) throws(StartupError) -> any Mailer {
    switch settings[mail] {
    case .folder(let path):
      do { return try FolderMailer(folder: path, from: settings[mailFrom], clock: clock) } catch {
        throw StartupError(usage: "setting mail: \(error.reason)")
      }
    case .smtp(var server):
      server.password = settings[mailPassword]
      server.authorities = settings[mailAuthorities]
      if server.protection != .implicit { server.protection = settings[mailStartTLS].protection }
      return SMTPMailer(server, from: settings[mailFrom], timeout: settings[mailTimeout], clock: clock)
    }
  }

  /// The HTTP client for requests to providers.
  static func providerClient(
    _ settings: Settings, on loops: any EventLoopGroup, clock: any WallClock
  ) throws(StartupError) -> OutboundClient {
    do {
      return try OutboundClient(
        authorities: settings[providerAuthorities], timeout: settings[providerTimeout], on: loops, clock: clock)
    } catch {
      throw StartupError(usage: "setting provider-ca: \(error)")
    }
  }

  /// The providers that users can log in by.
  static func federatedProviders(
    _ settings: Settings, through client: OutboundClient, clock: any WallClock
  ) throws(StartupError) -> [FederatedProvider] {
    guard let path = settings[providers] else { return [] }
    do { return try ProviderFile(path: path).providers(through: client, clock: clock) } catch {
      throw StartupError(usage: error.lines.map { "setting providers: \($0)" })
    }
  }

  /// The configured push gateway; `nil` when pushes are disabled.
  static func pushGateway(
    _ settings: Settings, on loops: any EventLoopGroup, clock: any WallClock
  ) throws(StartupError) -> HTTPSPushGateway? {
    guard let url = settings[pushURL] else { return nil }
    do {
      return try HTTPSPushGateway(
        PushGatewaySettings(
          url: url, token: settings[pushToken], authorities: settings[pushAuthorities],
          timeout: settings[pushTimeout], connections: NotificationDelivery.pushConnections), on: loops, clock: clock)
    } catch {
      throw StartupError(usage: "setting push-ca: \(error)")
    }
  }
}

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

extension SettingKind where Value == Duration {
  /// At most half of the wait after which another replica sends a delivery that seems abandoned.
  fileprivate static let shortDuration = SettingKind("duration", expected: "a duration from 1s to 30s such as 10s") {
    text in
    SettingKind.duration.parse(text).flatMap { (.seconds(1)...(.seconds(30))).contains($0) ? $0 : nil }
  }
}

extension SettingKind where Value == String {
  /// A URL that can be used in a mail.
  fileprivate static let webAddress = SettingKind("URL", expected: "a URL such as https://tandem.example/verify") {
    text in
    let isPlain = text.utf8.allSatisfy { (0x21...0x7E).contains($0) }
    return isPlain && ["https://", "http://"].contains { text.hasPrefix($0) } && !text.contains("#") ? text : nil
  }

  /// The same, or with `#` at its end, behind which a token reaches no server.
  fileprivate static let pageAddress = SettingKind("URL", expected: "a URL such as https://tandem.example/verify") {
    text in
    webAddress.parse(text.hasSuffix("#") ? String(text.dropLast()) : text).map { _ in text }
  }

  /// A URL that secrets may be sent to.
  fileprivate static let secureAddress = SettingKind("URL", expected: "a URL such as https://push.example/v1/send") {
    text in
    webAddress.parse(text).flatMap { $0.hasPrefix("https://") ? $0 : nil }
  }
}

extension SettingKind where Value == String {
  /// A domain in the form that WebAuthn compares.
  fileprivate static let domain = SettingKind("domain", expected: "a domain in lower case such as tandem.example") {
    text in
    let isDomain = text.utf8.allSatisfy { byte in
      (0x61...0x7A).contains(byte) || (0x30...0x39).contains(byte) || byte == 0x2D || byte == 0x2E
    }
    return isDomain && !text.isEmpty && text.utf8.count <= 253 ? text : nil
  }
}

extension SettingKind where Value == [String] {
  /// Usernames; may be none.
  fileprivate static let usernames = SettingKind(
    "usernames", expected: "usernames such as acme,acme_news, separated by commas"
  ) { text in
    let names = text.split(separator: ",", omittingEmptySubsequences: false).map(String.init)
    return text.isEmpty ? [] : names.allSatisfy { Username($0) != nil } ? names : nil
  }

  /// Origins in the form that browsers send: no path, no trailing slash.
  fileprivate static let origins = SettingKind(
    "origins", expected: "origins such as https://app.tandem.example, separated by commas"
  ) { text in
    let origins = text.split(separator: ",", omittingEmptySubsequences: false).map(String.init)
    let areOrigins = origins.allSatisfy { origin in
      // An Android app has its own form of origin, with the hash of its signing certificate.
      let rest = ["https://", "http://localhost", "android:apk-key-hash:"].first { origin.hasPrefix($0) }
      return rest.map { !origin.dropFirst($0.count).contains("/") && origin.count > 8 } ?? false
    }
    return areOrigins ? origins : nil
  }
}

extension SettingKind where Value == [String] {
  /// Pages, or an app's own scheme. Without TLS only addresses on the same machine are allowed, because codes are sent
  /// there.
  fileprivate static let redirectURIs = SettingKind(
    "URIs", expected: "URIs such as https://app.tandem.example/callback, separated by commas"
  ) { text in
    let uris = text.split(separator: ",", omittingEmptySubsequences: false).map(String.init)
    let mayStand = uris.allSatisfy { uri in
      let scheme = uri.prefix { $0 != ":" }
      let isOwn = scheme.contains(".") && uri.utf8.count > scheme.utf8.count + 1
      let isPage = ["https://", "http://localhost", "http://127.0.0.1"].contains { uri.hasPrefix($0) }
      return (isPage || isOwn) && uri.utf8.count <= 2_000 && !uri.contains("#")
        && uri.utf8.allSatisfy { (0x21...0x7E).contains($0) }
    }
    return mayStand ? uris : nil
  }
}
