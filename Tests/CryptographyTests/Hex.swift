import Foundation

/// The bytes of hexadecimal text; white space is left out.
func hex(_ text: String) -> [UInt8] {
  let digits = text.filter { !$0.isWhitespace }.compactMap(\.hexDigitValue)
  return stride(from: 0, to: digits.count - 1, by: 2).map { UInt8(digits[$0] << 4 | digits[$0 + 1]) }
}

/// Where the public data sets lie, beside the repository.
func publicData(_ path: String) -> URL {
  URL(filePath: #filePath).deletingLastPathComponent().appending(path: "../../../shared/data/\(path)")
    .standardizedFileURL
}
