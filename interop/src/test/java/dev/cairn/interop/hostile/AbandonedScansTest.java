package dev.cairn.interop.hostile;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import com.sun.management.UnixOperatingSystemMXBean;
import dev.cairn.engine.time.Effort;
import dev.cairn.interop.waiting.Eventually;
import dev.cairn.testing.CairnServer;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.apache.hadoop.hbase.NotServingRegionException;
import org.apache.hadoop.hbase.RegionTooBusyException;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.UnknownScannerException;
import org.apache.hadoop.hbase.client.Admin;
import org.apache.hadoop.hbase.client.ColumnFamilyDescriptorBuilder;
import org.apache.hadoop.hbase.client.Connection;
import org.apache.hadoop.hbase.client.Put;
import org.apache.hadoop.hbase.client.Table;
import org.apache.hadoop.hbase.client.TableDescriptorBuilder;
import org.apache.hadoop.hbase.shaded.protobuf.RequestConverter;
import org.apache.hadoop.hbase.shaded.protobuf.generated.ClientProtos.Scan;
import org.apache.hadoop.hbase.shaded.protobuf.generated.ClientProtos.ScanRequest;
import org.apache.hadoop.hbase.shaded.protobuf.generated.ClientProtos.ScanResponse;
import org.apache.hadoop.hbase.shaded.protobuf.generated.HBaseProtos.RegionSpecifier.RegionSpecifierType;
import org.apache.hadoop.hbase.shaded.protobuf.generated.RPCProtos.ExceptionResponse;
import org.apache.hadoop.hbase.util.Bytes;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Clients that open scans and never come back: once the lease is over nothing is left of them, and
 * what they held open meanwhile is let go. {@code -Dcairn.rounds=N} abandons N thousand scans.
 */
@Tag("forms")
class AbandonedScansTest {
  private static final long HEAP_TOLERANCE = 4L << 20;
  private static final int SCANS = 1000 * Effort.rounds(5, 100);
  private static final int AT_ONCE = 100;
  private static final int ROWS = 40;
  private static final long LEASE_MILLIS = 1000;
  private static final TableName TABLE = TableName.valueOf("t");
  private static final byte[] F = Bytes.toBytes("f");
  private static final byte[] Q = Bytes.toBytes("q");

  @TempDir private Path folder;
  private CairnServer server;
  private Connection client;
  private Admin admin;
  private byte[] region;

  @BeforeEach
  void start() throws IOException {
    server =
        CairnServer.builder()
            .folder(folder)
            .setting("hbase.client.scanner.timeout.period", Long.toString(LEASE_MILLIS))
            .start();
    client = server.connect();
    admin = client.getAdmin();
    admin.createTable(
        TableDescriptorBuilder.newBuilder(TABLE)
            .setColumnFamily(ColumnFamilyDescriptorBuilder.of(F))
            .build());
    region = admin.getRegions(TABLE).get(0).getRegionName();
    for (int file = 0; file < 2; file++) {
      write("file" + file);
      admin.flush(TABLE);
    }
    write("memory");
  }

  @AfterEach
  void stop() throws IOException {
    admin.close();
    client.close();
    server.close();
  }

  @Test
  void leaveNothingBehind() throws IOException {
    abandon(10 * AT_ONCE); // so that everything is loaded
    awaitLeases();
    Figures before = Figures.now();
    int left = SCANS;
    while (left > 0) {
      int some = Math.min(left, 50 * AT_ONCE);
      abandon(some);
      left -= some;
    }
    Figures open = Figures.now();
    awaitLeases();
    Eventually.holds(
        () -> Figures.hasHandles(before), "files and threads are as before: " + before);
    awaitHeap(before);
    System.out.printf(
        "%d scans abandoned: before %s, some still open %s, after %s%n",
        SCANS, before, open, Figures.now());
  }

