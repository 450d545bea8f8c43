package dev.cairn.server.regionserver.reference;

import dev.cairn.engine.region.state.RegionBusyException;
import dev.cairn.engine.schema.RegionInfo;
import dev.cairn.engine.schema.TableName;
import dev.cairn.server.catalog.Messages;
import dev.cairn.server.catalog.RegionLookup;
import dev.cairn.server.catalog.RegionRow;
import dev.cairn.server.catalog.ServerName;
import dev.cairn.server.regionserver.hosted.ReferencedRows;
import dev.cairn.server.rpc.client.RpcCaller;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Optional;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Supplier;
import org.apache.hadoop.hbase.shaded.protobuf.generated.ClientProtos.Action;
import org.apache.hadoop.hbase.shaded.protobuf.generated.ClientProtos.Get;
import org.apache.hadoop.hbase.shaded.protobuf.generated.ClientProtos.MultiRequest;
import org.apache.hadoop.hbase.shaded.protobuf.generated.ClientProtos.MultiResponse;
import org.apache.hadoop.hbase.shaded.protobuf.generated.ClientProtos.RegionAction;
import org.apache.hadoop.hbase.shaded.protobuf.generated.ClientProtos.RegionActionResult;
import org.apache.hadoop.hbase.shaded.protobuf.generated.ClientProtos.ResultOrException;
import org.apache.hadoop.hbase.shaded.protobuf.generated.HBaseProtos.NameBytesPair;
import org.apache.hbase.thirdparty.com.google.protobuf.Message;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Asks the servers of other tables which rows exist, one call per server. The calls have the
 * priority of calls between servers, so they never wait for handlers that wait for such calls.
 * Caches the regions of a table until a call fails. Thread-safe; calls wait for the network.
 */
public final class RpcReferencedRows implements ReferencedRows {
  private static final Logger LOG = LoggerFactory.getLogger(RpcReferencedRows.class);
  private static final Duration TIMEOUT = Duration.ofSeconds(10);
  private static final int ATTEMPTS = 3;

  private final RpcCaller client;
  private final RegionLookup lookup;

  /** The regions of tables, by their first rows. */
  private final Map<TableName, NavigableMap<byte[], RegionRow>> known = new ConcurrentHashMap<>();

  /**
   * Creates the client.
   *
   * @param meta returns the server of {@code hbase:meta}, if known
   */
  public RpcReferencedRows(RpcCaller client, Supplier<Optional<ServerName>> meta) {
    this.client = client;
    this.lookup = new RegionLookup(meta, this::call);
  }

  private <R extends Message> R call(
      ServerName server, String method, Message request, R responsePrototype) throws IOException {
    return client.call(
        server.address(), "ClientService", method, request, responsePrototype, TIMEOUT);
  }

  @Override
  public SortedSet<byte[]> missing(TableName table, Collection<byte[]> rows) throws IOException {
    SortedSet<byte[]> missing = new TreeSet<>(Arrays::compareUnsigned);
    SortedSet<byte[]> left = new TreeSet<>(Arrays::compareUnsigned);
    left.addAll(rows);
    String problem = "";
    for (int attempt = 0; attempt < ATTEMPTS && !left.isEmpty(); attempt++) {
      try {
        NavigableMap<byte[], RegionRow> regions = regions(table);
        if (regions.isEmpty()) {
          throw new NoTableException("table " + table + " does not exist");
        }
        for (Map.Entry<ServerName, List<Question>> each : byServer(regions, left).entrySet()) {
          ask(each.getKey(), each.getValue(), left, missing);
        }
      } catch (NoTableException e) {
        throw e;
      } catch (IOException e) {
        LOG.debug("Rows of {} cannot be looked up", table, e);
        problem = e.getMessage();
        known.remove(table);
        requireEnabled(table);
      }
    }
    if (!left.isEmpty()) {
      throw new RegionBusyException(
          "The references to table " + table + " cannot be checked now: " + problem);
    }
    return missing;
  }

  private void requireEnabled(TableName table) throws NoTableException {
    boolean disabled;
    try {
      disabled = lookup.isDisabled(table);
    } catch (IOException e) {
      LOG.debug("The state of {} cannot be looked up", table, e);
      return;
    }
    if (disabled) {
      throw new NoTableException("table " + table + " is disabled");
    }
  }

  private NavigableMap<byte[], RegionRow> regions(TableName table) throws IOException {
    NavigableMap<byte[], RegionRow> regions = known.get(table);
    if (regions == null) {
      regions = new TreeMap<>(Arrays::compareUnsigned);
      for (RegionRow row : lookup.find(table)) {
        regions.put(row.region().startKey(), row);
      }
      if (!regions.isEmpty()) {
        known.put(table, regions);
      }
    }
    return regions;
  }

  /** The rows of one region to ask for. */
  private record Question(RegionInfo region, List<byte[]> rows) {}

  private static Map<ServerName, List<Question>> byServer(
      NavigableMap<byte[], RegionRow> regions, SortedSet<byte[]> rows) throws IOException {
    Map<RegionInfo, Question> questions = new LinkedHashMap<>();
    Map<ServerName, List<Question>> byServer = new LinkedHashMap<>();
    for (byte[] row : rows) {
      Map.Entry<byte[], RegionRow> entry = regions.floorEntry(row);
      if (entry == null || !entry.getValue().region().contains(row)) {
        throw new IOException("hbase:meta has no region of a row"); // in the middle of a split
      }
      RegionRow region = entry.getValue();
      ServerName server =
          region
              .server()
              .orElseThrow(() -> new IOException(region.region() + " is not open anywhere"));
      Question question = questions.get(region.region());
      if (question == null) {
        question = new Question(region.region(), new ArrayList<>());
        questions.put(region.region(), question);
        byServer.computeIfAbsent(server, name -> new ArrayList<>()).add(question);
      }
      question.rows().add(row);
    }
    return byServer;
  }

  /**
   * Removes the answered rows from {@code left}, and adds those that do not exist to {@code
   * missing}.
   */
  private void ask(
      ServerName server,
      List<Question> questions,
      SortedSet<byte[]> left,
      SortedSet<byte[]> missing)
      throws IOException {
    MultiRequest.Builder request = MultiRequest.newBuilder();
    for (Question question : questions) {
      RegionAction.Builder action =
          RegionAction.newBuilder().setRegion(Messages.specifier(question.region()));
      for (int i = 0; i < question.rows().size(); i++) {
        action.addAction(
            Action.newBuilder()
                .setIndex(i)
                .setGet(
                    Get.newBuilder()
                        .setRow(Messages.wrap(question.rows().get(i)))
                        .setExistenceOnly(true)));
      }
      request.addRegionAction(action);
    }
    MultiResponse response =
        call(server, "Multi", request.build(), MultiResponse.getDefaultInstance());
    for (int i = 0; i < questions.size(); i++) {
      RegionActionResult result = response.getRegionActionResult(i);
      if (result.hasException()) {
        throw failure(result.getException());
      }
      for (ResultOrException answer : result.getResultOrExceptionList()) {
        if (answer.hasException()) {
          throw failure(answer.getException());
        }
        byte[] row = questions.get(i).rows().get(answer.getIndex());
        left.remove(row);
        if (!answer.getResult().getExists()) {
          missing.add(row);
        }
      }
    }
  }

  private static IOException failure(NameBytesPair exception) {
    String text = exception.getValue().toStringUtf8();
    int end = text.indexOf('\n');
    return new IOException(end < 0 ? text : text.substring(0, end));
  }
}
