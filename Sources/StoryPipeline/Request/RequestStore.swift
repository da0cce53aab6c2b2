import Foundation

/// Something that keeps the request at each stage boundary.
public protocol RequestPersisting: Sendable {
  /// Keeps the request. Returns when it is safe. Throws what prevented it.
  func save(_ request: GenerationRequest) async throws
}

/// Keeps nothing.
public struct NoPersistence: RequestPersisting {
  /// Keeps nothing.
  public init() {}

  /// Does nothing.
  public func save(_ request: GenerationRequest) async throws {}
}

/// What went wrong with a stored request.
public struct RequestStoreError: Error, Sendable, CustomStringConvertible {
  /// The step that failed.
  public enum Code: String, Sendable {
    /// The steps of writing and reading.
    case encode, create, write, sync, rename, read, decode
  }

  /// The step that failed.
  public let code: Code
  /// The file concerned.
  public let path: String
  /// What the system or the decoder said.
  public let reason: String

  /// One line for the user.
  public var description: String { "stored request \(path): \(code.rawValue) failed: \(reason)" }
}

/// Keeps a request in one JSON file.
///
/// Each write goes to a file beside it, is synced, renamed over the old one, and the directory is synced:
/// a reader, or a process started after a crash, finds the old request or the new one, whole.
/// An actor, so that writes happen one after another in the order in which they were asked for.
public actor RequestStore: RequestPersisting {
  /// The file that holds the request.
  public nonisolated let path: String

  /// A store at `path`; its directory must exist. Touches nothing yet.
  public init(path: String) { self.path = path }

  /// Writes the request. Throws ``RequestStoreError``; then the file is as it was. Costs two syncs.
  public func save(_ request: GenerationRequest) throws {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys, .prettyPrinted]
    let data: Data
    do { data = try encoder.encode(request) } catch { throw failure(.encode, "\(error)") }
    let beside = path + ".new"
    try write(data, to: beside)
    guard rename(beside, path) == 0 else {
      let cause = failure(.rename)
      unlink(beside)
      throw cause
    }
    try syncDirectory()
  }

  /// Reads the stored request; `nil` if there is none. Throws ``RequestStoreError``.
  public func load() throws -> GenerationRequest? {
    guard FileManager.default.fileExists(atPath: path) else { return nil }
    let data: Data
    do { data = try Data(contentsOf: URL(fileURLWithPath: path)) } catch { throw failure(.read, "\(error)") }
    do {
      return try JSONDecoder().decode(GenerationRequest.self, from: data)
    } catch {
      throw failure(.decode, "\(error)")
    }
  }

  private func write(_ data: Data, to file: String) throws {
    let descriptor = open(file, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0o600)
    guard descriptor >= 0 else { throw failure(.create) }
    defer { close(descriptor) }
    do {
      try writeAll(data, to: descriptor)
      guard fsync(descriptor) == 0 else { throw failure(.sync) }
    } catch {
      unlink(file)
      throw error
    }
  }

  private func writeAll(_ data: Data, to descriptor: Int32) throws {
    var offset = 0
    while offset < data.count {
      let written = data.withUnsafeBytes { bytes in
        Foundation.write(descriptor, bytes.baseAddress! + offset, bytes.count - offset)
      }
      if written < 0 && errno == EINTR { continue }
      guard written > 0 else { throw failure(.write) }
      offset += written
    }
  }

  private func syncDirectory() throws {
    let directory = URL(fileURLWithPath: path).deletingLastPathComponent().path
    let descriptor = open(directory, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
    guard descriptor >= 0 else { throw failure(.sync) }
    defer { close(descriptor) }
    guard fsync(descriptor) == 0 else { throw failure(.sync) }
  }

  private func failure(_ code: RequestStoreError.Code, _ reason: String? = nil) -> RequestStoreError {
    RequestStoreError(code: code, path: path, reason: reason ?? String(cString: strerror(errno)))
  }
}
