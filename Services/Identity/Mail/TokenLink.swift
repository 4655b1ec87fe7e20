/// Links to a page with a token.
package enum TokenLink {
  /// What stands before the token in a link to `page`: `?token=` behind the page, or `token=` behind its `#`. A fragment is read by the page's
  /// script alone: it reaches no server, and no log.
  package static func prefix(to page: String) -> String {
    if page.hasSuffix("#") { return page + "token=" }
    return page + (page.contains("?") ? "&" : "?") + "token="
  }
}
