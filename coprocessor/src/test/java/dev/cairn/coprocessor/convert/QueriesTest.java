package dev.cairn.coprocessor.convert;

import static org.assertj.core.api.Assertions.assertThat;

import dev.cairn.engine.cell.Bytes;
import dev.cairn.engine.scan.FamilySelection;
import dev.cairn.engine.scan.ScanRequest;
import dev.cairn.engine.schema.FamilySchema;
import dev.cairn.engine.schema.RegionInfo;
import dev.cairn.engine.schema.TableName;
import dev.cairn.engine.schema.TableSchema;
import dev.cairn.engine.time.Clock;
import dev.cairn.server.filter.EvaluationGuard;
import dev.cairn.server.filter.FilterParser;
import dev.cairn.server.request.GetMessage;
import dev.cairn.server.request.QueryDecoder;
import dev.cairn.server.request.ScanMessage;
import java.io.IOException;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import java.util.concurrent.Callable;
import java.util.function.Consumer;
import org.apache.hadoop.hbase.client.Scan;
import org.apache.hadoop.hbase.filter.Filter;
import org.apache.hadoop.hbase.filter.FirstKeyOnlyFilter;
import org.apache.hadoop.hbase.filter.PageFilter;
import org.apache.hadoop.hbase.shaded.protobuf.ProtobufUtil;
import org.apache.hadoop.hbase.shaded.protobuf.generated.ClientProtos;
import org.apache.hadoop.hbase.shaded.protobuf.generated.HBaseProtos.ColumnFamilyTimeRange;
import org.apache.hadoop.hbase.shaded.protobuf.generated.HBaseProtos.NameBytesPair;
import org.apache.hadoop.hbase.shaded.protobuf.generated.HBaseProtos.RegionSpecifier;
import org.apache.hadoop.hbase.shaded.protobuf.generated.HBaseProtos.TimeRange;
import org.apache.hbase.thirdparty.com.google.protobuf.ByteString;
import org.junit.jupiter.api.Test;

/**
 * The request of a query that hooks have seen and not changed is that of the query without hooks,
 * for random messages: also those that no present client sends.
 */
class QueriesTest {
  private static final int MESSAGES = 10_000;
  private static final TableSchema TABLE =
      TableSchema.of(new TableName("default", "t"), FamilySchema.of("f"), FamilySchema.of("g"));
  private static final RegionInfo REGION =
      new RegionInfo(TABLE.name(), Bytes.utf8("b"), Bytes.utf8("m"), 1);
  private static final FilterParser FILTERS =
      new FilterParser(QueriesTest.class.getClassLoader(), new EvaluationGuard(Clock.SYSTEM));

  private final long seed = Long.getLong("cairn.test.seed", System.nanoTime());
  private final Random random = new Random(seed);
  private final Queries queries = new Queries(REGION, TABLE, FILTERS);
  private final QueryDecoder decoder = new QueryDecoder(FILTERS);
  private int refused;
  private int answered;

  @Test
  void scans() throws Exception {
    for (int i = 0; i < MESSAGES; i++) {
      ClientProtos.ScanRequest message =
          ClientProtos.ScanRequest.newBuilder()
              .setRegion(region())
              .setScan(scan())
              .setNumberOfRows(1)
              .build();
      ScanMessage.Opening opening =
          (ScanMessage.Opening) ScanMessage.parse(message.toByteArray()).subject();
      compare(
          message.toString(),
          () -> decoder.scan(opening, REGION, TABLE).request(),
          () -> queries.request(queries.scan(opening)).request());
    }
    assertThat(answered).as("seed %s", seed).isGreaterThan(MESSAGES / 2);
    assertThat(refused).as("seed %s", seed).isPositive();
  }

  @Test
  void gets() throws Exception {
    for (int i = 0; i < MESSAGES; i++) {
      ClientProtos.GetRequest message =
          ClientProtos.GetRequest.newBuilder().setRegion(region()).setGet(get()).build();
      GetMessage get = GetMessage.parse(message.toByteArray());
      compare(
          message.toString(),
          () -> decoder.get(get, TABLE),
          () -> queries.request(queries.get(get)));
    }
    assertThat(answered).as("seed %s", seed).isGreaterThan(MESSAGES / 2);
    assertThat(refused).as("seed %s", seed).isPositive();
  }

