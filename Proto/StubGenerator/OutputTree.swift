import Foundation

/// Folders whose whole content is generated.
struct OutputTree {
  let root: URL

  /// Makes the folders hold exactly these files. A file that is already as it should be keeps its date, so that it is
  /// not compiled again.
  func replace(_ folders: [String], with files: [String: Data]) throws {
    for (path, data) in files {
      let place = root.appending(path: path)
      if FileManager.default.contents(atPath: place.path) == data { continue }
      try FileManager.default.createDirectory(at: place.deletingLastPathComponent(), withIntermediateDirectories: true)
      try data.write(to: place)
    }
    for folder in folders {
      let place = root.appending(path: folder)
      let present = try FileManager.default.subpathsOfDirectory(atPath: place.path)
      for name in present where files["\(folder)/\(name)"] == nil {
        let path = place.appending(path: name).path
        var isFolder: ObjCBool = false
        if FileManager.default.fileExists(atPath: path, isDirectory: &isFolder), !isFolder.boolValue {
          try FileManager.default.removeItem(atPath: path)
        }
      }
    }
  }
}
