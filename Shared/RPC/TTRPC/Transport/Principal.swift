import Synchronization

/// Whom calls and bytes are counted against: where a client is while nobody knows who it is, then who it is.
enum PrincipalName: Hashable, Sendable {
  case address(ClientNetwork)
  /// By the subject of an access token.
  case user(String)
  /// By the name in a certificate, or in a service's token.
  case service(String)
}

/// What one client has of a server: places for calls, and bytes in memory. From any thread.
///
/// Nobody has a fixed part. A client may have so many percent of what is *free*, which is less the more is taken ("dynamic thresholds",
/// Choudhury and Hahne, 1998): with a fifth, one that takes all it can has a sixth of the server, eight have together eight thirteenths, a
/// thousand leave a two-hundredth free. So there is always room for whoever comes next, without anybody counting who is there.
final class Principal: Sendable {
  let name: PrincipalName?
  /// Bytes that are held for the client.
  let bytes: ByteBudget
  /// What a client hears that has all the places it may have.
  let refusal: CallRefusal
  private let calls = Atomic(0)
  /// Those of the server, of which it has a share; `nil` where it has `fixedLimit`.
  private let places: CallPlaces?
  private let kind: CallPlaces.Kind
  private let fixedLimit: Int
  /// What the bytes of its calls count against beside their connection; `nil` where the connection is its own.
  let ownBytes: ByteBudget?

  /// A client, whose calls and bytes come out of those of the server. A user's bytes count against the server's by the connection that they
  /// come by, others' by themselves.
  init(_ name: PrincipalName, places: CallPlaces, bytes whole: ByteBudget, limits: RPCServer.Limits) {
    self.name = name
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

  /// Those who ask for the server's health, whoever they are, once they get no other place.
  init(healthChecks limit: Int) {
    name = nil
    places = nil
    kind = .service
    fixedLimit = limit
    bytes = ByteBudget()
    ownBytes = nil
    refusal = .busy
  }

  /// Counts a call in that the server has counted, unless it is one too many.
  @inline(__always)
  func takePlace() -> Bool {
    let own = calls.add(1, ordering: .relaxed).newValue
    let isAllowed = places?.allow(own, of: kind) ?? (own <= fixedLimit)
    if !isAllowed { leavePlace() }
    return isAllowed
  }

  @inline(__always)
  func leavePlace() { calls.subtract(1, ordering: .relaxed) }

  /// Calls that run.
  var callsAtWork: Int { calls.load(ordering: .relaxed) }
}

/// The places for calls of one server. From any thread.
final class CallPlaces: Sendable {
  /// What places are taken for.
  enum Kind: Sendable {
    case common
    /// A service of the suite, or a check of the server's health: the reserve is theirs too.
    case service
  }

  private let limit: Int
  private let reserve: Int
  private let percent: Int
  private let taken = Atomic(0)

  /// Of what is free, in percent, that one service of the suite may have.
  static let serviceShare = 100

  init(_ limits: RPCServer.Limits) {
    limit = limits.calls
    reserve = limits.reserve(of: limits.calls)
    percent = limits.sharePercent
  }

  /// How many are taken.
  var count: Int { taken.load(ordering: .relaxed) }

  /// Takes a place, unless all are taken that there are for the kind.
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
    // Whoever has none gets one where there is one.
    if own == 1 { return true }
    let percent = kind == .service ? Self.serviceShare : percent
    return own * 100 <= (size(for: kind) - count + 1) * percent
  }

  private func size(for kind: Kind) -> Int { kind == .service ? limit : limit - reserve }
}

/// The clients that a server has now, each of them once. From any thread.
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

  /// The client of that name, for as long as what is returned is kept.
  func hold(_ name: PrincipalName) -> PrincipalHold {
    let principal = table.withLock { table in
      let principal =
        table[name]?.principal ?? Principal(name, places: places, bytes: bytes, limits: limits)
      table[name, default: Entry(principal: principal, holds: 0)].holds += 1
      return principal
    }
    return PrincipalHold(principal, in: self)
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

/// Whose place a call takes.
enum CallPlace {
  /// Nobody's before its caller is known.
  case unknown
  /// That of the client that the connection counts against: the usual case, which keeps nothing.
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

/// Keeps a client in the table of its server: each connection has one, and each call.
final class PrincipalHold: Sendable {
  let principal: Principal
  private let table: Principals?

  fileprivate init(_ principal: Principal, in table: Principals) {
    self.principal = principal
    self.table = table
  }

  /// Of a client that is in no table.
  init(_ principal: Principal) {
    self.principal = principal
    table = nil
  }

  deinit {
    if let name = principal.name { table?.letGo(name) }
  }
}
