package dev.cairn.interop.jobs;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.conf.Configured;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Admin;
import org.apache.hadoop.hbase.filter.PrefixFilter;
import org.apache.hadoop.hbase.mapreduce.CellCounter;
import org.apache.hadoop.hbase.mapreduce.CopyTable;
import org.apache.hadoop.hbase.mapreduce.Export;
import org.apache.hadoop.hbase.mapreduce.HashTable;
import org.apache.hadoop.hbase.mapreduce.Import;
import org.apache.hadoop.hbase.mapreduce.ImportTsv;
import org.apache.hadoop.hbase.mapreduce.RowCounter;
import org.apache.hadoop.hbase.mapreduce.SyncTable;
import org.apache.hadoop.hbase.mapreduce.WALPlayer;
import org.apache.hadoop.hbase.mapreduce.replication.VerifyReplication;
import org.apache.hadoop.hbase.tool.BulkLoadHFiles;
import org.apache.hadoop.mapreduce.Job;

/** The bundled jobs, each with arguments as users give them. */
enum BundledJobs {
  ROW_COUNTER {
    @Override
    void run(JobSite site, JobReport report) throws Exception {
      for (Object[] arguments :
          new Object[][] {
            {JobSite.SOURCE},
            {JobSite.SOURCE, "--range=r03,r12", "g:q", "f:q"},
            {JobSite.SOURCE, "--starttime=15", "--endtime=25", "--expected-count=15"},
            {JobSite.SOURCE, "--countDeleteMarkers"},
          }) {
        report.lines("rowcounter " + Arrays.toString(arguments), List.of());
        report.run(rowCounter(site.configuration(), arguments));
      }
    }
  },

  CELL_COUNTER {
    @Override
    void run(JobSite site, JobReport report) throws Exception {
      Path all = site.path("cells");
      report
          .run(CellCounter.createSubmittableJob(site.configuration(), texts(SOURCE, all, ":")))
          .lines("output", JobFiles.text(all));
      Path some = site.path("somecells");
      report
          .run(
              CellCounter.createSubmittableJob(
                  site.configuration(),
                  texts(SOURCE, some, "/", "^r0", "--starttime=15", "--endtime=30")))
          .lines("output", JobFiles.text(some));
    }
  },

  IMPORT_TSV_PUTS {
    @Override
    void run(JobSite site, JobReport report) throws Exception {
      TableName table = site.create("tsvputs", "r20");
      report.run(Tsv.job(tsv(site), texts(table, lines(site, "tsvputs")))).table(table);
    }
  },

  IMPORT_TSV_FILES {
    @Override
    void run(JobSite site, JobReport report) throws Exception {
      TableName table = site.create("tsvfiles", "r20");
      Path files = site.path("tsvstore");
      Configuration configuration = tsv(site);
      configuration.set("importtsv.bulk.output", files.toString());
      report
          .run(Tsv.job(configuration, texts(table, lines(site, "tsvfiles"))))
          .lines("files", JobFiles.storeFiles(files))
          .table(table);
      BulkLoadHFiles.create(site.configuration()).bulkLoad(table, hadoop(files));
      report.table(table);
    }
  },

  COMPLETE_BULK_LOAD_OF_OTHER_REGIONS {
    @Override
    void run(JobSite site, JobReport report) throws Exception {
      TableName written = site.create("written", "r20");
      TableName loaded = site.create("loaded", "r05", "r22");
      site.put(loaded, "f", 0, 4, 1004, "before");
      Path files = site.path("store");
      Configuration configuration = tsv(site);
      configuration.set("importtsv.bulk.output", files.toString());
      report.run(Tsv.job(configuration, texts(written, lines(site, "store"))));
      BulkLoadHFiles.create(site.configuration()).bulkLoad(loaded, hadoop(files));
      report.table(loaded);
    }
  },

