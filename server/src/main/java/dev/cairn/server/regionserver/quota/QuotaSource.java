package dev.cairn.server.regionserver.quota;

import dev.cairn.server.catalog.QuotaContents;
import java.io.IOException;

/** Reads {@code hbase:quota} at another server. */
@FunctionalInterface
public interface QuotaSource {
  /** Reads all settings. Waits for the network. */
  QuotaContents read() throws IOException;
}
