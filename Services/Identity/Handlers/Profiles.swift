public import Ambient
public import Cryptography
import IdentityStore
public import Postgres
import ProtobufC
import TTRPC
public import TandemIdentity

/// What people tell others about themselves; a file for each method.
public struct Profiles: ProfilesService {
  let database: Database
  let clock: any WallClock
  let timeZones: TimeZones
  let replays: Replays

  /// Handlers over `database`.
  ///
  /// - Parameter seal: for the answers that are kept to be repeated ([C-4]).
  public init(database: Database, clock: any WallClock, seal: Seal) {
    self.database = database
    self.clock = clock
    timeZones = TimeZones(database)
    replays = Replays(database: database, seal: seal, clock: clock)
  }
}
