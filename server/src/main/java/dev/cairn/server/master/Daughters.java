package dev.cairn.server.master;

import dev.cairn.engine.region.RegionSplit;
import dev.cairn.engine.schema.TableSchema;
import java.io.IOException;

/** Makes the files of regions that come of a split. Each may be done twice. */
public interface Daughters {
  /** Makes the daughters' directories; their parent is closed. */
  void write(RegionSplit split, TableSchema schema) throws IOException;

  /** Removes what {@link #write} made, whole or in part. */
  void abandon(RegionSplit split) throws IOException;
}
