import CatalogOperations
import Cryptography
import Environment
import Idempotency
import LinkMisses
import Pagination
import Pictures
import Postgres
import TTRPC
import TandemCatalog

/// The users' books and the bibliographic records; each method is in its own file.
package struct Books: BooksService {
  let operations: BookOperations
  let database: Database
  let environment: Environment
  let pages: Pages
  let idempotency: IdempotencyStore
  let turns: SearchTurns
  let uploads: PictureUploads
  let pictures: PictureStore
  let misses: LinkMissCounter

  /// - Parameters:
  ///   - seal: seals page tokens, and the answers kept for repeated requests ([C-4], [C-5]).
  ///   - turns: those of searches.
  package init(
    operations: BookOperations, database: Database, environment: Environment, seal: Seal, turns: SearchTurns,
    uploads: PictureUploads
  ) {
    self.operations = operations
    self.database = database
    self.environment = environment
    misses = LinkMissCounter(database: database, clock: environment.clock)
    pages = Pages(seal: seal, clock: environment.clock)
    self.turns = turns
    self.uploads = uploads
    pictures = PictureStore(database: database)
    idempotency = IdempotencyStore(database: database, seal: seal, clock: environment.clock)
  }
}
