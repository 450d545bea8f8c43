package dev.cairn.launcher.inspect;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.cairn.engine.cell.Bytes;
import dev.cairn.engine.cell.Cell;
import dev.cairn.engine.cell.CellComparator;
import dev.cairn.engine.cell.CellTags;
import dev.cairn.engine.hfile.writer.HFileOptions;
import dev.cairn.engine.hfile.writer.HFileWriter;
import dev.cairn.engine.layout.MobDirectory;
import dev.cairn.engine.schema.FamilySchema;
import dev.cairn.engine.schema.TableName;
import dev.cairn.engine.schema.TableSchema;
import dev.cairn.engine.storage.LocalStorage;
import dev.cairn.engine.time.Clock;
import dev.cairn.engine.tracking.StoreFileTracker;
import dev.cairn.engine.tracking.StoreFileTracking;
import dev.cairn.launcher.CairnCommand;
import dev.cairn.server.catalog.TableFiles;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import picocli.CommandLine;

/** The commands that look into files: how they end, and what they say when something is wrong. */
class FileCommandsTest {
  private static final String REGION = "0123456789abcdef0123456789abcdef";
  private static final String FILE =
      "data/default/t/" + REGION + "/f/aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa";

  private final StringWriter out = new StringWriter();
  private final StringWriter err = new StringWriter();

  @TempDir private Path home;

  @Test
  void verifyChecksTheDataFolderOfTheSettingsUnlessAPathIsNamed() throws IOException {
    Path file = write(home.resolve("data").resolve(FILE));

    assertThat(run("verify")).isZero();
    assertThat(run("verify", file.toString())).isZero();
    assertThat(run("verify", file.getParent().toUri().toString())).isZero();

    assertThat(out.toString().lines().filter(line -> line.startsWith("Checked 1 store file,")))
        .hasSize(3);
    assertThat(err.toString()).contains("Checking 1 file,").contains("verify: 100 %");
  }

  @Test
  void verifyEndsWithOneIfSomethingIsDamagedAndNamesIt() throws IOException {
    Path file = write(home.resolve("data").resolve(FILE));
    byte[] bytes = Files.readAllBytes(file);
    bytes[50] ^= 1;
    Files.write(file, bytes);

    assertThat(run("verify")).isEqualTo(1);

    assertThat(out.toString())
        .contains("DAMAGED  file:" + file + ", byte 0: expected CRC32C checksum")
        .contains("Damage at 1 place of 1 file.");
  }

  @Test
  void verifyChecksTheFilesAtTheTopOfTheDataFolder() throws IOException {
    Path data = home.resolve("data");
    write(data.resolve(FILE));
    Path meta = Files.createDirectories(data.resolve("data/hbase/meta/1588230740"));
    Files.writeString(meta.resolve(".regioninfo"), "damaged");
    Path id = Files.writeString(data.resolve("hbase.id"), "damaged");
    Path znodes = Files.createDirectories(data.resolve("zookeeper/version-2"));
    Path snapshot = Files.writeString(znodes.resolve("snapshot.0"), "a damaged snapshot");

    assertThat(run("verify")).isEqualTo(1);

    assertThat(out.toString())
        .contains("DAMAGED  file:" + meta.resolve(".regioninfo"))
        .contains("DAMAGED  file:" + id + ", byte 0")
        .contains("DAMAGED  file:" + data.resolve("hbase.version") + ", byte 0: it is missing")
        .contains("DAMAGED  file:" + snapshot + ", byte 0: expected the magic number ZKSN")
        .contains("uses an older snapshot, or sets the folder aside");
  }

  @Test
  void verifyEndsWithTwoIfItCannotCheck() throws IOException {
    assertThat(run("verify", home.resolve("none").toString())).isEqualTo(2);
    assertThat(err.toString()).contains("none does not exist");

    Path folder = Files.createDirectories(home.resolve("not/data"));
    Files.writeString(folder.resolve("notes.txt"), "neither a store file nor a log");
    assertThat(run("verify", folder.toString())).isEqualTo(2);
    assertThat(out.toString()).contains("Nothing to check").contains(folder.toString());
    assertThat(out.toString()).doesNotContain("No damage");

    Path encrypted = home.resolve("data/WALs/host,1,2/host%2C1%2C2.3");
    Files.createDirectories(encrypted.getParent());
    String writer = "SecureProtobufLogWriter"; // field 4 of the header, behind its length
    String log = "PWAL" + (char) (writer.length() + 2) + "\"" + (char) writer.length() + writer;
    Files.writeString(encrypted, log);
    assertThat(run("verify")).isEqualTo(2);
    assertThat(out.toString()).contains("UNCHECKED  file:" + encrypted).contains("encrypted");
  }

