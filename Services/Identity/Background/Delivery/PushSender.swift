import IdentityOperations
import IdentityPush
import IdentityStore

/// Pushes notifications to devices ([ID-62]).
struct PushSender: DeliverySender {
  let gateway: any PushGateway
  let tokens: PushTokens

  let channel = DeliveryChannel.push
  /// Each concurrent request has ten seconds.
  let capacity = PushSender.connections

  /// Enough for more than a hundred devices a second at a gateway that takes 100 ms.
  static let connections = 16

  func carry(_ delivery: DueDelivery, with companions: [DueDelivery]) async -> DeliveryOutcome {
    guard let news = delivery.notification, let device = delivery.device else { return .obsolete }
    let token: String
    do { token = try tokens.token(of: device) } catch { return .later("the device's token cannot be opened: \(error)") }
    let push = Push(
      id: delivery.id.uuid, token: token, platform: device.platform, notificationID: news.id.uuid,
      sequence: news.sequence, kind: news.kind, title: news.title, body: news.body, subject: news.subject)
    do {
      try await gateway.send(push)
      return .sent
    } catch {
      return switch error {
      case .gone: .deviceGone
      case .refused: .refused("\(error)")
      case .temporary(_, let retryAfter): .later("\(error)", notBefore: retryAfter ?? .zero)
      }
    }
  }
}
