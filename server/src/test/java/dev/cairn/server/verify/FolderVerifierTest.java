package dev.cairn.server.verify;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.cairn.engine.cell.Cell;
import dev.cairn.engine.cell.CellComparator;
import dev.cairn.engine.hfile.writer.HFileOptions;
import dev.cairn.engine.hfile.writer.HFileWriter;
import dev.cairn.engine.layout.Reference;
import dev.cairn.engine.schema.FamilySchema;
import dev.cairn.engine.schema.RegionInfo;
import dev.cairn.engine.schema.TableName;
import dev.cairn.engine.schema.TableSchema;
import dev.cairn.engine.storage.Finding;
import dev.cairn.engine.storage.LocalStorage;
import dev.cairn.engine.time.Clock;
import dev.cairn.engine.tracking.StoreFileTracker;
import dev.cairn.engine.tracking.StoreFileTracker.TrackedFile;
import dev.cairn.engine.tracking.StoreFileTracking;
import dev.cairn.server.catalog.Messages;
import dev.cairn.server.catalog.TableFiles;
import dev.cairn.server.verify.FolderVerifier.VerifyListener;
import java.io.IOException;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Executor;
import org.apache.hadoop.hbase.shaded.protobuf.generated.ClusterIdProtos.ClusterId;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Tests what is checked below a path of HBase's layout, and the outcome. */
class FolderVerifierTest {
  private static final String REGION = "0123456789abcdef0123456789abcdef";
  private static final String OTHER = "fedcba9876543210fedcba9876543210";
  private static final String FAMILY = "data/default/t/" + REGION + "/f";
  private static final String FILE = "aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa";

  @TempDir private Path folder;
  private LocalStorage storage;
  private final Heard heard = new Heard();

  @BeforeEach
  void open() throws IOException {
    storage = new LocalStorage(folder);
  }

  @Test
  void storeFilesLogsReferencesAndLinksAreChecked() throws Exception {
    writeHFile(FAMILY + "/" + FILE);
    writeHFile("archive/data/default/t/" + OTHER + "/f/bbbb");
    writeHFile("MasterData/data/master/store/" + REGION + "/proc/cccc");
    storage.writeAll(FAMILY + "/bbbb." + OTHER, Reference.top("r5".getBytes(UTF_8)).toFile());
    storage.writeAll(FAMILY + "/t=" + OTHER + "-bbbb", new byte[0]);
    storage.writeAll("WALs/host,1,2/host%2C1%2C2.3", "PWAL".getBytes(UTF_8));

    VerifySummary summary = verify("");

    assertThat(summary.storeFiles()).isEqualTo(3);
    assertThat(summary.pointers()).isEqualTo(2);
    assertThat(summary.logs()).isEqualTo(1);
    assertThat(summary.findings() + summary.failures() + summary.vanished()).isZero();
    assertThat(heard.checked).hasSize(6);
    assertThat(heard.begunFiles).isEqualTo(6);
    assertThat(heard.notes).singleElement().asString().contains("torn");
  }

  @Test
  void theCatalogsFilesAreCheckedInTheirOwnOrder() throws Exception {
    writeHFile("data/hbase/meta/1588230740/info/" + FILE, CellComparator.META, "t,,");

    VerifySummary summary = verify("");

    assertThat(summary.storeFiles()).isEqualTo(1);
    assertThat(summary.findings() + summary.failures() + summary.vanished()).isZero();
  }

  @Test
  void whatIsUnfinishedOrSetAsideIsLeftAlone() throws Exception {
    byte[] nonsense = {1, 2, 3};
    storage.writeAll("data/default/t/" + REGION + "/.tmp/f/" + FILE, nonsense);
    storage.writeAll("data/default/t/" + REGION + "/recovered.edits/1.seqid", nonsense);
    storage.writeAll("data/default/t/" + REGION + "/recovered.edits/5.temp", nonsense);
    storage.writeAll("corrupt/host%2C1%2C2.3", nonsense);
    storage.writeAll(FAMILY + "/." + FILE + ".crc", nonsense);

    assertThat(verify("").bytes()).isZero();
    assertThat(heard.checked).isEmpty();
  }

