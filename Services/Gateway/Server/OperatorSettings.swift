import GatewayOperators
import ServiceRuntime

/// The settings of the operators' listener.
enum OperatorSettings {
  static let listen = Setting<HostPort?>.optional(
    "operator-listen", .address,
    meaning: "where operators' console is answered, on loopback alone; without it there is none")
  static let certificate = Setting<String?>.optional(
    "operator-tls-cert", .path, meaning: "PEM file of the operator's certificate, which the services are shown there")
  static let key = Setting<String?>.optional(
    "operator-tls-key", .path, meaning: "PEM file of its private key")
  static let linkKey = Setting<SealKeys?>.optional(
    "operator-link-key", .sealKeys,
    meaning:
      "the key of the links that let operators' browsers in, NAME:KEY with 32 bytes in base64url; `tandem console` makes links with it",
    secrecy: .secret)
  static let processes = Setting<[Replica]>(
    "operator-processes", .replicas, default: "",
    meaning:
      "ports for health and metrics of all processes, such as identity=127.0.0.1:7501,gateway=127.0.0.1:7580; a service may be there several times"
  )
  static let command = Setting<String?>.optional(
    "operator-command", .path,
    meaning:
      "the program `tandem`, by which jobs, events and the log are read; without it operators' console shows none")
  static let home = Setting<String?>.optional(
    "operator-home", .path, meaning: "the folder of `tandem up` for operator-command; without it its own settings count"
  )
  static let isDemo = Setting<Bool>(
    "operator-demo", .flag, default: "false", meaning: "offers to make the demonstration anew; never where people are")

  /// All of them, in the order of listings.
  static let all: [SettingDescription] = [
    listen.description, certificate.description, key.description, linkKey.description, processes.description,
    command.description, home.description, isDemo.description,
  ]
}

extension SettingKind where Value == [Replica] {
  /// Processes by the names of their services; may be none.
  fileprivate static let replicas = SettingKind(
    "processes", expected: "processes such as identity=127.0.0.1:7501,gateway=127.0.0.1:7580"
  ) { text in
    let entries = text.split(separator: ",", omittingEmptySubsequences: false)
    let replicas = entries.compactMap { entry -> Replica? in
      let parts = entry.split(separator: "=", maxSplits: 1).map(String.init)
      let isName = parts.first?.allSatisfy { $0.isASCII && $0.isLetter } ?? false
      guard parts.count == 2, isName, let address = HostPort(parts[1]) else { return nil }
      return Replica(service: parts[0], host: address.host, port: address.port)
    }
    return text.isEmpty ? [] : replicas.count == entries.count ? replicas : nil
  }
}
