package dev.cairn.engine.region.bulkload;

import dev.cairn.engine.schema.FamilySchema;
import dev.cairn.engine.schema.TableSchema;
import dev.cairn.engine.storage.DamagedFileException;
import dev.cairn.engine.storage.FencedException;
import dev.cairn.engine.storage.FencingToken;
import dev.cairn.engine.storage.ScratchDirectory;
import dev.cairn.engine.storage.Storage;
import dev.cairn.engine.store.RegionDirectory;
import dev.cairn.engine.store.StoreContext;
import dev.cairn.engine.tracking.StoreFileTracker;
import dev.cairn.engine.tracking.StoreFileTracker.TrackedFile;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.apache.hadoop.hbase.shaded.protobuf.generated.WALProtos.BulkLoadDescriptor;
import org.apache.hadoop.hbase.shaded.protobuf.generated.WALProtos.StoreDescriptor;
import org.apache.hbase.thirdparty.com.google.protobuf.InvalidProtocolBufferException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Moves the files of bulk loads into a region's stores. After a crash, the region has all files of
 * a load or none.
 *
 * <pre>
 *   region/.bulkload/id.owner/origins   where the files come from, as a {@code BulkLoadDescriptor}
 *   region/.bulkload/id.owner/n         the file number n, from 0, once it has been moved here
 *   region/.bulkload/id.owner/commit    the files' names in their stores, in the same order
 *   region/.bulkload/id.owner/done      empty: the stores have the files, and may have replaced them
 * </pre>
 *
 * <p>The publication of {@code commit} commits a load. The next owner of the region completes
 * committed loads, and moves the files of all others back. First it renames their directories to
 * names with its own {@link FencingToken}, so a replaced owner that continues finds neither the
 * files nor a place for them. That owner cannot publish {@code commit} either, because its {@link
 * ScratchDirectory} is gone. Handles one load at a time.
 */
public final class BulkLoadJournal {
  private static final Logger LOG = LoggerFactory.getLogger(BulkLoadJournal.class);
  private static final String ORIGINS = "origins";
  private static final String COMMIT = "commit";
  private static final String DONE = "done";
  private static final String OWNER = ".";
  private static final String AGAIN = "0";

  private final StoreContext context;
  private final Storage storage;
  private final RegionDirectory directory;
  private final ScratchDirectory scratch;
  private final String home;

  /**
   * Creates the journal of a region.
   *
   * @param scratch the directory of the region's owner
   */
  public BulkLoadJournal(
      StoreContext context, RegionDirectory directory, ScratchDirectory scratch) {
    this.context = context;
    this.storage = context.storage();
    this.directory = directory;
    this.scratch = scratch;
    this.home = home(directory);
  }

  private static String home(RegionDirectory directory) {
    return Storage.join(directory.path(), ".bulkload");
  }

  /**
   * Tells whether a closed region has files of a load that its next opening completes or undoes.
   */
  public static boolean hasLoads(Storage storage, RegionDirectory directory) throws IOException {
    return !storage.list(home(directory)).isEmpty();
  }

  /** Returns the directory of a load of this owner. */
  private String place(String id) {
    return Storage.join(home, id + OWNER + Storage.name(scratch.path()));
  }

  /**
   * Moves the files of a load into the journal.
   *
   * @param origins the families and paths of the files
   */
  public void stage(String id, BulkLoadDescriptor origins) throws IOException {
    String place = place(id);
    if (storage.exists(place)) {
      undo(id); // An earlier attempt may have failed to undo it.
    }
    storage.createDirectoryIn(home);
    storage.createDirectoryIn(place);
    scratch.writeAll(Storage.join(place, ORIGINS), origins.toByteArray());
    for (int i = 0; i < origins.getStoresCount(); i++) {
      storage.moveIn(origins.getStores(i).getStoreFile(0), Storage.join(place, "" + i));
    }
  }

  /**
   * Commits the load: the staged files now belong to the region.
   *
   * @param names the families, and the files' names in their directories
   */
  public void commit(String id, BulkLoadDescriptor names) throws IOException {
    scratch.writeAll(Storage.join(place(id), COMMIT), names.toByteArray());
  }

  /**
   * Moves the n-th file of a committed load into its store, unless it is already there. Returns its
   * path.
   */
  public String move(String id, BulkLoadDescriptor names, int n) throws IOException {
    StoreDescriptor file = names.getStores(n);
    String target = Storage.join(directory.family(file.getStoreHomeDir()), file.getStoreFile(0));
    if (!storage.exists(target)) {
      storage.moveIn(Storage.join(place(id), "" + n), target);
    }
    return target;
  }

  /**
   * Records that all files of a committed load are in their stores. The caller calls this before
   * reads see the files, because from then on compactions may replace them.
   */
  public void done(String id) throws IOException {
    scratch.writeAll(Storage.join(place(id), DONE), new byte[0]);
  }