  @Test
  void hfileFindsTheFilesOfARegionInTheDataFolder() throws IOException {
    write(home.resolve("data").resolve(FILE));

    assertThat(run("hfile", "-e", "-r", "t,,1." + REGION + ".")).isZero();
    assertThat(out.toString().lines())
        .startsWith("K: r0/f:q/0/Put/vlen=5/seqid=0")
        .endsWith("Scanned kv count -> 3");

    assertThat(run("hfile", "-e", "-r", "t,,1.ffffffffffffffffffffffffffffffff.")).isEqualTo(1);
    assertThat(run("hfile", "-e", "-r", "t")).isEqualTo(1);
    assertThat(err.toString().lines())
        .satisfiesExactly(
            line -> assertThat(line).contains("does not exist"),
            line -> assertThat(line).contains("no region's name"));
  }

  @Test
  void hfileComparesCellsAcrossTheBordersOfBlocks() throws IOException {
    Path file = write(home.resolve("data").resolve(FILE), 9000); // several blocks of 64 KB

    assertThat(run("hfile", "-k", "-a", "-v", "-f", file.toString())).isZero();

    assertThat(out.toString().lines()).endsWith("Scanned kv count -> 9000");
    assertThat(err.toString()).isEmpty();
  }

  @Test
  void missingMobFilesAreTold() throws IOException {
    Path file = home.resolve("data").resolve(FILE);
    byte[] mobFile = "0004mobfile".getBytes(UTF_8);
    byte[] tags = Bytes.concat(CellTags.tag(5, new byte[0]), CellTags.tag(6, new byte[] {'t'}));
    try (LocalStorage storage = new LocalStorage(file.getParent());
        HFileWriter writer =
            new HFileWriter(
                storage,
                file.getFileName().toString(),
                HFileOptions.of(FamilySchema.of("f"), CellComparator.USER),
                Clock.SYSTEM)) {
      byte[] f = "f".getBytes(UTF_8);
      writer.append(Cell.of("r".getBytes(UTF_8), f, f, 1, 4, mobFile, tags, 0));
      writer.putFileInfo("MOB_FILE_REFS".getBytes(UTF_8), "t/mobfile".getBytes(UTF_8));
      writer.finish();
    }

    assertThat(run("hfile", "-i", "-f", file.toString())).isZero();
    assertThat(err.toString().lines())
        .containsExactly(
            "ERROR, the mob file [mobfile] is missing referenced by cell"
                + " r/f:f/1/Put/vlen=11/seqid=0");
    assertThat(run("verify")).isEqualTo(1);
    assertThat(out.toString()).contains("it refers to a MOB file that is in none of");

    err.getBuffer().setLength(0);
    String directory = MobDirectory.of("data", TableName.parse("t"), "f").path();
    write(home.resolve("data").resolve(directory).resolve("mobfile"));
    assertThat(run("hfile", "-i", "-f", file.toString())).isZero();
    assertThat(err.toString()).isEmpty();
    assertThat(run("verify")).isZero();
  }

  @Test
  void aReferenceIsToldByItsName() throws IOException {
    Path reference = home.resolve("bbbb." + REGION);
    Files.write(reference, new byte[100]);

    assertThat(run("hfile", "-m", "-f", reference.toString())).isEqualTo(1);
    assertThat(err.toString()).contains("it is a reference to bbbb of region " + REGION);
  }

  @Test
  void importCheckTellsWhatItFindsAndWritesNothing() throws IOException {
    Path empty = Files.createDirectories(home.resolve("empty"));

    int status = run("import-check", "--json", empty.toString());

    assertThat(status).isIn(0, 1);
    assertThat(out.toString()).startsWith("{").contains("\"tables\": []");
    assertThat(empty).isEmptyDirectory();
    assertThat(run("import-check", home.resolve("none").toString())).isEqualTo(2);
  }

  @Test
  void importCheckSaysOfWhatBelongsToSomethingElseThatItIsTheFolder() throws IOException {
    Path other = Files.createDirectories(home.resolve("other"));
    Path file = Files.writeString(other.resolve("letter.txt"), "dear reader");

    assertThat(run("import-check", other.toString())).isEqualTo(1);
    assertThat(out.toString()).contains("  the folder: hbase.rootdir holds letter.txt");

    assertThat(run("import-check", file.toString())).isEqualTo(2);
    assertThat(err.toString().lines())
        .containsExactly("cairn: " + file + " is a file, where a data folder was expected");
  }

