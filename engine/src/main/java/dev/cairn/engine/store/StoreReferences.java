package dev.cairn.engine.store;

import dev.cairn.engine.layout.HFileArchive;
import dev.cairn.engine.layout.Reference;
import dev.cairn.engine.layout.StoreDirectory;
import dev.cairn.engine.layout.StoreFileName;
import dev.cairn.engine.storage.AppendFile;
import dev.cairn.engine.storage.Storage;
import dev.cairn.engine.tracking.TrackedFile;
import java.io.IOException;

/**
 * Gives a region that comes into being its share of the files of the region that it comes from:
 * links to whole files, references to parts.
 */
final class StoreReferences {
  private final Storage storage;
  private final HFileArchive archive;

  StoreReferences(Storage storage) {
    this.storage = storage;
    this.archive = new HFileArchive(storage);
  }

  /** Lets {@code heir} have all of a file; returns the link. */
  TrackedFile link(StoreFile file, StoreDirectory owner, StoreDirectory heir) throws IOException {
    checkWhole(file);
    StoreFileName.Link link =
        file.storeName() instanceof StoreFileName.Link same
            ? same
            : new StoreFileName.Link(owner.table(), owner.region(), file.name());
    checkReadable(file, link);
    archive.link(heir, link);
    return new TrackedFile(link.text(), file.length());
  }

  /** Lets {@code heir} have a part of a file; returns the reference. */
  TrackedFile refer(StoreFile file, StoreDirectory owner, StoreDirectory heir, Reference part)
      throws IOException {
    checkWhole(file);
    StoreFileName.Half name = new StoreFileName.Half(file.storeName(), owner.region());
    checkReadable(file, name);
    byte[] content = part.toFile();
    try (AppendFile output = storage.create(heir.file(name.text()))) {
      output.write(content, 0, content.length);
      output.sync();
    }
    return new TrackedFile(name.text(), file.length() / 2);
  }

  private static void checkWhole(StoreFile file) throws IOException {
    if (file.isReference()) {
      throw new IOException(
          file
              + " is a reference of an earlier split or merge; compact the region before it is"
              + " split or merged");
    }
  }

  /** A file with a name of its own kind could not be told from the name that leads to it. */
  private static void checkReadable(StoreFile file, StoreFileName name) throws IOException {
    if (!StoreFileName.parse(name.text()).equals(name)) {
      throw new IOException(
          file
              + " has a name that no link can lead to; compact the region before it is split or"
              + " merged");
    }
  }
}
