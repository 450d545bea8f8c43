package dev.cairn.bench.compare;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Runs Cairn: on the local disk as one process, like {@code bin/cairn standalone}; on a shared file
 * system as three processes, ZooKeeper, a master and a region server.
 */
public final class CairnSide implements Side {
  private static final String COMPANION_HEAP = "256m";

  private final String name;
  private final Path home;
  private final Map<String, String> own;

  /**
   * Creates the side.
   *
   * @param name in results
   * @param home the folder above {@code bin}; Cairn is built
   */
  public CairnSide(String name, Path home) {
    this(name, home, Map.of());
  }

  /**
   * Creates the side.
   *
   * @param name in results
   * @param home the folder above {@code bin}; Cairn is built
   * @param own keys of hbase-site.xml for this side only
   */
  public CairnSide(String name, Path home, Map<String, String> own) {
    this.name = name;
    this.home = home;
    this.own = Map.copyOf(own);
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
    List<Integer> ports = Site.freePorts(5);
    Path site =
        new Site()
            .set("hbase.rootdir", settings.rootDirectory(folder))
            .set("hbase.cluster.distributed", settings.shared().isPresent())
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
            .set("hbase.regionserver.info.bindAddress", "127.0.0.1")
            .set("hbase.regionserver.info.port", ports.get(4))
            .set("hbase.wal.hsync", settings.synced())
            .set(settings.more())
            .set(own)
            .write(folder.resolve("conf"));
    if (settings.shared().isEmpty()) {
      return new ServerProcess(
          start("standalone", site, settings.heap()),
          site,
          settings.dataFolder(folder),
          output("standalone", site));
    }
    List<Process> companions = new ArrayList<>();
    try {
      companions.add(start("zookeeper", site, COMPANION_HEAP));
      companions.add(start("master", site, COMPANION_HEAP));
      return new ServerProcess(
          start("regionserver", site, settings.heap()),
          site,
          Optional.empty(),
          output("regionserver", site),
          List.copyOf(companions));
    } catch (IOException e) {
      companions.forEach(Process::destroyForcibly);
      throw e;
    }
  }

  private Process start(String role, Path site, String heap) throws IOException {
    ProcessBuilder builder =
        new ProcessBuilder(program(home).toString(), "--config", site.getParent().toString(), role)
            .redirectErrorStream(true)
            .redirectOutput(output(role, site).toFile());
    Map<String, String> environment = builder.environment();
    environment.put("CAIRN_BUILT", "true");
    environment.put("JAVA_HOME", System.getProperty("java.home"));
    environment.put("HBASE_HEAPSIZE", heap);
    environment.merge("HBASE_OPTS", "-Xms" + heap, (given, added) -> added + " " + given);
    return builder.start();
  }

  private static Path output(String role, Path site) {
    return site.resolveSibling(role + ".output");
  }
}