  @Test
  void connectionsThatEndInTheMiddleOfACallLeaveNothingBehind() throws IOException {
    abandon(AT_ONCE);
    awaitLeases();
    Figures before = Figures.now();
    for (int i = 0; i < 200; i++) {
      try (WireConnection connection = connect()) {
        for (int call = 0; call < 10; call++) {
          connection.send("Scan", open(1));
        }
        connection.flush();
        if (i % 2 == 0) {
          connection.read(); // the others' answers find nobody
        }
      }
    }
    awaitLeases();
    Eventually.holds(
        () -> Figures.hasHandles(before), "files and threads are as before: " + before);
    awaitHeap(before);
  }

  @Test
  void holdFilesThatACompactionReplacedUntilTheirLeaseIsOver() throws IOException {
    TreeSet<String> old = storeFiles();
    try (WireConnection connection = connect()) {
      List<Long> scanners = new ArrayList<>();
      for (int i = 0; i < 50; i++) {
        scanners.add(scanner(connection.call("Scan", open(1), new byte[0])));
      }
      admin.flush(TABLE);
      admin.majorCompact(TABLE);
      byte[] renew = next(scanners.get(0), 0).setRenew(true).build().toByteArray();
      Eventually.holds(
          () -> {
            assertThat(error(connection.call("Scan", renew, new byte[0]))).isEqualTo("none");
            return admin.getLastMajorCompactionTimestamp(TABLE) > 0;
          },
          "the files are compacted");
      // What the scan began with is there for it.
      byte[] rest = next(scanners.get(0), ROWS - 2).build().toByteArray();
      WireConnection.Answer answer = connection.call("Scan", rest, new byte[0]);
      assertThat(error(answer)).isEqualTo("none");
      ScanResponse response = ScanResponse.parseFrom(answer.message());
      assertThat(response.getCellsPerResultCount()).isEqualTo(ROWS - 2);
      Eventually.holds(() -> openFiles().stream().noneMatch(old::contains), "old files are closed");
      assertThat(error(connection.call("Scan", rest, new byte[0])))
          .isEqualTo(UnknownScannerException.class.getName());
    }
  }

  @Test
  void doNotKeepARegionFromClosing() throws IOException {
    try (WireConnection connection = connect()) {
      List<Long> scanners = new ArrayList<>();
      for (int i = 0; i < 50; i++) {
        scanners.add(scanner(connection.call("Scan", open(1), new byte[0])));
      }
      TreeSet<String> files = storeFiles();
      admin.disableTable(TABLE);
      Eventually.holds(
          () -> openFiles().stream().noneMatch(files::contains), "the region's files are closed");
      for (long scanner : scanners) {
        byte[] next = next(scanner, 1).build().toByteArray();
        assertThat(error(connection.call("Scan", next, new byte[0])))
            .isIn(
                UnknownScannerException.class.getName(), NotServingRegionException.class.getName());
      }
    }
  }

  /** What a process has of what could leak. */
  private record Figures(long heapBytes, long openFiles, int threads) {
    static Figures now() {
      System.gc();
      var runtime = Runtime.getRuntime();
      long heap = runtime.totalMemory() - runtime.freeMemory();
      return new Figures(heap, openHandles(), Thread.activeCount());
    }

    /** Tells whether files and threads are as before. */
    static boolean hasHandles(Figures before) {
      return openHandles() <= before.openFiles && Thread.activeCount() <= before.threads + 2;
    }

    private static long openHandles() {
      var system = (UnixOperatingSystemMXBean) ManagementFactory.getOperatingSystemMXBean();
      return system.getOpenFileDescriptorCount();
    }

    @Override
    public String toString() {
      return "%.1f MB of heap, %d open files, %d threads"
          .formatted(heapBytes / 1048576.0, openFiles, threads);
    }
  }

  /** Waits until the heap is as before, because some objects are released with a delay. */
  private static void awaitHeap(Figures before) {
    Awaitility.await("the heap is as before: " + before)
        .pollInSameThread()
        .pollDelay(Duration.ZERO)
        .pollInterval(Duration.ofSeconds(1))
        .atMost(Duration.ofMinutes(2))
        .until(() -> Figures.now().heapBytes <= before.heapBytes + HEAP_TOLERANCE);
  }

