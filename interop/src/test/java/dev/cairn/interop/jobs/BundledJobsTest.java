package dev.cairn.interop.jobs;

import static org.assertj.core.api.Assertions.assertThat;

import dev.cairn.interop.process.ApacheHBase;
import dev.cairn.testing.CairnServer;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Locale;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * The counters and the output of each bundled job are those of the same job on Apache HBase 2.6.4.
 * HBase's reports are recorded. The tests tagged {@code long} run the jobs on HBase, and with
 * {@code -Dcairn.rewrite=true} record its reports.
 */
class BundledJobsTest {
  private static final Path REPORTS = Path.of("src/test/resources/jobs");

  /** Cairn's reports, to be compared with {@code diff}. */
  private static final Path OURS = Path.of("target/jobs");

  @TempDir static Path folder;
  private static CairnServer cairn;
  private static JobSite site;

  @BeforeAll
  static void start() throws IOException {
    cairn = CairnServer.builder().folder(folder.resolve("cairn")).start();
    site = JobSite.open(cairn.configuration(), folder.resolve("cairn"), folder.resolve("ours"));
  }

  @AfterAll
  static void stop() throws IOException {
    site.close();
    cairn.close();
  }

  /** The jobs on HBase, if the long form runs. */
  private static final class Peer implements AutoCloseable {
    private static Peer started;
    private final ApacheHBase hbase;
    private final JobSite site;

    private Peer(ApacheHBase hbase, JobSite site) {
      this.hbase = hbase;
      this.site = site;
    }

    static JobSite site() throws Exception {
      if (started == null) {
        ApacheHBase hbase = ApacheHBase.in(folder.resolve("hbase")).start();
        started =
            new Peer(
                hbase,
                JobSite.open(hbase.configuration(), hbase.dataFolder(), folder.resolve("theirs")));
      }
      return started.site;
    }

    @Override
    public void close() throws Exception {
      site.close();
      hbase.close();
    }
  }

  @AfterAll
  static void stopPeer() throws Exception {
    if (Peer.started != null) {
      Peer.started.close();
      Peer.started = null;
    }
  }

  private static String report(BundledJobs job, JobSite site) throws Exception {
    JobReport report = new JobReport(site);
    job.run(site, report);
    return report.text();
  }

  private static Path recorded(BundledJobs job) {
    return REPORTS.resolve(job.name().toLowerCase(Locale.ROOT) + ".txt");
  }

  @ParameterizedTest
  @EnumSource
  void countersAndOutputAreThoseThatHBaseGave(BundledJobs job) throws Exception {
    String report = report(job, site);
    Files.createDirectories(OURS);
    Files.writeString(OURS.resolve(recorded(job).getFileName()), report);
    assertThat(report).isEqualTo(Files.readString(recorded(job)));
  }

  @ParameterizedTest
  @EnumSource
  @Tag("long")
  void theReportsAreHBases(BundledJobs job) throws Exception {
    String report = report(job, Peer.site());
    if (Boolean.getBoolean("cairn.rewrite")) {
      Files.createDirectories(REPORTS);
      Files.writeString(recorded(job), report);
    }
    assertThat(report).isEqualTo(Files.readString(recorded(job)));
  }
}
