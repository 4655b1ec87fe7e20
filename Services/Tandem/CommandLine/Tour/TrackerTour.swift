import Base64
import Reflection
import TTRPC

/// The files of a user's trackers.
extension Tour {
  /// Imports the same run from a phone's GPX file and a watch's FIT file, and adds it up.
  func bringTrackersIn(as name: String, _ token: String) async throws {
    say("\(name) ran with a phone and a watch, and imports the files of both: it is one activity with two sources.")
    for file in [Base64URL.encode(Array(Self.gpx.utf8)), Self.fit] {
      let request = JSONValue.members(["chunk": .string(file), "timeZone": .string("Europe/London")])
      _ = try await stream("ImportFile", of: Self.activities, [request], token)
    }
    let listed = try await call(Self.activities, "ListActivities", ["pageSize": .integer(1)], token: token)
    guard case .array(let activities)? = listed["activities"], let id = activities.first?["activityId"] else {
      throw Complaint("no activity was listed")
    }
    say("It has a track and splits, and counts in the sums of the month and among the records.")
    _ = try await call(Self.activities, "GetActivity", ["activityId": id], token: token)
    _ = try await call(
      Self.activities, "SummarizeActivities",
      [
        "period": .string("SUMMARY_PERIOD_MONTH"), "fromDate": Self.day(2025, 11, 1), "toDate": Self.day(2025, 11, 30),
        "timeZone": .string("Europe/London"),
      ], token: token)
    _ = try await call(Self.activities, "ListPersonalRecords", [:], token: token)
  }

  /// Imports an archive of which a document ends in its middle: what is whole is stored, and the rest named.
  func bringTakeoutIn(as name: String, _ token: String) async throws {
    say("\(name) has a takeout with a broken member: what is whole in it is stored, and what is not is named.")
    let request = JSONValue.members(["chunk": .string(Self.takeout), "timeZone": .string("Europe/London")])
    let answers = try await stream("ImportFile", of: Self.activities, [request], token)
    let result = answers.last?["result"]
    guard result?["newActivities"]?.integer == 2, result?["skipped"]?.array?.isEmpty == false else {
      throw Complaint("the takeout's activities were not stored, or its broken member not named")
    }
  }

  private static func day(_ year: Int, _ month: Int, _ day: Int) -> JSONValue {
    .members(["year": .integer(Int64(year)), "month": .integer(Int64(month)), "day": .integer(Int64(day))])
  }

  /// The phone's file: a point a minute.
  private static var gpx: String {
    let points = (0..<7).map { minute in
      """
      <trkpt lat="\(51.5 + Double(minute) * 180 / 111_195)" lon="-0.12"><time>2025-11-02T07:0\(minute):00Z</time></trkpt>
      """
    }
    return """
      <gpx version="1.1" creator="Phone" xmlns="http://www.topografix.com/GPX/1/1"><trk><name>Morning run</name>
      <type>running</type><trkseg>\(points.joined())</trkseg></trk></gpx>
      """
  }

  /// A zip file in base64: a walk, and two runs of which the second is cut off.
  private static let takeout = """
    UEsDBBQAAAAIAAAAYVvEvlD0AAEAACwEAAAfAAAAVGFrZW91dC9GaXQvQWN0aXZpdGllcy93YWxrLmdweI3UsY6EIBAA0F8h9AKjILpBu821W1xxuY5sONesglGyen9_YH\
    LdFkNICDPhZYoZzLAc5OXWbQy-o8CAkvvqbAxrR2-P4B0lxzz5raOPGJcL5_u-sxiWMKz2ZzzYPcz84_bFgQPtTVyfvfF2dv315fzoB7Lb6Wn4GTLxd3F9DqSE4ectv9jc\
    cJ5LJJONHVXAlMiLkikXVQgGZcbHhJSiVAWIQqhP0Bch0v5OVk6lIyNvLA0twgKMBbLCWCXGKkE1CKtCWY3GWBJjVarVCEthLFkBxqoxVqqsRlgaZWmFsRqMVUutEFaLsV\
    KrIixA9b1uQSKst33P_weTnzPN0zfR_wFQSwMEFAAAAAgAAABhW38SUsiBAAAACAEAADEAAABUYWtlb3V0L0ZpdGJpdC9HbG9iYWwgRXhwb3J0IERhdGEvZXhlcmNpc2Ut\
    MC5qc29ui65WyslP90xRsjLUUUpMLsksyyyp9EvMTVWyUgoqzVPSUUopLUosyczPA6qwMAABqLpUF0yJlMziksS8ZKBmYz1DBDc0L7MEaJ5vZk4q0MDkxJz8oszUYqAiAz\
    MdJaCSopKQTLCNhgb6Bob6RqYKBuZWBgZApFSrwwV3oRENXQgAUEsBAhQDFAAAAAgAAABhW8S-UPQAAQAALAQAAB8AAAAAAAAAAAAAAIABAAAAAFRha2VvdXQvRml0L0Fj\
    dGl2aXRpZXMvd2Fsay5ncHhQSwECFAMUAAAACAAAAGFbfxJSyIEAAAAIAQAAMQAAAAAAAAAAAAAAgAE9AQAAVGFrZW91dC9GaXRiaXQvR2xvYmFsIEV4cG9ydCBEYXRhL2\
    V4ZXJjaXNlLTAuanNvblBLBQYAAAAAAgACAKwAAAANAgAAAAA
    """

  /// The watch's file in base64: the same six minutes, with a record each thirty seconds.
  private static let fit = """
    DiBUCFEBAAAuRklUbeFAAAAAAAMAAQABAoQEBIYABAEAcLVpQ0EAABQABf0EhgAEhQEEhQMBAgUEhgFwtWlD9UmfJJgn6v+CAAAAAAGOtWlDrW+fJJgn6v+DKCMA\
    AAGstWlDZZWfJJgn6v+EUEYAAAHKtWlDHrufJJgn6v+FeGkAAAHotWlD1uCfJJgn6v+GoIwAAAEGtmlDjwagJJgn6v+HyK8AAAEktmlDRyygJJgn6v+I8NIAAAFC\
    tmlD/1GgJJgn6v+JGPYAAAFgtmlDuHegJJgn6v+KQBkBAAF+tmlDcJ2gJJgn6v+LaDwBAAGctmlDKMOgJJgn6v+MkF8BAAG6tmlD4eigJJgn6v+NuIIBAAHYtmlD\
    mQ6hJJgn6v+O4KUBAEIAABIACf0EhgIEhgcEhggEhgkEhgsChBABAhEBAgUBAALYtmlDcLVpQ0B+BQBAfgUA4KUBAF8AiI4BZpA=
    """
}