  /** Opens so many scans. While too many are open, the server refuses more, so it asks again. */
  private void abandon(int scans) throws IOException {
    byte[] open = open(1);
    try (WireConnection connection = connect()) {
      int done = 0;
      while (done < scans) {
        int some = Math.min(AT_ONCE, scans - done);
        for (int i = 0; i < some; i++) {
          connection.send("Scan", open);
        }
        connection.flush();
        for (int i = 0; i < some; i++) {
          done += isOpened(connection.read()) ? 1 : 0;
        }
      }
    }
  }

  private static boolean isOpened(WireConnection.Answer answer) {
    if (answer.error().isPresent()) {
      assertThat(answer.error().get().getExceptionClassName())
          .as(answer.error().get().getStackTrace())
          .isEqualTo(RegionTooBusyException.class.getName());
      return false;
    }
    return true;
  }

  /** Waits until the leases of all scans that are open now are over. */
  private void awaitLeases() throws IOException {
    try (WireConnection connection = connect()) {
      // A flush lets go of files only once no scan uses the view they are in.
      TreeSet<String> old = storeFiles();
      Eventually.holds(
          () -> isOpened(connection.call("Scan", open(1), new byte[0])), "a scan is opened");
      write("later");
      admin.flush(TABLE);
      admin.majorCompact(TABLE);
      Eventually.holds(() -> openFiles().stream().noneMatch(old::contains), "old files are closed");
    }
  }

  private WireConnection connect() throws IOException {
    return new WireConnection(
        server.endpoints().regionServer().host(),
        server.endpoints().regionServer().port(),
        "ClientService");
  }

  private byte[] open(int rows) {
    return ScanRequest.newBuilder()
        .setRegion(RequestConverter.buildRegionSpecifier(RegionSpecifierType.REGION_NAME, region))
        .setScan(Scan.newBuilder().setMaxVersions(1))
        .setNumberOfRows(rows)
        .setClientHandlesPartials(true)
        .build()
        .toByteArray();
  }

  private static ScanRequest.Builder next(long scanner, int rows) {
    return ScanRequest.newBuilder().setScannerId(scanner).setNumberOfRows(rows);
  }

  private static long scanner(WireConnection.Answer answer) throws IOException {
    assertThat(answer.error().map(ExceptionResponse::getStackTrace)).isEmpty();
    return ScanResponse.parseFrom(answer.message()).getScannerId();
  }

  private static String error(WireConnection.Answer answer) {
    return answer.error().map(ExceptionResponse::getExceptionClassName).orElse("none");
  }

  private void write(String value) throws IOException {
    try (Table table = client.getTable(TABLE)) {
      List<Put> puts = new ArrayList<>();
      for (int i = 0; i < ROWS; i++) {
        puts.add(new Put(Bytes.toBytes("r" + i)).addColumn(F, Q, Bytes.toBytes(value)));
      }
      table.put(puts);
    }
  }

  /** Returns the names of the files that the table's store has. */
  private TreeSet<String> storeFiles() throws IOException {
    try (Stream<Path> all = Files.walk(folder.resolve("data/default/t"), 3)) {
      return all.filter(path -> path.getParent().endsWith("f"))
          .map(path -> path.getFileName().toString())
          .collect(Collectors.toCollection(TreeSet::new));
    }
  }

  /** Returns the names of the files that this process has open. */
  private static TreeSet<String> openFiles() throws IOException {
    Path handles = Path.of("/proc/self/fd");
    assumeTrue(Files.isDirectory(handles), "a system that tells which files are open");
    TreeSet<String> names = new TreeSet<>();
    try (DirectoryStream<Path> all = Files.newDirectoryStream(handles)) {
      for (Path handle : all) {
        try {
          names.add(String.valueOf(Files.readSymbolicLink(handle).getFileName()));
        } catch (NoSuchFileException e) {
          // Closed meanwhile.
        }
      }
    }
    return names;
  }
}
