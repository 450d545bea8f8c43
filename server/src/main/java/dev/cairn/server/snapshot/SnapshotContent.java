package dev.cairn.server.snapshot;

import dev.cairn.engine.layout.StoreDirectory;
import dev.cairn.engine.layout.StoreFileName;
import dev.cairn.server.catalog.Messages;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import org.apache.hadoop.hbase.shaded.protobuf.generated.SnapshotProtos.SnapshotRegionManifest;

/** The HFiles that a snapshot needs, for copies of it. */
public final class SnapshotContent {
  private static final String DATA = "data";

  private SnapshotContent() {}

  /**
   * An HFile.
   *
   * @param store the store that it was written for
   */
  public record HFile(StoreDirectory store, String name) {
    /** Returns the paths under a root directory at which the file may be. */
    public List<String> places() {
      return store.linkTargets(name);
    }

    /** Returns the path at which a copy of the snapshot has the file: in the archive. */
    public String archived() {
      return store.archivedFile(name);
    }
  }

  /** Returns all HFiles, each once, also those that only links and references lead to. */
  public static List<HFile> of(StoredSnapshot snapshot) {
    Set<HFile> files = new LinkedHashSet<>();
    for (SnapshotRegionManifest manifest : snapshot.manifests()) {
      String region = Messages.regionInfo(manifest.getRegionInfo()).encodedName();
      for (SnapshotRegionManifest.FamilyFiles family : manifest.getFamilyFilesList()) {
        StoreDirectory store =
            new StoreDirectory(
                DATA, snapshot.table(), region, family.getFamilyName().toStringUtf8());
        family
            .getStoreFilesList()
            .forEach(file -> files.add(file(store, StoreFileName.parse(file.getName()))));
      }
    }
    return new ArrayList<>(files);
  }

  private static HFile file(StoreDirectory store, StoreFileName name) {
    if (name instanceof StoreFileName.Half half) {
      return half.target() instanceof StoreFileName.Link link
          ? linked(store, link)
          : new HFile(store.inRegion(store.table(), half.region()), half.hfile());
    }
    return name instanceof StoreFileName.Link link
        ? linked(store, link)
        : new HFile(store, name.hfile());
  }

  private static HFile linked(StoreDirectory store, StoreFileName.Link link) {
    return new HFile(store.inRegion(link.table(), link.region()), link.hfile());
  }
}
