package dev.cairn.server.master.balancer;

/**
 * What is known of one region.
 *
 * @param nanos the processor time of its calls, including its share of the processes' time outside
 *     the engine; nanoseconds per second
 * @param reads reads per second
 * @param writes writes per second
 * @param bytes bytes of cells per second, read or written
 * @param memstoreMb the size of its memstores, MB
 * @param storefileMb the size of its store files, MB
 */
record RegionFigures(
    double nanos,
    double reads,
    double writes,
    double bytes,
    double memstoreMb,
    double storefileMb) {
  /** Nothing is known, or the region does nothing. */
  static final RegionFigures NONE = new RegionFigures(0, 0, 0, 0, 0, 0);

  double of(Measure measure) {
    return switch (measure) {
      case CPU -> nanos;
      case READS -> reads;
      case WRITES -> writes;
      case BYTES -> bytes;
      case MEMSTORE -> memstoreMb;
      case STOREFILES -> storefileMb;
      case REGIONS -> 1;
    };
  }

  /** Returns these figures times a factor. */
  RegionFigures times(double factor) {
    return new RegionFigures(
        nanos * factor,
        reads * factor,
        writes * factor,
        bytes * factor,
        memstoreMb * factor,
        storefileMb * factor);
  }

  /** Returns the sum of both. */
  RegionFigures plus(RegionFigures other) {
    return new RegionFigures(
        nanos + other.nanos,
        reads + other.reads,
        writes + other.writes,
        bytes + other.bytes,
        memstoreMb + other.memstoreMb,
        storefileMb + other.storefileMb);
  }
}
