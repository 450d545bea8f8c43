package dev.cairn.launcher;

import dev.cairn.launcher.run.CairnDatabase;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.Properties;

/**
 * Runs {@code bin/cairn} in this process.
 *
 * @param folder the installation's folder, with its {@code conf}
 */
public record CommandHome(Path folder) {
  /** Runs a command and returns what it prints. */
  public String run(String... arguments) {
    StringWriter out = new StringWriter();
    Properties properties = new Properties();
    properties.setProperty("cairn.home", folder.toString());
    new CairnCommand(
            new CairnDatabase(),
            properties,
            Map.of("HBASE_LOG_DIR", folder.resolve("logs").toString()))
        .commandLine()
        .setOut(new PrintWriter(out))
        .setErr(new PrintWriter(out))
        .execute(arguments);
    return out.toString();
  }

  /**
   * Writes the site file for a running server.
   *
   * @param zooKeeper the server's ZooKeeper, {@code host:port}
   */
  public void site(String zooKeeper) throws IOException {
    int colon = zooKeeper.lastIndexOf(':');
    Path conf = Files.createDirectories(folder.resolve("conf"));
    Files.writeString(
        conf.resolve("hbase-site.xml"),
        """
        <configuration>
          <property><name>hbase.zookeeper.quorum</name><value>%s</value></property>
          <property><name>hbase.zookeeper.property.clientPort</name><value>%s</value></property>
        </configuration>
        """
            .formatted(zooKeeper.substring(0, colon), zooKeeper.substring(colon + 1)));
  }
}
