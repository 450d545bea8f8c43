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
import java.util.Optional;

/**
 * Fills a new store with links to whole files of other stores and references to parts of them.
 * Copies no cell.
 *
 * @param context the settings of the new store's family
 * @param place the new store's place, to which the back references of its links lead
 * @param directory where the store is made; it may be moved to {@code place} later
 */
public record StoreClone(StoreContext context, StoreDirectory place, String directory) {
  /**
   * A file that the store is to contain.
   *
   * @param name a link, or a reference to a link
   * @param bytes the length of the HFile, bytes
   * @param part the part of the HFile; present exactly for a reference
   */
  public record File(StoreFileName name, long bytes, Optional<Reference> part) {}

  /** Makes the store's directory with {@code files} and nothing else. Nothing of it may exist. */
  public void write(List<File> files) throws IOException {
    Storage storage = context.storage();
    storage.createDirectories(directory);
    HFileArchive archive = new HFileArchive(storage);
    List<Storage.SmallFile> references = new ArrayList<>();
    List<TrackedFile> tracked = new ArrayList<>();
    for (File file : files) {
      if (file.name() instanceof StoreFileName.Link link) {
        archive.link(place, link, directory);
        tracked.add(new TrackedFile(link.text(), file.bytes()));
      } else {
        references.add(
            new Storage.SmallFile(
                Storage.join(directory, file.name().text()), file.part().orElseThrow().toFile()));
        tracked.add(new TrackedFile(file.name().text(), file.bytes() / 2));
      }
    }
    storage.createAll(references);
    context.tracker(directory).begin(tracked);
  }
}
