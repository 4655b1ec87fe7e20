extension MadeFile {
  /// A zip file whose members are stored as they are, or, if they are `deflated`, in blocks of that format.
  static func zip(_ members: [(name: String, bytes: [UInt8])], deflated: Bool = false) -> [UInt8] {
    var (file, directory): ([UInt8], [UInt8]) = ([], [])
    for (name, plain) in members {
      let name = Array(name.utf8)
      let bytes = deflated ? blocks(plain) : plain
      // Version 2.0, names in UTF-8, the method, at no time; then checksum and lengths.
      let size = le(UInt32(bytes.count)) + le(UInt32(plain.count))
      let entry = le(UInt16(20)) + le(UInt16(0x0800)) + [deflated ? 8 : 0, 0, 0, 0, 0, 0] + le(checksum(plain)) + size
      let lengths = le(UInt16(name.count)) + [0, 0]
      directory += [0x50, 0x4B, 0x01, 0x02, 20, 0] + entry + lengths + [UInt8](repeating: 0, count: 10)
      directory += le(UInt32(file.count)) + name
      file += [0x50, 0x4B, 0x03, 0x04] + entry + lengths + name + bytes
    }
    let count = le(UInt16(members.count))
    let end = [0, 0, 0, 0] + count + count + le(UInt32(directory.count)) + le(UInt32(file.count)) + [0, 0]
    return file + directory + [0x50, 0x4B, 0x05, 0x06] + end
  }

  /// Blocks of at most 64 KiB that are stored (RFC 1951, section 3.2.4): whether it is the last, its length, and that inverted.
  private static func blocks(_ bytes: [UInt8]) -> [UInt8] {
    let starts = bytes.isEmpty ? [0] : Array(stride(from: 0, to: bytes.count, by: 65_535))
    return starts.flatMap { start in
      let block = bytes[start..<min(start + 65_535, bytes.count)]
      let length = UInt16(block.count)
      return [block.endIndex == bytes.count ? 1 : 0] + le(length) + le(~length) + block
    }
  }

  private static func checksum(_ bytes: [UInt8]) -> UInt32 {
    var value = UInt32.max
    for byte in bytes {
      value ^= UInt32(byte)
      for _ in 0..<8 { value = value & 1 == 1 ? value >> 1 ^ 0xEDB8_8320 : value >> 1 }
    }
    return ~value
  }

  private static func le<T: FixedWidthInteger>(_ value: T) -> [UInt8] {
    withUnsafeBytes(of: value.littleEndian) { Array($0) }
  }

  /// An exercise as the archives of Fitbit have it.
  static func exercise(
    _ id: Int, at start: String, name: String = "Run", seconds: Int = 1_800, distance: String = "3.1",
    unit: String = "Mile"
  ) -> String {
    """
    {"logId" : \(id), "activityName" : "\(name)", "activityTypeId" : 90009, "averageHeartRate" : 148, "calories" : 306,
      "distance" : \(distance), "distanceUnit" : "\(unit)", "duration" : \(seconds * 1_000),
      "activeDuration" : \(seconds * 1_000 - 60_000), "steps" : 4510, "source" : {"type" : "tracker", "name" : "Charge 5"},
      "heartRateZones" : [{"name" : "Fat Burn", "min" : 100, "max" : 140, "minutes" : 6}], "elevationGain" : 15.24,
      "lastModified" : "\(start)", "startTime" : "\(start)", "originalStartTime" : "\(start)", "hasGps" : false}
    """
  }

  /// A sleep as the archives of Fitbit have it, of eight hours.
  static func fitbitSleep(_ id: Int, at start: String) -> String {
    """
    {"logId": \(id), "dateOfSleep": "2025-03-30", "startTime": "\(start)", "duration": 28800000, "minutesAsleep": 420,
      "levels": {"data": [{"dateTime": "\(start)", "level": "light", "seconds": 1560}]}}
    """
  }

  /// A session of Google Fit.
  static func session(_ activity: String, _ start: String, _ end: String, more: String = "", distance: Double = 1_558.5)
    -> String
  {
    """
    {"fitnessActivity": "\(activity)", "startTime": "\(start)", "endTime": "\(end)", "duration": "674.186s"\(more),
      "aggregate": [{"metricName": "com.google.calories.expended", "floatValue": 144.38},
        {"metricName": "com.google.step_count.delta", "intValue": 1550},
        {"metricName": "com.google.distance.delta", "floatValue": \(distance)}]}
    """
  }
}
