import LoopExecutor
import Synchronization
import TTRPC
import TTRPCFrames

/// What calls and bytes are counted against: the client's address until its caller is authenticated, then the caller.
enum PrincipalName: Hashable, Sendable {
  case address(ClientNetwork)
  /// The subject of an access token.
  case user(String)
  /// The name in a certificate, or in a service's token.
  case service(String)

  /// The owner of what its calls do.
  var owner: WorkOwner {
    switch self {
    case .address(let network): WorkOwner(.client, "address \(network)")
    case .user(let user): WorkOwner(.client, "user \(user)")
    case .service(let service): WorkOwner(.service, "service \(service)")
    }
  }
}

/// What one client has taken of a server's limits: places for calls, and bytes in memory. From any thread.
///
/// No client has a fixed part. A client may have so many percent of what is *free*, which is less the more is taken
/// ("dynamic thresholds", Choudhury and Hahne, 1998): with a fifth, one that takes all it can has a sixth of the
/// server, eight together have eight thirteenths, a thousand leave a two-hundredth free. So there is always room for
/// the next client, without counting the clients.
final class Principal: Sendable {
  let name: PrincipalName?
  /// Bytes held for the client.
  let bytes: ByteBudget
  /// The refusal for a client that has all the places of its share.
  let refusal: CallRefusal
  private let calls = Atomic(0)
  /// The calls among these that are counted as other clients': those of the users of an address.
  private let callsOfOthers = Atomic(0)
  /// The site of an address, which its calls count against too.
  private let site: PrincipalHold?
  /// The owner of what its calls do; `nil` for none.
  let mark: WorkMark?
  /// By the number of their loop.
  private let lanes = Mutex<[LoopLane?]>([])
  /// The server's places, of which the client has a share; `nil` where it has `fixedLimit`.
  private let places: CallPlaces?
  private let kind: CallPlaces.Kind
  private let fixedLimit: Int
  /// The budget of its calls' bytes beside that of their connection; `nil` where the connection is its own.
  let ownBytes: ByteBudget?

  /// A client whose calls and bytes come out of those of the server. A user's bytes count against the server's through
  /// the connection that they arrive on, other clients' directly.
  init(
    _ name: PrincipalName, places: CallPlaces, bytes whole: ByteBudget, limits: RPCServer.Limits,
    site: PrincipalHold? = nil
  ) {
    self.name = name
    self.site = site
    mark = WorkMark(name.owner)
    (kind, refusal) =
      switch name {
      case .address: (.common, .tooManyOf(.callsPerAddress, "address"))
      case .user: (.common, .tooManyOf(.callsPerUser, "user"))
      case .service: (.service, .tooManyOf(.callsPerService, "service"))
      }
    self.places = places
    fixedLimit = 0
    let share = ByteBudget.Share(
      whole: whole, reserve: kind == .service ? 0 : limits.reserve(of: limits.bufferedBytes),
      percent: kind == .service ? CallPlaces.serviceShare : limits.sharePercent)
    if case .user = name {
      bytes = ByteBudget(share: share)
      ownBytes = bytes
    } else {
      bytes = ByteBudget(within: whole, share: share)
      ownBytes = nil
    }
  }

  /// The health checks of all clients, for those that get no other place.
  init(healthChecks limit: Int) {
    name = nil
    site = nil
    mark = nil
    places = nil
    kind = .service
    fixedLimit = limit
    bytes = ByteBudget()
    ownBytes = nil
    refusal = .busy
  }

  /// Counts a call that the server has counted; false when it exceeds the client's share.
  @inline(__always)
  func takePlace() -> Bool {
    let own = calls.add(1, ordering: .relaxed).newValue
    let isAllowed = places?.allow(own, of: kind) ?? (own <= fixedLimit)
    if !isAllowed {
      calls.subtract(1, ordering: .relaxed)
      return false
    }
    guard let site, !site.principal.takePlaceForOther() else { return true }
    calls.subtract(1, ordering: .relaxed)
    return false
  }

  @inline(__always)
  func leavePlace() {
    calls.subtract(1, ordering: .relaxed)
    site?.principal.leavePlaceOfOther()
  }

  /// Counts a call of another client, such as a user of this address; false when it exceeds this one's share.
  func takePlaceForOther() -> Bool {
    guard takePlace() else { return false }
    callsOfOthers.add(1, ordering: .relaxed)
    return true
  }

  func leavePlaceOfOther() {
    callsOfOthers.subtract(1, ordering: .relaxed)
    leavePlace()
  }

  /// Whether it is a user, not an address or a service.
  var isUser: Bool { ownBytes != nil }

  /// Calls that run.
  var callsAtWork: Int { calls.load(ordering: .relaxed) }

  /// The calls that streams may be ended of to make room: its own, unless it is a service.
  var ownCalls: Int { kind == .service ? 0 : callsAtWork - callsOfOthers.load(ordering: .relaxed) }

  /// The lane in which its calls run on a loop, in turns with those of other clients.
  func lane(on executor: LoopExecutor) -> LoopLane {
    lanes.withLock { lanes in
      while lanes.count <= executor.index { lanes.append(nil) }
      if let lane = lanes[executor.index] { return lane }
      let lane = LoopLane(executor)
      lanes[executor.index] = lane
      return lane
    }
  }
}