  @Test
  void ofAStoreWithAListTheListedFilesAreChecked() throws Exception {
    createTable(Map.of(StoreFileTracking.KEY, "FILE"));
    writeHFile(FAMILY + "/" + FILE);
    list(FILE);
    String unfinished = FAMILY + "/" + "b".repeat(32);
    storage.writeAll(unfinished, new byte[] {1, 2, 3});

    assertThat(verify("").storeFiles()).isEqualTo(1);
    assertThat(heard.findings).isEmpty();

    storage.delete(FAMILY + "/.filelist");
    verify("");
    assertThat(heard.findings)
        .extracting(Finding::path)
        .containsExactlyInAnyOrder(FAMILY + "/.filelist", unfinished);
  }

  @Test
  void listedFilesThatAreMissingAreFound() throws Exception {
    createTable(Map.of(StoreFileTracking.KEY, "FILE"));
    writeHFile(FAMILY + "/" + FILE);
    list(FILE, "cccc", "bbbb");

    assertThat(verify("").damagedFiles()).isEqualTo(2);
    assertThat(heard.findings)
        .extracting(Finding::path)
        .containsExactly(FAMILY + "/bbbb", FAMILY + "/cccc");
    assertThat(heard.findings)
        .extracting(Finding::what)
        .allSatisfy(what -> assertThat(what).startsWith("it is missing, but the list of"));

    storage.delete(FAMILY + "/" + FILE);
    heard.findings.clear();
    assertThat(verify("").damagedFiles()).as("of a folder without files").isEqualTo(3);
    heard.findings.clear();
    assertThat(verify(FAMILY).damagedFiles()).as("of the family's folder").isEqualTo(3);
  }

  @Test
  void theSitesTrackerIsThatOfFamiliesWithoutOne() throws Exception {
    createTable(Map.of());
    writeHFile(FAMILY + "/" + FILE);
    list(FILE, "bbbb");

    assertThat(verify("").findings()).as("without a list").isZero();
    VerifySummary summary =
        new FolderVerifier(storage, Runnable::run, heard, StoreFileTracking.Kind.FILE).verify("");
    assertThat(summary.storeFiles()).isEqualTo(1);
    assertThat(heard.findings).extracting(Finding::path).containsExactly(FAMILY + "/bbbb");
  }

  private void createTable(Map<String, String> attributes) throws IOException {
    TableSchema schema = TableSchema.of(TableName.parse("t"), FamilySchema.of("f", attributes));
    new TableFiles(storage).create(schema, List.of());
  }

  /** Writes the list of the family's files. */
  private void list(String... names) throws IOException {
    StoreFileTracking tracking = StoreFileTracking.of(StoreFileTracking.Kind.FILE);
    StoreFileTracker.of(tracking, storage, Clock.SYSTEM, FAMILY)
        .begin(Arrays.stream(names).map(name -> new TrackedFile(name, 1)).toList());
  }

  @Test
  void damageIsToldByFileAndPlace() throws Exception {
    writeHFile(FAMILY + "/" + FILE);
    byte[] bytes = storage.readAll(FAMILY + "/" + FILE);
    bytes[60] ^= 1;
    storage.writeAll(FAMILY + "/" + FILE, bytes);
    storage.writeAll(FAMILY + "/bbbb." + OTHER, Reference.top("r5".getBytes(UTF_8)).toFile());
    storage.writeAll(FAMILY + "/t=" + OTHER + "-bbbb", new byte[0]);
    storage.writeAll("oldWALs/host%2C1%2C2.3", "nonsense".getBytes(UTF_8));

    VerifySummary summary = verify("");

    assertThat(summary.damagedFiles()).isEqualTo(4);
    assertThat(heard.findings)
        .extracting(Finding::path)
        .containsExactlyInAnyOrder(
            FAMILY + "/" + FILE,
            FAMILY + "/bbbb." + OTHER,
            FAMILY + "/t=" + OTHER + "-bbbb",
            "oldWALs/host%2C1%2C2.3");
  }

