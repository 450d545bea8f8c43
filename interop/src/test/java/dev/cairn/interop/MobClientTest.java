package dev.cairn.interop;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.cairn.interop.waiting.Eventually;
import dev.cairn.testing.CairnServer;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.apache.hadoop.hbase.Cell;
import org.apache.hadoop.hbase.CellUtil;
import org.apache.hadoop.hbase.CompareOperator;
import org.apache.hadoop.hbase.DoNotRetryIOException;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Admin;
import org.apache.hadoop.hbase.client.Append;
import org.apache.hadoop.hbase.client.CheckAndMutate;
import org.apache.hadoop.hbase.client.ColumnFamilyDescriptor;
import org.apache.hadoop.hbase.client.ColumnFamilyDescriptorBuilder;
import org.apache.hadoop.hbase.client.CompactType;
import org.apache.hadoop.hbase.client.CompactionState;
import org.apache.hadoop.hbase.client.Connection;
import org.apache.hadoop.hbase.client.Delete;
import org.apache.hadoop.hbase.client.Get;
import org.apache.hadoop.hbase.client.Put;
import org.apache.hadoop.hbase.client.Result;
import org.apache.hadoop.hbase.client.ResultScanner;
import org.apache.hadoop.hbase.client.Scan;
import org.apache.hadoop.hbase.client.Table;
import org.apache.hadoop.hbase.client.TableDescriptor;
import org.apache.hadoop.hbase.client.TableDescriptorBuilder;
import org.apache.hadoop.hbase.filter.BinaryComparator;
import org.apache.hadoop.hbase.filter.Filter;
import org.apache.hadoop.hbase.filter.FilterList;
import org.apache.hadoop.hbase.filter.FirstKeyOnlyFilter;
import org.apache.hadoop.hbase.filter.KeyOnlyFilter;
import org.apache.hadoop.hbase.filter.SingleColumnValueFilter;
import org.apache.hadoop.hbase.filter.ValueFilter;
import org.apache.hadoop.hbase.mob.MobConstants;
import org.apache.hadoop.hbase.mob.MobUtils;
import org.apache.hadoop.hbase.util.Bytes;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInfo;
import org.junit.jupiter.api.io.TempDir;

/** Large values as clients see them: before a flush, after it, and after a major compaction. */
class MobClientTest {
  private static final byte[] F = Bytes.toBytes("f");
  private static final byte[] SMALL = Bytes.toBytes("small");
  private static final byte[] Q = Bytes.toBytes("q");
  private static final byte[] LARGE = Bytes.toBytes("x".repeat(3000));
  private static final byte[] OTHER = Bytes.toBytes("y".repeat(4000));

  @TempDir static Path folder;
  private static CairnServer server;
  private static Connection connection;
  private static Admin admin;

  private TableName name;
  private Table table;

  @BeforeAll
  static void start() throws IOException {
    server =
        CairnServer.builder()
            .folder(folder)
            .setting("hbase.mob.min.age.archive", "500")
            .setting("hbase.master.mob.cleaner.period", "1")
            .setting("hbase.master.hfilecleaner.ttl", "600000")
            .setting("hbase.mob.file.cache.size", "0")
            .start();
    connection = server.connect();
    admin = connection.getAdmin();
  }

  @AfterAll
  static void stop() throws IOException {
    connection.close();
    server.close();
  }

  @BeforeEach
  void makeTable(TestInfo test) throws IOException {
    name = TableName.valueOf(test.getTestMethod().orElseThrow().getName());
    admin.createTable(
        TableDescriptorBuilder.newBuilder(name)
            .setColumnFamily(family(1000).build())
            .setColumnFamily(ColumnFamilyDescriptorBuilder.of(SMALL))
            .build());
    table = connection.getTable(name);
  }

  @Test
  void everyKindOfReadGivesTheValuesInEveryState() throws IOException {
    table.put(new Put(row(1)).addColumn(F, Q, 10, OTHER).addColumn(SMALL, Q, 10, Q));
    table.put(new Put(row(1)).addColumn(F, Q, 20, LARGE));
    table.put(new Put(row(2)).addColumn(F, Q, 20, OTHER));
    table.put(new Put(row(3)).addColumn(F, Q, 20, LARGE).addColumn(F, SMALL, 20, SMALL));
    table.delete(new Delete(row(3)).addColumn(F, Q, 5));
    Filter isLarge = new ValueFilter(CompareOperator.EQUAL, new BinaryComparator(LARGE));
    Filter rowIsLarge = new SingleColumnValueFilter(F, Q, CompareOperator.EQUAL, LARGE);
    List<Scan> scans =
        List.of(
            new Scan(),
            new Scan().readAllVersions(),
            new Scan().readAllVersions().setRaw(true),
            new Scan().setReversed(true),
            new Scan().setBatch(1),
            new Scan().setAllowPartialResults(true).setMaxResultSize(1),
            new Scan().setFilter(isLarge),
            new Scan().setFilter(rowIsLarge),
            new Scan().setFilter(rowIsLarge).setLoadColumnFamiliesOnDemand(true).setReversed(true),
            new Scan().setFilter(new KeyOnlyFilter(true)),
            new Scan().setFilter(new FilterList(new FirstKeyOnlyFilter(), new KeyOnlyFilter())),
            new Scan().readVersions(3).setTimeRange(0, 15));
    List<List<String>> inMemory = results(scans);
    assertThat(inMemory.get(6)).hasSize(2);
    assertThat(inMemory.get(7)).hasSize(4);

    admin.flush(name);
    assertThat(mobFiles()).hasSize(1);
    assertThat(results(scans)).isEqualTo(inMemory);
    compact();
    inMemory.remove(2); // a compaction drops markers
    List<Scan> others = new ArrayList<>(scans);
    others.remove(2);
    assertThat(results(others)).isEqualTo(inMemory);
  }