  EXPORT_AND_IMPORT {
    @Override
    void run(JobSite site, JobReport report) throws Exception {
      Path output = site.path("exported");
      Configuration raw = site.configuration();
      raw.setBoolean("hbase.mapreduce.include.deleted.rows", true);
      report
          .run(Export.createSubmittableJob(raw, texts(SOURCE, output, 3)))
          .lines("files", JobFiles.sequences(output));
      TableName copy = site.create("imported", "r15");
      report
          .run(Import.createSubmittableJob(site.configuration(), texts(copy, output)))
          .table(copy);
      Configuration filtered = site.configuration();
      filtered.set("HBASE_IMPORTER_RENAME_CFS", "f:g");
      filtered.set(Import.FILTER_CLASS_CONF_KEY, PrefixFilter.class.getName());
      filtered.setStrings("import.filter.args", "r1");
      TableName renamed = site.create("renamed");
      report.run(Import.createSubmittableJob(filtered, texts(renamed, output))).table(renamed);
      Configuration bulk = site.configuration();
      Path files = site.path("importfiles");
      bulk.set("import.bulk.output", files.toString());
      bulk.setBoolean("import.bulk.hasLargeResult", true);
      report
          .run(Import.createSubmittableJob(bulk, texts(renamed, output)))
          .lines("files", JobFiles.storeFiles(files));
      Path part = site.path("exportedpart");
      report
          .run(
              Export.createSubmittableJob(
                  site.configuration(), texts(SOURCE, part, 1, 15, 25, "^r.[5-9]")))
          .lines("files", JobFiles.sequences(part));
    }
  },

  COPY_TABLE {
    @Override
    void run(JobSite site, JobReport report) throws Exception {
      TableName copy = site.create("copied", "r30");
      CopyTable all = configured(new CopyTable(), site);
      report.run(all.createSubmittableJob(texts("--new.name=" + copy, "--all.cells", SOURCE)));
      report.table(copy);
      TableName part = site.create("copiedpart");
      CopyTable some = configured(new CopyTable(), site);
      report
          .run(
              some.createSubmittableJob(
                  texts(
                      "--new.name=" + part,
                      "--families=f:g",
                      "--startrow=r04",
                      "--stoprow=r16",
                      "--versions=2",
                      "--peer.adr=" + site.quorum(),
                      SOURCE)))
          .table(part);
      TableName bulk = site.create("copiedfiles", "r12");
      CopyTable files = configured(new CopyTable(), site);
      int status = files.run(texts("--new.name=" + bulk, "--bulkload", SOURCE));
      report.lines("status " + status, List.of()).table(bulk);
    }
  },

  HASH_TABLE_AND_SYNC_TABLE {
    @Override
    void run(JobSite site, JobReport report) throws Exception {
      Path hashes = site.path("hashes");
      report
          .counters(
              Hashing.run(
                  site,
                  "--batchsize=100",
                  "--numhashfiles=2",
                  "--versions=2",
                  SOURCE.toString(),
                  hashes.toString()))
          .lines("files", JobFiles.sequences(hashes.resolve("hashes")))
          .lines(
              "manifest",
              Files.readAllLines(hashes.resolve("manifest")).stream()
                  .filter(line -> !line.startsWith("#"))
                  .sorted()
                  .toList());
      TableName target = site.create("synced", "r12");
      site.put(target, "f", 0, 39, 10, "old");
      site.put(target, "f", 5, 20, 20, "newer");
      site.put(target, "f", 22, 23, 20, "other");
      site.put(target, "g", 0, 4, 10, "g");
      site.put(target, "g", 6, 9, 10, "G");
      for (String mode : List.of("--dryrun=true", "--doDeletes=false", "--doDeletes=true")) {
        report
            .lines("synctable " + mode, List.of())
            .counters(
                Syncing.run(site, mode, hashes.toString(), SOURCE.toString(), target.toString()))
            .table(target);
      }
    }
  },

  VERIFY_REPLICATION {
    @Override
    void run(JobSite site, JobReport report) throws Exception {
      TableName peer = site.create("peer", "r15");
      site.put(peer, "f", 0, 39, 10, "old");
      site.put(peer, "f", 5, 20, 20, "newer");
      site.put(peer, "g", 0, 5, 10, "g");
      site.put(peer, "g", 6, 8, 10, "G");
      site.put(peer, "f", 45, 47, 10, "more");
      for (Object[] options :
          new Object[][] {
            {},
            {"--versions=3", "--raw", "--verbose"},
            {"--starttime=15", "--endtime=25"},
            {"--row-prefixes=r1,r2", "--families=f"},
            {"--recomparesleep=1", "--recompareTries=1"},
          }) {
        List<Object> arguments = new ArrayList<>(Arrays.asList(options));
        arguments.addAll(List.of("--peerTableName=" + peer, site.quorum(), SOURCE));
        report
            .lines("verifyrep " + Arrays.toString(options), List.of())
            .run(
                new VerifyReplication()
                    .createSubmittableJob(site.configuration(), texts(arguments.toArray())));
      }
    }
  },

