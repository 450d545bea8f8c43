package dev.cairn.interop.hadoop;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.hadoop.fs.FileUtil;
import org.junit.jupiter.api.extension.BeforeAllCallback;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.junit.jupiter.api.extension.ExtensionContext.Namespace;
import org.junit.jupiter.api.extension.ExtensionContext.StoreScope;

/**
 * The HDFS that the test classes of a JVM share, with one DataNode. The first class starts it; it
 * ends with the last. Each class has a directory of its own. A class that leaves HDFS damaged, or
 * needs more DataNodes, starts its own.
 */
public final class SharedHdfs implements BeforeAllCallback {
  /** Tells apart the runs of a class that is repeated. */
  private static final AtomicInteger RUNS = new AtomicInteger();

  private Hdfs hdfs;
  private String home;

  /** JUnit closes it at the end of its session, which lasts as long as the JVM runs tests. */
  private record Shared(Path directory, Hdfs hdfs) implements AutoCloseable {
    static Shared start() {
      try {
        Path directory = Files.createTempDirectory("shared-hdfs");
        return new Shared(directory, Hdfs.start(directory));
      } catch (IOException e) {
        throw new UncheckedIOException("HDFS does not start", e);
      }
    }

    @Override
    public void close() {
      hdfs.close();
      FileUtil.fullyDelete(directory.toFile());
    }
  }

  @Override
  public void beforeAll(ExtensionContext context) {
    hdfs =
        context
            .getStore(StoreScope.LAUNCHER_SESSION, Namespace.create(SharedHdfs.class))
            .getOrComputeIfAbsent(Shared.class, key -> Shared.start(), Shared.class)
            .hdfs();
    home =
        hdfs.home() + "/" + context.getRequiredTestClass().getSimpleName() + RUNS.incrementAndGet();
  }

  /** Returns HDFS itself. */
  public Hdfs hdfs() {
    return hdfs;
  }

  /**
   * Returns the URL of the class's own directory, without a slash at the end. It need not exist.
   */
  public String home() {
    return home;
  }
}
