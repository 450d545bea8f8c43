package dev.cairn.launcher.run;

import dev.cairn.engine.storage.Storage;
import dev.cairn.engine.time.Clock;
import dev.cairn.launcher.process.Addresses;
import dev.cairn.launcher.process.HostAndPort;
import dev.cairn.launcher.site.Database;
import dev.cairn.server.config.ServerRole;
import dev.cairn.server.config.SiteConfig;
import dev.cairn.server.process.CairnProcess;
import dev.cairn.server.process.Endpoints;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.file.Path;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.function.Supplier;

/** Master, region server and ZooKeeper in this process. */
public final class CairnDatabase implements Database {
  private static final String ZOOKEEPER_FOLDER = "zookeeper";

  @Override
  public Running start(
      SiteConfig config,
      Supplier<SiteConfig> source,
      Storage storage,
      Path folder,
      Consumer<String> notice)
      throws IOException {
    Optional<Path> zooKeeper = Optional.of(folder.resolve(ZOOKEEPER_FOLDER));
    return new RunningProcess(
        CairnProcess.start(config, source, storage, zooKeeper, Clock.SYSTEM, notice),
        ended ->
            CairnProcess.startAgain(
                ended, config, source, storage, zooKeeper, Clock.SYSTEM, notice));
  }

  /** Starts a process that takes the place of one that has ended. */
  @FunctionalInterface
  private interface Successor {
    CairnProcess start(CairnProcess ended) throws IOException;
  }

  private record RunningProcess(CairnProcess process, Successor successor) implements Running {
    @Override
    public Addresses addresses() {
      Endpoints endpoints = process.endpoints();
      String host = endpoints.master().host();
      return new Addresses(
          HostAndPort.text(host, endpoints.master().port()),
          HostAndPort.text(endpoints.regionServer().host(), endpoints.regionServer().port()),
          endpoints.zooKeeper(),
          endpoints.web().map(web -> url(host, web)),
          Optional.ofNullable(endpoints.webs().get(ServerRole.REGION_SERVER))
              .map(web -> url(endpoints.regionServer().host(), web)),
          endpoints
              .web()
              .map(web -> "http://" + HostAndPort.onThisMachine(web) + "/health?format=json"));
    }

    private static String url(String host, InetSocketAddress web) {
      return "http://" + HostAndPort.text(host, web.getPort()) + "/";
    }

    @Override
    public boolean awaitStopped() throws InterruptedException {
      return process.awaitStopped();
    }

    @Override
    public Optional<String> failure() {
      return process.failure();
    }

    @Override
    public boolean mayStartAgain() {
      return process.mayStartAgain();
    }

    @Override
    public Running startAgain() throws IOException {
      return new RunningProcess(successor.start(process), successor);
    }

    @Override
    public void close() throws IOException {
      process.close();
    }
  }
}
