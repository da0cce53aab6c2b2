internal import CRuntimeProbe

extension Probe {
  /// Waits, holds, depths and routes so far; empty before the first start. Some milliseconds.
  package static func readActorTimes() -> ActorTimesReport {
    if crp_mapped_base() == nil { _ = crp_open(nil) }
    let bytes = UnsafeRawBufferPointer(start: crp_mapped_base(), count: crp_mapped_size())
    let header = bytes.loadUnaligned(as: crp_file_header.self)
    var report = ProbeFile.times(of: bytes, header: header)
    let names = Dictionary(
      ProbeFile.actorNames(of: bytes, header: header).map { ($0.slot, $0.qualified) },
      uniquingKeysWith: { first, _ in first })
    report.instances = instances().map { raw in
      ActorInstanceTimes(
        address: raw.identity, qualifiedName: names[Int(raw.slot)] ?? "", slow: raw.arrivals, held: raw.held)
    }.sorted { ($1.held, $0.address) < ($0.held, $1.address) }
    return report
  }

  private static func instances() -> [crp_instance_times] {
    let capacity = crp_instances(nil, 0) + 64
    return [crp_instance_times](unsafeUninitializedCapacity: capacity) { buffer, count in
      count = min(crp_instances(buffer.baseAddress, capacity), capacity)
    }
  }

  /// How far the clock on the path of a switch has strayed from the kernel's since its calibration, as a share.
  package static var clockDrift: Double { crp_clock_drift() }
  /// Whether that clock is the processor's cycle counter, and not the kernel's own.
  package static var usesCycleCounter: Bool { crp_clock_is_cycle_counter() }
}

extension ProbeFile {
  /// `bytes` are a whole, validated file, or this process's own mapping.
  ///
  /// - Parameter open: Holds that had not ended; each counts with what it had lasted.
  static func times(
    of bytes: UnsafeRawBufferPointer, header: crp_file_header, open: [OpenHold] = []
  ) -> ActorTimesReport {
    var rows: [Int: ActorTimes] = [:]
    for (slot, name, qualified) in actorNames(of: bytes, header: header) {
      rows[slot] = ActorTimes(name: name, qualifiedName: qualified)
    }
    var routes: [Int: UInt64] = [:]
    var routesLost: UInt64 = 0
    for index in usedBlocks(header) {
      let start = Int(header.blocks_offset) + index * Int(header.block_size)
      func word(_ offset: Int) -> UInt64 {
        bytes.loadUnaligned(fromByteOffset: start + offset, as: UInt64.self)
      }
      routesLost &+= word(BlockLayout.routesLost)
      for route in 0..<Int(CRP_ROUTE_CAPACITY) {
        let offset = BlockLayout.routes + route * MemoryLayout<crp_route>.size
        let key = Int(word(offset) & 0xFFFF_FFFF)
        if key != 0 { routes[key - 1, default: 0] &+= word(offset + 8) }
      }
      for slot in rows.keys {
        let offset = BlockLayout.actors + slot * MemoryLayout<crp_actor_counters>.size
        rows[slot]?.fast &+= word(offset + 8)
        rows[slot]?.slow &+= word(offset + 16)
      }
    }
    addSets(of: bytes, header: header, to: &rows)
    for hold in open where hold.lasted > 0 { rows[hold.slot]?.hold.record(hold.lasted) }
    let presented = named(rows)
    return ActorTimesReport(
      actors: merged(rows, presented).filter { $0.arrivals > 0 || $0.hold.count > 0 || $0.holdsUnseen > 0 },
      routes: named(routes, presented), routesLost: routesLost, instances: [],
      holdStride: max(1, header.hold_stride), timesLost: header.times_lost,
      stateMismatches: header.state_mismatches)
  }

