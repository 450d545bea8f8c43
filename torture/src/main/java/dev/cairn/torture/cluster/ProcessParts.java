package dev.cairn.torture.cluster;

import dev.cairn.engine.event.EngineListener;
import dev.cairn.engine.store.StoreContext;
import dev.cairn.engine.store.StoreSettings;
import dev.cairn.torture.scheduler.Machine;
import dev.cairn.torture.scheduler.MachineStoppedError;
import java.io.IOException;
import java.util.SplittableRandom;
import java.util.function.Consumer;

/**
 * Holds the parts of one process, from its start to its end.
 *
 * @param storage its machine's view of the shared files
 * @param freezePoint freezes the machine at a chosen instant
 * @param stores the context of its stores
 * @param notes receives why the process ended
 * @param startAgain restarts the process after a moment
 */
record ProcessParts(
    Machine machine,
    MachineStorage storage,
    FreezePoint freezePoint,
    StoreContext stores,
    Consumer<String> notes,
    Runnable startAgain) {
  /** Work that may fail. */
  @FunctionalInterface
  interface Work {
    void run() throws IOException;
  }

  static ProcessParts of(Machine machine, ClusterParts parts) {
    FreezePoint freezePoint = new FreezePoint(machine);
    MachineStorage storage =
        MachineStorage.of(
            parts.files(),
            parts.dataNodes(),
            machine,
            new SplittableRandom(parts.random().nextLong()),
            parts::has,
            freezePoint);
    StoreContext stores =
        new StoreContext(
            storage,
            RegionServerProcess.cache(),
            machine.clock(),
            parts::fileName,
            new EngineListener() {},
            StoreSettings.DEFAULTS);
    return new ProcessParts(
        machine, storage, freezePoint, stores, parts::note, () -> parts.startAgain(machine));
  }

  /** Runs the start of the process. If it fails, the process ends and restarts. */
  void start(Work work) {
    try {
      work.run();
    } catch (IOException e) {
      if (!machine.isStopped()) {
        notes.accept(machine.name() + " could not start: " + e);
        startAgain.run();
        machine.stop();
        throw new MachineStoppedError();
      }
    }
  }
}
