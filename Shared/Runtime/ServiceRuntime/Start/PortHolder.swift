import Glibc
import NIOCore

/// A process that listens on a TCP port, by `/proc`.
package struct PortHolder: Sendable, Equatable, CustomStringConvertible {
  package let pid: Int
  package let command: String

  package var description: String { "\(command) (pid \(pid))" }

  /// The process that listens on `port`; nil when there is none or it belongs to another user.
  package static func of(port: Int) -> PortHolder? {
    let inodes = listeningInodes(port: port)
    guard !inodes.isEmpty else { return nil }
    let targets = Set(inodes.map { "socket:[\($0)]" })
    for pid in names(in: "/proc").compactMap({ Int($0) }).sorted() {
      let folder = "/proc/\(pid)/fd"
      let holds = names(in: folder).contains { link(at: "\(folder)/\($0)").map(targets.contains) ?? false }
      if holds { return PortHolder(pid: pid, command: command(of: pid)) }
    }
    return nil
  }

  /// The entries of a folder of `/proc`; those that vanish meanwhile and those of other users are left out.
  private static func names(in folder: String) -> [String] {
    guard let directory = opendir(folder) else { return [] }
    defer { closedir(directory) }
    var names: [String] = []
    while let entry = readdir(directory) {
      let name = withUnsafeBytes(of: &entry.pointee.d_name) { String(decoding: $0.prefix { $0 != 0 }, as: UTF8.self) }
      names.append(name)
    }
    return names
  }

  private static func link(at path: String) -> String? {
    var target = [UInt8](repeating: 0, count: 64)
    let count = target.withUnsafeMutableBytes { bytes in
      bytes.withMemoryRebound(to: CChar.self) { buffer in
        buffer.baseAddress.map { readlink(path, $0, buffer.count) } ?? -1
      }
    }
    return count > 0 ? String(decoding: target[..<count], as: UTF8.self) : nil
  }

  private static func command(of pid: Int) -> String {
    let name = text(of: "/proc/\(pid)/comm").split(separator: "\n").first
    return name.map(String.init) ?? "a process"
  }

  /// The whole of a file of `/proc`, empty when it cannot be read.
  ///
  /// The kernel returns such a file in pieces shorter than requested, which readers of ordinary files take for its end.
  private static func text(of path: String) -> String {
    let file = open(path, O_RDONLY | O_CLOEXEC)
    guard file >= 0 else { return "" }
    defer { close(file) }
    var text: [UInt8] = []
    var piece = [UInt8](repeating: 0, count: 65_536)
    while true {
      let count = read(file, &piece, piece.count)
      if count < 0 && errno == EINTR { continue }
      guard count > 0 else { return String(decoding: text, as: UTF8.self) }
      text += piece[..<count]
    }
  }

  /// The sockets in state LISTEN (0A) on the port, from the kernel's tables (proc(5), net/tcp).
  private static func listeningInodes(port: Int) -> [Substring] {
    var inodes: [Substring] = []
    for table in ["/proc/net/tcp", "/proc/net/tcp6"] {
      for line in text(of: table).split(separator: "\n").dropFirst() {
        let fields = line.split(separator: " ")
        guard fields.count > 9, fields[3] == "0A", let colon = fields[1].lastIndex(of: ":") else { continue }
        if Int(fields[1][fields[1].index(after: colon)...], radix: 16) == port { inodes.append(fields[9]) }
      }
    }
    return inodes
  }
}

extension StartupError {
  /// The error for an address that cannot be listened on: the reason, the process that has it, and the setting to
  /// change.
  static func cannotListen(
    on address: HostPort, _ setting: Setting<HostPort>, because error: any Error
  ) -> StartupError {
    let cure = "set --\(setting.description.key) or \(setting.description.environmentName)"
    if error is SocketAddressError.UnknownHost {
      return StartupError(failure: "cannot listen on \(address): the name cannot be resolved; \(cure)")
    }
    let reason = (error as? IOError)?.errnoCode
    switch reason {
    case EADDRINUSE:
      let holder = PortHolder.of(port: address.port).map { "taken by \($0); stop it or" } ?? "taken by another process;"
      return StartupError(failure: "cannot listen on \(address): the address is \(holder) \(cure)")
    case EACCES:
      return StartupError(failure: "cannot listen on \(address): not permitted, ports below 1024 are root's; \(cure)")
    case EADDRNOTAVAIL:
      return StartupError(failure: "cannot listen on \(address): no interface of this machine has the address; \(cure)")
    case let number?:
      return StartupError(failure: "cannot listen on \(address): \(systemMessage(number)); \(cure)")
    case nil:
      return StartupError(failure: "cannot listen on \(address): \(error); \(cure)")
    }
  }
}
