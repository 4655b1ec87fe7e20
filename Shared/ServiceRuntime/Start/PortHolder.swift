import FoundationEssentials
import Glibc
import NIOCore

/// A process that listens on a TCP port, as far as `/proc` tells.
struct PortHolder: Sendable, Equatable, CustomStringConvertible {
  let pid: Int
  let command: String

  var description: String { "\(command) (pid \(pid))" }

  /// Who listens on `port`; nil when nobody does or the process belongs to somebody else.
  static func of(port: Int) -> PortHolder? {
    let inodes = listeningInodes(port: port)
    guard !inodes.isEmpty else { return nil }
    let targets = Set(inodes.map { "socket:[\($0)]" })
    let processes = (try? FileManager.default.contentsOfDirectory(atPath: "/proc")) ?? []
    for pid in processes.compactMap({ Int($0) }).sorted() {
      let folder = "/proc/\(pid)/fd"
      guard let descriptors = try? FileManager.default.contentsOfDirectory(atPath: folder) else { continue }
      let holds = descriptors.contains { descriptor in
        (try? FileManager.default.destinationOfSymbolicLink(atPath: "\(folder)/\(descriptor)")).map(targets.contains)
          ?? false
      }
      if holds { return PortHolder(pid: pid, command: command(of: pid)) }
    }
    return nil
  }

  private static func command(of pid: Int) -> String {
    guard let name = try? String(contentsOfFile: "/proc/\(pid)/comm", encoding: .utf8) else { return "a process" }
    return String(name.split(separator: "\n").first ?? "a process")
  }

  /// The sockets in state LISTEN (0A) on the port, from the kernel's tables (proc(5), net/tcp).
  private static func listeningInodes(port: Int) -> [Substring] {
    var inodes: [Substring] = []
    for table in ["/proc/net/tcp", "/proc/net/tcp6"] {
      guard let text = try? String(contentsOfFile: table, encoding: .utf8) else { continue }
      for line in text.split(separator: "\n").dropFirst() {
        let fields = line.split(separator: " ")
        guard fields.count > 9, fields[3] == "0A", let colon = fields[1].lastIndex(of: ":") else { continue }
        if Int(fields[1][fields[1].index(after: colon)...], radix: 16) == port { inodes.append(fields[9]) }
      }
    }
    return inodes
  }
}

extension StartRefusal {
  /// Why an address could not be listened on, who has it, and which setting changes it.
  static func cannotListen(
    on address: HostPort, _ setting: Setting<HostPort>, because error: any Error
  ) -> StartRefusal {
    let cure = "set --\(setting.description.key) or \(setting.description.environmentName)"
    let reason = (error as? IOError)?.errnoCode
    switch reason {
    case EADDRINUSE:
      let holder = PortHolder.of(port: address.port).map { "taken by \($0); stop it or" } ?? "taken by another process;"
      return StartRefusal(failure: "cannot listen on \(address): the address is \(holder) \(cure)")
    case EACCES:
      return StartRefusal(failure: "cannot listen on \(address): not permitted, ports below 1024 are root's; \(cure)")
    case EADDRNOTAVAIL:
      return StartRefusal(failure: "cannot listen on \(address): no interface of this machine has the address; \(cure)")
    case let number?:
      return StartRefusal(failure: "cannot listen on \(address): \(systemMessage(number)); \(cure)")
    case nil:
      return StartRefusal(failure: "cannot listen on \(address): \(error); \(cure)")
    }
  }
}