  @Test
  void aFilterStaysTheSameObject() throws IOException {
    Filter filter =
        new PageFilter(3) {
          @Override
          public byte[] toByteArray() {
            throw new UnsupportedOperationException("a filter of a server");
          }
        };
    Scan scan = new Scan().setFilter(filter).addFamily(Bytes.utf8("f"));
    assertThat(queries.request(scan).filter()).isPresent();
    assertThat(scan.getFilter()).isSameAs(filter);
  }

  private void compare(String message, Callable<ScanRequest> plain, Callable<ScanRequest> hooked) {
    ScanRequest expected;
    try {
      expected = plain.call();
    } catch (Exception e) {
      refused++;
      return; // the server refuses it before hooks see it
    }
    try {
      assertThat(text(hooked.call())).as("seed %s, %s", seed, message).isEqualTo(text(expected));
      answered++;
    } catch (Exception e) {
      throw new AssertionError("seed " + seed + ", " + message, e);
    }
  }

  private static Map<String, Object> text(ScanRequest request) {
    Map<String, Object> text = new TreeMap<>();
    text.put("start", Bytes.toStringBinary(request.startRow()) + request.includeStart());
    text.put("stop", Bytes.toStringBinary(request.stopRow()) + request.includeStop());
    text.put("reversed", request.reversed());
    Map<String, String> families = new TreeMap<>();
    request.families().forEach((name, part) -> families.put(Bytes.utf8(name), text(part)));
    if (families.isEmpty()) {
      TABLE.families().forEach(one -> families.put(one.nameAsString(), text(FamilySelection.ALL)));
    }
    text.put("families", families);
    text.put("times", request.timeRange());
    text.put("versions", request.maxVersions());
    text.put("raw", request.raw());
    text.put("cache", request.cacheBlocks());
    text.put("limit", request.cellsPerFamilyLimit());
    text.put("offset", request.cellsPerFamilyOffset());
    text.put("filter", request.filter().isPresent());
    text.put("onDemand", request.loadFamiliesOnDemand());
    text.put("uncommitted", request.readUncommitted());
    text.put("from", request.resumedFrom());
    text.put("mob", request.mob());
    text.put("observer", request.observer());
    return text;
  }

  private static String text(FamilySelection part) {
    StringBuilder text = new StringBuilder(part.timeRange().toString());
    part.qualifiers().forEach(one -> text.append(' ').append(Bytes.toStringBinary(one)));
    return text.toString();
  }

  private boolean onceIn(int times) {
    return random.nextInt(times) == 0;
  }

  private static RegionSpecifier region() {
    return RegionSpecifier.newBuilder()
        .setType(RegionSpecifier.RegionSpecifierType.REGION_NAME)
        .setValue(ByteString.copyFrom(REGION.regionName()))
        .build();
  }

  /** Rows before, in and after the region. */
  private ByteString row() {
    return ByteString.copyFromUtf8(String.valueOf((char) ('a' + random.nextInt(16))));
  }

  private ClientProtos.Scan scan() throws IOException {
    ClientProtos.Scan.Builder scan = ClientProtos.Scan.newBuilder();
    ByteString start = row();
    if (!onceIn(4)) {
      scan.setStartRow(start);
    }
    if (onceIn(2)) {
      scan.setStopRow(onceIn(3) ? start : row());
    }
    if (onceIn(3)) {
      scan.setIncludeStartRow(random.nextBoolean());
    }
    if (onceIn(3)) {
      scan.setIncludeStopRow(random.nextBoolean());
    }
    if (onceIn(3)) {
      scan.setReversed(random.nextBoolean());
    }
    if (onceIn(3)) {
      scan.setMaxVersions(random.nextInt(5) - 1);
    }
    if (onceIn(4)) {
      scan.setMaxResultSize(random.nextInt(3) - 1).setBatchSize(random.nextInt(3));
    }
    if (onceIn(4)) {
      scan.setCacheBlocks(random.nextBoolean());
    }
    if (onceIn(4)) {
      scan.setLoadColumnFamiliesOnDemand(random.nextBoolean());
    }
    if (onceIn(4)) {
      scan.setMvccReadPoint(random.nextInt(3));
    }
    if (onceIn(4)) {
      scan.setStoreLimit(random.nextInt(4));
    }
    if (onceIn(4)) {
      scan.setStoreOffset(random.nextInt(4));
    }
    if (onceIn(4)) {
      scan.setTimeRange(times());
    }
    columns(scan::addColumn);
    rest(scan::setFilter, scan::addAttribute, scan::addCfTimeRange);
    return scan.build();
  }

