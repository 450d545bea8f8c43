package dev.cairn.engine.store;

import dev.cairn.engine.cell.CellComparator;
import dev.cairn.engine.hfile.writer.HFileOptions;
import dev.cairn.engine.schema.FamilySchema;
import dev.cairn.engine.schema.RegionInfo;
import dev.cairn.engine.storage.ScratchDirectory;
import dev.cairn.engine.tracking.StoreFileTracker;
import java.io.Closeable;
import java.io.IOException;
import java.util.Optional;

/**
 * Opens a store in two steps. {@link #read} opens the files and changes nothing, because another
 * server may own the store. {@link #begin} makes the caller the owner; {@link #follow} leaves the
 * store to its owner, for reads alone. Not thread-safe. The caller must close it.
 */
public final class StoreOpening implements Closeable {
  private final RegionInfo region;
  private final FamilySchema family;
  private final RegionDirectory directory;
  private final StoreContext context;
  private final String home;
  private final CellComparator comparator;
  private StoreFiles.Loaded loaded;

  private StoreOpening(
      RegionInfo region, FamilySchema family, RegionDirectory directory, StoreContext context)
      throws IOException {
    this.region = region;
    this.family = family;
    this.directory = directory;
    this.context = context;
    this.home = directory.family(family.nameAsString());
    this.comparator = region.comparator();
    this.loaded = StoreFiles.load(context, context.tracker(home), home, comparator);
  }

  /**
   * Opens the store's files. Changes nothing.
   *
   * @throws IllegalArgumentException if the family asks for something that is not supported
   */
  public static StoreOpening read(
      RegionInfo region, FamilySchema family, RegionDirectory directory, StoreContext context)
      throws IOException {
    HFileOptions.of(family, region.comparator()); // refuses settings that no file can have
    return new StoreOpening(
        region, family, directory, family.inMemory() ? context.inMemory() : context);
  }

  /**
   * Opens a single store, without a region, as its latest owner. Makes the directories.
   *
   * @throws IllegalArgumentException as for {@link #read}
   */
  public static Store open(
      RegionInfo region, FamilySchema family, RegionDirectory directory, StoreContext context)
      throws IOException {
    context.storage().createDirectories(directory.path());
    try (StoreOpening opening = read(region, family, directory, context)) {
      return opening.begin(
          ScratchDirectory.claim(context.storage(), directory.temporary(), Optional.empty()));
    }
  }

  /** Returns the highest sequence number of a cell in the files, 0 if there are none. */
  public long maxCellSequence() {
    return loaded.maxCellSequence();
  }

  /**
   * Opens the store as its owner. Opens the files again if they have changed since {@link #read}:
   * the previous owner may have published some.
   *
   * @param scratch the owner's directory, which was claimed after {@link #read}
   */
  public Store begin(ScratchDirectory scratch) throws IOException {
    context.storage().createDirectoryIn(home);
    StoreFileTracker tracker = context.tracker(home, scratch);
    if (!tracker.load().equals(loaded.listed())) {
      loaded.close();
      loaded = StoreFiles.load(context, tracker, home, comparator);
    }
    Leftovers leftovers = new Leftovers(tracker, scratch);
    StoreFiles.Loaded own = loaded;
    loaded = StoreFiles.Loaded.NONE;
    boolean begun = false;
    try {
      own.archiveReplaced(leftovers::addUnarchived);
      tracker.begin(own.files().stream().map(StoreFile::tracked).toList());
      begun = true;
    } finally {
      if (!begun) {
        own.close();
      }
    }
    return new Store(region, family, directory, context, tracker, scratch, leftovers, own.files());
  }

  /**
   * Opens the store for reads, while another server may own it. Changes nothing; flushes and
   * compactions fail with {@link dev.cairn.engine.storage.FencedException}.
   */
  public StoreFollower follow() {
    ScratchDirectory unowned = ScratchDirectory.unowned(context.storage(), directory.temporary());
    StoreFileTracker tracker = context.tracker(home, unowned);
    StoreFiles.Loaded read = loaded;
    loaded = StoreFiles.Loaded.NONE;
    read.replaced().forEach(StoreFile::release);
    Store store =
        new Store(
            region,
            family,
            directory,
            context.pacedBy(StoreContext.Paces.UNLIMITED),
            tracker,
            unowned,
            new Leftovers(tracker, unowned),
            read.files());
    return new StoreFollower(store, home, read.listed());
  }

  /** Closes the files, unless {@link #begin} or {@link #follow} has taken them over. */
  @Override
  public void close() {
    loaded.close();
    loaded = StoreFiles.Loaded.NONE;
  }
}
