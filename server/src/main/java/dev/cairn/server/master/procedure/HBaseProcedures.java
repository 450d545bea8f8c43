package dev.cairn.server.master.procedure;

import dev.cairn.engine.schema.RegionInfo;
import dev.cairn.server.master.procedure.HBaseProcedure.GiveUp;
import dev.cairn.server.master.procedure.HBaseProcedure.Refuse;
import dev.cairn.server.master.procedure.HBaseProcedure.Repeat;
import dev.cairn.server.master.procedure.HBaseProcedure.UndoRegions;
import dev.cairn.server.master.store.MasterStore.Change;
import dev.cairn.server.master.store.MasterStore.Entry;
import dev.cairn.server.master.store.MasterStore.Section;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;
import org.apache.hadoop.hbase.shaded.protobuf.generated.ProcedureProtos.ProcedureState;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The procedures that HBase's master left in the store, with the treatment that {@link
 * HBaseProcedure} decides. Immutable.
 */
public final class HBaseProcedures {
  private static final Logger LOG = LoggerFactory.getLogger(HBaseProcedures.class);
  private static final String OWNER = "hbase";

  private final List<Entry> entries;
  private final List<HBaseProcedure> unfinished;

  private HBaseProcedures(List<Entry> entries, List<HBaseProcedure> unfinished) {
    this.entries = entries;
    this.unfinished = unfinished;
  }

  /**
   * Reads the stored procedures.
   *
   * @throws IOException naming the procedures that only HBase can finish, and those that cannot be
   *     read; nothing was changed
   */
  public static HBaseProcedures read(List<Entry> entries) throws IOException {
    List<HBaseProcedure> unfinished = new ArrayList<>();
    for (Entry entry : entries) {
      HBaseProcedure.read(entry).ifPresent(unfinished::add);
    }
    List<HBaseProcedure> refused =
        unfinished.stream().filter(one -> one.fate() instanceof Refuse).toList();
    if (!refused.isEmpty()) {
      throw new IOException(
          "Apache HBase left procedures that only it can finish: "
              + refused.stream().map(HBaseProcedure::toString).collect(Collectors.joining(", "))
              + ". Start Apache HBase on this folder, wait until they are done, stop it, and try"
              + " again");
    }
    return new HBaseProcedures(List.copyOf(entries), List.copyOf(unfinished));
  }

  /**
   * Returns this server's own procedures in the place of some.
   *
   * @param lastId the highest number that is taken
   */
  public List<ProcedureRecord> repeated(long lastId, long nowMillis) {
    List<ProcedureRecord> records = new ArrayList<>();
    long id = lastId;
    for (HBaseProcedure one : unfinished) {
      if (one.fate() instanceof Repeat repeat) {
        records.add(
            new ProcedureRecord(
                ++id,
                repeat.kind(),
                repeat.data(),
                0,
                OWNER,
                Optional.empty(),
                ProcedureState.RUNNABLE,
                Optional.empty(),
                nowMillis,
                nowMillis,
                false));
        LOG.info("{} of Apache HBase goes on as procedure {}", one, id);
      } else if (one.fate() instanceof GiveUp forget) {
        LOG.warn("{} of Apache HBase is given up: {}", one, forget.consequence());
      } else {
        LOG.info("{} of Apache HBase is taken over by this start", one);
      }
    }
    return records;
  }

  /** Returns regions that were being created, and must be removed unless the catalog has them. */
  public List<RegionInfo> halfMade() {
    List<RegionInfo> regions = new ArrayList<>();
    for (HBaseProcedure one : unfinished) {
      if (one.fate() instanceof UndoRegions undo) {
        regions.addAll(undo.regions());
      }
    }
    return regions;
  }

  /**
   * Returns the changes that remove the entries, and enter {@code repeated} in their place: none if
   * HBase's master has written nothing.
   */
  public List<Change> changes(List<ProcedureRecord> repeated) {
    List<Change> changes = new ArrayList<>();
    for (ProcedureRecord record : repeated) {
      changes.add(
          new Change(Section.PROCEDURE, record.row(), Optional.of(record.message().toByteArray())));
    }
    for (Entry entry : entries) {
      changes.add(new Change(Section.FOREIGN_PROCEDURE, entry.row(), Optional.empty()));
    }
    return changes;
  }
}