  /**
   * Undoes a committed load before reads see its files: moves them back to their origins. If this
   * fails half-way, the next owner completes the load.
   */
  public void takeBack(String id, BulkLoadDescriptor names) throws IOException {
    String place = place(id);
    scratch.withdraw(Storage.join(place, DONE));
    for (int i = 0; i < names.getStoresCount(); i++) {
      StoreDescriptor file = names.getStores(i);
      String target = Storage.join(directory.family(file.getStoreHomeDir()), file.getStoreFile(0));
      if (storage.exists(target)) {
        storage.moveIn(target, Storage.join(place, "" + i));
      }
    }
    scratch.withdraw(Storage.join(place, COMMIT));
    undo(id);
  }

  /** Moves the files of an uncommitted load back. */
  public void undo(String id) throws IOException {
    String place = place(id);
    if (storage.exists(Storage.join(place, ORIGINS))) {
      BulkLoadDescriptor origins = read(Storage.join(place, ORIGINS));
      for (int i = 0; i < origins.getStoresCount(); i++) {
        String staged = Storage.join(place, "" + i);
        if (storage.exists(staged)) {
          storage.rename(staged, origins.getStores(i).getStoreFile(0));
        }
      }
    }
    storage.delete(place);
  }

  /** Deletes the record of a load that has ended. */
  public void forget(String id) throws IOException {
    storage.delete(place(id));
  }

  /**
   * Completes the committed loads of earlier owners, and undoes their other loads. The caller calls
   * this before it opens the stores. May be repeated after a failure.
   *
   * @return the committed loads; the caller logs each one, then {@linkplain #forget forgets} it
   */
  public List<Committed> recover(TableSchema schema) throws IOException {
    List<Committed> committed = new ArrayList<>();
    for (Storage.FileInfo load : storage.list(home)) {
      String id = claim(load);
      String commit = Storage.join(place(id), COMMIT);
      if (storage.exists(commit)) {
        BulkLoadDescriptor names = read(commit);
        if (!storage.exists(Storage.join(place(id), DONE))) {
          for (FamilySchema family : schema.families()) {
            takeIn(id, names, schema, family);
          }
          done(id);
          LOG.info("Completed the bulk load {} of {}, which was interrupted", id, directory.path());
        }
        committed.add(new Committed(id, names));
      } else {
        undo(id);
        LOG.info("Undid the bulk load {} of {}, which was interrupted", id, directory.path());
      }
    }
    return committed;
  }

  /**
   * Makes a load that of this owner, and returns its id.
   *
   * @throws FencedException if a later owner has it
   */
  private String claim(Storage.FileInfo load) throws IOException {
    String name = load.name();
    int end = name.indexOf(OWNER);
    Optional<FencingToken> other =
        end < 0 ? Optional.empty() : FencingToken.parse(name.substring(end + 1));
    Optional<FencingToken> own = FencingToken.parse(Storage.name(scratch.path()));
    if (other.isPresent() && own.isPresent() && other.get().compareTo(own.get()) > 0) {
      throw new FencedException(load.path() + " belongs to a later owner than " + own.get());
    }
    String id = end < 0 ? name : name.substring(0, end);
    if (!load.path().equals(place(id))) {
      while (storage.exists(place(id))) {
        id += AGAIN; // Several owners had a load with this id.
      }
      storage.moveIn(load.path(), place(id));
    }
    return id;
  }

  /** A committed load. */
  public record Committed(String id, BulkLoadDescriptor names) {}

  private void takeIn(String id, BulkLoadDescriptor names, TableSchema schema, FamilySchema family)
      throws IOException {
    String store = directory.family(family.nameAsString());
    storage.createDirectoryIn(store);
    StoreFileTracker tracker = context.forFamily(schema, family).tracker(store, scratch);
    List<TrackedFile> counted = new ArrayList<>(tracker.load());
    for (int i = 0; i < names.getStoresCount(); i++) {
      if (names.getStores(i).getStoreHomeDir().equals(family.nameAsString())) {
        String name = names.getStores(i).getStoreFile(0);
        if (counted.stream().noneMatch(file -> file.name().equals(name))) {
          String path = move(id, names, i);
          try (var file = storage.open(path)) {
            counted.add(new TrackedFile(name, file.length()));
          }
        }
      }
    }
    tracker.begin(counted);
  }

  private BulkLoadDescriptor read(String path) throws IOException {
    try {
      return BulkLoadDescriptor.parseFrom(storage.readAll(path));
    } catch (InvalidProtocolBufferException e) {
      throw new DamagedFileException(path, 0, "expected a BulkLoadDescriptor: " + e.getMessage());
    }
  }
}
