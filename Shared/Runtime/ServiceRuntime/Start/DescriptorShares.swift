import Glibc
import TTRPCServer

/// Divides the files and sockets that a process may have open: its own work has a share that no client can take.
struct DescriptorShares: Sendable, Equatable {
  /// The limit of open descriptors.
  let limit: Int
  /// The descriptors that are open before the first client connects.
  let open: Int
  /// Event loops.
  let loops: Int
  /// Connections to the database that a loop may have.
  var connectionsPerLoop = 8

  /// How a user raises the limit.
  static let cure = "raise the hard limit of open files (ulimit -Hn, LimitNOFILE= of systemd, ulimits.nofile of Docker)"

  /// For mail, push, picture decoders, other services, the bus, the collector, certificates, name lookups.
  private static let ofOthers = 48
  /// The fewest clients to serve: with less the service does not start.
  private static let minClients = 16
  /// No setting needs more, and some programs iterate over each number up to the limit.
  private static let maxOfUse = 1 << 20

  /// The descriptors that the service reserves for itself.
  ///
  /// Connections to the database count twice: a lost one may still be open while the next is made.
  var reserve: Int { loops * 2 * connectionsPerLoop + Self.ofOthers + AdminServer.connectionLimit }
  /// The descriptors for clients; negative where the service itself has too few.
  var clients: Int { limit - open - reserve }

  /// Lowers the limits of connections to what the descriptors allow.
  ///
  /// - Parameter isAddressLimitAsked: whether an operator set the limit of each address. Otherwise one address may not
  ///   take more than half.
  /// - Returns: whether a limit was lowered.
  /// - Throws: when there are too few descriptors for any service.
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
  /// The shares of this process in its present state.
  init(loops: Int, connectionsPerLoop: Int) {
    self.init(
      limit: Int(clamping: Self.systemLimit.rlim_cur), open: Self.countOpen(), loops: loops,
      connectionsPerLoop: connectionsPerLoop)
  }

  /// Raises the process's limit as far as it may.
  static func raiseLimit() {
    var limit = systemLimit
    let wanted = min(limit.rlim_max, rlim_t(maxOfUse))
    guard wanted > limit.rlim_cur else { return }
    limit.rlim_cur = wanted
    // Where even that is forbidden, the present limit may be enough, which is checked next.
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
    // Two of them are the folder and its parent, and one is the descriptor of this listing.
    return max(0, count - 3)
  }
}
