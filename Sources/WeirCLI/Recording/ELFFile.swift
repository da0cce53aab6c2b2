internal import Glibc

/// What an ELF file's headers say, as far as recording needs it.
struct ELFFile {
  private let descriptor: Int32
  private let header: Elf64_Ehdr
  private let sections: [(name: String, header: Elf64_Shdr)]
  private let segments: [Elf64_Phdr]

  /// What the first bytes of a file make of it.
  enum Kind {
    case elf(ELFFile)
    /// An ELF file for another machine or of 32 bits.
    case foreign
    /// The interpreter that a script names.
    case script(interpreter: String)
    case other
  }

  /// Reads the headers of an open file.
  static func kind(of descriptor: Int32) -> Kind {
    var head = [UInt8](repeating: 0, count: 256)
    let count = pread(descriptor, &head, head.count, 0)
    guard count >= 3 else { return .other }
    if head[0] == UInt8(ascii: "#"), head[1] == UInt8(ascii: "!") {
      let line = head[2..<count].prefix { $0 != 10 }
      let words = line.split { $0 == 32 || $0 == 9 }
      return .script(interpreter: words.first.map { String(decoding: $0, as: UTF8.self) } ?? "")
    }
    guard count >= MemoryLayout<Elf64_Ehdr>.size, head[..<4].elementsEqual([0x7F, 0x45, 0x4C, 0x46]) else {
      return .other
    }
    let header = head.withUnsafeBytes { $0.loadUnaligned(as: Elf64_Ehdr.self) }
    guard head[4] == UInt8(ELFCLASS64), head[5] == UInt8(ELFDATA2LSB),
      header.e_machine == Elf64_Half(EM_X86_64)
    else { return .foreign }
    return .elf(ELFFile(descriptor: descriptor, header: header))
  }

  private init(descriptor: Int32, header: Elf64_Ehdr) {
    self.descriptor = descriptor
    self.header = header
    func table<Row>(_ offset: UInt64, _ count: UInt16, _ size: UInt16, _ type: Row.Type) -> [Row] {
      guard Int(size) == MemoryLayout<Row>.size,
        let bytes = Self.bytes(descriptor, offset, UInt64(count) * UInt64(size))
      else { return [] }
      return (0..<Int(count)).map { index in
        bytes.withUnsafeBytes { $0.loadUnaligned(fromByteOffset: index * Int(size), as: Row.self) }
      }
    }
    segments = table(header.e_phoff, header.e_phnum, header.e_phentsize, Elf64_Phdr.self)
    let rows = table(header.e_shoff, header.e_shnum, header.e_shentsize, Elf64_Shdr.self)
    let names = rows.indices.contains(Int(header.e_shstrndx)) ? rows[Int(header.e_shstrndx)] : nil
    let text = names.flatMap { Self.bytes(descriptor, $0.sh_offset, $0.sh_size) } ?? []
    sections = rows.map { (Self.string(text, at: Int($0.sh_name)), $0) }
  }

  /// The loader that it asks for; nil for a static program.
  var interpreter: String? {
    guard let segment = segments.first(where: { $0.p_type == Elf64_Word(PT_INTERP) }),
      let bytes = Self.bytes(descriptor, segment.p_offset, segment.p_filesz)
    else { return nil }
    return Self.string(bytes, at: 0)
  }

  /// The libraries that it asks for itself.
  var libraries: [String] {
    guard let dynamic = segments.first(where: { $0.p_type == Elf64_Word(PT_DYNAMIC) }),
      let bytes = Self.bytes(descriptor, dynamic.p_offset, dynamic.p_filesz),
      let strings = section(".dynstr"), let text = Self.bytes(descriptor, strings.sh_offset, strings.sh_size)
    else { return [] }
    let entries = (0..<bytes.count / 16).map { index in
      bytes.withUnsafeBytes {
        (
          $0.loadUnaligned(fromByteOffset: index * 16, as: Int64.self),
          $0.loadUnaligned(fromByteOffset: index * 16 + 8, as: UInt64.self)
        )
      }
    }
    return entries.prefix { $0.0 != 0 }.filter { $0.0 == Int64(DT_NEEDED) }.map {
      Self.string(text, at: Int(clamping: $0.1))
    }
  }

  /// Whether there is Swift code in it.
  var isSwift: Bool { sections.contains { $0.name.hasPrefix("swift5_") } }

  /// Whether names of its own functions are left.
  var hasSymbols: Bool { section(".symtab") != nil }

  private func section(_ name: String) -> Elf64_Shdr? { sections.first { $0.name == name }?.header }

  private static func string(_ text: [UInt8], at offset: Int) -> String {
    guard text.indices.contains(offset) else { return "" }
    return String(decoding: text[offset...].prefix { $0 != 0 }, as: UTF8.self)
  }

  private static func bytes(_ descriptor: Int32, _ offset: UInt64, _ size: UInt64) -> [UInt8]? {
    guard size > 0, size < 1 << 30, offset < 1 << 40 else { return nil }
    var bytes = [UInt8](repeating: 0, count: Int(size))
    var done = 0
    while done < bytes.count {
      let got = bytes.withUnsafeMutableBytes {
        pread(descriptor, $0.baseAddress! + done, $0.count - done, off_t(offset) + off_t(done))
      }
      if got < 0, errno == EINTR { continue }
      guard got > 0 else { return nil }
      done += got
    }
    return bytes
  }
}