  EXPORT_SNAPSHOT {
    @Override
    void run(JobSite site, JobReport report) throws Exception {
      try (Admin admin = site.connection().getAdmin()) {
        admin.snapshot("picture", SOURCE);
        Path exported = site.path("exportedsnapshots");
        for (String target : List.of("first", "second")) {
          report.lines(
              "counters of " + target,
              SnapshotExport.run(
                  site.configuration(),
                  texts(
                      "-snapshot",
                      "picture",
                      "-target",
                      target,
                      "-copy-to",
                      exported.toUri(),
                      "-mappers",
                      2,
                      "-no-checksum-verify")));
        }
        admin.deleteSnapshot("picture");
      }
    }
  },

  WAL_PLAYER {
    @Override
    void run(JobSite site, JobReport report) throws Exception {
      Path log = site.directory("wals");
      HandmadeLog.write(site.configuration(), log.resolve("handmade.1000000"), SOURCE);
      TableName played = site.create("played", "r20");
      WALPlayer player = configured(new WALPlayer(), site);
      report.run(player.createSubmittableJob(texts(log, SOURCE, played))).table(played);
      Configuration bulk = site.configuration();
      Path files = site.path("walfiles");
      bulk.set(WALPlayer.BULK_OUTPUT_CONF_KEY, files.toString());
      WALPlayer writer = new WALPlayer();
      writer.setConf(bulk);
      report
          .run(writer.createSubmittableJob(texts(log, SOURCE, played)))
          .lines("files", JobFiles.storeFiles(files));
    }
  };

  private static final TableName SOURCE = JobSite.SOURCE;

  /** Runs the job with several arguments, and reports on each run. */
  abstract void run(JobSite site, JobReport report) throws Exception;

  private static String[] texts(Object... arguments) {
    return Arrays.stream(arguments).map(Object::toString).toArray(String[]::new);
  }

  private static org.apache.hadoop.fs.Path hadoop(Path path) {
    return new org.apache.hadoop.fs.Path(path.toUri());
  }

  private static <T extends Configured> T configured(T tool, JobSite site) {
    tool.setConf(site.configuration());
    return tool;
  }

  @SuppressWarnings("deprecation")
  private static Job rowCounter(Configuration configuration, Object... arguments)
      throws IOException {
    return RowCounter.createSubmittableJob(configuration, texts(arguments));
  }

  private static Configuration tsv(JobSite site) {
    Configuration configuration = site.configuration();
    configuration.set("importtsv.columns", "HBASE_ROW_KEY,HBASE_TS_KEY,f:text,g:number");
    configuration.set("importtsv.separator", "|");
    return configuration;
  }

  /** Writes lines, of which some are bad, and returns their folder. */
  private static Path lines(JobSite site, String name) throws IOException {
    List<String> lines = new ArrayList<>();
    for (int i = 0; i < 30; i++) {
      lines.add("r%02d|%d|text %d|%d".formatted(i, 1000 + i, i, i * i));
    }
    lines.add("too short");
    lines.add("r31|no time|text|1");
    lines.add("r32|7|too|many|fields");
    Path folder = site.directory(name + "lines");
    Files.write(folder.resolve("lines.txt"), lines);
    return folder;
  }

  private static final class Tsv extends ImportTsv {
    static Job job(Configuration configuration, String[] arguments)
        throws IOException, ClassNotFoundException {
      return createSubmittableJob(configuration, arguments);
    }
  }

  private static final class Hashing extends HashTable {
    private Job job;

    private Hashing(Configuration configuration) {
      super(configuration);
    }

    static Job run(JobSite site, String... arguments) throws Exception {
      Hashing tool = new Hashing(site.configuration());
      assertThat(tool.run(arguments)).isZero();
      return tool.job;
    }

    @Override
    public Job createSubmittableJob(String[] arguments) throws IOException {
      job = super.createSubmittableJob(arguments);
      return job;
    }
  }

  private static final class Syncing extends SyncTable {
    private Job job;

    private Syncing(Configuration configuration) {
      super(configuration);
    }

    static Job run(JobSite site, String... arguments) throws Exception {
      Syncing tool = new Syncing(site.configuration());
      assertThat(tool.run(arguments)).isZero();
      return tool.job;
    }

    @Override
    public Job createSubmittableJob(String[] arguments) throws IOException {
      job = super.createSubmittableJob(arguments);
      return job;
    }
  }
}
