package dev.cairn.server.hadoop;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.cairn.engine.time.Clock;
import dev.cairn.server.config.SiteConfigLoader;
import dev.cairn.server.rpc.FreePorts;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import org.apache.hadoop.conf.Configuration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A root directory that cannot be used is refused with one line that says why. */
class HadoopRootTest {
  private final SkippingClock clock = new SkippingClock();
  private final List<String> notices = new ArrayList<>();

  @TempDir private Path folder;

  /** A clock whose pauses take no time. */
  private static final class SkippingClock implements Clock {
    private long parkedNanos;

    @Override
    public long currentTimeMillis() {
      return Clock.SYSTEM.currentTimeMillis();
    }

    @Override
    public long nanoTime() {
      return Clock.SYSTEM.nanoTime() + parkedNanos;
    }

    @Override
    public void park(long nanos) {
      parkedNanos += nanos;
    }
  }

  @Test
  void aNameNodeThatDoesNotAnswerForAMinute() {
    Configuration settings = new Configuration();
    settings.setInt("ipc.client.connect.max.retries", 0);
    int port = FreePorts.find();
    assertThatThrownBy(() -> open("hdfs://127.0.0.1:" + port + "/hbase", settings))
        .isInstanceOf(IOException.class)
        .hasMessage(
            "The NameNode of hdfs://127.0.0.1:"
                + port
                + "/hbase does not answer (hbase.rootdir): Connection refused");
    assertThat(notices)
        .last()
        .isEqualTo("Waiting for the NameNode of hdfs://127.0.0.1:" + port + "/hbase to start");
    assertThat(clock.parkedNanos).isGreaterThan(TimeUnit.SECONDS.toNanos(20));
  }

  @Test
  void aNameServiceThatNobodyKnows() {
    assertThatThrownBy(() -> open("hdfs://no-such-service.invalid/hbase", new Configuration()))
        .isInstanceOf(IOException.class)
        .hasMessageContaining("no-such-service.invalid is neither a known host nor a name service");
  }

  @Test
  void aFileSystemWithoutHflush() {
    assertThatThrownBy(() -> open(folder.toUri().toString(), new Configuration()))
        .isInstanceOf(IOException.class)
        .hasMessageContaining("hflush")
        .hasMessageContaining("hbase.unsafe.stream.capability.enforce=false does not change that");
    assertThat(folder).isEmptyDirectory();
  }

  @Test
  void aSchemeWithoutADriver() {
    assertThatThrownBy(() -> open("nosuch://host/hbase", new Configuration()))
        .isInstanceOf(IOException.class)
        .hasMessageContaining("there is no driver for <nosuch>");
  }

  @Test
  void aSchemeWhoseDriverIsNotInstalled() {
    Configuration settings = new Configuration();
    settings.set("fs.nosuch.impl", "no.such.Driver");
    assertThatThrownBy(() -> open("nosuch://host/hbase", settings))
        .isInstanceOf(IOException.class)
        .hasMessageContaining("there is no driver for <nosuch>");
  }

  @Test
  void hbaseSiteOverrulesHadoopsFiles() throws IOException {
    write("core-site.xml", "fs.defaultFS", "hdfs://core:1");
    write("hdfs-site.xml", "dfs.replication", "2");
    write("hbase-site.xml", "dfs.replication", "1");

    Configuration settings =
        HadoopSettings.of(
            new SiteConfigLoader(name -> Optional.empty(), name -> Optional.empty()).load(folder));

    assertThat(settings.get("fs.defaultFS")).isEqualTo("hdfs://core:1");
    assertThat(settings.get("dfs.replication")).isEqualTo("1");
  }

  @Test
  void hadoopsFolderHasTheFilesThatAreNotBesideHbaseSite() throws IOException {
    write("core-site.xml", "fs.defaultFS", "hdfs://hadoop:1");
    Path own = Files.createDirectory(folder.resolve("own"));

    Configuration settings =
        HadoopSettings.of(
            new SiteConfigLoader(
                    name -> Optional.empty(),
                    name ->
                        name.equals("HADOOP_CONF_DIR")
                            ? Optional.of(folder.toString())
                            : Optional.empty())
                .load(own));

    assertThat(settings.get("fs.defaultFS")).isEqualTo("hdfs://hadoop:1");
  }

  private void write(String file, String key, String value) throws IOException {
    Files.writeString(
        folder.resolve(file),
        "<configuration><property><name>%s</name><value>%s</value></property></configuration>"
            .formatted(key, value));
  }

  private void open(String directory, Configuration settings) throws IOException {
    new HadoopRoot(
            URI.create(directory),
            settings,
            HdfsLogSettings.DEFAULTS,
            clock,
            Runnable::run,
            notices::add)
        .open()
        .close();
  }
}