/// The places for calls of one server. From any thread.
final class CallPlaces: Sendable {
  /// Who a place is taken for.
  enum Kind: Sendable {
    case common
    /// A service of the suite, or a health check: the reserve is for these too.
    case service
  }

  private let limit: Int
  private let reserve: Int
  private let percent: Int
  private let taken = Atomic(0)

  /// Percent of what is free that one service of the suite may have.
  static let serviceShare = 100

  init(_ limits: RPCServer.Limits) {
    limit = limits.calls
    reserve = limits.reserve(of: limits.calls)
    percent = limits.sharePercent
    scarceFrom = limit - reserve - (limit - reserve) / Self.partToKeepFree
  }

  /// Whether so few places are left for others than services that some are to be taken back.
  @inline(__always)
  var isScarce: Bool { count > scarceFrom }

  private let scarceFrom: Int

  /// How many places have to become free for there to be as many as there should be.
  var lacking: Int { max(0, count - scarceFrom) + (limit - reserve - scarceFrom) / 2 }

  /// The part of the places that is kept free: a newcomer may have a fifth of it.
  private static let partToKeepFree = 32

  /// How many places are taken.
  var count: Int { taken.load(ordering: .relaxed) }

  /// Takes a place; false when all places of the kind are taken.
  @inline(__always)
  func take(_ kind: Kind) -> Bool {
    if taken.add(1, ordering: .relaxed).newValue <= size(for: kind) { return true }
    leave()
    return false
  }

  @inline(__always)
  func leave() { taken.subtract(1, ordering: .relaxed) }

  /// Whether one client may have `own` places, the last of which it has just taken.
  @inline(__always)
  func allow(_ own: Int, of kind: Kind) -> Bool {
    // A client without a place gets one where there is one.
    if own == 1 { return true }
    let percent = kind == .service ? Self.serviceShare : percent
    return own * 100 <= (size(for: kind) - count + 1) * percent
  }

  private func size(for kind: Kind) -> Int { kind == .service ? limit : limit - reserve }
}

/// The clients that a server has at present, each of them once. From any thread.
final class Principals: Sendable {
  private struct Entry {
    let principal: Principal
    var holds: Int
  }

  private let places: CallPlaces
  private let bytes: ByteBudget
  private let limits: RPCServer.Limits
  private let table = Mutex<[PrincipalName: Entry]>([:])

  init(places: CallPlaces, bytes: ByteBudget, limits: RPCServer.Limits) {
    self.places = places
    self.bytes = bytes
    self.limits = limits
  }

  /// The client of that name, which stays in the table as long as the result is held.
  func hold(_ name: PrincipalName) -> PrincipalHold {
    var site: PrincipalHold?
    if case .address(let network) = name { site = network.site.map { hold(.address($0)) } }
    let principal = table.withLock { table in
      let principal =
        table[name]?.principal ?? Principal(name, places: places, bytes: bytes, limits: limits, site: site)
      table[name, default: Entry(principal: principal, holds: 0)].holds += 1
      return principal
    }
    return PrincipalHold(principal, in: self)
  }

  /// How many streams of which clients are to end so that `count` places become free: of those that have most, until
  /// none of them has more than the others.
  func excess(freeing count: Int) -> [ObjectIdentifier: Int] {
    let holders = table.withLock { table in
      table.values.map { (id: ObjectIdentifier($0.principal), calls: $0.principal.ownCalls) }
    }
    let level = PlaceLevel.level(of: holders.map(\.calls), freeing: count)
    var tooMany = holders.reduce(0) { $0 + max(0, $1.calls - level) } - count
    return holders.reduce(into: [:]) { excess, holder in
      guard holder.calls > level else { return }
      let kept = tooMany > 0 ? 1 : 0
      tooMany -= kept
      excess[holder.id] = holder.calls - level - kept
    }
  }

  /// How many clients there are.
  var count: Int { table.withLock { $0.count } }

  fileprivate func letGo(_ name: PrincipalName) {
    table.withLock { table in
      guard let holds = table[name]?.holds else { return }
      if holds > 1 { table[name]?.holds = holds - 1 } else { table[name] = nil }
    }
  }
}

/// The client whose place a call takes.
enum CallPlace {
  /// Unknown until the caller is authenticated.
  case unknown
  /// The client that the connection counts against: the usual case, which holds nothing.
  case ofConnection
  case of(PrincipalHold)

  func isSame(as other: CallPlace) -> Bool {
    switch (self, other) {
    case (.unknown, .unknown), (.ofConnection, .ofConnection): true
    case (.of(let one), .of(let other)): one === other
    default: false
    }
  }
}

/// Keeps a client in its server's table: each connection has one, and each call.
final class PrincipalHold: Sendable {
  let principal: Principal
  private let table: Principals?

  fileprivate init(_ principal: Principal, in table: Principals) {
    self.principal = principal
    self.table = table
  }

  /// For a client that is in no table.
  init(_ principal: Principal) {
    self.principal = principal
    table = nil
  }

  deinit {
    if let name = principal.name { table?.letGo(name) }
  }
}
