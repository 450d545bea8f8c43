package dev.cairn.server.master.balancer;

/** What a region takes from its server, and what is to be equal on all servers. */
enum Measure {
  /**
   * Processor time of calls, nanoseconds per second. The minimum mean exceeds the time of an idle
   * server, about 1 % of a processor.
   */
  CPU("processor time", 20e6),
  /** Reads per second. */
  READS("read requests", 50),
  /** Writes per second. */
  WRITES("write requests", 50),
  /** Bytes of cells per second, read or written. */
  BYTES("bytes read and written", 1 << 20),
  /** Megabytes of memstores. */
  MEMSTORE("memstore size", 64),
  /** Megabytes of store files. */
  STOREFILES("store file size", 1_024),
  /** The regions themselves. */
  REGIONS("number of regions", 0);

  /** All of them, in order; {@link #values} copies. */
  static final Measure[] ALL = values();

  private final String label;
  private final double meanMin;

  Measure(String label, double meanMin) {
    this.label = label;
    this.meanMin = meanMin;
  }

  /** Returns its name for people. */
  String label() {
    return label;
  }

  /** Returns the mean of all servers below which differences are noise and have no weight. */
  double meanMin() {
    return meanMin;
  }
}
