package dev.cairn.server.traffic.heatmap;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.zip.GZIPInputStream;
import java.util.zip.GZIPOutputStream;

/**
 * The content of one file: the steps and events of all tables on one server.
 *
 * <p><b>Format.</b> GZIP, whose trailer has a CRC-32 of the content. Numbers are big-endian; a text
 * is as {@link DataOutputStream#writeUTF} writes it; a key is a short length and at most {@value
 * #KEY_MAX} bytes.
 *
 * <pre>
 * int    0x43524854 ("CRHT")
 * byte   version, 1
 * text   server, host,port
 * int    number of tables; for each:
 *   text   name
 *   int    number of regions; for each: key start, key end
 *   int    number of events; for each: long millis, byte kind, text region, key start, key end
 *   int    number of steps; for each:
 *     long start, int millis, int number of ranges; for each:
 *       key low, key end, byte mask of metrics, a float for each metric in the mask
 * </pre>
 *
 * @param server the server, {@code host,port}
 * @param tables by name
 */
public record HeatFile(String server, Map<String, TableHeat> tables) {
  /** Longer keys are cut. */
  static final int KEY_MAX = 48;

  private static final int MAGIC = 0x43524854;
  private static final int VERSION = 1;

  /**
   * The traffic of one table.
   *
   * @param regions the regions on the server at the end of the file's time
   * @param events in the order of time
   * @param steps in the order of time
   */
  public record TableHeat(
      List<RegionSpan> regions, List<RegionEvent> events, List<HeatStep> steps) {
    /** No traffic. */
    public static final TableHeat EMPTY = new TableHeat(List.of(), List.of(), List.of());
  }

  /**
   * The rows of a region.
   *
   * @param start the first row; empty for the table's first
   * @param end the row after the last; empty for the table's end
   */
  public record RegionSpan(byte[] start, byte[] end) {}

  /** Returns the bytes of the file. */
  byte[] encode() throws IOException {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    try (DataOutputStream out = new DataOutputStream(new GZIPOutputStream(bytes))) {
      out.writeInt(MAGIC);
      out.writeByte(VERSION);
      out.writeUTF(server);
      out.writeInt(tables.size());
      for (Map.Entry<String, TableHeat> table : tables.entrySet()) {
        out.writeUTF(table.getKey());
        write(table.getValue(), out);
      }
    }
    return bytes.toByteArray();
  }

  private static void write(TableHeat table, DataOutputStream out) throws IOException {
    out.writeInt(table.regions().size());
    for (RegionSpan region : table.regions()) {
      writeKey(region.start(), out);
      writeKey(region.end(), out);
    }
    out.writeInt(table.events().size());
    for (RegionEvent event : table.events()) {
      out.writeLong(event.atMillis());
      out.writeByte(event.kind().ordinal());
      out.writeUTF(event.region());
      writeKey(event.start(), out);
      writeKey(event.end(), out);
    }
    out.writeInt(table.steps().size());
    for (HeatStep step : table.steps()) {
      out.writeLong(step.startMillis());
      out.writeInt(Math.toIntExact(step.millis()));
      out.writeInt(step.ranges().size());
      for (KeyRange range : step.ranges()) {
        write(range, out);
      }
    }
  }

  private static void write(KeyRange range, DataOutputStream out) throws IOException {
    writeKey(range.low(), out);
    writeKey(range.end(), out);
    int mask = 0;
    for (int i = 0; i < TrafficMetric.COUNT; i++) {
      mask |= range.values()[i] == 0 ? 0 : 1 << i;
    }
    out.writeByte(mask);
    for (double value : range.values()) {
      if (value != 0) {
        out.writeFloat((float) value);
      }
    }
  }

  private static void writeKey(byte[] key, DataOutputStream out) throws IOException {
    int length = Math.min(KEY_MAX, key.length);
    out.writeShort(length);
    out.write(key, 0, length);
  }

  /**
   * Reads a file.
   *
   * @param path for messages
   * @throws IOException if the bytes are damaged; names the path
   */
  static HeatFile decode(String path, byte[] bytes) throws IOException {
    try (DataInputStream in =
        new DataInputStream(new GZIPInputStream(new ByteArrayInputStream(bytes)))) {
      if (in.readInt() != MAGIC || in.readByte() != VERSION) {
        throw new IOException("not a heat map of version " + VERSION);
      }
      String server = in.readUTF();
      Map<String, TableHeat> tables = new TreeMap<>();
      for (int left = in.readInt(); left > 0; left--) {
        tables.put(in.readUTF(), readTable(server, in));
      }
      if (in.read() >= 0) {
        throw new IOException("bytes after the last table");
      }
      return new HeatFile(server, tables);
    } catch (IOException | RuntimeException e) {
      throw new IOException("The heat map " + path + " is damaged: " + e.getMessage(), e);
    }
  }

  private static TableHeat readTable(String server, DataInputStream in) throws IOException {
    List<RegionSpan> regions = new ArrayList<>();
    for (int left = in.readInt(); left > 0; left--) {
      regions.add(new RegionSpan(readKey(in), readKey(in)));
    }
    List<RegionEvent> events = new ArrayList<>();
    for (int left = in.readInt(); left > 0; left--) {
      long millis = in.readLong();
      RegionEvent.Kind kind = RegionEvent.Kind.values()[in.readByte()];
      events.add(new RegionEvent(millis, kind, in.readUTF(), readKey(in), readKey(in), server));
    }
    List<HeatStep> steps = new ArrayList<>();
    for (int left = in.readInt(); left > 0; left--) {
      long start = in.readLong();
      int millis = in.readInt();
      List<KeyRange> ranges = new ArrayList<>();
      for (int more = in.readInt(); more > 0; more--) {
        ranges.add(readRange(in));
      }
      steps.add(new HeatStep(start, millis, ranges));
    }
    return new TableHeat(regions, events, steps);
  }

  private static KeyRange readRange(DataInputStream in) throws IOException {
    byte[] low = readKey(in);
    byte[] end = readKey(in);
    int mask = in.readUnsignedByte();
    double[] values = new double[TrafficMetric.COUNT];
    for (int i = 0; i < values.length; i++) {
      values[i] = (mask & 1 << i) == 0 ? 0 : in.readFloat();
    }
    return new KeyRange(low, end, values);
  }

  private static byte[] readKey(DataInputStream in) throws IOException {
    byte[] key = new byte[in.readUnsignedShort()];
    in.readFully(key);
    return key;
  }
}
