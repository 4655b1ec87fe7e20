import Base64
import GatewayProtocols

/// The picture of a share link without one of its own, for previews: a drawing of the link's kind, at an address that is its own for ever.
///
/// It shows nothing of what is shared. Messengers keep the pictures of previews, also when the link has been withdrawn: a map in one would
/// tell where a person was for as long as the chat exists.
struct Card: Sendable {
  let path: String
  private let png: String

  /// `nil` for a kind that has none.
  init?(of kind: SharedLink) {
    guard let card = Cards.all[kind.rawValue] else { return nil }
    (path, png) = ("/pages/card/\(kind.rawValue)-\(card.digest).png", card.png)
  }

  /// The pictures by their paths.
  static var pages: [String: Page] {
    let cards = SharedLink.allCases.compactMap(Card.init)
    return Dictionary(uniqueKeysWithValues: cards.map { ($0.path, $0.page) })
  }

  private var page: Page {
    Page([.get]) { [png] _ in
      .answer(
        200, "image/png", Base64URL.decode(png) ?? [], [(.cacheControl, "public, max-age=31536000, immutable")])
    }
  }
}
