/// Counts the readers that books have in common, with a bit for each book and reader.
struct SharedReaders {
  /// 64-bit words for each book.
  private let width: Int
  private let bits: [UInt64]

  init(_ readings: Readings) {
    width = (readings.booksOfReaders.count + 63) / 64
    var bits = [UInt64](repeating: 0, count: width * readings.books.count)
    for (book, readers) in readings.readersOfBooks.enumerated() {
      for reader in readers { bits[book * width + Int(reader) / 64] |= 1 << UInt64(reader % 64) }
    }
    self.bits = bits
  }

  /// The weight of each candidate for `book`: the ridge regression of its readers on the candidates' readers.
  func weights(of candidates: [Int32], for book: Int) -> [Float] {
    let size = candidates.count
    var (system, weights) = ([Float](repeating: 0, count: size * size), [Float](repeating: 0, count: size))
    bits.withUnsafeBufferPointer { bits in
      for row in 0..<size {
        weights[row] = count(bits, Int(candidates[row]), book)
        for column in 0...row {
          system[row * size + column] = count(bits, Int(candidates[row]), Int(candidates[column]))
        }
        system[row * size + row] += NeighbourModel.ridge
      }
    }
    LinearSystem.solve(&system, &weights)
    return weights
  }

  private func count(_ bits: UnsafeBufferPointer<UInt64>, _ one: Int, _ other: Int) -> Float {
    var (count, first, second) = (0, one * width, other * width)
    for _ in 0..<width {
      count &+= (bits[first] & bits[second]).nonzeroBitCount
      first &+= 1
      second &+= 1
    }
    return Float(count)
  }
}

/// A linear system whose matrix is symmetric and positive definite.
enum LinearSystem {
  /// Solves by Cholesky decomposition, in place.
  ///
  /// - Parameters:
  ///   - matrix: in rows; what is above the diagonal is ignored. Afterwards its Cholesky factor.
  ///   - vector: the right side; afterwards the solution.
  static func solve(_ matrix: inout [Float], _ vector: inout [Float]) {
    let size = vector.count
    matrix.withUnsafeMutableBufferPointer { matrix in
      for row in 0..<size {
        for column in 0...row {
          let sum = matrix[row * size + column] - product(matrix, row * size, column * size, column)
          matrix[row * size + column] = row == column ? sum.squareRoot() : sum / matrix[column * size + column]
        }
      }
      for row in 0..<size {
        for column in 0..<row { vector[row] -= matrix[row * size + column] * vector[column] }
        vector[row] /= matrix[row * size + row]
      }
      for row in (0..<size).reversed() {
        for below in row + 1..<max(row + 1, size) { vector[row] -= matrix[below * size + row] * vector[below] }
        vector[row] /= matrix[row * size + row]
      }
    }
  }

  /// The dot product of the beginnings of two rows; in eight independent sums, as consecutive additions to one would wait for each other.
  private static func product(
    _ matrix: UnsafeMutableBufferPointer<Float>, _ one: Int, _ other: Int, _ length: Int
  ) -> Float {
    let (bytes, lane) = (UnsafeRawBufferPointer(matrix), MemoryLayout<Float>.stride)
    var (sums, place) = (SIMD8<Float>(), 0)
    while place + 8 <= length {
      let first = bytes.loadUnaligned(fromByteOffset: (one + place) * lane, as: SIMD8<Float>.self)
      let second = bytes.loadUnaligned(fromByteOffset: (other + place) * lane, as: SIMD8<Float>.self)
      sums += first * second
      place += 8
    }
    var sum = sums.sum()
    while place < length {
      sum += matrix[one + place] * matrix[other + place]
      place += 1
    }
    return sum
  }
}
