package dev.cairn.bench.compare;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Cairn, as {@code bin/cairn standalone} starts it. */
public final class CairnSide implements Side {
  private final String name;
  private final Path home;

  /**
   * Creates the side.
   *
   * @param name in results
   * @param home the folder above {@code bin}; Cairn is built
   */
  public CairnSide(String name, Path home) {
    this.name = name;
    this.home = home;
  }

  /** Returns what starts the Cairn in the folder {@code home}. */
  public static Path program(Path home) {
    return home.resolve("bin/cairn");
  }

  @Override
  public String name() {
    return name;
  }

  @Override
  public ServerProcess start(Path folder, ServerSettings settings) throws IOException {
    List<Integer> ports = Site.freePorts(4);
    Path data = folder.resolve("data");
    Path site =
        new Site()
            .set("hbase.rootdir", data)
            .set("cairn.hostname", "127.0.0.1")
            .set("hbase.zookeeper.quorum", "127.0.0.1")
            .set("hbase.zookeeper.property.dataDir", folder.resolve("zookeeper"))
            .set("hbase.zookeeper.property.clientPort", ports.get(0))
            .set("hbase.zookeeper.property.clientPortAddress", "127.0.0.1")
            .set("hbase.master.ipc.address", "127.0.0.1")
            .set("hbase.master.port", ports.get(1))
            .set("hbase.master.info.bindAddress", "127.0.0.1")
            .set("hbase.master.info.port", ports.get(2))
            .set("hbase.regionserver.ipc.address", "127.0.0.1")
            .set("hbase.regionserver.port", ports.get(3))
            .set("hbase.wal.hsync", settings.synced())
            .set(settings.more())
            .write(folder.resolve("conf"));
    Path log = folder.resolve("output");
    ProcessBuilder builder =
        new ProcessBuilder(
                program(home).toString(), "--config", site.getParent().toString(), "standalone")
            .redirectErrorStream(true)
            .redirectOutput(log.toFile());
    Map<String, String> environment = builder.environment();
    environment.put("CAIRN_BUILT", "true");
    environment.put("JAVA_HOME", System.getProperty("java.home"));
    environment.put("HBASE_HEAPSIZE", settings.heap());
    environment.merge(
        "HBASE_OPTS", "-Xms" + settings.heap(), (given, added) -> added + " " + given);
    return new ServerProcess(builder.start(), site, Optional.of(data), log);
  }
}
