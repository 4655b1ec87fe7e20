import Environment
import Logging
import Postgres
import TTRPC

/// What matching does with users who look for a partner on a map ([MA-13]), one use case a file; see ``SessionOperations``.
package struct PartnerOperations: Sendable {
  let database: Database
  let environment: Environment
  let identity: (any RPCChannel)?
  let logger: Logger

  /// - Parameter identity: asked who has a group in common with a user; `nil` in a deployment without it.
  package init(database: Database, environment: Environment, identity: (any RPCChannel)?, logger: Logger) {
    self.database = database
    self.environment = environment
    self.identity = identity
    self.logger = logger
  }
}