  private static func addSets(
    of bytes: UnsafeRawBufferPointer, header: crp_file_header, to rows: inout [Int: ActorTimes]
  ) {
    let used = min(Int(header.set_capacity), Int(clamping: header.sets_used))
    for index in 0..<used {
      let start = Int(header.sets_offset) + index * Int(header.set_size)
      let set = bytes.loadUnaligned(fromByteOffset: start, as: UInt32.self)
      guard var row = rows[Int(set)] else { continue }
      func word(_ index: Int) -> UInt64 {
        bytes.loadUnaligned(fromByteOffset: start + index * 8, as: UInt64.self)
      }
      row.contended &+= word(1)
      row.waitsUnseen &+= word(2)
      row.holdsUnseen &+= word(3)
      row.inversions &+= word(4)
      row.inversionTime &+= word(5)
      row.inversionMaximum = max(row.inversionMaximum, word(6))
      let first = start + 64
      let size = MemoryLayout<crp_time_histogram>.size
      let times = Int(CRP_TIME_BUCKETS)
      row.wait.add(ProbeHistogram(bytes, at: first, bucketCount: times))
      row.hold.add(ProbeHistogram(bytes, at: first + size, bucketCount: times))
      row.fastHold.add(ProbeHistogram(bytes, at: first + 2 * size, bucketCount: times))
      row.depth.add(ProbeHistogram(bytes, at: first + 3 * size, bucketCount: Int(CRP_DEPTH_BUCKETS)))
      rows[Int(set)] = row
    }
  }

  // MARK: Names

  /// The name each slot is presented by.
  private static func named(_ rows: [Int: ActorTimes]) -> [Int: String] {
    let counts = rows.values.map {
      ActorCounts(name: $0.name, qualifiedName: $0.qualifiedName, hops: 0, fast: 0, slow: 0)
    }
    let names = Dictionary(
      ProbeCounts.named(counts).map { ($0.qualifiedName, $0.name) }, uniquingKeysWith: { first, _ in first })
    return rows.mapValues { names[$0.qualifiedName] ?? $0.name }
  }

  private static func merged(_ rows: [Int: ActorTimes], _ names: [Int: String]) -> [ActorTimes] {
    var merged: [String: ActorTimes] = [:]
    for (slot, var row) in rows {
      row.name = names[slot] ?? row.name
      if merged[row.qualifiedName] == nil {
        merged[row.qualifiedName] = row
      } else {
        merged[row.qualifiedName]?.add(row)
      }
    }
    return merged.values.sorted { $0.qualifiedName < $1.qualifiedName }
  }

  private static func named(_ routes: [Int: UInt64], _ names: [Int: String]) -> [ActorRoute: UInt64] {
    var result: [ActorRoute: UInt64] = [:]
    for (key, count) in routes {
      guard let onto = names[key & 0xFFFF] else { continue }
      result[ActorRoute(from: names[key >> 16], onto: onto), default: 0] &+= count
    }
    return result
  }
}

/// Where the parts of a `crp_thread_block` lie, in bytes.
private enum BlockLayout {
  static let actors =
    MemoryLayout<crp_thread_block>.size - Int(CRP_ACTOR_CAPACITY) * MemoryLayout<crp_actor_counters>.size
  static let routes = actors - Int(CRP_ROUTE_CAPACITY) * MemoryLayout<crp_route>.size
  static let routesLost = 9 * 8
}

extension ActorTimes {
  /// Nothing yet.
  init(name: String, qualifiedName: String) {
    let times = ProbeHistogram(bucketCount: Int(CRP_TIME_BUCKETS))
    self.init(
      name: name, qualifiedName: qualifiedName, fast: 0, slow: 0, wait: times, hold: times, fastHold: times,
      depth: ProbeHistogram(bucketCount: Int(CRP_DEPTH_BUCKETS)), contended: 0, waitsUnseen: 0,
      holdsUnseen: 0, inversions: 0, inversionTime: 0, inversionMaximum: 0)
  }
}

/// A stay on an actor that had not ended when it was looked at, or whose end had not been entered.
struct OpenHold: Sendable, Hashable {
  /// Of the actor's type.
  var slot: Int
  /// ns; how long it had lasted, and how long before the look it had ended.
  var lasted: UInt64
  var endedBefore: UInt64

  init(_ raw: crp_open_hold) {
    slot = Int(clamping: raw.slot)
    lasted = raw.lasted
    endedBefore = raw.ended_before
  }

  /// The part of it that lies in the last `length` ns before the look.
  func within(_ length: UInt64) -> OpenHold {
    var part = self
    part.lasted = min(lasted, length - min(length, endedBefore))
    return part
  }
}
