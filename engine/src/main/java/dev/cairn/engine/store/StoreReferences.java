package dev.cairn.engine.store;

import dev.cairn.engine.layout.HFileArchive;
import dev.cairn.engine.layout.Reference;
import dev.cairn.engine.layout.StoreDirectory;
import dev.cairn.engine.layout.StoreFileName;
import dev.cairn.engine.storage.Storage;
import dev.cairn.engine.tracking.StoreFileTracker.TrackedFile;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;

/**
 * Gives a new store its share of its parents' files: links to whole files, references to parts of
 * files. Collects them until {@link #write} makes them. Not thread-safe.
 */
final class StoreReferences {
  private final StoreContext context;
  private final StoreDirectory heir;
  private final List<StoreFileName.Link> links = new ArrayList<>();
  private final List<Storage.SmallFile> references = new ArrayList<>();
  private final List<TrackedFile> files = new ArrayList<>();

  /** Creates an empty collection for the new store {@code heir}. */
  StoreReferences(StoreContext context, StoreDirectory heir) {
    this.context = context;
    this.heir = heir;
  }

  /** Adds a link to a whole file. */
  void link(StoreFile file, StoreDirectory owner) throws IOException {
    checkWhole(file);
    StoreFileName.Link link =
        file.storeName() instanceof StoreFileName.Link same
            ? same
            : new StoreFileName.Link(owner.table(), owner.region(), file.name());
    checkReadable(file, link);
    links.add(link);
    files.add(new TrackedFile(link.text(), file.length()));
  }

  /** Adds a reference to a part of a file. */
  void refer(StoreFile file, StoreDirectory owner, Reference part) throws IOException {
    checkWhole(file);
    StoreFileName.Half name = new StoreFileName.Half(file.storeName(), owner.region());
    checkReadable(file, name);
    references.add(new Storage.SmallFile(heir.file(name.text()), part.toFile()));
    files.add(new TrackedFile(name.text(), file.length() / 2));
  }

  /** Makes the heir's directory and all links and references, which then count in its store. */
  void write() throws IOException {
    Storage storage = context.storage();
    storage.createDirectories(heir.path());
    HFileArchive archive = new HFileArchive(storage);
    for (StoreFileName.Link link : links) {
      archive.link(heir, link);
    }
    storage.createAll(references);
    context.tracker(heir.path()).begin(files);
  }

  private static void checkWhole(StoreFile file) throws IOException {
    if (file.isReference()) {
      throw new IOException(
          file
              + " is a reference of an earlier split or merge; compact the region before it is"
              + " split or merged");
    }
  }

  /** Checks that the file's own name does not look like a link or a reference. */
  private static void checkReadable(StoreFile file, StoreFileName name) throws IOException {
    if (!StoreFileName.parse(name.text()).equals(name)) {
      throw new IOException(
          file
              + " has a name that no link can lead to; compact the region before it is split or"
              + " merged");
    }
  }
}
