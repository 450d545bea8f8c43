package dev.cairn.engine.changes;

import dev.cairn.engine.schema.TableName;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.zip.CRC32C;
import java.util.zip.DeflaterOutputStream;
import java.util.zip.InflaterInputStream;

/**
 * A place in the stream of changes: which changes come before it. As text, it is the token that
 * continues a stream, about 30 characters for each region and log file.
 *
 * @param tables the tables of the stream
 * @param files the log files that were there, by name, and how far they were read
 * @param delivered the number of each region's newest change before this place
 * @param fromMillis changes that were written before this time do not belong to the stream;
 *     milliseconds since 1970
 * @param listedMillis when the files were listed, milliseconds since 1970
 */
public record ChangePosition(
    Set<TableName> tables,
    Map<String, FilePosition> files,
    Map<String, Long> delivered,
    long fromMillis,
    long listedMillis) {
  private static final int VERSION = 1;

  /**
   * The progress of a reader in one log file.
   *
   * @param offset start of the next entry, bytes
   * @param isDone true if the file was archived and read to its end
   */
  public record FilePosition(long offset, boolean isDone) {
    static final FilePosition BEGIN = new FilePosition(0, false);
    static final FilePosition UNNEEDED = new FilePosition(0, true);
  }

  /** Takes copies. */
  public ChangePosition {
    tables = Set.copyOf(tables);
    files = Map.copyOf(files);
    delivered = Map.copyOf(delivered);
  }

  /** Tells whether the changes of a log file all come before this place. */
  public boolean isDone(String file) {
    FilePosition position = files.get(file);
    return position != null && position.isDone();
  }

  /** Returns the token. */
  public String text() {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    try (DataOutputStream out = new DataOutputStream(new DeflaterOutputStream(bytes))) {
      out.writeLong(fromMillis);
      out.writeLong(listedMillis);
      out.writeInt(tables.size());
      for (TableName table : new TreeSet<>(tables)) {
        out.writeUTF(table.toString());
      }
      out.writeInt(files.size());
      for (Map.Entry<String, FilePosition> file : new TreeMap<>(files).entrySet()) {
        out.writeUTF(file.getKey());
        out.writeLong(file.getValue().offset());
        out.writeBoolean(file.getValue().isDone());
      }
      out.writeInt(delivered.size());
      for (Map.Entry<String, Long> region : new TreeMap<>(delivered).entrySet()) {
        out.writeUTF(region.getKey());
        out.writeLong(region.getValue());
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    byte[] packed = bytes.toByteArray();
    byte[] whole = new byte[packed.length + 5];
    whole[0] = VERSION;
    int checksum = checksum(packed);
    for (int i = 0; i < 4; i++) {
      whole[1 + i] = (byte) (checksum >>> 24 - 8 * i);
    }
    System.arraycopy(packed, 0, whole, 5, packed.length);
    return Base64.getUrlEncoder().withoutPadding().encodeToString(whole);
  }

  /**
   * Reads a token.
   *
   * @throws IllegalArgumentException if it is not a whole one
   */
  public static ChangePosition parse(String text) {
    byte[] whole;
    try {
      whole = Base64.getUrlDecoder().decode(text.strip().getBytes(StandardCharsets.US_ASCII));
    } catch (IllegalArgumentException e) {
      throw new IllegalArgumentException("is no token: " + e.getMessage(), e);
    }
    if (whole.length < 5 || whole[0] != VERSION) {
      throw new IllegalArgumentException("is no token of this version");
    }
    byte[] packed = new byte[whole.length - 5];
    System.arraycopy(whole, 5, packed, 0, packed.length);
    int checksum = 0;
    for (int i = 0; i < 4; i++) {
      checksum = checksum << 8 | whole[1 + i] & 0xFF;
    }
    if (checksum != checksum(packed)) {
      throw new IllegalArgumentException("is damaged or not whole: its checksum is wrong");
    }
    try (DataInputStream in =
        new DataInputStream(new InflaterInputStream(new ByteArrayInputStream(packed)))) {
      return read(in);
    } catch (EOFException e) {
      throw new IllegalArgumentException("is not whole", e);
    } catch (IOException e) {
      throw new IllegalArgumentException("is damaged: " + e.getMessage(), e);
    }
  }

  private static ChangePosition read(DataInputStream in) throws IOException {
    long fromMillis = in.readLong();
    long listedMillis = in.readLong();
    Set<TableName> tables = new HashSet<>();
    for (int left = in.readInt(); left > 0; left--) {
      tables.add(TableName.parse(in.readUTF()));
    }
    Map<String, FilePosition> files = new LinkedHashMap<>();
    for (int left = in.readInt(); left > 0; left--) {
      files.put(in.readUTF(), new FilePosition(in.readLong(), in.readBoolean()));
    }
    Map<String, Long> delivered = new LinkedHashMap<>();
    for (int left = in.readInt(); left > 0; left--) {
      delivered.put(in.readUTF(), in.readLong());
    }
    return new ChangePosition(tables, files, delivered, fromMillis, listedMillis);
  }

  private static int checksum(byte[] bytes) {
    CRC32C crc = new CRC32C();
    crc.update(bytes, 0, bytes.length);
    return (int) crc.getValue();
  }
}
