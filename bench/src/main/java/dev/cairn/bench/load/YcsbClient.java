package dev.cairn.bench.load;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;
import java.util.Vector;
import org.apache.hadoop.hbase.Cell;
import org.apache.hadoop.hbase.client.Delete;
import org.apache.hadoop.hbase.client.Get;
import org.apache.hadoop.hbase.client.Put;
import org.apache.hadoop.hbase.client.Result;
import org.apache.hadoop.hbase.client.ResultScanner;
import org.apache.hadoop.hbase.client.Scan;
import org.apache.hadoop.hbase.client.Table;
import org.apache.hadoop.hbase.util.Bytes;
import site.ycsb.ByteArrayByteIterator;
import site.ycsb.ByteIterator;
import site.ycsb.DB;
import site.ycsb.Status;

/**
 * YCSB's operations as calls of HBase's client: a record is a row, a field a column of the one
 * family. It counts the calls of an operation; a call that fails ends the run. One thread.
 */
final class YcsbClient extends DB {
  private static final String READ = "read";
  private static final String UPDATE = "update";
  private static final String INSERT = "insert";
  private static final String SCAN = "scan";
  private static final String READ_MODIFY_WRITE = "read-modify-write";

  private final Table table;
  private final byte[] family;
  private String operation = "";
  private int calls;
  private long putBytes;
  private boolean missing;

  YcsbClient(Table table, byte[] family) {
    this.table = table;
    this.family = family;
  }

  /** Begins an operation. */
  void begin() {
    calls = 0;
    putBytes = 0;
    missing = false;
  }

  /** Tells what the calls since {@link #begin()} were. */
  void tell(Done done) {
    done.was(calls > 1 ? READ_MODIFY_WRITE : operation, calls, putBytes);
    if (missing) {
      done.foundNothing();
    }
  }

  @Override
  public Status read(
      String tableName, String key, Set<String> fields, Map<String, ByteIterator> found) {
    called(READ);
    Get get = new Get(Bytes.toBytes(key));
    if (fields == null) {
      get.addFamily(family);
    } else {
      fields.forEach(field -> get.addColumn(family, Bytes.toBytes(field)));
    }
    try {
      Result row = table.get(get);
      if (row.isEmpty()) {
        missing = true;
        return Status.NOT_FOUND;
      }
      copy(row, found);
      return Status.OK;
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  @Override
  public Status scan(
      String tableName,
      String start,
      int count,
      Set<String> fields,
      Vector<HashMap<String, ByteIterator>> found) {
    called(SCAN);
    Scan scan = new Scan().withStartRow(Bytes.toBytes(start)).setLimit(count).setCaching(count);
    if (fields == null) {
      scan.addFamily(family);
    } else {
      fields.forEach(field -> scan.addColumn(family, Bytes.toBytes(field)));
    }
    try (ResultScanner rows = table.getScanner(scan)) {
      for (Result row : rows) {
        HashMap<String, ByteIterator> cells = new HashMap<>();
        copy(row, cells);
        found.add(cells);
      }
      missing = found.isEmpty();
      return Status.OK;
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  @Override
  public Status update(String tableName, String key, Map<String, ByteIterator> values) {
    called(UPDATE);
    return put(key, values);
  }

  @Override
  public Status insert(String tableName, String key, Map<String, ByteIterator> values) {
    called(INSERT);
    return put(key, values);
  }

  @Override
  public Status delete(String tableName, String key) {
    called("delete");
    try {
      table.delete(new Delete(Bytes.toBytes(key)));
      return Status.OK;
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private void called(String what) {
    operation = what;
    calls++;
  }

  private Status put(String key, Map<String, ByteIterator> values) {
    Put put = put(Bytes.toBytes(key), values);
    try {
      table.put(put);
      return Status.OK;
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private Put put(byte[] row, Map<String, ByteIterator> values) {
    Put put = new Put(row);
    values.forEach(
        (field, content) -> {
          byte[] column = Bytes.toBytes(field);
          byte[] value = content.toArray();
          put.addColumn(family, column, value);
          putBytes += row.length + family.length + column.length + value.length;
        });
    return put;
  }

  private static void copy(Result row, Map<String, ByteIterator> into) {
    for (Cell cell : row.rawCells()) {
      String field =
          Bytes.toString(
              cell.getQualifierArray(), cell.getQualifierOffset(), cell.getQualifierLength());
      into.put(
          field,
          new ByteArrayByteIterator(
              cell.getValueArray(), cell.getValueOffset(), cell.getValueLength()));
    }
  }
}
