package dev.cairn.server.snapshot;

import dev.cairn.engine.layout.MobDirectory;
import dev.cairn.engine.layout.MovingFile;
import dev.cairn.engine.layout.Reference;
import dev.cairn.engine.layout.StoreDirectory;
import dev.cairn.engine.layout.StoreFileName;
import dev.cairn.engine.schema.FamilySchema;
import dev.cairn.engine.schema.RegionInfo;
import dev.cairn.engine.schema.TableName;
import dev.cairn.engine.schema.TableSchema;
import dev.cairn.engine.storage.Storage;
import dev.cairn.engine.store.StoreClone;
import dev.cairn.server.catalog.Messages;
import dev.cairn.server.catalog.RegionShapes;
import java.io.IOException;
import java.nio.file.NoSuchFileException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import org.apache.hadoop.hbase.shaded.protobuf.generated.SnapshotProtos.SnapshotRegionManifest;
import org.apache.hadoop.hbase.shaded.protobuf.generated.SnapshotProtos.SnapshotRegionManifest.FamilyFiles;
import org.apache.hadoop.hbase.shaded.protobuf.generated.SnapshotProtos.SnapshotRegionManifest.StoreFile;

/**
 * A table that consists of links to the files of a snapshot. No cell is copied. A reference of the
 * snapshot becomes a reference to a link.
 *
 * @param storage the root directory
 * @param schema the new table's descriptor
 * @param regions the new table's regions, in the order of the snapshot's
 */
public record SnapshotTable(
    Storage storage, StoredSnapshot snapshot, TableSchema schema, List<RegionInfo> regions) {
  private static final String DATA = "data";

  /** Checks that each region of the snapshot has its counterpart. */
  public SnapshotTable {
    if (snapshot.regions().size() != regions.size()) {
      throw new IllegalArgumentException(
          "The snapshot %s has %d regions, not %d"
              .formatted(snapshot.name(), snapshot.regions().size(), regions.size()));
    }
  }

  /**
   * Returns the regions of a table with the borders of the snapshot's regions.
   *
   * @param idOffset added to the snapshot's region ids, so that names are new where they have to be
   */
  public static List<RegionInfo> plan(StoredSnapshot snapshot, TableName table, long idOffset) {
    List<RegionInfo> regions = new ArrayList<>();
    for (SnapshotRegionManifest manifest : snapshot.regions()) {
      RegionInfo old = Messages.regionInfo(manifest.getRegionInfo());
      RegionInfo region =
          new RegionInfo(table, old.startKey(), old.endKey(), old.regionId() + idOffset);
      regions.add(old.split() ? region.asSplit() : region);
    }
    return regions;
  }

  /**
   * Checks that all files of the snapshot are there.
   *
   * @throws NoSuchFileException naming the first that is not
   */
  public void check() throws IOException {
    for (SnapshotRegionManifest manifest : snapshot.manifests()) {
      for (FamilyFiles family : manifest.getFamilyFilesList()) {
        StoreDirectory store = store(manifest, family);
        for (StoreFile file : family.getStoreFilesList()) {
          require(link(manifest, StoreFileName.parse(file.getName())), store);
        }
      }
    }
  }

  /** Writes the content of all regions, and the links to MOB files in their place. */
  public void write(RegionShapes shapes, String tableDirectory) throws IOException {
    Map<String, String> names = new HashMap<>();
    List<SnapshotRegionManifest> manifests = snapshot.regions();
    for (int i = 0; i < regions.size(); i++) {
      names.put(
          Messages.regionInfo(manifests.get(i).getRegionInfo()).encodedName(),
          regions.get(i).encodedName());
    }
    for (int i = 0; i < regions.size(); i++) {
      RegionInfo region = regions.get(i);
      String directory = tableDirectory + "/" + region.encodedName();
      for (FamilySchema family : schema.families()) {
        shapes
            .clone(region, schema, family, directory)
            .write(files(manifests.get(i), family, names));
      }
    }
    if (snapshot.mob().isPresent()) {
      writeMobLinks(shapes, snapshot.mob().get());
    }
  }

  private List<StoreClone.File> files(
      SnapshotRegionManifest manifest, FamilySchema family, Map<String, String> names)
      throws IOException {
    List<StoreClone.File> files = new ArrayList<>();
    for (FamilyFiles stored : manifest.getFamilyFilesList()) {
      if (!stored.getFamilyName().toStringUtf8().equals(family.nameAsString())) {
        continue;
      }
      StoreDirectory store = store(manifest, stored);
      for (StoreFile file : stored.getStoreFilesList()) {
        StoreFileName old = StoreFileName.parse(file.getName());
        StoreFileName.Link link = link(manifest, old);
        StoreFileName name =
            old instanceof StoreFileName.Half half
                ? new StoreFileName.Half(link, names.getOrDefault(half.region(), half.region()))
                : link;
        if (!StoreFileName.parse(name.text()).equals(name)) {
          throw new IOException(
              "The snapshot "
                  + snapshot.name()
                  + " has the file "
                  + file.getName()
                  + ", to which no link can lead");
        }
        files.add(new StoreClone.File(name, require(link, store), part(file)));
      }
    }
    return files;
  }

  private void writeMobLinks(RegionShapes shapes, SnapshotRegionManifest manifest)
      throws IOException {
    Set<String> known =
        schema.families().stream().map(FamilySchema::nameAsString).collect(Collectors.toSet());
    for (FamilyFiles family : manifest.getFamilyFilesList()) {
      String name = family.getFamilyName().toStringUtf8();
      if (!known.contains(name)) {
        continue; // The descriptor has no such family; other files of it are skipped, too.
      }
      MobDirectory directory = MobDirectory.of(DATA, schema.name(), name);
      for (StoreFile file : family.getStoreFilesList()) {
        shapes.link(directory, link(manifest, StoreFileName.parse(file.getName())));
      }
    }
  }

  /** Returns the link to the HFile that a file of the snapshot is, leads to or refers to. */
  private StoreFileName.Link link(SnapshotRegionManifest manifest, StoreFileName name) {
    if (name instanceof StoreFileName.Half half) {
      return half.target() instanceof StoreFileName.Link link
          ? link
          : new StoreFileName.Link(snapshot.table(), half.region(), half.hfile());
    }
    return name instanceof StoreFileName.Link link
        ? link
        : new StoreFileName.Link(
            snapshot.table(),
            Messages.regionInfo(manifest.getRegionInfo()).encodedName(),
            name.hfile());
  }

  private StoreDirectory store(SnapshotRegionManifest manifest, FamilyFiles family) {
    TableName table = snapshot.table();
    String region = Messages.regionInfo(manifest.getRegionInfo()).encodedName();
    return new StoreDirectory(DATA, table, region, family.getFamilyName().toStringUtf8());
  }

  /** Returns the length of the HFile to which a link leads, which must be there. */
  private long require(StoreFileName.Link link, StoreDirectory store) throws IOException {
    return new MovingFile(store.targets(link))
        .length(storage, "the snapshot " + snapshot.name() + ": " + link.text());
  }

  private Optional<Reference> part(StoreFile file) throws IOException {
    return file.hasReference()
        ? Optional.of(Reference.of(snapshot.name() + "/" + file.getName(), file.getReference()))
        : Optional.empty();
  }
}
