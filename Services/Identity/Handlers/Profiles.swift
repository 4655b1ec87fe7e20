import Ambient
import Cryptography
import Idempotency
import IdentityStore
import Pictures
import Postgres
import ProtobufC
import TandemIdentity
import TTRPC

/// What people tell others about themselves; a file for each method.
package struct Profiles: ProfilesService {
  let database: Database
  let clock: any WallClock
  let timeZones: TimeZones
  let replays: Replays
  let ambient: Ambient
  let uploads: PictureUploads
  let pictures: PictureStore

  /// Handlers over `database`.
  ///
  /// - Parameter seal: for the answers that are kept to be repeated ([C-4]).
  package init(
    database: Database, ambient: Ambient, seal: Seal, timeZones: TimeZones, uploads: PictureUploads
  ) {
    self.database = database
    self.ambient = ambient
    clock = ambient.clock
    self.timeZones = timeZones
    self.uploads = uploads
    replays = Replays(database: database, seal: seal, clock: ambient.clock)
    pictures = PictureStore(database: database)
  }
}
