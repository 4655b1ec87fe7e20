import NIOCore

/// Keeps the socket addresses of a client's targets up to date. Confined to `loop`.
///
/// `@unchecked Sendable`: everything mutable is touched only on `loop`: by its owner, which lives there, by timers, and
/// when lookups end.
final class AddressWatch: @unchecked Sendable {
  /// The result of the last lookups.
  enum Knowledge {
    case nothing
    case addresses([SocketAddress])
    /// No name has an address; the names are looked up again at `nextAttempt`.
    case unresolvable(String, nextAttempt: NIODeadline)
  }

  private let addresses: [RPCClient.Address]
  private let resolver: NameResolver
  private let settings: RPCClient.Settings
  private let loop: any EventLoop
  private var found: [[SocketAddress]]
  private var lastLookUp: NIODeadline?
  private var isLookingUp = false
  private var failures = 0
  private var repetition: Scheduled<Void>?
  private var onChange: (() -> Void)?
  private(set) var knowledge = Knowledge.nothing

  init(
    _ addresses: [RPCClient.Address], _ resolver: NameResolver, _ settings: RPCClient.Settings, on loop: any EventLoop
  ) {
    self.addresses = addresses
    self.resolver = resolver
    self.settings = settings
    self.loop = loop
    found = addresses.map { NameResolver.literal($0).map { [$0] } ?? [] }
  }

  private var names: [Int] { addresses.indices.filter { NameResolver.literal(addresses[$0]) == nil } }

  /// Reports the addresses through `onChange`, at once where no name has to be looked up, and whenever they change.
  func start(_ onChange: @escaping () -> Void) {
    self.onChange = onChange
    if names.isEmpty { conclude(failure: nil) } else { lookUp() }
  }

  func stop() {
    onChange = nil
    repetition?.cancel()
  }

  /// Looks the names up again, because a connection failed, unless that was done not long ago.
  func refresh() {
    guard !names.isEmpty, !isLookingUp else { return }
    let now = NIODeadline.now()
    let due = (lastLookUp ?? now) + .nanoseconds(settings.resolveInterval.nanoseconds)
    if now >= due { lookUp() } else if repetition == nil { lookUp(at: due) }
  }

  private func lookUp(at time: NIODeadline) {
    repetition = loop.scheduleTask(deadline: time) { self.lookUp() }
  }

  private func lookUp() {
    guard onChange != nil else { return }
    repetition = nil
    isLookingUp = true
    let names = names
    let lookUps = names.map { resolver.resolve(addresses[$0], loop) }
    EventLoopFuture.whenAllComplete(lookUps, on: loop).assumeIsolated().whenSuccess { results in
      self.isLookingUp = false
      self.lastLookUp = .now()
      var failure: (any Error)?
      for (name, result) in zip(names, results) {
        switch result {
        case .success(let addresses): self.found[name] = addresses
        // The name's last addresses may still be valid.
        case .failure(let error): failure = error
        }
      }
      self.conclude(failure: failure)
    }
  }

  private func conclude(failure: (any Error)?) {
    var seen = Set<SocketAddress>()
    let all = found.joined().filter { seen.insert($0).inserted }
    if all.isEmpty {
      failures += 1
      let next = NIODeadline.now() + TimeAmount(settings.reconnecting.delay(after: failures, chance: settings.chance()))
      knowledge = .unresolvable(failure.map { "\($0)" } ?? "the name has no address", nextAttempt: next)
      lookUp(at: next)
    } else {
      failures = 0
      knowledge = .addresses(all)
    }
    onChange?()
  }
}
