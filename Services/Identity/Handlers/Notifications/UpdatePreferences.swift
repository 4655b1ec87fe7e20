import FieldMasks
import FieldViolations
import Idempotency
import IdentityDomain
import IdentityStore
import Identifiers
import TTRPC
import TandemNotification

extension Notifications {
  /// Changes the named channels of the named kinds ([ID-61]).
  package func updatePreferences(
    _ call: UpdatePreferencesRequest, _ context: CallContext
  ) async throws -> Preferences {
    let owner = try context.userID
    let wish = try PreferenceWish(call)
    return try await idempotency.execute(
      call, context.requestKey(wish.requestID), .init(validateOnly: call.validateOnly)
    ) {
      tx in
      for change in wish.changes {
        try await tx.execute(
          SetPreference(userID: owner, kind: change.kind, byMail: change.byMail, byPush: change.byPush))
      }
      return Preferences(try await tx.rows(PreferencesOf(userID: owner)))
    }
  }
}

/// The validated fields of the request.
private struct PreferenceWish {
  /// In the order of the kinds, so that two concurrent calls do not deadlock.
  let changes: [(kind: IdentityDomain.NotificationKind, byMail: Bool?, byPush: Bool?)]
  let requestID: UUID7?

  /// The fields that a mask may name.
  private enum Channel: String, MaskedField {
    case mail
    case push
  }

  /// More than the number of kinds, so that a longer list repeats one.
  private static let maxCount = 100

  init(_ call: UpdatePreferencesRequest) throws {
    var bad = Violations()
    requestID = bad.requestID(call.requestID)
    let channels: Set<Channel> = bad.fields(named: call.updateMask, otherwise: [.mail, .push])
    var values: [IdentityDomain.NotificationKind: KindPreference] = [:]
    for (place, preference) in (call.preferences?.kinds ?? []).prefix(Self.maxCount).enumerated() {
      let field = "preferences.kinds[\(place)].kind"
      guard let kind = IdentityDomain.NotificationKind(preference.kind) else {
        bad.add(field, "Say which kind of notification", NotificationReason.kindRequired)
        continue
      }
      if values.updateValue(preference, forKey: kind) != nil {
        bad.add(field, "The kind is named twice", NotificationReason.kindRepeated)
      }
    }
    if values.isEmpty { bad.add("preferences.kinds", "Say which kinds to change", NotificationReason.kindRequired) }
    try bad.check()
    changes = IdentityDomain.NotificationKind.allCases.compactMap { kind in
      values[kind].map { value in
        (kind, channels.contains(.mail) ? value.mail : nil, channels.contains(.push) ? value.push : nil)
      }
    }
  }
}
