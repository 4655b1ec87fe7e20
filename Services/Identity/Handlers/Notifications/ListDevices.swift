import FieldViolations
import IdentityStore
import Identifiers
import Pagination
import TTRPC
import TandemNotification
import Timestamps

extension Notifications {
  /// Lists a page of the caller's devices, most recently registered first ([ID-62], [C-5]).
  package func listDevices(_ call: ListDevicesRequest, _ context: CallContext) async throws -> ListDevicesResponse {
    let owner = try context.userID
    var bad = Violations()
    let page = try pages.page(of: call, context, &bad, by: Instant.self, DeviceID.self)
    try bad.check()
    let found = try await database.rows(
      DevicesBefore(userID: owner, beforeTime: page.after?.0, beforeID: page.after?.1, limit: page.limit))
    let (shown, next) = try page.cut(found) { ($0.registeredAt, $0.id) }
    return ListDevicesResponse(devices: shown.map { Device($0) }, nextPageToken: next)
  }
}

extension Device {
  /// The device as its owner sees it.
  init(_ stored: StoredDevice) {
    self.init(
      deviceID: stored.id.description, platform: Platform(stored: stored.platform),
      registerTime: stored.registeredAt.timestamp, sessionID: stored.sessionID?.description ?? "",
      deviceLabel: stored.deviceLabel)
  }
}

extension Platform {
  private static let names: [(Platform, String)] = [(.apple, "APPLE"), (.firebase, "FIREBASE"), (.web, "WEB")]

  /// The stored name; `nil` for an unspecified platform.
  var stored: String? { Self.names.first { $0.0 == self }?.1 }

  /// The platform with a stored name; unspecified for a name that this version does not know.
  init(stored name: String) { self = Self.names.first { $0.1 == name }?.0 ?? .unspecified }
}
