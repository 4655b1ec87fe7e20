import ArgumentParser
import NIOSSL
import ServiceRuntime
import TTRPCClient

/// The address to call, and how the connection is protected.
struct ConnectionOptions: ParsableArguments {
  @Option(
    help: ArgumentHelp(
      "The server (TANDEM_ADDRESS; default: the service's TANDEM_<SERVICE>_ADDRESS, or that of the running suite).",
      valueName: "host:port"))
  var address: String?

  @Option(
    help: ArgumentHelp(
      "The authority that the server's certificate comes from (TANDEM_CA; default: the running suite's, else the system's).",
      valueName: "file"))
  var ca: String?

  @Option(help: ArgumentHelp("Our certificate, where the server asks for one (TANDEM_CERT).", valueName: "file"))
  var cert: String?

  @Option(help: ArgumentHelp("The key of our certificate (TANDEM_KEY).", valueName: "file"))
  var key: String?

  @Flag(help: "Do without TLS.")
  var plaintext = false

  @Option(help: ArgumentHelp("The name that the server's certificate must carry.", valueName: "name"))
  var serverName: String?

  @OptionGroup var place: HomeOption

  /// Without options, for commands that call a running suite only.
  static var forSuite: ConnectionOptions {
    do { return try parse([]) } catch { preconditionFailure("no option is required: \(error)") }
  }

  /// The folder of the suite.
  var home: String { Workspace.nearestHome(named: place.home) }

  /// The suite that runs in the folder; `nil` if none does.
  var suite: RunningSuite? {
    RunningSuite.find(in: Workspace(home: home))
  }

  /// The address to call for a symbol.
  func target(for symbol: String) throws(Complaint) -> Target {
    let suite = self.suite
    let named = address ?? environment("TANDEM_ADDRESS")
    let service = SuiteService(answering: symbol) ?? .identity
    guard let text = named ?? ReachableSuite.find(place)?.services[service]?.rpc else {
      throw Complaint(usage: "no server: start the suite by `tandem up`, or name one by --address or TANDEM_ADDRESS")
    }
    return try target(at: text, suite)
  }

  /// All addresses to call: the given one, or those of all services.
  func targets() throws(Complaint) -> [Target] {
    guard address == nil, environment("TANDEM_ADDRESS") == nil, let suite = ReachableSuite.find(place) else {
      return [try target(for: "")]
    }
    var targets: [Target] = []
    for service in SuiteService.allCases {
      guard let rpc = suite.services[service]?.rpc else { continue }
      targets.append(try target(at: rpc, suite.running))
    }
    return targets
  }

  func target(at text: String, _ suite: RunningSuite?) throws(Complaint) -> Target {
    guard let colon = text.lastIndex(of: ":"), let port = Int(text[text.index(after: colon)...]),
      (1...65_535).contains(port),
      colon != text.startIndex
    else { throw Complaint(usage: "the address \(text) is not HOST:PORT") }
    let host = String(text[..<colon].filter { $0 != "[" && $0 != "]" })
    // A suite's services listen on loopback; their certificates have both names.
    let names = host == "localhost" ? [text, "127.0.0.1:\(port)"] : [text]
    let isSuites = suite?.services.values.contains { names.contains($0.rpc) } ?? false
    return Target(
      host: host, port: port,
      security: plaintext ? .plaintext : try tls(host: host, suiteAuthority: isSuites ? suite?.authority : nil))
  }

  private func tls(host: String, suiteAuthority: String?) throws(Complaint) -> RPCClient.Security {
    var configuration = TLSConfiguration.makeClientConfiguration()
    configuration.minimumTLSVersion = .tlsv13
    if let path = ca ?? environment("TANDEM_CA") ?? suiteAuthority {
      configuration.trustRoots = .certificates(try certificates(path))
    }
    try addOwnCertificate(to: &configuration)
    do {
      return .tls(try NIOSSLContext(configuration: configuration), serverName: serverName ?? nameToCheck(host))
    } catch NIOSSLError.failedToLoadPrivateKey {
      throw Complaint(usage: "the key of --key does not belong to the certificate of --cert")
    } catch {
      throw Complaint(usage: "TLS cannot be set up with these files: \(error)")
    }
  }

  private func addOwnCertificate(to configuration: inout TLSConfiguration) throws(Complaint) {
    guard let path = cert ?? environment("TANDEM_CERT") else {
      guard key == nil else { throw Complaint(usage: "--key needs --cert with the key's certificate") }
      return
    }
    guard let keyPath = key ?? environment("TANDEM_KEY") else {
      throw Complaint(usage: "--cert needs --key with the certificate's key")
    }
    configuration.certificateChain = try certificates(path).map { .certificate($0) }
    let text = try pem(keyPath)
    do {
      configuration.privateKey = .privateKey(try NIOSSLPrivateKey(bytes: Array(text.utf8), format: .pem))
    } catch {
      throw Complaint(usage: "\(keyPath) holds no private key in PEM")
    }
  }

  /// An IP address is checked as one; only names are sent in the handshake (SNI).
  private func nameToCheck(_ host: String) -> String? {
    let isAddress = host.contains(":") || host.allSatisfy { $0.isNumber || $0 == "." }
    return isAddress ? nil : host
  }

  private func certificates(_ path: String) throws(Complaint) -> [NIOSSLCertificate] {
    let text = try pem(path)
    do {
      let found = try NIOSSLCertificate.fromPEMBytes(Array(text.utf8))
      if !found.isEmpty { return found }
    } catch {
      // Reported below, with the same message as a file without a certificate.
    }
    throw Complaint(usage: "\(path) holds no certificate in PEM")
  }

  private func pem(_ path: String) throws(Complaint) -> String {
    guard let text = Files.text(path) else { throw Complaint(usage: "\(path) cannot be read: \(systemMessage())") }
    return text
  }
}

/// A server, and how to connect to it.
struct Target: Sendable {
  let host: String
  let port: Int
  let security: RPCClient.Security

  var address: String { "\(host):\(port)" }

  /// How the connection is protected, for output.
  var protection: String {
    switch security {
    case .tls, .renewedTLS: "TLS"
    case .plaintext: "plaintext"
    }
  }
}
