import Glibc
import TTRPC

/// How the files and sockets that a process may have open are shared out: its own work has some that no client can take.
struct DescriptorShares: Sendable, Equatable {
  /// How many may be open at a time.
  let limit: Int
  /// How many are open before any client comes.
  let open: Int
  /// Event loops.
  let loops: Int
  /// Connections to the database that a loop may have.
  var connectionsPerLoop = 8

  /// What raises the limit, for a user.
  static let cure = "raise the hard limit of open files (ulimit -Hn, LimitNOFILE= of systemd, ulimits.nofile of Docker)"

  /// Mail, push, pictures that are being decoded, other services, the bus, the collector, certificates, name lookups.
  private static let ofOthers = 48
  /// Clients to serve at least: fewer are no service.
  private static let minClients = 16
  /// More is of no use to any setting, and some programs look at each number up to the limit.
  private static let maxOfUse = 1 << 20

  /// What the service keeps for itself.
  ///
  /// Connections to the database count twice: a lost one may still be open while the next is made.
  var reserve: Int { loops * 2 * connectionsPerLoop + Self.ofOthers + AdminServer.connectionLimit }
  /// What is left for clients; below zero where the service itself has too few.
  var clients: Int { limit - open - reserve }

  /// Lowers the limits of connections that cannot be kept.
  ///
  /// - Parameter isAddressLimitAsked: whether an operator set the limit of each address. Otherwise one address may not take more than half.
  /// - Returns: whether there was anything to lower.
  /// - Throws: a refusal when there are too few descriptors for any service.
  func lower(_ limits: inout RPCServer.Limits, isAddressLimitAsked: Bool) throws(StartupError) -> Bool {
    guard clients >= Self.minClients else {
      let needed = open + reserve + Self.minClients
      throw StartupError(
        failure: "the process may have \(limit) files open, and needs at least \(needed): \(Self.cure)")
    }
    guard limits.connections > clients else { return false }
    limits.connections = clients
    limits.connectionsPerAddress = min(limits.connectionsPerAddress, isAddressLimitAsked ? clients : clients / 2)
    return true
  }
}

extension DescriptorShares {
  /// The shares of this process as it is now.
  init(loops: Int, connectionsPerLoop: Int) {
    self.init(
      limit: Int(clamping: Self.systemLimit.rlim_cur), open: Self.countOpen(), loops: loops,
      connectionsPerLoop: connectionsPerLoop)
  }

  /// Allows this process as many as it may allow itself.
  static func raiseLimit() {
    var limit = systemLimit
    let wanted = min(limit.rlim_max, rlim_t(maxOfUse))
    guard wanted > limit.rlim_cur else { return }
    limit.rlim_cur = wanted
    // Where even that is forbidden, what there is will do: whether it does is looked at next.
    _ = setrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit)
  }

  private static var systemLimit: rlimit {
    var limit = rlimit()
    let isKnown = getrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit) == 0
    // Cannot fail for a resource that exists (getrlimit(2)).
    precondition(isKnown, "the system does not tell its limit of open files")
    return limit
  }

  private static func countOpen() -> Int {
    guard let folder = opendir("/proc/self/fd") else { return 0 }
    defer { closedir(folder) }
    var count = 0
    while readdir(folder) != nil { count += 1 }
    // Two of them are the folder and the one above, and one is this look.
    return max(0, count - 3)
  }
}