  @Test
  void descriptionsAreRead() throws Exception {
    TableName table = TableName.parse("t");
    TableSchema schema = TableSchema.of(table, FamilySchema.of("f", Map.of()));
    RegionInfo region = new RegionInfo(table, new byte[0], new byte[0], 1);
    new TableFiles(storage).create(schema, List.of(region));
    storage.writeAll("hbase.id", Messages.toFile(ClusterId.newBuilder().setClusterId("c").build()));
    assertThat(verify("").descriptions()).isEqualTo(3);
    assertThat(heard.findings).isEmpty();

    for (String path : List.copyOf(heard.checked)) {
      byte[] bytes = storage.readAll(path);
      bytes[bytes.length - 8] ^= 1;
      storage.writeAll(path, bytes);
    }

    assertThat(verify("").damagedFiles()).isEqualTo(3);
    assertThat(heard.findings).allSatisfy(f -> assertThat(f.what()).isNotBlank());
  }

  @Test
  void aCutDescriptionIsFound() throws Exception {
    TableName table = TableName.parse("t");
    TableSchema schema = TableSchema.of(table, FamilySchema.of("f", Map.of()));
    new TableFiles(storage).create(schema, List.of());
    verify("");
    String path = heard.checked.iterator().next();
    byte[] bytes = storage.readAll(path);
    storage.writeAll(path, Arrays.copyOf(bytes, bytes.length - 20));

    assertThat(verify("").damagedFiles()).isEqualTo(1);
    assertThat(heard.findings)
        .singleElement()
        .satisfies(
            finding -> {
              assertThat(finding.path()).isEqualTo(path);
              assertThat(finding.what()).contains("length in the file's name", bytes.length + "");
            });
  }

  @Test
  void aSingleFileOrFolderIsCheckedWhereverItLies() throws Exception {
    writeHFile("elsewhere/file");
    storage.writeAll("elsewhere/log", "PWAL".getBytes(UTF_8));
    writeHFile(FAMILY + "/" + FILE);

    assertThat(verify("elsewhere/file").storeFiles()).isEqualTo(1);
    assertThat(verify("elsewhere/log").logs()).isEqualTo(1);
    assertThat(verify(FAMILY).storeFiles()).isEqualTo(1);
    assertThatThrownBy(() -> verify("nowhere")).isInstanceOf(NoSuchFileException.class);
  }

  @Test
  void filesThatVanishMeanwhileAreNotMissed() throws Exception {
    writeHFile(FAMILY + "/" + FILE);
    Executor slow =
        task -> {
          try {
            storage.delete(FAMILY + "/" + FILE);
          } catch (IOException e) {
            throw new AssertionError(e);
          }
          task.run();
        };

    VerifySummary summary = verify("", slow);

    assertThat(summary.vanished()).isEqualTo(1);
    assertThat(summary.findings() + summary.failures()).isZero();
  }

  private VerifySummary verify(String path) throws IOException, InterruptedException {
    return verify(path, Runnable::run);
  }

  private VerifySummary verify(String path, Executor executor)
      throws IOException, InterruptedException {
    return new FolderVerifier(storage, executor, heard, StoreFileTracking.Kind.DEFAULT)
        .verify(path);
  }

  private void writeHFile(String path) throws IOException {
    writeHFile(path, CellComparator.USER, "r");
  }

  private void writeHFile(String path, CellComparator order, String rowPrefix) throws IOException {
    HFileOptions options = HFileOptions.of(FamilySchema.of("f"), order);
    try (HFileWriter writer = new HFileWriter(storage, path, options, Clock.SYSTEM)) {
      for (int i = 0; i < 10; i++) {
        writer.append(
            Cell.put(
                (rowPrefix + i).getBytes(UTF_8),
                "f".getBytes(UTF_8),
                "q".getBytes(UTF_8),
                i,
                "value".getBytes(UTF_8)));
      }
      writer.finish();
    }
  }

  /** Remembers what it hears. */
  private static final class Heard implements VerifyListener {
    private final List<String> checked = new ArrayList<>();
    private final List<Finding> findings = new ArrayList<>();
    private final List<String> notes = new ArrayList<>();
    private long begunFiles;

    @Override
    public void begun(long files, long bytes) {
      begunFiles = files;
    }

    @Override
    public void checked(String path, long bytes) {
      checked.add(path);
    }

    @Override
    public void found(Finding finding) {
      findings.add(finding);
    }

    @Override
    public void failed(String path, String reason) {
      throw new AssertionError(path + ": " + reason);
    }

    @Override
    public void noted(String path, String what) {
      notes.add(path + " " + what);
    }
  }
}
