package dev.cairn.coprocessor.log;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.cairn.engine.cell.Bytes;
import dev.cairn.engine.cell.CellBuffer;
import dev.cairn.engine.cell.CellType;
import dev.cairn.engine.schema.FamilySchema;
import dev.cairn.engine.schema.RegionInfo;
import dev.cairn.engine.schema.TableName;
import dev.cairn.engine.schema.TableSchema;
import dev.cairn.engine.wal.file.WalEntry;
import java.io.IOException;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** Checks which entries the hooks of a recovery see; the host is absent, so a call of it fails. */
class ReplayedEntriesTest {
  private static final TableSchema TABLE =
      TableSchema.of(TableName.parse("t"), FamilySchema.of("f"));

  private final RegionInfo region = new RegionInfo(TABLE.name(), Bytes.EMPTY, Bytes.EMPTY, 1);

  private WalEntry entry(CellBuffer cells) {
    return new WalEntry(region.encodedName(), TABLE.name(), 7, 1, cells);
  }

  @Test
  void hooksSeeNoEntryWithoutCells() throws IOException {
    ReplayHooks hooks = new ReplayHooks(region, TABLE);
    hooks.started(null, null, null, Set.of("preWALRestore", "postWALRestore"));
    WalEntry empty = entry(new CellBuffer());
    assertThat(hooks.restores(empty)).containsSame(empty.cells());
    hooks.restored(empty, empty.cells());
    CellBuffer cells = new CellBuffer();
    byte[] f = Bytes.utf8("f");
    cells.add(f, f, f, 1, CellType.PUT.code(), f, Bytes.EMPTY);
    assertThatThrownBy(() -> hooks.restores(entry(cells))).isInstanceOf(NullPointerException.class);
  }
}
