package dev.cairn.server.snapshot;

import dev.cairn.engine.layout.MobDirectory;
import dev.cairn.engine.layout.MovingFile;
import dev.cairn.engine.layout.StoreFileName;
import dev.cairn.engine.region.RegionSnapshot;
import dev.cairn.engine.schema.FamilySchema;
import dev.cairn.engine.schema.TableSchema;
import dev.cairn.engine.storage.Storage;
import dev.cairn.server.catalog.Messages;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.apache.hadoop.hbase.shaded.protobuf.generated.SnapshotProtos.SnapshotRegionManifest;
import org.apache.hadoop.hbase.shaded.protobuf.generated.SnapshotProtos.SnapshotRegionManifest.FamilyFiles;
import org.apache.hadoop.hbase.shaded.protobuf.generated.SnapshotProtos.SnapshotRegionManifest.StoreFile;
import org.apache.hbase.thirdparty.com.google.protobuf.ByteString;

/** Makes the manifests of regions, in HBase's message. */
public final class SnapshotManifests {
  private static final String DATA = "data";

  private SnapshotManifests() {}

  /** Returns the manifest of a region. */
  public static SnapshotRegionManifest of(RegionSnapshot region) {
    SnapshotRegionManifest.Builder manifest =
        SnapshotRegionManifest.newBuilder()
            .setVersion(SnapshotDescriptions.VERSION)
            .setRegionInfo(Messages.message(region.region()));
    for (RegionSnapshot.Family family : region.families()) {
      FamilyFiles.Builder files =
          FamilyFiles.newBuilder().setFamilyName(ByteString.copyFromUtf8(family.name()));
      for (RegionSnapshot.File file : family.files()) {
        StoreFile.Builder message =
            StoreFile.newBuilder().setName(file.name()).setFileSize(file.bytes());
        file.part().ifPresent(part -> message.setReference(part.message()));
        files.addStoreFiles(message);
      }
      manifest.addFamilyFiles(files);
    }
    return manifest.build();
  }

  /**
   * Returns the manifest of the region that represents a table's MOB files; empty if the table has
   * no MOB family.
   */
  public static Optional<SnapshotRegionManifest> mob(Storage storage, TableSchema schema)
      throws IOException {
    List<RegionSnapshot.Family> families = new ArrayList<>();
    for (FamilySchema family : schema.families()) {
      if (family.isMob()) {
        MobDirectory directory = MobDirectory.of(DATA, schema.name(), family.nameAsString());
        List<RegionSnapshot.File> files = new ArrayList<>();
        for (Storage.FileInfo file : storage.list(directory.path())) {
          if (!file.directory() && !file.name().startsWith(".") && !file.name().startsWith("_")) {
            files.add(
                new RegionSnapshot.File(
                    file.name(), length(storage, directory, file), Optional.empty()));
          }
        }
        families.add(new RegionSnapshot.Family(family.nameAsString(), files));
      }
    }
    return families.isEmpty()
        ? Optional.empty()
        : Optional.of(of(new RegionSnapshot(MobDirectory.regionInfo(schema.name()), families)));
  }

  private static long length(Storage storage, MobDirectory directory, Storage.FileInfo file)
      throws IOException {
    StoreFileName name = StoreFileName.parse(file.name());
    if (name instanceof StoreFileName.Plain) {
      return file.length();
    }
    return new MovingFile(directory.place().targets(name)).length(storage, file.path());
  }
}
