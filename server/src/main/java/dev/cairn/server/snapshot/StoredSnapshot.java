package dev.cairn.server.snapshot;

import dev.cairn.engine.layout.MobDirectory;
import dev.cairn.engine.schema.TableName;
import dev.cairn.engine.schema.TableSchema;
import dev.cairn.server.catalog.Messages;
import java.util.List;
import java.util.Optional;
import org.apache.hadoop.hbase.shaded.protobuf.generated.SnapshotProtos.SnapshotDescription;
import org.apache.hadoop.hbase.shaded.protobuf.generated.SnapshotProtos.SnapshotRegionManifest;

/**
 * A complete snapshot. Immutable.
 *
 * @param schema the table's descriptor at the time
 * @param manifests all regions, also split ones with files that others referred to, and the one
 *     that represents the MOB files; no replicas
 */
public record StoredSnapshot(
    SnapshotDescription description, TableSchema schema, List<SnapshotRegionManifest> manifests) {
  /** Returns the snapshot's name. */
  public String name() {
    return description.getName();
  }

  /** Returns the table whose snapshot it is. */
  public TableName table() {
    return schema.name();
  }

  /** Returns the manifests of regions, in their order. */
  public List<SnapshotRegionManifest> regions() {
    return manifests.stream().filter(manifest -> !isMob(manifest)).toList();
  }

  /** Returns the manifest of the MOB files, if there is one. */
  public Optional<SnapshotRegionManifest> mob() {
    return manifests.stream().filter(this::isMob).findFirst();
  }

  private boolean isMob(SnapshotRegionManifest manifest) {
    return Messages.regionInfo(manifest.getRegionInfo())
        .encodedName()
        .equals(MobDirectory.region(table()));
  }
}