  private ClientProtos.Get get() throws IOException {
    ClientProtos.Get.Builder get = ClientProtos.Get.newBuilder().setRow(row());
    if (onceIn(3)) {
      get.setMaxVersions(random.nextInt(5) - 1);
    }
    if (onceIn(4)) {
      get.setCacheBlocks(random.nextBoolean());
    }
    if (onceIn(4)) {
      get.setLoadColumnFamiliesOnDemand(random.nextBoolean());
    }
    if (onceIn(4)) {
      get.setStoreLimit(random.nextInt(4));
    }
    if (onceIn(4)) {
      get.setStoreOffset(random.nextInt(4));
    }
    if (onceIn(4)) {
      get.setTimeRange(times());
    }
    columns(get::addColumn);
    rest(get::setFilter, get::addAttribute, get::addCfTimeRange);
    return get.build();
  }

  private TimeRange times() {
    TimeRange.Builder range = TimeRange.newBuilder();
    if (!onceIn(3)) {
      range.setFrom(random.nextInt(10));
    }
    if (!onceIn(3)) {
      range.setTo(onceIn(3) ? Long.MAX_VALUE : random.nextInt(20));
    }
    return range.build();
  }

  /** A family may not exist. */
  private void columns(Consumer<ClientProtos.Column> add) {
    for (String family : List.of("f", "g", "h")) {
      if (!onceIn(family.equals("h") ? 20 : 2)) {
        continue;
      }
      ClientProtos.Column.Builder column =
          ClientProtos.Column.newBuilder().setFamily(ByteString.copyFromUtf8(family));
      for (int q = random.nextInt(3); q > 0; q--) {
        column.addQualifier(
            onceIn(3) ? ByteString.EMPTY : ByteString.copyFromUtf8("q" + random.nextInt(3)));
      }
      add.accept(column.build());
    }
  }

  private void rest(
      Consumer<org.apache.hadoop.hbase.shaded.protobuf.generated.FilterProtos.Filter> filter,
      Consumer<NameBytesPair> attribute,
      Consumer<ColumnFamilyTimeRange> range)
      throws IOException {
    if (onceIn(4)) {
      filter.accept(
          ProtobufUtil.toFilter(onceIn(2) ? new FirstKeyOnlyFilter() : new PageFilter(2)));
    }
    for (String name :
        new String[] {
          "a",
          "_raw_",
          "_isolationlevel_",
          "hbase.mob.scan.raw",
          "hbase.mob.scan.ref.only",
          "hbase.mob.cache.blocks",
          "empty.value.on.mobcell.miss"
        }) {
      if (onceIn(8)) {
        byte[] value = new byte[name.startsWith("_iso") ? 1 : random.nextInt(3)];
        Arrays.fill(value, (byte) random.nextInt(2));
        attribute.accept(
            NameBytesPair.newBuilder()
                .setName(name)
                .setValue(ByteString.copyFrom(onceIn(2) ? value : new byte[] {1}))
                .build());
      }
    }
    if (onceIn(6)) {
      range.accept(
          ColumnFamilyTimeRange.newBuilder()
              .setColumnFamily(ByteString.copyFromUtf8(onceIn(3) ? "h" : "f"))
              .setTimeRange(times())
              .build());
    }
  }
}
