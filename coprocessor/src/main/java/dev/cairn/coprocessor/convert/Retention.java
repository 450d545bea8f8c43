package dev.cairn.coprocessor.convert;

import dev.cairn.engine.schema.FamilySchema;
import org.apache.hadoop.hbase.regionserver.ScanInfo;

/** Which cells a read or a rewrite of a family keeps, as hooks set it. */
public final class Retention {
  private Retention() {}

  /**
   * Returns the family that keeps the cells that {@code wanted} says.
   *
   * @param family the family as it is
   * @param stored what HBase's hooks were shown of it
   * @param wanted what they made of it; values below the least possible count as the least
   * @return {@code family} itself if they changed nothing
   */
  public static FamilySchema of(FamilySchema family, ScanInfo stored, ScanInfo wanted) {
    boolean same =
        wanted.getMaxVersions() == stored.getMaxVersions()
            && wanted.getMinVersions() == stored.getMinVersions()
            && wanted.getTtl() == stored.getTtl()
            && wanted.getKeepDeletedCells() == stored.getKeepDeletedCells();
    return same
        ? family
        : family.keeping(
            Math.max(1, wanted.getMaxVersions()),
            Math.max(0, wanted.getMinVersions()),
            Math.max(1, wanted.getTtl()),
            FamilySchema.KeepDeletedCells.valueOf(wanted.getKeepDeletedCells().name()));
  }
}
