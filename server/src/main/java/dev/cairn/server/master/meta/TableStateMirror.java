package dev.cairn.server.master.meta;

import dev.cairn.engine.schema.TableName;
import dev.cairn.server.catalog.CatalogChange;
import dev.cairn.server.catalog.MetaFormat;
import dev.cairn.server.coordination.Coordination;
import java.io.IOException;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.apache.hadoop.hbase.shaded.protobuf.generated.HBaseProtos.TableState;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Copies the states of tables from {@code hbase:meta} to ZooKeeper: clients before 2.0 read them
 * there, as with HBase's {@code hbase.mirror.table.state.to.zookeeper}. Nothing depends on it here,
 * so an error is only logged. Waits for the network.
 */
public final class TableStateMirror {
  private static final Logger LOG = LoggerFactory.getLogger(TableStateMirror.class);

  private final Coordination coordination;

  /** Creates it; {@code coordination} reaches ZooKeeper. */
  public TableStateMirror(Coordination coordination) {
    this.coordination = coordination;
  }

  /** Repeats everything that was read of the catalog. */
  public void reset(Map<TableName, TableState.State> tables) {
    Map<TableName, TableState.State> all = new HashMap<>(tables);
    all.put(MetaFormat.schema().name(), TableState.State.ENABLED);
    try {
      coordination.publishTableStates(all);
    } catch (IOException e) {
      LOG.warn("Clients before 2.0 may see old states of tables: {}", e.getMessage());
    }
  }

  /** Repeats what changes of the catalog say of tables. */
  void repeat(List<CatalogChange> changes) {
    for (CatalogChange change : changes) {
      if (change instanceof CatalogChange.SetTableState set) {
        publish(set.table(), Optional.of(set.state()));
      } else if (change instanceof CatalogChange.RemoveTable removed) {
        publish(removed.table(), Optional.empty());
      }
    }
  }

  private void publish(TableName table, Optional<TableState.State> state) {
    try {
      coordination.publishTableState(table, state);
    } catch (IOException e) {
      LOG.warn("Clients before 2.0 may see an old state of {}: {}", table, e.getMessage());
    }
  }
}
