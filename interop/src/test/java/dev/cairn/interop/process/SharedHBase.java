package dev.cairn.interop.process;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.List;
import java.util.stream.Stream;
import org.apache.hadoop.conf.Configuration;
import org.junit.jupiter.api.extension.BeforeAllCallback;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.junit.jupiter.api.extension.ExtensionContext.Namespace;
import org.junit.jupiter.api.extension.ExtensionContext.StoreScope;

/**
 * The Apache HBase that the test classes of a JVM share, as a start takes it some seconds of all
 * processors. It flushes and compacts only on request. The first class launches it; it ends with
 * the last. Each class names its tables so that no other class has them.
 */
public final class SharedHBase implements BeforeAllCallback {
  private Shared shared;

  /** JUnit closes it at the end of its session, which lasts as long as the JVM runs tests. */
  private record Shared(Path directory, ApacheHBase process) implements AutoCloseable {
    static Shared launch() {
      try {
        Path directory = Files.createTempDirectory("shared-hbase");
        ApacheHBase process =
            ApacheHBase.in(directory)
                .set("hbase.hstore.compaction.min", "1000")
                .set("hbase.hstore.blockingStoreFiles", "1000")
                .set("hbase.hregion.majorcompaction", "0")
                .set("hbase.regionserver.optionalcacheflushinterval", "0")
                .launch();
        return new Shared(directory, process);
      } catch (IOException e) {
        throw new UncheckedIOException("HBase does not start", e);
      }
    }

    @Override
    public void close() throws Exception {
      process.close();
      try (Stream<Path> files = Files.walk(directory)) {
        List<Path> deepestFirst = files.sorted(Comparator.reverseOrder()).toList();
        for (Path file : deepestFirst) {
          Files.delete(file);
        }
      }
    }
  }

  @Override
  public void beforeAll(ExtensionContext context) {
    shared =
        context
            .getStore(StoreScope.LAUNCHER_SESSION, Namespace.create(SharedHBase.class))
            .getOrComputeIfAbsent(Shared.class, key -> Shared.launch(), Shared.class);
  }

  /**
   * Waits until it serves, and returns the configuration of a client. Each call returns a new one.
   */
  public Configuration configuration() throws IOException, InterruptedException {
    return shared.process().await().configuration();
  }
}
