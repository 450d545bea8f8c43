package dev.cairn.keys.client;

import dev.cairn.keys.type.Text;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.util.Arrays;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutionException;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Connection;
import org.apache.hadoop.hbase.client.Get;
import org.apache.hadoop.hbase.client.Put;
import org.apache.hadoop.hbase.client.Table;
import org.apache.hadoop.hbase.util.Bytes;

/**
 * The names of one kind in a {@link UidTable}, and their numbers. A number never changes its name,
 * nor a name its number, so both are remembered once they are known.
 *
 * <p>A new name gets its number in three steps, each of them atomic:
 *
 * <ol>
 *   <li>the counter is incremented; no other process gets the same result;
 *   <li>the row of the number gets the name, unless it has one;
 *   <li>the row of the name gets the number, unless it has one.
 * </ol>
 *
 * <p>The last step decides. If another process was faster, its number is taken, and the own one is
 * left as a gap: it keeps the name that it was meant for, but no name has it. A process that dies
 * between two steps leaves a gap, too.
 *
 * <p>Safe for use by several threads.
 */
public final class UidKind {
  /**
   * The size at which the caches are cleared, so that names that are no longer used are dropped.
   */
  private static final int MOST_REMEMBERED = 1_000_000;

  private final Connection connection;
  private final TableName tableName;
  private final String kind;
  private final byte[] qualifier;
  private final int width;
  private final Map<String, Long> numbers = new ConcurrentHashMap<>();
  private final Map<Long, String> names = new ConcurrentHashMap<>();

  /** Names that get their numbers now, so that the threads of a process make no gaps. */
  private final Map<String, CompletableFuture<Long>> assigning = new ConcurrentHashMap<>();

  UidKind(Connection connection, TableName tableName, String kind, int width) {
    if (width < 1 || width > Long.BYTES) {
      throw new IllegalArgumentException("a number of " + width + " bytes; 1 to 8 are possible");
    }
    this.connection = connection;
    this.tableName = tableName;
    this.kind = kind;
    this.qualifier = Text.utf8(kind);
    this.width = width;
  }

  /** Returns the width of the numbers in bytes. */
  public int width() {
    return width;
  }

  /** Returns the number of a name, if it has one. */
  public OptionalLong find(String name) throws IOException {
    Long known = numbers.get(name);
    if (known != null) {
      return OptionalLong.of(known);
    }
    try (Table table = connection.getTable(tableName)) {
      byte[] stored = read(table, row(name), UidTable.NUMBERS);
      return stored == null ? OptionalLong.empty() : OptionalLong.of(remember(name, stored));
    }
  }

  /** Returns the name of a number, if it was given to one. */
  public Optional<String> name(long number) throws IOException {
    String known = names.get(number);
    if (known != null) {
      return Optional.of(known);
    }
    try (Table table = connection.getTable(tableName)) {
      byte[] stored = read(table, bytes(number), UidTable.NAMES);
      if (stored == null) {
        return Optional.empty();
      }
      // The number may be a gap, whose name has another one.
      byte[] current = read(table, stored, UidTable.NUMBERS);
      if (current == null || number(current) != number) {
        return Optional.empty();
      }
      String name = Bytes.toString(stored);
      remember(name, current);
      return Optional.of(name);
    }
  }

  /**
   * Returns the number of a name, and gives it one if it has none.
   *
   * @throws IOException if the table cannot be reached; whether the name has a number then is not
   *     known, and another call finds it or gives one
   * @throws IllegalStateException if all numbers of the width are given
   */
  public long assign(String name) throws IOException {
    OptionalLong present = find(name);
    if (present.isPresent()) {
      return present.getAsLong();
    }
    CompletableFuture<Long> mine = new CompletableFuture<>();
    CompletableFuture<Long> other = assigning.putIfAbsent(name, mine);
    if (other != null) {
      return await(other);
    }
    try {
      Long meanwhile = numbers.get(name);
      long number = meanwhile == null ? assignNew(name) : meanwhile;
      mine.complete(number);
      return number;
    } catch (IOException | RuntimeException e) {
      mine.completeExceptionally(e);
      throw e;
    } finally {
      assigning.remove(name);
    }
  }

  private static long await(CompletableFuture<Long> other) throws IOException {
    try {
      return other.get();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new InterruptedIOException("interrupted while another thread asks for the number");
    } catch (ExecutionException e) {
      throw new IOException(e.getCause().getMessage(), e.getCause());
    }
  }

  private long assignNew(String name) throws IOException {
    byte[] row = row(name);
    try (Table table = connection.getTable(tableName)) {
      while (true) {
        byte[] number = bytes(nextNumber(table));
        if (!putIfAbsent(table, number, UidTable.NAMES, row)) {
          continue; // a program that does not use the counter gave this number
        }
        putIfAbsent(table, row, UidTable.NUMBERS, number);
        return remember(name, read(table, row, UidTable.NUMBERS));
      }
    }
  }

  private long nextNumber(Table table) throws IOException {
    long number =
        table.incrementColumnValue(UidTable.LAST_NUMBER_ROW, UidTable.NUMBERS, qualifier, 1);
    if (number < 1 || width < Long.BYTES && number >>> width * Byte.SIZE != 0) {
      throw new IllegalStateException(
          "all numbers of " + width + " bytes are given to names of the kind " + kind);
    }
    return number;
  }

  /** Returns whether the cell is new, or has this value already. */
  @SuppressWarnings("deprecation") // Later clients have a new method, which earlier ones lack.
  private boolean putIfAbsent(Table table, byte[] row, byte[] family, byte[] value)
      throws IOException {
    Put put = new Put(row).addColumn(family, qualifier, value);
    return table.checkAndMutate(row, family).qualifier(qualifier).ifNotExists().thenPut(put)
        || Arrays.equals(read(table, row, family), value);
  }

  private byte[] read(Table table, byte[] row, byte[] family) throws IOException {
    return table.get(new Get(row).addColumn(family, qualifier)).getValue(family, qualifier);
  }

  private long remember(String name, byte[] stored) throws IOException {
    if (stored == null || stored.length != width) {
      throw new IOException(
          "the number of " + name + " does not have " + width + " bytes; the kind is " + kind);
    }
    long number = number(stored);
    if (numbers.size() >= MOST_REMEMBERED) {
      numbers.clear();
      names.clear();
    }
    numbers.put(name, number);
    names.put(number, name);
    return number;
  }

  /** Names are rows, as in OpenTSDB, beside those of the numbers, which have another family. */
  private static byte[] row(String name) {
    byte[] row = Text.utf8(name);
    if (row.length == 0 || Arrays.equals(row, UidTable.LAST_NUMBER_ROW)) {
      throw new IllegalArgumentException("a name is neither empty nor the character 0 alone");
    }
    return row;
  }

  private byte[] bytes(long number) {
    return Arrays.copyOfRange(Bytes.toBytes(number), Long.BYTES - width, Long.BYTES);
  }

  private static long number(byte[] bytes) {
    long number = 0;
    for (byte b : bytes) {
      number = number << Byte.SIZE | b & 0xFF;
    }
    return number;
  }
}
