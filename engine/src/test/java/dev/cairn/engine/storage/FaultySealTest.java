package dev.cairn.engine.storage;

import dev.cairn.engine.time.Clock;

class FaultySealTest extends SealContract {
  @Override
  protected Storage open() {
    return new FaultyStorage(new MemoryStorage(Clock.SYSTEM), (operation, path) -> false);
  }
}
