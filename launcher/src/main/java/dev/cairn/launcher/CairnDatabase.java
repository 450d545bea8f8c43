package dev.cairn.launcher;

import dev.cairn.server.config.SiteConfig;
import java.io.IOException;
import java.nio.file.Path;

/** Master, region server and ZooKeeper in this process. */
final class CairnDatabase implements Database {
  @Override
  public Running start(SiteConfig config, Path dataFolder) throws IOException {
    throw new IOException("this build has no server");
  }
}
