package dev.cairn.engine.layout;

import dev.cairn.engine.storage.MemoryStorage;
import dev.cairn.engine.storage.SealContract;
import dev.cairn.engine.storage.Storage;
import dev.cairn.engine.time.Clock;

class WalRootSealTest extends SealContract {
  @Override
  protected Storage open() {
    return new WalRootStorage(new MemoryStorage(Clock.SYSTEM), new MemoryStorage(Clock.SYSTEM));
  }
}