  @Test
  void conditionsAndChangesGoByTheValue() throws IOException {
    table.put(new Put(row(1)).addColumn(F, Q, LARGE));
    admin.flush(name);

    CheckAndMutate.Builder of = CheckAndMutate.newBuilder(row(1));
    Put put = new Put(row(1)).addColumn(SMALL, Q, Q);
    assertThat(table.checkAndMutate(of.ifEquals(F, Q, LARGE).build(put)).isSuccess()).isTrue();
    Filter isLarge = new ValueFilter(CompareOperator.EQUAL, new BinaryComparator(LARGE));
    of = CheckAndMutate.newBuilder(row(1)).ifMatches(isLarge);
    assertThat(table.checkAndMutate(of.build(put)).isSuccess()).isTrue();
    Result appended = table.append(new Append(row(1)).addColumn(F, Q, SMALL));
    assertThat(appended.getValue(F, Q)).isEqualTo(Bytes.add(LARGE, SMALL));
    assertThat(table.get(new Get(row(1))).getValue(F, Q)).isEqualTo(Bytes.add(LARGE, SMALL));
  }

  @Test
  void whoAsksForReferencesGetsThem() throws IOException {
    table.put(
        new Put(row(1)).addColumn(F, Q, LARGE).addColumn(F, SMALL, SMALL).addColumn(SMALL, Q, Q));
    admin.flush(name);
    Get get = new Get(row(1));
    get.setAttribute(MobConstants.MOB_SCAN_RAW, Bytes.toBytes(true));
    Cell reference = table.get(get).getColumnLatestCell(F, Q);
    assertThat(MobUtils.getMobValueLength(reference)).isEqualTo(LARGE.length);
    assertThat(List.of(MobUtils.getMobFileName(reference))).isEqualTo(mobFiles());

    Scan references = new Scan();
    references.setAttribute(MobConstants.MOB_SCAN_REF_ONLY, Bytes.toBytes(true));
    assertThat(results(List.of(references)).get(0))
        .singleElement()
        .asString()
        .endsWith(Bytes.toString(LARGE));
  }

  @Test
  void majorCompactionsLeaveWasteWhichIsArchivedAndTheTablesEndArchivesTheRest()
      throws IOException {
    table.put(new Put(row(1)).addColumn(F, Q, LARGE));
    table.put(new Put(row(2)).addColumn(F, Q, LARGE));
    admin.flush(name);
    table.delete(new Delete(row(2)));
    List<String> first = mobFiles();
    compact();

    Eventually.holds(() -> mobFiles().size() == 1, "the old MOB file is archived");
    assertThat(mobFiles()).doesNotContainAnyElementsOf(first);
    // A master's rename goes through its own directory, so the file is in neither place for a
    // moment.
    Eventually.holds(
        () -> archivedMobFiles().containsAll(first), "the archive has the old MOB file");
    assertThat(table.get(new Get(row(1))).getValue(F, Q)).isEqualTo(LARGE);
    List<String> second = mobFiles();
    admin.disableTable(name);
    admin.deleteTable(name);
    assertThat(mobFiles()).isEmpty();
    assertThat(archivedMobFiles()).containsAll(second);
  }

  @Test
  void halvesOfASplitRegionFindTheValuesOfTheWhole() throws Exception {
    for (int i = 0; i < 10; i++) {
      table.put(new Put(row(i)).addColumn(F, Q, LARGE));
    }
    admin.flush(name);
    List<String> shared = mobFiles();
    admin.splitRegionAsync(admin.getRegions(name).get(0).getRegionName(), row(5)).get();
    assertThat(admin.getRegions(name)).hasSize(2);
    List<List<String>> before = results(List.of(new Scan()));
    assertThat(before.get(0)).hasSize(10);
    compact();

    Eventually.holds(() -> mobFiles().size() == 3, "each half has a MOB file of its own");
    assertThat(mobFiles()).as("as long as the parent has its files").containsAll(shared);
    assertThat(results(List.of(new Scan()))).isEqualTo(before);
  }

