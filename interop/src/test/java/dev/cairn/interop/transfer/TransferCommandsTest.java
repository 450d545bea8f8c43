package dev.cairn.interop.transfer;

import static org.assertj.core.api.Assertions.assertThat;

import dev.cairn.interop.index.IndexedAnswers;
import dev.cairn.interop.jobs.JobPolls;
import dev.cairn.interop.tools.CairnTool;
import dev.cairn.interop.waiting.Eventually;
import dev.cairn.interop.waiting.IndexBuild;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.CompareOperator;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Admin;
import org.apache.hadoop.hbase.client.ColumnFamilyDescriptorBuilder;
import org.apache.hadoop.hbase.client.Scan;
import org.apache.hadoop.hbase.client.Table;
import org.apache.hadoop.hbase.filter.BinaryComparator;
import org.apache.hadoop.hbase.filter.QualifierFilter;
import org.apache.hadoop.hbase.filter.SingleColumnValueFilter;
import org.apache.hadoop.hbase.mapreduce.Export;
import org.apache.hadoop.hbase.mapreduce.Import;
import org.apache.hadoop.hbase.tool.BulkLoadHFiles;
import org.apache.hadoop.hbase.util.Bytes;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Whole tables through the command line, with a server in this process. */
class TransferCommandsTest {
  private static final String[] SPLITS = {"\\x20", "\\x80", "\\xC0"};

  private static TransferServer server;

  @TempDir Path folder;

  @BeforeAll
  static void start() throws IOException {
    server = TransferServer.start();
  }

  @AfterAll
  static void stop() throws IOException {
    server.close();
  }

  private static CairnTool succeed(String command, Object... arguments) {
    CairnTool run = server.run(command, arguments);
    assertThat(run.status()).as(run.toString()).isZero();
    return run;
  }

  private static CairnTool fail(String command, Object... arguments) {
    CairnTool run = server.run(command, arguments);
    assertThat(run.status()).as(run.toString()).isNotZero();
    return run;
  }

  private List<String> visible(Path directory) throws IOException {
    try (Stream<Path> files = Files.list(directory)) {
      return files
          .map(file -> file.getFileName().toString())
          .filter(name -> !name.startsWith("."))
          .sorted()
          .toList();
    }
  }

