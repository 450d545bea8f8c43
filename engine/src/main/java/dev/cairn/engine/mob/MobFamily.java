package dev.cairn.engine.mob;

import dev.cairn.engine.hfile.writer.HFileOptions;
import dev.cairn.engine.layout.MobDirectory;
import dev.cairn.engine.scan.ScanRequest.MobOptions;
import dev.cairn.engine.storage.ScratchDirectory;
import dev.cairn.engine.storage.Storage;
import dev.cairn.engine.time.Clock;
import java.io.IOException;
import java.util.Optional;
import java.util.concurrent.Executor;
import java.util.function.Supplier;

/**
 * The context in which one store reads and writes the MOB files of its family.
 *
 * @param directory directory of the table's MOB files
 * @param startKey the first row of the store's region
 * @param region the encoded name of the store's region
 * @param scratch the directory in which files are written
 * @param storage where all of them lie
 * @param names returns a unique file name of 32 hexadecimal digits
 * @param clock the time
 * @param helpers compress blocks in parallel with the thread that writes a file
 * @param files the files that the server has open
 * @param settings the numbers
 */
public record MobFamily(
    MobDirectory directory,
    byte[] startKey,
    String region,
    ScratchDirectory scratch,
    Storage storage,
    Supplier<String> names,
    Clock clock,
    Optional<Executor> helpers,
    MobFileCache files,
    MobSettings settings) {
  /** Returns a reader for one scan. */
  public MobReader reader(MobOptions options) {
    return new MobReader(directory, files, options);
  }

  /** Returns a reader for one pass over all cells. */
  MobReader reader() {
    return reader(MobOptions.DEFAULT);
  }

  MobOutput create(long newestMillis, HFileOptions options) throws IOException {
    String name = MobFileName.of(startKey, newestMillis, settings.zone(), names.get(), region);
    return new MobOutput(
        storage, directory, name, scratch.create("mob." + name), options, clock, helpers);
  }
}
