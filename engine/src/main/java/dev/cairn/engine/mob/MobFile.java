package dev.cairn.engine.mob;

import dev.cairn.engine.hfile.reader.HFileReader;
import java.io.IOException;
import java.util.concurrent.atomic.AtomicInteger;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** An open MOB file, closed when its last user releases it. Thread-safe. */
final class MobFile {
  private static final Logger LOG = LoggerFactory.getLogger(MobFile.class);

  private final HFileReader reader;
  private final AtomicInteger users = new AtomicInteger(1);

  MobFile(HFileReader reader) {
    this.reader = reader;
  }

  HFileReader reader() {
    return reader;
  }

  /** Counts one more user, unless the file is closed already. */
  boolean tryRetain() {
    int now = users.get();
    while (now > 0) {
      if (users.compareAndSet(now, now + 1)) {
        return true;
      }
      now = users.get();
    }
    return false;
  }

  /** Counts one user less. */
  void release() {
    if (users.decrementAndGet() == 0) {
      try {
        reader.close();
      } catch (IOException e) {
        LOG.warn("Could not close the MOB file {}: {}", reader.path(), e.toString());
      }
    }
  }
}