  private static long rows(TableName table) throws IOException {
    return server.cells(table, new Scan()).stream()
        .map(cell -> cell.substring(0, cell.lastIndexOf('/', cell.lastIndexOf("/Put"))))
        .map(cell -> cell.substring(0, cell.lastIndexOf('/', cell.lastIndexOf('/') - 1)))
        .distinct()
        .count();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "--format=sequence",
        "--compress=record",
        "--compress=block",
        "--format=json",
        "--format=json --compress=gzip"
      })
  void importGivesBackWhatExportWroteWithVersionsAndMarkers(String options) throws IOException {
    TableName source = server.create(SPLITS);
    server.fill(source, options.hashCode(), 300);
    Path target = folder.resolve("out");
    Object[] arguments =
        Stream.concat(Stream.of(source, target, "--raw"), Stream.of(options.split(" "))).toArray();
    assertThat(succeed("export", arguments).out()).startsWith("Exported ");
    assertThat(visible(target)).hasSize(5).contains("_SUCCESS");
    TableName copy = server.create("\\x70");
    Object[] back =
        Stream.concat(
                Stream.of(copy, target, "--progress-dir", folder),
                Stream.of(options.split(" ")).filter(option -> option.startsWith("--format")))
            .toArray();
    assertThat(succeed("import", back).out()).startsWith("Imported ").contains(" of 4 files");
    assertThat(server.all(copy)).isEqualTo(server.all(source)).hasSizeGreaterThan(300);
    assertThat(visible(folder)).containsExactly("out");
  }

  @Test
  void apachesToolLoadsTheStoreFilesThatExportWrote() throws IOException {
    TableName source = server.create(SPLITS);
    server.fill(source, 8, 300);
    Path target = folder.resolve("out");
    succeed("export", source, target, "--raw", "--format=hfile");
    assertThat(visible(target)).containsExactly("_SUCCESS", "f", "g");
    assertThat(fail("import", source, target, "--format=hfile").err())
        .contains("completebulkload FOLDER TABLE");
    TableName copy = server.create("\\x70");
    BulkLoadHFiles.create(server.configuration())
        .bulkLoad(copy, new org.apache.hadoop.fs.Path(target.toUri()));
    assertThat(server.all(copy)).isEqualTo(server.all(source)).hasSizeGreaterThan(300);
    assertThat(fail("export", source, folder, "--format=hfile", "--compress=block").err())
        .contains("--compress is not for store files");
  }

  @Test
  void anImportIntoAnIndexedTableWritesItsIndex() throws IOException {
    TableName source = server.create(SPLITS);
    server.fill(source, 5, 300);
    server.index(source, "f:a, g:b");
    SingleColumnValueFilter filter =
        new SingleColumnValueFilter(
            Bytes.toBytes("f"), Bytes.toBytes("a"), CompareOperator.LESS, new byte[] {0x40});
    filter.setFilterIfMissing(true);
    Scan scan = new Scan().setFilter(filter);
    List<String> expected = answers(source, scan);
    assertThat(expected).hasSizeGreaterThan(10);
    for (String format : List.of("sequence", "hfile")) {
      Path target = folder.resolve(format);
      succeed("export", source, target, "--raw", "--format=" + format);
      TableName copy = server.create("\\x70");
      server.index(copy, "f:a, g:b");
      if (format.equals("hfile")) {
        BulkLoadHFiles.create(server.configuration())
            .bulkLoad(copy, new org.apache.hadoop.fs.Path(target.toUri()));
      } else {
        succeed("import", copy, target, "--progress-dir", folder);
      }
      assertThat(answers(copy, scan)).as(format).isEqualTo(expected);
    }
  }

  private static List<String> answers(TableName name, Scan scan) throws IOException {
    try (Admin admin = server.connection().getAdmin();
        Table table = server.connection().getTable(name)) {
      IndexBuild.await(admin, name, 0);
      return IndexedAnswers.byIndex(table, scan);
    }
  }

  @Test
  void anExportIsOfTheRowsTimesVersionsAndColumnsThatAreAskedFor() throws IOException {
    TableName source = server.create(SPLITS);
    server.fill(source, 1, 300);
    Path target = folder.resolve("out");
    succeed(
        "export",
        source,
        target,
        "--start-row=\\x10",
        "--stop-row=\\xA0",
        "--start-time=3",
        "--end-time=8",
        "--versions=2",
        "--families=f,g:b",
        "--filter=KeyOnlyFilter()");
    TableName copy = server.create();
    succeed("import", copy, target, "--progress-dir", folder);
    Scan scan =
        new Scan()
            .withStartRow(new byte[] {0x10})
            .withStopRow(new byte[] {(byte) 0xa0})
            .setTimeRange(3, 8)
            .readVersions(2)
            .addFamily(Bytes.toBytes("f"))
            .addColumn(Bytes.toBytes("g"), Bytes.toBytes("b"))
            .setFilter(new org.apache.hadoop.hbase.filter.KeyOnlyFilter());
    assertThat(server.all(copy)).isEqualTo(server.cells(source, scan)).isNotEmpty();
  }

  @Test
  void aStoppedExportGoesOnAndKeepsWhatIsFinished() throws IOException {
    TableName source = server.create("m");
    server.put(source, "a", "f", Bytes.toBytes("one"));
    server.put(source, "x", "f", Bytes.toBytes("tab\there"));
    Path target = folder.resolve("out");
    Object[] command = {
      source, target, "--format=tsv", "--columns=HBASE_ROW_KEY,f:a", "--threads=1"
    };
    CairnTool stopped = fail("export", command);
    assertThat(stopped.err()).contains("row x does not fit into TSV: f:a has the separator");
    assertThat(visible(target)).contains("part-m-00000.tsv").doesNotContain("_SUCCESS");
    assertThat(fail("import", source, target, "--progress-dir", folder).err())
        .contains("is of an export that was stopped");
    assertThat(fail("export", source, target).err()).contains("is of another command");

    server.put(source, "a", "f", Bytes.toBytes("later"));
    server.put(source, "x", "f", Bytes.toBytes("two"));
    assertThat(succeed("export", command).out())
        .contains("With the earlier run: 2 rows in 2 files");
    assertThat(target.resolve("part-m-00000.tsv")).hasContent("a\tone");
    assertThat(target.resolve("part-m-00001.tsv")).hasContent("x\ttwo");
    assertThat(visible(target)).containsExactly("_SUCCESS", "part-m-00000.tsv", "part-m-00001.tsv");
    assertThat(fail("export", command).err()).contains("holds a finished export");
  }

  @Test
  void anExportThatWasKilledWhileItBeganItsJournalIsRepeated() throws IOException {
    TableName source = server.create();
    server.put(source, "a", "f", Bytes.toBytes("one"));
    Path target = Files.createDirectory(folder.resolve("out"));
    Files.writeString(target.resolve("_progress.new"), "jo");
    assertThat(succeed("export", source, target).out()).startsWith("Exported 1 row ");
    assertThat(visible(target)).containsExactly("_SUCCESS", "part-m-00000");
    assertThat(target.resolve("_progress.new")).doesNotExist();
  }

  @Test
  void anExportThatWasKilledBeforeItDeletedItsJournalIsFinished() throws IOException {
    TableName source = server.create("m");
    server.put(source, "a", "f", Bytes.toBytes("one"));
    server.put(source, "x", "f", Bytes.toBytes("tab\there"));
    Path target = folder.resolve("out");
    Object[] command = {
      source, target, "--format=tsv", "--columns=HBASE_ROW_KEY,f:a", "--threads=1"
    };
    fail("export", command);
    server.put(source, "x", "f", Bytes.toBytes("two"));
    Files.createFile(target.resolve("_SUCCESS"));
    succeed("export", command);
    assertThat(visible(target)).containsExactly("_SUCCESS", "part-m-00000.tsv", "part-m-00001.tsv");
    assertThat(fail("export", command).err()).contains("holds a finished export");
  }

  @Test
  void aLargeRegionHasSeveralFilesAndGoesOnAfterTheLast() throws IOException {
    TableName source = server.create();
    byte[] large = new byte[700_000];
    for (String row : List.of("a", "b", "c", "d")) {
      server.put(source, row, "f", large);
    }
    server.put(source, "e", "f", Bytes.toBytes("tab\there"));
    Path target = folder.resolve("out");
    Object[] command = {
      source, target, "--format=tsv", "--columns=HBASE_ROW_KEY,f:a", "--file-size=1"
    };
    fail("export", command);
    server.put(source, "a", "f", Bytes.toBytes("later"));
    server.put(source, "e", "f", Bytes.toBytes("end"));
    assertThat(succeed("export", command).out())
        .startsWith("Exported 1 row ")
        .contains("With the earlier run: 5 rows in 3 files");
    assertThat(target.resolve("part-m-00000-00002.tsv")).hasContent("e\tend");
    assertThat(target.resolve("part-m-00000.tsv")).hasSize(2 * (large.length + 3));
  }

  @Test
  void aStoppedImportGoesOnAfterTheFinishedFiles() throws IOException {
    TableName target = server.create();
    Path source = Files.createDirectory(folder.resolve("in"));
    Files.writeString(source.resolve("1"), "a\t1\nb\t2\n");
    Files.writeString(source.resolve("2"), "c\t1\nd\n");
    Files.writeString(source.resolve("_hidden"), "what");
    Path progress = Files.createDirectory(folder.resolve("progress"));
    Object[] command = {
      target,
      source,
      "--format=tsv",
      "--columns=HBASE_ROW_KEY,f:a",
      "--threads=1",
      "--progress-dir",
      progress
    };
    assertThat(fail("import", command).err())
        .contains("/2, line 2: 1 fields instead of the 2 of --columns");
    assertThat(visible(progress)).hasSize(1);
    Files.writeString(source.resolve("2"), "c\t1\nd\t4\n");
    CairnTool done = succeed("import", command);
    assertThat(done.out())
        .startsWith("Imported 2 rows")
        .contains(" of 1 file into ", "An earlier run imported 1 file.");
    assertThat(server.all(target)).hasSize(4);
    assertThat(visible(progress)).isEmpty();
    assertThat(fail("import", target, folder).err()).contains(" has the folder ");
  }

  @Test
  void anImportWritesOnlyTheSelectedRowsTimesColumnsAndCells() throws IOException {
    TableName source = server.create(SPLITS);
    server.fill(source, 4, 300);
    Path exported = folder.resolve("out");
    succeed("export", source, exported, "--raw");
    assertThat(
            succeed(
                    "import",
                    server.create(),
                    exported,
                    "--progress-dir=" + folder,
                    "--filter=PrefixFilter('no such row')")
                .out())
        .startsWith("Imported 0 rows");
    TableName part = server.create();
    succeed(
        "import",
        part,
        exported,
        "--progress-dir=" + folder,
        "--start-row=\\x10",
        "--stop-row=\\xA0",
        "--start-time=3",
        "--end-time=8",
        "--families=f,g:b",
        "--filter=PrefixFilter('!') OR KeyOnlyFilter()");
    Scan scan =
        new Scan()
            .withStartRow(new byte[] {0x10})
            .withStopRow(new byte[] {(byte) 0xa0})
            .setTimeRange(3, 8)
            .setRaw(true)
            .readAllVersions()
            .setFilter(new org.apache.hadoop.hbase.filter.KeyOnlyFilter());
    assertThat(server.all(part))
        .isNotEmpty()
        .isEqualTo(
            server.cells(source, scan).stream()
                .filter(cell -> cell.contains("/f:") || cell.contains("/g:b/"))
                .toList());

    TableName firsts = server.create();
    succeed(
        "import",
        firsts,
        exported,
        "--progress-dir=" + folder,
        "--filter=ColumnPrefixFilter('b') AND ColumnCountGetFilter(1)");
    assertThat(server.all(firsts))
        .isNotEmpty()
        .isSubsetOf(server.all(source))
        .allSatisfy(cell -> assertThat(cell).containsPattern("/[fg]:b/"));
    assertThat(rows(firsts)).isEqualTo(server.all(firsts).size());
  }

  @Test
  void anImportRenamesFamilies() throws IOException {
    TableName source = server.create(SPLITS);
    server.fill(source, 5, 200);
    Path exported = folder.resolve("out");
    succeed("export", source, exported, "--raw");
    TableName renamed = server.create();
    succeed(
        "import",
        renamed,
        exported,
        "--progress-dir=" + folder,
        "--families=f",
        "--rename-families=f:g");
    assertHasFamilyFAsG(renamed, source);
    assertThat(fail("import", renamed, exported, "--rename-families=f").err())
        .contains("--rename-families has f instead of OLD:NEW");
  }

  @Test
  void aCopyWritesOnlyTheSelectedRowsAndCells() throws IOException {
    TableName source = server.create(SPLITS);
    server.fill(source, 6, 300);
    TableName target = server.create();
    succeed(
        "copy",
        source,
        target,
        "--progress-dir=" + folder,
        "--start-row=\\x10",
        "--stop-row=\\xA0",
        "--versions=2",
        "--filter=QualifierFilter(=, 'binary:b')");
    Scan scan =
        new Scan()
            .withStartRow(new byte[] {0x10})
            .withStopRow(new byte[] {(byte) 0xa0})
            .readVersions(2)
            .setFilter(
                new QualifierFilter(
                    CompareOperator.EQUAL, new BinaryComparator(Bytes.toBytes("b"))));
    assertThat(server.all(target)).isEqualTo(server.cells(source, scan)).isNotEmpty();
  }

  /** Checks that {@code target} has all cells of the family {@code f}, in the family {@code g}. */
  private void assertHasFamilyFAsG(TableName target, TableName source) throws IOException {
    Scan scan = new Scan().setRaw(true).readAllVersions().addFamily(Bytes.toBytes("f"));
    assertThat(server.all(target))
        .isNotEmpty()
        .isEqualTo(
            server.cells(source, scan).stream()
                .map(cell -> cell.replaceFirst("/f:", "/g:"))
                .toList());
  }

  @Test
  void aCopyRenamesFamilies() throws IOException {
    TableName source = server.create(SPLITS);
    server.fill(source, 7, 300);
    TableName target = server.create();
    succeed(
        "copy",
        source,
        target,
        "--progress-dir=" + folder,
        "--raw",
        "--families=f",
        "--rename-families=f:g");
    assertHasFamilyFAsG(target, source);
    assertThat(fail("copy", source, target, "--rename-families=f:g,f:h").err())
        .contains("--rename-families has f twice");
  }

  @Test
  void aStoppedCopyContinuesInTheMiddleOfARegion() throws IOException {
    TableName source = server.create();
    byte[] large = new byte[800_000];
    for (String row : List.of("a", "b", "c")) {
      server.put(source, row, "f", large);
    }
    TableName target = server.create();
    try (Admin admin = server.connection().getAdmin()) {
      admin.addColumnFamily(source, ColumnFamilyDescriptorBuilder.of("h"));
      server.put(source, "d", "h", Bytes.toBytes("not there"));
      Object[] command = {source, target, "--progress-dir", folder};
      assertThat(fail("copy", command).err()).contains("has no family h. Add it");
      admin.addColumnFamily(target, ColumnFamilyDescriptorBuilder.of("h"));
      server.put(source, "a", "f", Bytes.toBytes("changed meanwhile"));
      assertThat(succeed("copy", command).out())
          .startsWith("Copied 1 row ")
          .contains("With the earlier run: 4 rows.");
    }
    assertThat(server.all(target)).hasSize(4).first().asString().hasSizeGreaterThan(large.length);
  }

  /** Interrupts the command while it waits for a region that is on no server. */
  @Test
  @EnabledOnOs(OS.LINUX)
  void anInterruptedExportOfStoreFilesNamesTheCommandThatContinuesIt() throws Exception {
    TableName source = server.create(SPLITS);
    server.fill(source, 9, 300);
    Path target = folder.resolve("out");
    Object[] command = {source, target, "--raw", "--format=hfile", "--threads=1"};
    try (Admin admin = server.connection().getAdmin()) {
      byte[] third = admin.getRegions(source).get(2).getRegionName();
      admin.unassign(third);
      Path output = folder.resolve("output");
      Process process = server.launch(output, "export", command);
      try {
        Eventually.holds(
            () -> Files.exists(target.resolve("f/part-m-00001")) || !process.isAlive(),
            "the second region is exported");
        new ProcessBuilder("kill", "-INT", Long.toString(process.pid())).start().waitFor();
        assertThat(process.waitFor()).as(Files.readString(output)).isEqualTo(130);
      } finally {
        process.destroyForcibly();
      }
      assertThat(output)
          .content()
          .contains("cairn: stopped. Run the same command again to continue");
      assertThat(visible(target)).doesNotContain("_SUCCESS");
      admin.assign(third);
    }
    assertThat(succeed("export", command).out()).contains("With the earlier run");
    assertThat(visible(target)).containsExactly("_SUCCESS", "f", "g");
    TableName copy = server.create();
    BulkLoadHFiles.create(server.configuration())
        .bulkLoad(copy, new org.apache.hadoop.fs.Path(target.toUri()));
    assertThat(server.all(copy)).isEqualTo(server.all(source)).hasSizeGreaterThan(300);
  }

  @Test
  void aCopyHasTheSameCellsAndGoesOnAfterTheFinishedRegions() throws IOException {
    TableName source = server.create(SPLITS);
    server.fill(source, 2, 300);
    TableName target = server.create();
    Object[] command = {source, target, "--raw", "--threads=1", "--progress-dir", folder};
    try (Admin admin = server.connection().getAdmin()) {
      admin.addColumnFamily(source, ColumnFamilyDescriptorBuilder.of("h"));
      server.put(source, "~", "h", Bytes.toBytes("not there"));
      assertThat(fail("copy", command).err())
          .contains("table " + target + " has no family h. Add it");
      assertThat(visible(folder)).hasSize(1);
      admin.addColumnFamily(target, ColumnFamilyDescriptorBuilder.of("h"));
    }
    assertThat(succeed("copy", command).out()).contains("With the earlier run");
    assertThat(server.all(target)).isEqualTo(server.all(source)).hasSizeGreaterThan(300);
    assertThat(visible(folder)).isEmpty();
    assertThat(succeed("compare", source, target, "--raw").out()).contains("0 with other cells");
  }

  @Test
  void aCopyGoesToAnotherCluster() throws IOException {
    TableName source = server.create(SPLITS);
    server.fill(source, 3, 100);
    try (TransferServer other = TransferServer.start()) {
      TableName target = other.create();
      String cluster = other.quorum() + ":/hbase";
      succeed("copy", source, target, "--raw", "--to-cluster", cluster, "--progress-dir", folder);
      assertThat(other.all(target)).isEqualTo(server.all(source)).isNotEmpty();
      succeed("compare", source, target, "--to-cluster", cluster);
    }
  }

  @Test
  void compareNamesTheRowsThatDiffer() throws IOException {
    TableName a = server.create("m");
    TableName b = server.create("c", "x");
    for (String row : List.of("same", "left", "value")) {
      server.put(a, row, "f", Bytes.toBytes("v"));
    }
    for (String row : List.of("same", "right")) {
      server.put(b, row, "f", Bytes.toBytes("v"));
    }
    server.put(b, "value", "f", Bytes.toBytes("w"));
    CairnTool differ = server.run("compare", a, b);
    assertThat(differ.status()).isEqualTo(1);
    assertThat(differ.out())
        .contains("only in A  left\n", "only in B  right\n", "differs    value  from f:a of 5 on\n")
        .contains("1 only there, 1 only in table " + b + ", 1 with other cells");
    CairnTool first = server.run("compare", a, b, "--max-differences=1", "--threads=1");
    assertThat(first.status()).isEqualTo(1);
    assertThat(first.out().lines()).hasSize(2).last().asString().startsWith("Ended at");
    assertThat(server.run("compare", a, b, "--stop-row=k").status()).isZero();
    assertThat(server.run("compare", a, "missing").status()).isEqualTo(2);
  }

  @Test
  void compareFindsFewDifferencesAmongManyRowsWhateverTheRegions() throws IOException {
    TableName a = server.create(SPLITS);
    TableName b = server.create("\\x50", "\\xA0");
    for (TableName table : List.of(a, b)) {
      server.fill(table, 7, 6000);
    }
    String same = "Compared %,d rows of".formatted(rows(a));
    assertThat(succeed("compare", a, b).out()).startsWith(same);
    server.put(a, "only in a", "g", Bytes.toBytes("v"));
    server.put(b, "~only in b", "g", Bytes.toBytes("v"));
    CairnTool differ = server.run("compare", a, b, "--raw", "--versions=5");
    assertThat(differ.status()).isEqualTo(1);
    assertThat(differ.out().lines())
        .hasSize(3)
        .contains("only in A  only in a", "only in B  ~only in b");
  }

  @Test
  void countCountsRowsAndAddsUpCounters() throws IOException {
    TableName table = server.create(SPLITS);
    server.fill(table, 4, 500);
    assertThat(succeed("count", table).out()).startsWith("Counted " + rows(table) + " rows ");
    for (int i = 0; i < 10; i++) {
      server.put(table, i + "~counter", "h".replace('h', 'f'), Bytes.toBytes((long) i));
    }
    assertThat(
            succeed("count", table, "--sum=f:a", "--filter=RowFilter(=,'substring:~counter')")
                .out())
        .startsWith("Sum of f:a: 45\nCounted 10 rows ");
    server.put(table, "5~text", "f", Bytes.toBytes("five"));
    assertThat(fail("count", table, "--sum=f:a").err()).contains("only counters");
  }

  @Test
  void mistakesAreToldInOneLine() throws IOException {
    TableName table = server.create();
    assertThat(fail("count", "missing").err()).isEqualTo("cairn: table missing does not exist\n");
    assertThat(fail("count", table, "--filter=Nonsense(").err()).startsWith("cairn: --filter: ");
    assertThat(fail("count", table, "--start-time=noon").err()).contains("write milliseconds");
    assertThat(fail("import", table, folder.resolve("none")).err()).contains("does not exist");
    Files.writeString(folder.resolve("text"), "a\tb\n");
    assertThat(fail("export", table, folder).err()).contains("is not empty");
    assertThat(fail("import", table, folder, "--progress-dir", folder).err())
        .contains("text is not a sequence file");
    assertThat(fail("export", table, folder.resolve("new"), "--format=tsv").err())
        .contains("needs --columns");
  }

  @Test
  void apachesImportReadsWhatExportWrote() throws Exception {
    apachesImportReads("block");
  }

  @ParameterizedTest
  @Tag("long")
  @ValueSource(strings = {"none", "record"})
  void apachesImportReadsOtherCompressions(String compression) throws Exception {
    apachesImportReads(compression);
  }

  private void apachesImportReads(String compression) throws Exception {
    TableName source = server.create(SPLITS);
    server.fill(source, 5, 200);
    Path target = folder.resolve(compression);
    succeed("export", source, target, "--raw", "--compress", compression);
    TableName copy = server.create();
    assertThat(
            Import.createSubmittableJob(local(), new String[] {copy + "", target.toString()})
                .waitForCompletion(false))
        .isTrue();
    assertThat(server.all(copy)).isEqualTo(server.all(source)).isNotEmpty();
  }

  @Test
  void importReadsWhatApachesExportWrote() throws Exception {
    importReadsWhatApacheExports("BLOCK");
  }

  @ParameterizedTest
  @Tag("long")
  @ValueSource(strings = {"NONE", "RECORD"})
  void importReadsOtherCompressionsOfApachesExport(String compression) throws Exception {
    importReadsWhatApacheExports(compression);
  }

  private void importReadsWhatApacheExports(String compression) throws Exception {
    TableName source = server.create(SPLITS);
    server.fill(source, 6, 200);
    Path output = folder.resolve(compression);
    Configuration settings = local();
    settings.setBoolean("hbase.mapreduce.include.deleted.rows", true);
    settings.setBoolean("mapreduce.output.fileoutputformat.compress", !compression.equals("NONE"));
    settings.set("mapreduce.output.fileoutputformat.compress.type", compression);
    assertThat(
            Export.createSubmittableJob(
                    settings, new String[] {source + "", output.toString(), "9"})
                .waitForCompletion(false))
        .isTrue();
    TableName copy = server.create();
    succeed("import", copy, output, "--progress-dir", folder);
    assertThat(server.all(copy)).isEqualTo(server.all(source)).isNotEmpty();
  }

  /** Returns the settings of a job that runs in this process. */
  private Configuration local() {
    Configuration configuration = server.configuration();
    configuration.set("mapreduce.framework.name", "local");
    JobPolls.shorten(configuration);
    configuration.set("mapreduce.cluster.local.dir", folder.resolve("local").toString());
    configuration.set("hadoop.tmp.dir", folder.resolve("tmp").toString());
    configuration.set(
        "mapreduce.jobtracker.staging.root.dir", folder.resolve("staging").toString());
    return configuration;
  }
}
