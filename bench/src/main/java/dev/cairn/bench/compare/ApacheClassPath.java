package dev.cairn.bench.compare;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.List;

/** The class path of Apache HBase's server, which Maven resolves once. */
public final class ApacheClassPath {
  private static final String GOAL =
      "org.apache.maven.plugins:maven-dependency-plugin:3.9.0:build-classpath";

  private ApacheClassPath() {}

  /**
   * Returns the class path.
   *
   * @param bench the folder of this module
   * @throws IOException if Maven cannot resolve it
   */
  public static String resolve(Path bench) throws IOException {
    Path pom = bench.resolve("apache/pom.xml");
    Path known = bench.resolve("target/apache-classpath");
    if (Files.exists(known)
        && Files.getLastModifiedTime(known).compareTo(Files.getLastModifiedTime(pom)) > 0) {
      return Files.readString(known);
    }
    System.err.println("Resolving Apache HBase ...");
    Files.createDirectories(known.getParent());
    Path fresh = known.resolveSibling("apache-classpath.new");
    Path log = known.resolveSibling("apache-classpath.log");
    Process maven =
        new ProcessBuilder(
                List.of(
                    "mvn",
                    "-B",
                    "-q",
                    "-f",
                    pom.toString(),
                    GOAL,
                    "-DincludeScope=runtime",
                    "-Dmdep.outputFile=" + fresh))
            .redirectErrorStream(true)
            .redirectOutput(log.toFile())
            .start();
    try {
      if (maven.waitFor() != 0) {
        throw new IOException("Maven cannot resolve Apache HBase; its output is in " + log);
      }
    } catch (InterruptedException e) {
      maven.destroy();
      Thread.currentThread().interrupt();
      throw new IOException("Interrupted while Maven resolves Apache HBase", e);
    }
    Files.move(fresh, known, StandardCopyOption.REPLACE_EXISTING);
    return Files.readString(known);
  }
}
