import Testing
import TrackingDomain

/// Every state and every event, in one table.
@Suite("a member in a group")
struct MemberStatusTests {
  /// The states: `W` with its warnings behind it, `offline` as INACTIVE that is still shared.
  static let states: [(name: String, status: MemberStatus)] = [
    ("inactive", .unshared), ("offline", MemberStatus(.inactive, isShared: true)),
    ("active", MemberStatus(.active, isShared: true)), ("routing", MemberStatus(.routing, isShared: true)),
    ("W-o", MemberStatus(.warning, warnings: .offline, isShared: true)),
    ("W-s", MemberStatus(.warning, warnings: .standingStill, isShared: true)),
    ("W-l", MemberStatus(.warning, warnings: .late, isShared: true)),
    ("W-os", MemberStatus(.warning, warnings: [.offline, .standingStill], isShared: true)),
    ("W-ol", MemberStatus(.warning, warnings: [.offline, .late], isShared: true)),
    ("W-sl", MemberStatus(.warning, warnings: [.standingStill, .late], isShared: true)),
    ("W-osl", MemberStatus(.warning, warnings: [.offline, .standingStill, .late], isShared: true)),
    ("sos", MemberStatus(.sos, isShared: true)), ("sos-o", MemberStatus(.sos, warnings: .offline, isShared: true)),
  ]

  /// The columns are the states, in their order; a cell is the state after the event, `+` where the group is notified, `!` where the
  /// user is refused, `=` where nothing changes.
  static let table = """
                       inactive offline  active   routing  W-o      W-s      W-l      W-os     W-ol     W-sl     W-osl    sos      sos-o
    sharingStarted     active   active   =        =        =        =        =        =        =        =        =        =        =
    sharingStopped     =        inactive inactive inactive inactive inactive inactive inactive inactive inactive inactive !inSOS   !inSOS
    journeyStarted     routing+ routing+ routing+ !onAJ    !onAJ    !onAJ    !onAJ    !onAJ    !onAJ    !onAJ    !onAJ    !inSOS   !inSOS
    journeyStopped     !notOnAJ !notOnAJ !notOnAJ active+  active+  active+  active+  active+  active+  active+  active+  !notOnAJ !notOnAJ
    arrivedOnTime      !notOnAJ !notOnAJ !notOnAJ active+  active+  active+  active+  active+  active+  active+  active+  !notOnAJ !notOnAJ
    arrivedLate        !notOnAJ !notOnAJ !notOnAJ active+  active+  active+  active+  active+  active+  active+  active+  !notOnAJ !notOnAJ
    sosStarted         sos+     sos+     sos+     sos+     sos+     sos+     sos+     sos+     sos+     sos+     sos+     =        =
    sosStopped         !notInSO !notInSO !notInSO !notInSO !notInSO !notInSO !notInSO !notInSO !notInSO !notInSO !notInSO active+  active+
    moved              =        active   =        =        routing  routing  =        routing  W-l      W-l      W-l      =        sos
    stayed             =        active   =        =        routing  =        =        W-s      W-l      =        W-sl     =        sos
    stoodStill         =        =        =        W-s+     W-os+    =        W-sl+    =        W-osl+   =        =        =        =
    arrivalTimePassed  =        =        =        W-l+     W-ol+    W-sl+    =        W-osl+   =        =        =        =        =
    fellSilent         =        =        offline  W-o+     =        W-os+    W-ol+    =        =        W-osl+   =        sos-o+   =
    """

  @Test("[TR-1] [TR-3] [TR-5] [TR-6] [TR-7] [TR-8] [TR-9] [TR-10] every event in every state does what the table says")
  func everyEvent() throws {
    let lines = Self.table.split(separator: "\n").map { $0.split(separator: " ").map(String.init) }
    #expect(lines[0] == Self.states.map(\.name))
    #expect(lines.dropFirst().map { $0[0] } == MemberEvent.allCases.map { "\($0)" })
    for (event, line) in zip(MemberEvent.allCases, lines.dropFirst()) {
      for (state, cell) in zip(Self.states, line.dropFirst()) {
        #expect(Self.outcome(of: event, in: state) == cell, "\(event) in \(state.name)")
      }
    }
  }

  private static func outcome(of event: MemberEvent, in state: (name: String, status: MemberStatus)) -> String {
    do {
      let (status, news) = try state.status.after(event)
      let name = states.first { $0.status == status }?.name ?? "\(status)"
      return (name == state.name ? "=" : name) + (news == nil ? "" : "+")
    } catch {
      return String("!\(error)".replacing("Journey", with: "J").prefix(8))
    }
  }

  @Test("[TR-7] the news of an arrival tell on time and late apart")
  func arrivals() throws {
    let routing = MemberStatus(.routing, isShared: true)
    #expect(try routing.after(.arrivedOnTime).news == .arrivedOnTime)
    #expect(try routing.after(.arrivedLate).news == .arrivedLate)
  }
}
