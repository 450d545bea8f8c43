package dev.cairn.tools.explain;

import dev.cairn.keys.KeyDisplay;
import dev.cairn.keys.KeyFormat;
import dev.cairn.server.explain.ExplainOptions;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;
import org.apache.hadoop.hbase.Cell;
import org.apache.hadoop.hbase.CellUtil;
import org.apache.hadoop.hbase.HRegionLocation;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.TableNotFoundException;
import org.apache.hadoop.hbase.client.Admin;
import org.apache.hadoop.hbase.client.Connection;
import org.apache.hadoop.hbase.client.RegionLocator;
import org.apache.hadoop.hbase.client.Result;
import org.apache.hadoop.hbase.client.ResultScanner;
import org.apache.hadoop.hbase.client.Scan;
import org.apache.hadoop.hbase.client.Table;
import org.apache.hadoop.hbase.client.TableDescriptor;
import org.apache.hadoop.hbase.util.Bytes;
import org.apache.hbase.thirdparty.com.google.gson.JsonElement;
import org.apache.hbase.thirdparty.com.google.gson.JsonObject;
import org.apache.hbase.thirdparty.com.google.gson.JsonParser;

/**
 * Asks a cluster for explanations through Apache's client, region by region in the scan's order,
 * and passes on the answers. One thread.
 */
public final class Explainer {
  private final Connection connection;

  /** Creates an explainer of tables; the caller keeps the connection. */
  public Explainer(Connection connection) {
    this.connection = connection;
  }

  /** Takes an explanation, part by part. */
  public interface Listener {
    /**
     * Receives the question.
     *
     * @param keys shows the row keys of the table
     */
    void question(ExplainQuestion question, KeyDisplay keys);

    /** A region begins: what there is to read in it, and the server that has it. */
    void region(JsonObject report, String server);

    /**
     * Receives the explanation of a row; {@code key} has the parts of its key, if the table has a
     * format that has written it.
     */
    void row(JsonObject row);

    /** A region ends: the reads in it. */
    void regionEnds(JsonObject report);

    /**
     * The explanation ends.
     *
     * @param limitReached whether it ends because as many rows were found as were asked for
     */
    void end(boolean limitReached);
  }

  /**
   * Answers a question.
   *
   * @throws ExplainException if there is no such table or family, or the server does not explain
   * @throws IOException if the cluster cannot be asked
   */
  public void explain(ExplainQuestion question, Listener listener) throws IOException {
    TableDescriptor descriptor = descriptor(question.table());
    checkFamilies(descriptor, question.scan());
    KeyDisplay keys =
        KeyDisplay.of(Optional.ofNullable(descriptor.getValue(KeyFormat.TABLE_ATTRIBUTE)));
    List<HRegionLocation> regions = regions(question.table());
    if (question.scan().isReversed()) {
      Collections.reverse(regions);
    }
    listener.question(question, keys);
    int left = question.limit();
    try (Table table = connection.getTable(question.table())) {
      for (HRegionLocation region : regions) {
        Optional<Scan> part = question.within(region);
        if (part.isPresent() && (left > 0 || question.limit() == 0)) {
          Scan scan = part.get();
          ExplainOptions options = new ExplainOptions(left, question.cellsMax());
          scan.setAttribute(ExplainOptions.ATTRIBUTE, options.toBytes());
          left -= explain(table, scan, region, keys, listener);
        }
      }
    }
    listener.end(left <= 0 && question.limit() > 0 && question.row().isEmpty());
  }

  private List<HRegionLocation> regions(TableName name) throws IOException {
    try (RegionLocator locator = connection.getRegionLocator(name)) {
      return new ArrayList<>(locator.getAllRegionLocations());
    } catch (TableNotFoundException e) {
      throw new ExplainException("table " + name + " does not exist", e);
    }
  }

  private TableDescriptor descriptor(TableName name) throws IOException {
    try (Admin admin = connection.getAdmin()) {
      if (!admin.tableExists(name)) {
        throw new TableNotFoundException(name);
      }
      if (!TableName.isMetaTableName(name) && !admin.isTableEnabled(name)) {
        throw new ExplainException("table " + name + " is disabled: enable it first");
      }
      return admin.getDescriptor(name);
    } catch (TableNotFoundException e) {
      throw new ExplainException("table " + name + " does not exist", e);
    }
  }

  private static void checkFamilies(TableDescriptor table, Scan scan) {
    for (byte[] family : scan.getFamilyMap().keySet()) {
      if (!table.hasColumnFamily(family)) {
        throw new ExplainException(
            "table "
                + table.getTableName()
                + " has no family "
                + Bytes.toStringBinary(family)
                + ", only "
                + table.getColumnFamilyNames().stream()
                    .map(Bytes::toStringBinary)
                    .collect(Collectors.joining(", ")));
      }
    }
  }

  /** Explains the part in one region. Returns how many rows were found. */
  private static int explain(
      Table table, Scan scan, HRegionLocation region, KeyDisplay keys, Listener listener)
      throws IOException {
    int found = 0;
    try (ResultScanner results = table.getScanner(scan)) {
      for (Result result = results.next(); result != null; result = results.next()) {
        Cell cell = result.rawCells()[0];
        if (!CellUtil.matchingFamily(cell, Bytes.toBytes(ExplainOptions.FAMILY))) {
          throw new ExplainException(
              "the server "
                  + region.getServerName()
                  + " does not explain: it is not Cairn, or an older one");
        }
        JsonObject said =
            JsonParser.parseString(
                    Bytes.toString(
                        cell.getValueArray(), cell.getValueOffset(), cell.getValueLength()))
                .getAsJsonObject();
        switch (Bytes.toString(CellUtil.cloneQualifier(cell))) {
          case ExplainOptions.BEGIN ->
              listener.region(said, String.valueOf(region.getServerName()));
          case ExplainOptions.ROW -> {
            keys.parts(Bytes.toBytesBinary(said.get("row").getAsString()))
                .ifPresent(parts -> said.addProperty("key", parts));
            listener.row(said);
            JsonElement returned = said.getAsJsonObject("counts").get("RETURNED");
            found += returned == null ? 0 : 1;
          }
          default -> listener.regionEnds(said);
        }
      }
    }
    return found;
  }

  /** A read cannot be explained; the message is one line for the user. */
  public static final class ExplainException extends RuntimeException {
    private static final long serialVersionUID = 1;

    ExplainException(String message) {
      super(message);
    }

    ExplainException(String message, Throwable cause) {
      super(message, cause);
    }
  }
}