  @Test
  void verifyAndImportCheckLookForLogsWhereTheSettingsSay() throws IOException {
    write(home.resolve("data").resolve(FILE));
    Path log = home.resolve("logs/WALs/host,1,2/host%2C1%2C2.3");
    Files.createDirectories(log.getParent());
    Files.writeString(log, "no log");
    set("hbase.wal.dir", "logs");

    assertThat(run("verify")).isNotZero();
    assertThat(out.toString()).contains("Checked 1 store file,").contains("file:" + log);
    assertThat(run("import-check", home.resolve("data").toString())).isEqualTo(1);
    assertThat(out.toString()).contains("WALs/host,1,2/host%2C1%2C2.3");

    Files.delete(log);
    assertThat(run("verify")).isZero();
    Files.delete(log.getParent());
    Files.delete(home.resolve("logs/WALs"));
    Files.delete(home.resolve("logs"));
    assertThat(run("verify")).isEqualTo(2);
    assertThat(err.toString()).contains(home.resolve("logs") + " does not exist");
  }

  @Test
  void verifyAndImportCheckLookForLogsWhereTheDataFolderSays() throws IOException {
    Path data = home.resolve("data");
    write(data.resolve(FILE));
    Path logs = home.resolve("logs");
    Path log = logs.resolve("WALs/host,1,2/host%2C1%2C2.3");
    Files.createDirectories(log.getParent());
    Files.writeString(log, "no log");
    Files.writeString(data.resolve("cairn.wal.dir"), "an-id\n" + logs + "\n");
    Files.writeString(logs.resolve("cairn.wal.id"), "an-id\n" + data + "\n");

    assertThat(run("verify")).isEqualTo(1);
    assertThat(out.toString()).contains("DAMAGED  file:" + log);
    assertThat(err.toString()).contains("the logs of " + data + " are in " + logs);
    assertThat(run("import-check", data.toString())).isEqualTo(1);
    assertThat(out.toString()).contains("WALs/host,1,2/host%2C1%2C2.3");
    assertThat(run("verify", data.resolve("data/default/t").toString())).isZero();
  }

  @Test
  void verifyAndImportCheckSayThatTheLogsAreGone() throws IOException {
    Path data = home.resolve("data");
    write(data.resolve(FILE));
    Path logs = home.resolve("logs");
    Files.writeString(data.resolve("cairn.wal.dir"), "an-id\n" + logs + "\n");

    assertThat(run("verify")).isEqualTo(2);
    assertThat(out.toString())
        .contains("Checked 1 store file,", "UNCHECKED  the logs: the logs of " + data)
        .contains("were in " + logs);
    assertThat(run("import-check", data.toString())).isEqualTo(2);
    assertThat(err.toString()).contains("the logs of " + data + " were in " + logs);
  }

  @Test
  void verifyTakesTheStoreFileTrackerOfTheSettings() throws IOException {
    Path data = home.resolve("data");
    try (LocalStorage storage = new LocalStorage(data)) {
      new TableFiles(storage)
          .create(TableSchema.of(TableName.parse("t"), FamilySchema.of("f")), List.of());
    }
    Path file = write(data.resolve(FILE));

    assertThat(run("verify")).isZero();
    set(StoreFileTracking.KEY, "FILE");
    assertThat(run("verify")).isEqualTo(1);
    assertThat(out.toString())
        .contains("DAMAGED  file:" + file.getParent().resolve(StoreFileTracker.LISTS));
  }

  @Test
  void helpNamesThem() {
    assertThat(run("help")).isZero();
    assertThat(out.toString()).contains("hfile", "wal", "verify", "import-check");
  }

  /** Makes a setting the only one. */
  private void set(String name, String value) throws IOException {
    Path conf = Files.createDirectories(home.resolve("conf"));
    Files.writeString(
        conf.resolve("hbase-site.xml"),
        "<configuration><property><name>%s</name><value>%s</value></property></configuration>"
            .formatted(name, value));
  }

  private int run(String... arguments) {
    Properties properties = new Properties();
    properties.setProperty("cairn.home", home.toString());
    CommandLine commandLine =
        new CairnCommand(
                (config, source, storage, folder, notice) -> {
                  throw new IOException("no server here");
                },
                properties,
                Map.of())
            .commandLine()
            .setOut(new PrintWriter(out, true))
            .setErr(new PrintWriter(err, true));
    return commandLine.execute(arguments);
  }

  private static Path write(Path path) throws IOException {
    return write(path, 3);
  }

  private static Path write(Path path, int rows) throws IOException {
    HFileOptions options = HFileOptions.of(FamilySchema.of("f"), CellComparator.USER);
    String row = "r%0" + Integer.toString(rows - 1).length() + "d";
    try (LocalStorage storage = new LocalStorage(path.getParent());
        HFileWriter writer =
            new HFileWriter(storage, path.getFileName().toString(), options, Clock.SYSTEM)) {
      for (int i = 0; i < rows; i++) {
        writer.append(
            Cell.put(
                row.formatted(i).getBytes(UTF_8),
                "f".getBytes(UTF_8),
                "q".getBytes(UTF_8),
                i,
                "value".getBytes(UTF_8)));
      }
      writer.finish();
    }
    return path;
  }
}