  @Test
  void theMobFilesOfATableCanBeCompactedByThatName() throws Exception {
    table.put(new Put(row(1)).addColumn(F, Q, LARGE));
    admin.flush(name);
    List<String> before = mobFiles();
    admin.majorCompact(name, F, CompactType.MOB);
    assertThat(admin.getCompactionState(name, CompactType.MOB)).isEqualTo(CompactionState.NONE);

    Eventually.holds(() -> !mobFiles().containsAll(before), "the values are written anew");
    assertThat(table.get(new Get(row(1))).getValue(F, Q)).isEqualTo(LARGE);
  }

  @Test
  void aFamilyWithoutMobFilesCannotBeCompactedByThatName() {
    assertThatThrownBy(() -> admin.majorCompact(name, SMALL, CompactType.MOB))
        .isInstanceOf(DoNotRetryIOException.class)
        .hasMessageContaining("small")
        .hasMessageContaining("no MOB family");
  }

  @Test
  void theThresholdCanChangeAndTheFamilyCeaseToBeOne() throws IOException {
    table.put(new Put(row(1)).addColumn(F, Q, LARGE));
    admin.flush(name);
    admin.modifyColumnFamily(name, family(5000).build());
    assertThat(table.get(new Get(row(1))).getValue(F, Q)).isEqualTo(LARGE);
    ColumnFamilyDescriptor plain = ColumnFamilyDescriptorBuilder.of(F);
    admin.modifyColumnFamily(name, plain);
    assertThat(table.get(new Get(row(1))).getValue(F, Q)).isEqualTo(LARGE);
    compact();
    assertThat(table.get(new Get(row(1))).getValue(F, Q)).isEqualTo(LARGE);
    Eventually.holds(() -> mobFiles().isEmpty(), "no MOB file is needed any more");
    TableDescriptor present = admin.getDescriptor(name);
    assertThat(present.getColumnFamily(F).isMobEnabled()).isFalse();
  }

  @Test
  void aLostFileIsNamedAndNotAskedForAgain() throws IOException {
    table.put(new Put(row(1)).addColumn(F, Q, LARGE).addColumn(SMALL, Q, Q));
    admin.flush(name);
    String lost = mobFiles().get(0);
    for (Path file : files("mobdir")) {
      Files.delete(file);
    }

    assertThatThrownBy(() -> table.get(new Get(row(1))))
        .isInstanceOf(DoNotRetryIOException.class)
        .hasMessageContaining(lost);
    assertThat(table.get(new Get(row(1)).addFamily(SMALL)).getValue(SMALL, Q)).isEqualTo(Q);
    Get lenient = new Get(row(1));
    lenient.setAttribute(MobConstants.EMPTY_VALUE_ON_MOBCELL_MISS, Bytes.toBytes(true));
    assertThat(table.get(lenient).getValue(F, Q)).isEmpty();
  }

  private static ColumnFamilyDescriptorBuilder family(long threshold) {
    return ColumnFamilyDescriptorBuilder.newBuilder(F)
        .setMobEnabled(true)
        .setMobThreshold(threshold)
        .setMaxVersions(3);
  }

  private void compact() throws IOException {
    long before = admin.getLastMajorCompactionTimestamp(name);
    admin.majorCompact(name);
    Eventually.holds(
        () -> admin.getLastMajorCompactionTimestamp(name) > before, "the table is compacted");
  }

  private List<List<String>> results(List<Scan> scans) throws IOException {
    List<List<String>> all = new ArrayList<>();
    for (Scan scan : scans) {
      List<String> cells = new ArrayList<>();
      try (ResultScanner scanner = table.getScanner(new Scan(scan))) {
        for (Result result : scanner) {
          for (Cell cell : result.rawCells()) {
            cells.add(
                CellUtil.getCellKeyAsString(cell) + Bytes.toString(CellUtil.cloneValue(cell)));
          }
        }
      }
      all.add(cells);
    }
    return all;
  }

  private List<String> mobFiles() throws IOException {
    return names("mobdir");
  }

  private List<String> archivedMobFiles() throws IOException {
    return names("archive");
  }

  private List<String> names(String place) throws IOException {
    return files(place).stream().map(file -> file.getFileName().toString()).toList();
  }

  private List<Path> files(String place) throws IOException {
    String region = MobUtils.getMobRegionInfo(name).getEncodedName();
    Path home = folder.resolve(place + "/data/default/" + name + "/" + region + "/f");
    if (!Files.exists(home)) {
      return List.of();
    }
    try (Stream<Path> files = Files.list(home)) {
      return files.sorted().toList();
    }
  }

  private static byte[] row(int number) {
    return Bytes.toBytes("row-" + number);
  }
}
