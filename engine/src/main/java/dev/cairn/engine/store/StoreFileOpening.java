package dev.cairn.engine.store;

import dev.cairn.engine.cell.CellComparator;
import dev.cairn.engine.event.EngineListener;
import dev.cairn.engine.hfile.cache.WrittenBlocks;
import dev.cairn.engine.hfile.format.CorruptFileException;
import dev.cairn.engine.hfile.format.DamageListener;
import dev.cairn.engine.hfile.reader.HFileReader;
import dev.cairn.engine.layout.HFileArchive;
import dev.cairn.engine.layout.MovingFile;
import dev.cairn.engine.layout.Reference;
import dev.cairn.engine.layout.StoreDirectory;
import dev.cairn.engine.layout.StoreFileName;
import dev.cairn.engine.mob.MobFileRefs;
import dev.cairn.engine.storage.DamagedFileException;
import dev.cairn.engine.storage.LostBlockException;
import dev.cairn.engine.storage.Storage;
import java.io.IOException;
import java.util.List;
import java.util.Optional;

/**
 * Finds and opens the HFile of a store file's name. A link's target is looked for in its region,
 * the archive and two other places; a reference's in its region and the archive. Files move from
 * the one to the other meanwhile, so all places are tried twice.
 */
final class StoreFileOpening {
  private final StoreContext context;
  private final CellComparator comparator;
  private final Optional<WrittenBlocks> written;

  private StoreFileOpening(
      StoreContext context, CellComparator comparator, Optional<WrittenBlocks> written) {
    this.context = context;
    this.comparator = comparator;
    this.written = written;
  }

  static StoreFile open(StoreContext context, String path, CellComparator comparator)
      throws IOException {
    return new StoreFileOpening(context, comparator, Optional.empty()).open(path);
  }

  /** Opens a file that has just been written, and whose blocks are in the cache. */
  static StoreFile open(
      StoreContext context, String path, CellComparator comparator, WrittenBlocks written)
      throws IOException {
    return new StoreFileOpening(context, comparator, Optional.of(written)).open(path);
  }

  /** Passes on the findings of a region's reads. */
  private record Damage(EngineListener listener, String region) implements DamageListener {
    @Override
    public void damaged(CorruptFileException found) {
      listener.storeFileDamaged(region, found.path(), found.offset(), found.what());
    }

    @Override
    public void lost(LostBlockException loss) {
      listener.storeFileLost(region, loss.path(), loss.getMessage());
    }
  }

  private StoreFile open(String path) throws IOException {
    StoreFileName name = StoreFileName.parse(Storage.name(path));
    Optional<Reference> part = Optional.empty();
    if (name instanceof StoreFileName.Half) {
      part = Optional.of(Reference.fromFile(path, context.storage().readAll(path)));
    }
    String region = StoreDirectory.parse(path.substring(0, path.lastIndexOf('/'))).region();
    DamageListener damage = new Damage(context.listener(), region);
    HFileReader reader = openAny(path, targets(path, name), damage);
    HFileArchive archive = new HFileArchive(context.storage());
    return new StoreFile(archive, path, reader, part, mobFiles(reader), comparator);
  }

  private static MobFileRefs mobFiles(HFileReader reader) throws IOException {
    try {
      return MobFileRefs.of(reader.path(), reader.info()).orElse(MobFileRefs.NONE);
    } catch (IOException e) {
      reader.close();
      throw e;
    }
  }

  private static List<String> targets(String path, StoreFileName name) {
    return name instanceof StoreFileName.Plain
        ? List.of(path)
        : StoreDirectory.parse(path.substring(0, path.lastIndexOf('/'))).targets(name);
  }

  private HFileReader openAny(String path, List<String> targets, DamageListener damage)
      throws IOException {
    if (targets.size() == 1) {
      return openFile(path, damage);
    }
    return new MovingFile(targets)
        .open(context.storage(), target -> openFile(target, damage))
        .orElseThrow(
            () ->
                DamagedFileException.missing(
                    targets.get(0), path + " refers to it, and it is at none of " + targets));
  }

  private HFileReader openFile(String target, DamageListener damage) throws IOException {
    Storage storage = context.storage();
    return written.isPresent()
        ? HFileReader.open(storage, target, written.get(), comparator, damage)
        : HFileReader.openComplete(storage, target, context.cache(), comparator, damage);
  }
}
