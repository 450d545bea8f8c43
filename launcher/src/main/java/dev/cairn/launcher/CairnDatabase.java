package dev.cairn.launcher;

import dev.cairn.engine.storage.LocalStorage;
import dev.cairn.server.config.SiteConfig;
import java.io.IOException;

/** Master, region server and ZooKeeper in this process. */
final class CairnDatabase implements Database {
  @Override
  public Running start(SiteConfig config, LocalStorage storage) throws IOException {
    throw new IOException("this build has no server");
  }
}
