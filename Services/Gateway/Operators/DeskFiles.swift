import GatewayPages

/// The console's page and its files.
package enum DeskFiles {
  package static func page(at path: Substring) -> Page? { nil }
}
